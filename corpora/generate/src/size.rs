//! Sizes as people write them.

/// Bytes from a number with an optional unit: `B`, `KB`, `MB`, `GB` in powers of 1000, `KiB`, `MiB`, `GiB` in powers of 1024.
///
/// ```
/// assert_eq!(generate::parse_size("100MB"), Some(100_000_000));
/// assert_eq!(generate::parse_size("64KiB"), Some(65_536));
/// assert_eq!(generate::parse_size("many"), None);
/// ```
pub fn parse_size(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    number.parse::<u64>().ok()?.checked_mul(scale(unit)?)
}

fn scale(unit: &str) -> Option<u64> {
    Some(match unit {
        "" | "B" => 1,
        "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    })
}
