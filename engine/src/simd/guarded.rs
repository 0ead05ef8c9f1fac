//! Memory between two pages that cannot be touched: one byte read or written too far ends the process.

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use rustix::param::page_size;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Room of whole pages, with an unmapped page on each side.
pub struct Guarded {
    map: *mut c_void,
    room: usize,
}

impl Guarded {
    /// Room for at least so many bytes.
    pub fn new(bytes: usize) -> Self {
        let (page, room) = (page_size(), bytes.max(1).next_multiple_of(page_size()));
        // SAFETY: a new private mapping at a place of the system's choice touches nothing that exists.
        let map =
            unsafe { mmap_anonymous(null_mut(), room + 2 * page, ProtFlags::empty(), MapFlags::PRIVATE) };
        let map = map.expect("pages can be had");
        let access = MprotectFlags::READ | MprotectFlags::WRITE;
        // SAFETY: these pages are inside of the mapping above, which nothing else knows yet.
        unsafe { mprotect(map.byte_add(page), room, access) }.expect("pages can be opened");
        Self { map, room }
    }

    /// A copy of the bytes that ends where the unmapped page behind begins.
    pub fn at_end(&mut self, bytes: &[u8]) -> &[u8] {
        let start = self.room - bytes.len();
        let place = &mut self.bytes()[start..];
        place.copy_from_slice(bytes);
        place
    }

    /// A copy of the bytes that begins where the unmapped page before ends.
    pub fn at_start(&mut self, bytes: &[u8]) -> &[u8] {
        let place = &mut self.bytes()[..bytes.len()];
        place.copy_from_slice(bytes);
        place
    }

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `room` bytes behind the first page are readable, writable and zeroed by the system, live as long as
        // `self`, and are lent out through `&mut self` alone.
        unsafe { std::slice::from_raw_parts_mut(self.map.byte_add(page_size()).cast(), self.room) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping, and nothing borrows from it any more.
        let unmapped = unsafe { munmap(self.map, self.room + 2 * page_size()) };
        unmapped.expect("a mapping of our own");
    }
}
