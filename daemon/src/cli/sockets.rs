//! Options of a pipe that listens on sockets instead of reading stdin.

use super::service::Broken;
use super::{Usage, size};
use crate::pipeline::{Address, Listener};
use clap::Args;
use std::time::Duration;

/// Heading of the help.
const SOCKETS: &str = "Sockets";

#[derive(Args)]
pub struct Sockets {
    /// Take connections here instead of reading stdin; may be given several times
    ///
    /// Each connection is a pipe of its own, with the same options.
    /// - unix:PATH: a socket file
    /// - tcp:ADDRESS:PORT: such as tcp:127.0.0.1:7000; the log tells which port 0 became
    /// - systemd: the sockets that systemd passes
    #[arg(long, help_heading = SOCKETS, value_name = "ADDRESS", verbatim_doc_comment)]
    listen: Vec<Address>,
    /// Let --listen have an address that other machines can reach. Nothing is encrypted, nobody is asked for a password
    #[arg(long, help_heading = SOCKETS, requires = "listen")]
    listen_any: bool,
    /// Who may connect to a unix: socket, as the octal mode of its file
    #[arg(long, help_heading = SOCKETS, value_name = "MODE", value_parser = size::mode, default_value = "0600", requires = "listen")]
    socket_mode: u32,
    /// Connections at once; one more is closed as soon as it comes. Memory is bounded by so many times --max-inflight
    #[arg(long, help_heading = SOCKETS, value_name = "N", value_parser = size::connections, default_value_t = 64, requires = "listen")]
    max_connections: u64,
    /// End a connection on which nothing has come, or nothing could be sent, for this long [default: never]
    #[arg(long, help_heading = SOCKETS, value_name = "TIME", value_parser = size::patience, requires = "listen")]
    pub idle_timeout: Option<Duration>,
}

impl Sockets {
    /// Whether there are connections, instead of stdin and stdout.
    pub fn is_used(&self) -> bool {
        !self.listen.is_empty()
    }

    pub fn max_connections(&self) -> u64 {
        self.max_connections
    }

    /// Refuses an address that was perhaps not meant.
    pub fn check(&self) -> Result<(), Usage> {
        let is_open = |address: &&Address| matches!(address, Address::Tcp(tcp) if !tcp.ip().is_loopback());
        match self.listen.iter().find(is_open) {
            Some(Address::Tcp(address)) if !self.listen_any => Err(Usage(format!(
                "--listen tcp:{address} can be reached from other machines: if that is meant, add --listen-any"
            ))),
            _ => Ok(()),
        }
    }

    /// Opens the sockets, before there is any other thread.
    pub fn open(&self) -> Result<Vec<Listener>, Broken> {
        let mut listeners = Vec::new();
        for address in &self.listen {
            let name = match address {
                Address::Unix(path) => format!("unix:{}", path.display()),
                Address::Tcp(address) => format!("tcp:{address}"),
                Address::Systemd => "systemd".to_owned(),
            };
            listeners.extend(Listener::open(address, self.socket_mode).map_err(|error| (name, error))?);
        }
        Ok(listeners)
    }
}
