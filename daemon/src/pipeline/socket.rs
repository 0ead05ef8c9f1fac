//! Sockets: where to listen, how one is bound, what comes from it.

use super::descriptor::{Input, Output};
use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    Unix(PathBuf),
    Tcp(SocketAddr),
    /// All sockets that systemd passes.
    Systemd,
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            Some(("unix", path)) if !path.is_empty() => Ok(Self::Unix(path.into())),
            Some(("tcp", address)) => address
                .parse()
                .map(Self::Tcp)
                .map_err(|_| "tcp: takes ADDRESS:PORT, such as tcp:127.0.0.1:7000"),
            None if text == "systemd" => Ok(Self::Systemd),
            _ => Err("unix:PATH, tcp:ADDRESS:PORT or systemd"),
        }
    }
}

/// A socket that takes connections.
pub struct Listener {
    socket: Socket,
    name: String,
    /// Removed when the socket is closed.
    _file: Option<SocketFile>,
}

enum Socket {
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl Listener {
    /// Opens what an address stands for; a socket file gets this mode.
    ///
    /// The mode is set by the process's mask for new files: no other thread may make files meanwhile.
    pub fn open(address: &Address, mode: u32) -> io::Result<Vec<Self>> {
        match address {
            Address::Unix(path) => Ok(vec![Self::unix(path, mode)?]),
            Address::Tcp(address) => Ok(vec![Self::of(Socket::Tcp(TcpListener::bind(address)?))?]),
            Address::Systemd => passed(),
        }
    }

    fn unix(path: &Path, mode: u32) -> io::Result<Self> {
        let socket = match bind(path, mode) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                remove_stale(path)?;
                bind(path, mode)?
            }
            result => result?,
        };
        let file = SocketFile { path: path.to_owned(), inode: std::fs::symlink_metadata(path)?.ino() };
        Ok(Self { _file: Some(file), ..Self::of(Socket::Unix(socket))? })
    }

    fn of(socket: Socket) -> io::Result<Self> {
        let name = match &socket {
            Socket::Unix(socket) => {
                socket.set_nonblocking(true)?;
                let address = socket.local_addr()?;
                format!(
                    "unix:{}",
                    address.as_pathname().map_or(String::new(), |path| path.display().to_string())
                )
            }
            Socket::Tcp(socket) => {
                socket.set_nonblocking(true)?;
                format!("tcp:{}", socket.local_addr()?)
            }
        };
        Ok(Self { socket, name, _file: None })
    }

    /// The address, with the port that was chosen.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A connection, if one waits.
    pub fn accept(&self) -> io::Result<Option<Stream>> {
        let accepted = match &self.socket {
            Socket::Unix(socket) => socket.accept().map(|(stream, _)| Stream::Unix(stream)),
            Socket::Tcp(socket) => socket.accept().map(|(stream, _)| Stream::Tcp(stream)),
        };
        match accepted {
            Ok(stream) => Ok(Some(stream)),
            Err(error) if is_passing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.socket {
            Socket::Unix(socket) => socket.as_fd(),
            Socket::Tcp(socket) => socket.as_fd(),
        }
    }
}

/// Nobody waits, or no longer.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, Interrupted, WouldBlock};
    matches!(error.kind(), WouldBlock | Interrupted | ConnectionAborted)
}

struct SocketFile {
    path: PathBuf,
    inode: u64,
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if std::fs::symlink_metadata(&self.path).is_ok_and(|found| found.ino() == self.inode) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// At no time may anybody connect whom the mode keeps out.
fn bind(path: &Path, mode: u32) -> io::Result<UnixListener> {
    let mask = rustix::process::umask(Mode::from_raw_mode(!mode & 0o777));
    let bound = UnixListener::bind(path);
    rustix::process::umask(mask);
    bound
}

/// Removes the file of a program that is gone.
fn remove_stale(path: &Path) -> io::Result<()> {
    if !std::fs::symlink_metadata(path)?.file_type().is_socket() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "there is a file that is no socket"));
    }
    let socket =
        rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::NONBLOCK, None)?;
    match rustix::net::connect(&socket, &SocketAddrUnix::new(path)?) {
        Err(Errno::CONNREFUSED) => std::fs::remove_file(path),
        Ok(()) | Err(Errno::AGAIN) => {
            Err(io::Error::new(io::ErrorKind::AddrInUse, "another program listens there"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Sockets that came with the start of the program.
fn passed() -> io::Result<Vec<Listener>> {
    let mut passed = listenfd::ListenFd::from_env();
    if passed.len() == 0 {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no sockets were passed (LISTEN_FDS)"));
    }
    let mut listeners = Vec::new();
    for index in 0..passed.len() {
        let socket = match passed.take_unix_listener(index) {
            Ok(socket) => socket.map(Socket::Unix),
            Err(_) => passed.take_tcp_listener(index)?.map(Socket::Tcp),
        };
        listeners.extend(socket.map(Listener::of).transpose()?);
    }
    Ok(listeners)
}

/// A connection.
pub enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Stream {
    /// Its two directions, which never block but for this long.
    pub fn ends(&self, patience: Option<Duration>) -> io::Result<(Input, Output)> {
        match self {
            Self::Unix(stream) => stream.set_nonblocking(true)?,
            Self::Tcp(stream) => {
                stream.set_nonblocking(true)?;
                stream.set_nodelay(true)?;
            }
        }
        Ok((Input::of(self.copy()?), Output::of(self.copy()?, patience)))
    }

    /// One more descriptor of it.
    pub fn copy(&self) -> io::Result<OwnedFd> {
        match self {
            Self::Unix(stream) => stream.as_fd().try_clone_to_owned(),
            Self::Tcp(stream) => stream.as_fd().try_clone_to_owned(),
        }
    }

    pub fn shut(&self, how: Shutdown) {
        let _ = match self {
            Self::Unix(stream) => stream.shutdown(how),
            Self::Tcp(stream) => stream.shutdown(how),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!("unix:/a/b:c".parse(), Ok(Address::Unix("/a/b:c".into())));
        assert_eq!("tcp:127.0.0.1:80".parse(), Ok(Address::Tcp("127.0.0.1:80".parse().unwrap())));
        assert_eq!("tcp:[::1]:0".parse(), Ok(Address::Tcp("[::1]:0".parse().unwrap())));
        assert_eq!("systemd".parse(), Ok(Address::Systemd));
        for text in ["", "unix:", "tcp:80", "tcp:localhost:80", "udp:127.0.0.1:80", "systemd:", "/a"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
