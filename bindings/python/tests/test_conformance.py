"""The project's fixtures, through the functions of this package."""

import json
import os
import subprocess

import jmdx
import pytest
from conformance import ROOT, Fixture, all_of, exact, names, ordered

READ = [fixture for folder in ("data", "query", "schema", "delete", "tolerance") for fixture in all_of(folder)]
CANONICAL = [fixture for fixture in READ if fixture.folder != "tolerance"]
REFUSED = all_of("must-fail")
EMITTED = all_of("emit", ".json")
EVENTS = all_of("events")
PARSE = ("max_line", "max_document", "max_keys")


@pytest.mark.parametrize("fixture", READ, ids=names)
def test_reads_as_the_value(fixture):
    jmd = fixture.bytes(".jmd")
    options = fixture.options("frontmatter", "max_output", *PARSE)
    assert jmdx.to_json(jmd, **options) == fixture.text(".json")
    envelope = jmdx.parse(jmd, floats="decimal", **fixture.options(*PARSE))
    assert ordered(envelope.value) == exact(fixture.text(".json"))
    if fixture.has(".envelope.json"):
        whole = jmdx.to_json(jmd, envelope=True, **options)
        assert whole == fixture.text(".envelope.json")
        head = exact(whole)
        assert head[:2] == [("mode", envelope.mode), ("label", envelope.label)]
        assert head[2] == ("frontmatter", ordered(envelope.frontmatter))


@pytest.mark.parametrize("fixture", CANONICAL, ids=names)
def test_is_written_byte_for_byte(fixture):
    jmd = fixture.bytes(".jmd").decode()
    all_modes = ("data", "query", "schema", "delete")
    whole = jmdx.to_json(jmd, envelope=True, modes=all_modes, max_depth=128)
    assert jmdx.to_jmd(whole, envelope=True, modes=all_modes, max_depth=128) == jmd
    envelope = jmdx.parse(jmd, floats="decimal", modes=all_modes, max_depth=128)
    head = {"mode": envelope.mode, "label": envelope.label, "frontmatter": envelope.frontmatter}
    assert jmdx.to_jmd(fixture.bytes(".json"), max_depth=128, **head) == jmd
    if fixture.has(".grouped.jmd"):
        grouped = jmdx.serialize(envelope, order="grouped", max_depth=128)
        assert grouped == fixture.bytes(".grouped.jmd").decode()
    if "\\ud" not in jmd:
        # Decimals of Python forget how a number was spelled: 1e5 is written 1E+5. The number stays.
        again = jmdx.serialize(envelope, max_depth=128)
        reread = jmdx.parse(again, floats="decimal", modes=all_modes, max_depth=128)
        assert (reread, ordered(reread.value)) == (envelope, ordered(envelope.value))


@pytest.mark.parametrize("fixture", REFUSED, ids=names)
def test_is_refused_at_its_place(fixture):
    jmd = fixture.bytes(".jmd")
    expected = json.loads(fixture.text(".error.json"))
    options = fixture.options("frontmatter", "max_output", *PARSE)
    refused(expected, lambda: jmdx.to_json(jmd, **options))
    if set(fixture.asks()) & {"frontmatter", "output_bytes"} or "modes" in fixture.asks():
        return
    options = fixture.options(*PARSE)
    refused(expected, lambda: jmdx.parse(jmd, **options))
    refused(expected, lambda: list(jmdx.events([jmd[:5], jmd[5:]], **options)))


@pytest.mark.parametrize("fixture", EMITTED, ids=names)
def test_envelopes_are_written_or_refused(fixture):
    envelope = fixture.bytes(".json")
    options = fixture.options("duplicate_keys", "max_document", "max_output", "max_keys")
    if fixture.has(".error.json"):
        expected = json.loads(fixture.text(".error.json"))
        refused(expected, lambda: jmdx.to_jmd(envelope, envelope=True, **options))
    else:
        assert jmdx.to_jmd(envelope, envelope=True, **options) == fixture.bytes(".jmd").decode()


@pytest.mark.parametrize("fixture", EVENTS, ids=names)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_events_are_those_of_the_program(fixture, size):
    jmd = fixture.bytes(".jmd")
    chunks = [jmd[at : at + size] for at in range(0, len(jmd), size)]
    events = list(jmdx.events(chunks, floats="decimal", **fixture.options(*PARSE)))
    lines = fixture.text(".events.jsonl").split("\n")
    assert [ordered(event) for event in events] == [exact(line) for line in lines]


def refused(expected, work):
    with pytest.raises(jmdx.JmdxError) as caught:
        work()
    found = {name: getattr(caught.value, name) for name in expected}
    assert found == expected


def test_fixtures_were_found():
    assert len(READ) > 100 and len(REFUSED) > 30 and len(EMITTED) > 20
    assert isinstance(READ[0], Fixture)


def program():
    """The program jmdx: named by the environment, or built in this checkout."""
    target = ROOT.parent / "target"
    named = os.environ.get("JMDX")
    built = [path for path in (target / "release/jmdx", target / "debug/jmdx") if path.exists()]
    return [named] if named else built


@pytest.mark.skipif(not program(), reason="the program jmdx is not built; JMDX can name one")
def test_all_fixtures_have_the_events_that_the_program_prints():
    modes = ("data", "query", "schema", "delete")
    for path in sorted(ROOT.glob("*/*.jmd")):
        command = [program()[0], "events", "--modes", ",".join(modes), "--max-depth", "128", str(path)]
        run = subprocess.run(command, capture_output=True, timeout=120)
        printed = [exact(line) for line in run.stdout.split(b"\n") if line]
        events, place = [], ""
        try:
            for event in jmdx.events([path.read_bytes()], floats="decimal", modes=modes, max_depth=128):
                events.append(ordered(event))
        except jmdx.JmdxError as error:
            place = f"{error.line}:{error.column}: {error.kind}"
        assert (events, place != "") == (printed, run.returncode != 0), path
        assert place in run.stderr.decode(), path
