//! Frames: what the generator remembers of each open container.

/// How the next scalar member of an object begins its line. The first three are their width in blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Lead {
    /// At column 0.
    Plain = 0,
    /// Behind the `-` that waits for it.
    Dash = 1,
    /// Below the first member of its item.
    Indent = 2,
    /// By a scalar heading: a container member stands open (L12).
    Heading = 3,
}

/// Where a string stands; it decides which spellings it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A plain field of an object that is no item: the only place for a blockquote (L8).
    Field,
    /// A field of an item, or of the frontmatter.
    ItemField,
    /// A scalar heading, where `[]` at the end would be read as an array by some.
    Heading,
    /// A scalar item, where `: ` or a `:` at the end would be read as a field.
    Item,
}

/// No late members yet: [`Frame::late_at`] of an object without a container member.
pub(crate) const NEVER: usize = usize::MAX;

/// One open container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Depth of its heading; for an item, that of its array.
    pub depth: usize,
    /// Object: where its late members go in the output (grouped order), or [`NEVER`].
    pub late_at: usize,
    /// Object: how its next scalar begins.
    pub lead: Lead,
    /// Object: where its plain scalars stand.
    pub place: Place,
    /// Object: it has a container member. Array: its last item opened a deeper scope (L5 a).
    pub deep: bool,
    /// Array: its last item is an object (L5 b).
    pub record: bool,
}

impl Frame {
    pub(crate) const fn object(depth: usize) -> Self {
        Self { depth, late_at: NEVER, lead: Lead::Plain, place: Place::Field, deep: false, record: false }
    }

    pub(crate) const fn item(depth: usize) -> Self {
        Self { lead: Lead::Dash, place: Place::ItemField, ..Self::object(depth) }
    }

    pub(crate) const fn array(depth: usize) -> Self {
        Self::object(depth)
    }
}
