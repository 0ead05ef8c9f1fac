//! Shapes that mean nothing, or would lose something, in a sentence each.

use super::{Shape, TEXT, Way};
use crate::bridge::Format;

impl Shape {
    /// Refuses what has no effect and what cannot be done, in a sentence that names the options.
    pub fn check(&self, from: Format, to: Format) -> Result<(), String> {
        self.check_pointers()?;
        if from == to {
            let name = from.as_str();
            let why = format!("{name} becomes {name} record by record, with nothing taken out or put in");
            return self.without_effect(&["--field", "--into", "--keep", "--drop", "--parse-strings"], &why);
        }
        if self.parse_strings && self.fields.is_empty() {
            return refuse(
                "--parse-strings is about the strings that --field names, and there is no --field",
            );
        }
        match self.way(from, to) {
            Way::Document if from == Format::Jmd => self.check_documents_in(),
            Way::Document => self.check_documents_out(),
            Way::Wrap => self.check_wrap(),
            Way::Unwrap => self.check_unwrap(),
            Way::Fields => self.check_fields(to),
        }
    }

    fn check_pointers(&self) -> Result<(), String> {
        for pointer in &self.keep {
            if tokens(pointer).any(|token| token == "*") {
                return refuse(&format!(
                    "--keep {pointer}: a * names many values, and --keep takes one; name each"
                ));
            }
            if pointer.is_empty() {
                return refuse("--keep \"\" names the whole record: name the members that are to stay");
            }
        }
        match self.drop.iter().any(|pointer| pointer.is_empty()) {
            true => refuse("--drop \"\" names the whole record: name the members that are to go"),
            false => Ok(()),
        }
    }

    /// Of the options those that were given are refused.
    fn without_effect(&self, options: &[&str], why: &str) -> Result<(), String> {
        let given = |option: &&&str| match **option {
            "--field" => !self.fields.is_empty(),
            "--into" => self.into.is_some(),
            "--keep" => !self.keep.is_empty(),
            "--drop" => !self.drop.is_empty(),
            _ => self.parse_strings,
        };
        match options.iter().find(given) {
            Some(option) => refuse(&format!("{option} has no effect: {why}")),
            None => Ok(()),
        }
    }

    fn check_documents_in(&self) -> Result<(), String> {
        let why = "the input is JMD documents; records that hold them as text are JSON lines or sequences";
        self.without_effect(&["--field", "--into", "--keep", "--drop"], why)
    }

    fn check_documents_out(&self) -> Result<(), String> {
        let why =
            "the output is JMD documents alone; write JSON lines or a sequence to have records around them";
        self.without_effect(&["--into", "--keep"], why)
    }

    fn check_wrap(&self) -> Result<(), String> {
        let text = self.into.as_deref().unwrap_or(TEXT);
        let mut names = vec![text.to_owned()];
        for pointer in &self.keep {
            let name = last_key(pointer);
            if name == text {
                return refuse(&format!(
                    "--keep {pointer} would stand under {name:?}, where the JMD text stands: name the text with --into"
                ));
            }
            if names.contains(&name) {
                return refuse(&format!("two of --keep would stand under the same name, {name:?}"));
            }
            names.push(name);
        }
        Ok(())
    }

    fn check_unwrap(&self) -> Result<(), String> {
        let why = "the JMD text becomes the whole record; with --field the record stays around it";
        self.without_effect(&["--into", "--keep"], why)?;
        match self.drop.iter().find(|drop| covers(drop, &self.unwrap) && !drop.contains('*')) {
            Some(drop) => {
                refuse(&format!("--drop {drop} would leave out the JMD text, at {:?}", self.unwrap))
            }
            None => Ok(()),
        }
    }

    fn check_fields(&self, to: Format) -> Result<(), String> {
        if to == Format::Jmd && !self.records_out {
            return refuse(
                "--field leaves each record JSON, with JMD text in it: the output is to be JSON lines or a sequence",
            );
        }
        if to == Format::Json && !self.records_in {
            return refuse("--field looks for JMD text in JSON records, and the input is JMD documents");
        }
        self.check_overlaps()?;
        self.check_into()?;
        self.check_drop()
    }

    fn check_drop(&self) -> Result<(), String> {
        let dropped = |pointer: &String| self.drop.iter().any(|drop| covers(drop, pointer));
        if let Some(keep) = self.keep.iter().find(|keep| dropped(keep)) {
            return refuse(&format!("--keep {keep} is to stay, and --drop leaves it out"));
        }
        let gone = self.fields.iter().find_map(|field| {
            let drop = self.drop.iter().find(|drop| covers(drop, field))?;
            self.into.is_none().then_some((drop, field))
        });
        match gone {
            Some((drop, field)) => refuse(&format!(
                "--drop {drop} would leave out what --field {field} converts; --into keeps the text"
            )),
            None => Ok(()),
        }
    }

    fn check_overlaps(&self) -> Result<(), String> {
        for (at, inner) in self.fields.iter().enumerate() {
            let others = self.fields.iter().enumerate().filter(|(other, _)| *other != at);
            if let Some((_, outer)) = others.into_iter().find(|(_, outer)| covers(outer, inner)) {
                return refuse(&format!("--field {outer} covers --field {inner}: a value is converted once"));
            }
        }
        Ok(())
    }

    fn check_into(&self) -> Result<(), String> {
        let Some(name) = &self.into else { return Ok(()) };
        let [field] = &self.fields[..] else {
            return refuse("--into takes the text of one value, and --field names several");
        };
        if tokens(field).any(|token| token == "*") {
            return refuse(&format!(
                "--into takes the text of one value, and --field {field} may name several"
            ));
        }
        if is_member(field, name) && !self.drop.contains(field) {
            return refuse(&format!(
                "--into {name} is where --field {field} stands: without --into it is converted in place"
            ));
        }
        Ok(())
    }
}

fn refuse(sentence: &str) -> Result<(), String> {
    Err(sentence.to_owned())
}

fn tokens(pointer: &str) -> impl Iterator<Item = &str> {
    pointer.split('/').skip(1)
}

/// The key that the last token of a pointer stands for.
pub(super) fn last_key(pointer: &str) -> String {
    key(pointer.rsplit('/').next().unwrap_or_default())
}

fn key(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// Whether the pointer names a member of the record with this name.
fn is_member(pointer: &str, name: &str) -> bool {
    let mut tokens = tokens(pointer);
    tokens.next().is_some_and(|token| key(token) == name) && tokens.next().is_none()
}

/// Whether each value that `inner` names stands in one that `outer` names, or is one.
pub(super) fn covers(outer: &str, inner: &str) -> bool {
    let mut inner = tokens(inner);
    tokens(outer).all(|outer| inner.next().is_some_and(|inner| outer == "*" || outer == inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Format::{Jmd, Json};

    fn list(pointers: &str) -> Vec<String> {
        pointers.split(' ').filter(|pointer| !pointer.is_empty()).map(str::to_owned).collect()
    }

    /// The first words of the sentence; nothing where all is well.
    fn told(from: Format, to: Format, records: bool, options: [&str; 4]) -> Option<String> {
        let [fields, into, keep, drop] = options;
        let shape = Shape {
            fields: list(fields),
            into: list(into).pop(),
            keep: list(keep),
            drop: list(drop),
            records_in: records && from == Jmd,
            records_out: records && to == Jmd,
            ..Shape::default()
        };
        shape.check(from, to).err()
    }

    #[test]
    fn what_can_be_done() {
        for (from, to, records, options) in [
            (Json, Jmd, true, ["", "", "", ""]),
            (Json, Jmd, true, ["", "body", "/id /text /meta/lang", "/id /x/*/y"]),
            (Json, Jmd, false, ["", "", "", "/id /x/*/y"]),
            (Json, Jmd, true, ["/a /b/*/c /b/*/d", "", "/id", "/x /a/y"]),
            (Json, Jmd, true, ["/a", "text", "", "/text"]),
            (Json, Jmd, true, ["/a", "a", "", "/a"]),
            (Json, Jmd, true, ["/a/b", "a", "", "/a"]),
            (Json, Jmd, true, ["", "text", "", ""]),
            (Json, Jmd, true, ["/*/b /a/*", "", "", ""]),
            (Jmd, Json, true, ["", "", "", "/id /meta /*"]),
            (Jmd, Json, true, ["/a /b/*", "", "/id", "/x"]),
            (Jmd, Json, true, ["/a", "data", "", ""]),
            (Jmd, Json, false, ["", "", "", ""]),
            (Json, Json, false, ["", "", "", ""]),
            (Jmd, Jmd, false, ["", "", "", ""]),
        ] {
            assert_eq!(told(from, to, records, options), None, "{options:?}");
        }
    }

    #[test]
    fn what_cannot() {
        for (from, to, records, options, sentence) in [
            (Json, Json, false, ["/a", "", "", ""], "--field has no effect: json becomes json"),
            (Jmd, Jmd, true, ["", "", "", "/a"], "--drop has no effect: jmd becomes jmd"),
            (Json, Jmd, true, ["", "", "/a/*", ""], "--keep /a/*: a * names many"),
            (Json, Jmd, true, ["", "", "/id /text", ""], "--keep /text would stand under \"text\""),
            (Json, Jmd, true, ["", "body", "/body", ""], "--keep /body would stand under \"body\""),
            (Json, Jmd, true, ["", "a/b", "/a~1b", ""], "--keep /a~1b would stand under \"a/b\""),
            (
                Json,
                Jmd,
                true,
                ["", "", "/a/id /b/id", ""],
                "two of --keep would stand under the same name, \"id\"",
            ),
            (
                Json,
                Jmd,
                false,
                ["", "", "/id", ""],
                "--keep has no effect: the output is JMD documents alone",
            ),
            (Json, Jmd, false, ["", "t", "", ""], "--into has no effect: the output is JMD documents alone"),
            (Json, Jmd, false, ["/a", "", "", ""], "--field leaves each record JSON"),
            (
                Json,
                Jmd,
                true,
                ["/a /b", "t", "", ""],
                "--into takes the text of one value, and --field names",
            ),
            (Json, Jmd, true, ["/a/*", "t", "", ""], "--into takes the text of one value, and --field /a/*"),
            (Json, Jmd, true, ["/t", "t", "", ""], "--into t is where --field /t stands"),
            (Json, Jmd, true, ["/a /a", "", "", ""], "--field /a covers --field /a"),
            (Json, Jmd, true, ["/a/b /a", "", "", ""], "--field /a covers --field /a/b"),
            (Json, Jmd, true, ["/a/b /*", "", "", ""], "--field /* covers --field /a/b"),
            (Json, Jmd, true, ["/a/*/c /a/0", "/a", "", ""], "--into takes the text"),
            (Json, Jmd, true, ["/a/b", "", "", "/a"], "--drop /a would leave out what --field /a/b converts"),
            (Json, Jmd, true, ["/a", "", "/id", "/*"], "--keep /id is to stay, and --drop leaves it out"),
            (Jmd, Json, true, ["", "", "/id", ""], "--keep has no effect: the JMD text becomes the whole"),
            (Jmd, Json, true, ["", "t", "", ""], "--into has no effect: the JMD text becomes the whole"),
            (Jmd, Json, true, ["", "", "", "/text"], "--drop /text would leave out the JMD text"),
            (Jmd, Json, false, ["/a", "", "", ""], "--field looks for JMD text in JSON records"),
            (Jmd, Json, false, ["", "", "", "/a"], "--drop has no effect: the input is JMD documents"),
        ] {
            let told = told(from, to, records, options).unwrap_or_default();
            assert!(told.starts_with(sentence), "{options:?}: {told}");
        }
        let shape = |shape: Shape| shape.check(Json, Jmd).unwrap_err();
        let whole = || vec![String::new()];
        assert!(
            shape(Shape { drop: whole(), ..Shape::default() }).starts_with("--drop \"\" names the whole")
        );
        assert!(
            shape(Shape { keep: whole(), ..Shape::default() }).starts_with("--keep \"\" names the whole")
        );
        let parse = Shape { parse_strings: true, ..Shape::default() };
        assert!(shape(parse).starts_with("--parse-strings is about the strings that --field names"));
    }
}
