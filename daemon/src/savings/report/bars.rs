//! Bars of the page: rows of a list, each with a name, a bar and a figure, so that the page can be read without them.

use std::fmt::Write;

/// Text as it may stand in HTML, in attributes too.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Rows of bars, all of one scale.
pub struct Bars(String);

impl Bars {
    pub fn new() -> Self {
        Self(String::new())
    }

    /// A bar as long as a part of the whole width; `color` is a class of the style sheet.
    pub fn plain(&mut self, name: &str, color: &str, part: f64, figure: &str) {
        self.row(name, &format!("<span class=\"track\">{}</span>", fill(color, part)), figure);
    }

    /// Bars one behind the other.
    pub fn stacked(&mut self, name: &str, parts: &[(&str, f64)], figure: &str) {
        let fills: String = parts.iter().map(|(color, part)| fill(color, *part)).collect();
        self.row(name, &format!("<span class=\"track\">{fills}</span>"), figure);
    }

    /// A bar to the right of the middle for what costs, to the left for what saves; `scale` percent fill half a row.
    pub fn signed(&mut self, name: &str, percent: f64, scale: f64) {
        let part = if scale > 0.0 { percent.abs() / scale } else { 0.0 };
        let (left, right) = if percent < 0.0 { (part, 0.0) } else { (0.0, part) };
        let halves = format!(
            "<span class=\"track split\"><span class=\"half left\">{}</span><span class=\"half\">{}</span></span>",
            fill("saves", left),
            fill("costs", right),
        );
        self.row(name, &halves, &super::signed(percent));
    }

    pub fn finish(self) -> String {
        format!("<ul class=\"bars\">\n{}</ul>\n", self.0)
    }

    fn row(&mut self, name: &str, track: &str, figure: &str) {
        let _ = writeln!(
            self.0,
            "<li><span class=\"name\">{}</span>{track}<span class=\"figure\">{}</span></li>",
            escape(name),
            escape(figure),
        );
    }
}

fn fill(color: &str, part: f64) -> String {
    format!("<span class=\"fill {color}\" style=\"width:{:.2}%\"></span>", 100.0 * part.clamp(0.0, 1.0))
}

/// A table; the first cell of a row is its name. Cells are escaped, and know the heads of their columns, for screens
/// that are too narrow for columns.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let heads: String = head.iter().map(|cell| format!("<th scope=\"col\">{}</th>", escape(cell))).collect();
    let mut html = format!("<div class=\"wide\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n");
    for row in rows {
        let Some((name, cells)) = row.split_first() else { continue };
        let cell = |(head, cell): (&&str, &String)| {
            format!("<td data-head=\"{}\">{}</td>", escape(head), escape(cell))
        };
        let cells: String = head.iter().skip(1).zip(cells).map(cell).collect();
        let _ = writeln!(html, "<tr><th scope=\"row\">{}</th>{cells}</tr>", escape(name));
    }
    html.push_str("</tbody></table></div>\n");
    html
}
