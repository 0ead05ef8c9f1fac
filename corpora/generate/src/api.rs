//! API results: a page of nested records with numbers, flags and arrays below them.

use crate::json::{self, Open};
use crate::rng::Rng;
use crate::words;

const TAGS: &[&str] = &["new", "sale", "key: value", "42", "true", "größe", "a/b", "v1.10", "draft"];
const KEYS: &[&str] = &["color", "size", "weight_kg", "app.kubernetes.io/name", "last seen", "größe"];

pub(crate) fn append(rng: &mut Rng, nth: u64, out: &mut String) {
    json::object(out, |o| {
        o.str("request_id", &format!("req_{}", words::hex(rng, 16)));
        o.raw("page", nth);
        o.array("data", |d| {
            for _ in 0..rng.range(1, 4) {
                d.object("", |item| record(rng, nth, item));
            }
        });
        o.raw("has_more", rng.chance(50));
        if rng.chance(50) {
            o.object("rate", |r| {
                r.raw("limit", 5_000);
                r.raw("left", rng.range(0, 5_000));
            });
        }
        o.str("status", "ok");
    });
}

fn record(rng: &mut Rng, nth: u64, item: &mut Open<'_>) {
    item.raw("id", rng.bits());
    item.str("name", words::name(rng));
    item.str("created_at", &words::moment(rng, nth * 7));
    item.object("owner", |o| owner(rng, o));
    item.array("tags", |tags| {
        for _ in 0..rng.few(0, 5) {
            tags.str("", rng.pick(TAGS));
        }
    });
    item.object("attributes", |a| attributes(rng, a));
    item.array("points", |points| points_of(rng, points));
    item.raw("price", words::decimal(rng, 1_000, 2));
    if rng.chance(30) {
        item.null("deleted_at");
    }
}

fn owner(rng: &mut Rng, o: &mut Open<'_>) {
    o.str("login", &format!("user{}", rng.range(1, 99_999)));
    o.object("address", |a| {
        a.str("city", words::city(rng));
        a.str("zip", &format!("{:05}", rng.range(0, 99_999)));
        a.object("geo", |g| {
            g.raw("lat", words::decimal(rng, 90, 6));
            g.raw("lon", format!("-{}", words::decimal(rng, 180, 6)));
        });
    });
    o.raw("active", rng.chance(80));
}

fn attributes(rng: &mut Rng, a: &mut Open<'_>) {
    for key in KEYS {
        if rng.chance(35) {
            let mut text = String::new();
            words::phrase(rng, 2, &mut text);
            a.str(key, &text);
        }
    }
}

fn points_of(rng: &mut Rng, points: &mut Open<'_>) {
    for _ in 0..rng.few(1, 6) {
        points.array("", |p| {
            p.raw("", rng.range(1_714_000_000, 1_715_000_000));
            p.raw("", words::decimal(rng, 2, 4));
        });
    }
}
