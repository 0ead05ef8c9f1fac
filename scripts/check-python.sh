#!/bin/sh
# Builds the wheel of bindings/python, installs it, and runs its tests: its own, and Spark on two cores.
#
#   scripts/check-python.sh          a debug wheel; 2 MB of data through Spark
#   scripts/check-python.sh --all    a release wheel; also a Spark cluster to which the wheel is shipped, Ray Data, and 200 MB of data
#
# Works in target/python, with packages from PyPI. PYTHON names the interpreter (python3). Status 77: this machine cannot do it, or not all of it.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
python=${PYTHON:-python3}
all=
case ${1:-} in
    --all) all=yes ;;
    '') ;;
    *) echo "usage: check-python.sh [--all]" >&2; exit 2 ;;
esac
work=$target/python
mkdir -p "$work"
work=$(cd "$work" && pwd)
target=$(cd "$target" && pwd)
tests=bindings/python/tests

unable() { echo "$1" >&2; exit 77; }

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || unable "there is no Python 3.11 or later"
"$python" -c 'import venv, ensurepip' 2> /dev/null || unable "this Python makes no environments (package python3-venv)"

java_version() { java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p'; }
java=$(java_version) || java=
[ "${java%%.*}" -ge 17 ] 2> /dev/null || java=

# An environment without the package: what the tests need beside it.
bare=$work/bare
install() { "$bare/bin/pip" install --quiet --disable-pip-version-check --retries 10 --timeout 60 -r "$1"; }
has() { [ "$(cat "$bare/$(basename "$1")" 2> /dev/null)" = "$(cat "$1")" ]; }
if ! has $tests/requirements.txt || [ "$("$bare/bin/python" -VV)" != "$("$python" -VV)" ]; then
    "$python" -m venv --clear "$bare"
    install $tests/requirements.txt
    cp $tests/requirements.txt "$bare"
fi
if [ -n "$all" ] && ! has $tests/requirements-ray.txt; then
    install $tests/requirements-ray.txt
    cp $tests/requirements-ray.txt "$bare"
fi

# The wheel, and an environment that has it and sees the packages of the other one.
rm -rf "$work/wheel"
PATH=$bare/bin:$PATH "$bare/bin/maturin" build --quiet ${all:+--release} --manifest-path bindings/python/Cargo.toml --out "$work/wheel"
wheel=$(ls "$work"/wheel/jmdx-*.whl)
"$python" -m venv --clear "$work/venv"
site() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
site "$bare" > "$(site "$work/venv")/bare.pth"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps "$wheel"

# The programs that the tests compare with, unless JMDX_PROGRAMS names the folder in which they are.
profile=debug
[ -z "$all" ] || profile=release
if [ -z "${JMDX_PROGRAMS:-}" ]; then
    cargo build --quiet ${all:+--release} -p jmdx -p generate
fi
programs=${JMDX_PROGRAMS:-$target/$profile}

"$bare/bin/mypy" --strict --no-error-summary --cache-dir "$work/mypy" --config-file bindings/python/pyproject.toml bindings/python/python/jmdx

check() {
    env JMDX="$programs/jmdx" JMDX_PROGRAMS="$programs" JMDX_WHEEL="$wheel" ${all:+JMDX_BARE_PYTHON="$bare/bin/python" JMDX_TEST_MEGABYTES=200} \
        "$work/venv/bin/python" -m pytest -q -rs -p no:cacheprovider -c bindings/python/pyproject.toml --rootdir bindings/python "$@"
}

check $tests --ignore $tests/spark --ignore $tests/ray
[ -n "$java" ] || unable "the tests without Spark passed; there is no Java 17 or later for the others"
check $tests/spark
[ -z "$all" ] || check $tests/ray
