use std::sync::{Arc, Mutex, PoisonError};

use medterm::tools::{Profile, Registry};
use rmcp::RoleServer;
use rmcp::service::Peer;
use tokio::sync::broadcast;

use super::calls::{Calls, Limits};
use super::catalogs::{Catalogs, State};
use super::changes::{Change, Lists};

/// What all clients of this process share.
#[derive(Debug)]
pub struct Server {
    pub catalogs: Catalogs,
    pub calls: Calls,
    /// Clients that have initialized a session, to be told of changes.
    peers: Mutex<Vec<(Profile, Peer<RoleServer>)>>,
    changes: broadcast::Sender<Change>,
}

impl Server {
    pub fn new(catalogs: Catalogs, limits: Limits) -> Self {
        let (changes, _) = broadcast::channel(16);
        Self { catalogs, calls: Calls::new(limits), peers: Mutex::default(), changes }
    }

    /// Remembers a client, and forgets those that are gone.
    pub fn add_peer(&self, profile: Profile, peer: Peer<RoleServer>) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|(_, peer)| !peer.is_transport_closed());
        peers.push((profile, peer));
    }

    fn peers_of(&self, profile: Profile) -> Vec<Peer<RoleServer>> {
        let peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let of_profile = peers.iter().filter(|(own, _)| *own == profile);
        of_profile.map(|(_, peer)| peer.clone()).collect()
    }

    /// To be told of changes of lists.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    /// Tells clients from now on when what is loaded changes a list.
    pub fn tell_changes(self: &Arc<Self>) {
        let mut state = self.catalogs.changes();
        state.mark_changed();
        let server = Arc::downgrade(self);
        tokio::spawn(async move {
            let lists = |state: &State| {
                let catalog = state.catalog().map(AsRef::as_ref);
                Profile::ALL.map(|profile| Lists::of(&Registry::new(profile), catalog))
            };
            // What clients are shown before the store is open.
            let mut before = lists(&State::Opening);
            while state.changed().await.is_ok() {
                let now = lists(&state.borrow_and_update().clone());
                let Some(server) = server.upgrade() else { break };
                for (profile, (before, now)) in
                    Profile::ALL.into_iter().zip(before.iter().zip(&now))
                {
                    if let Some(change) = before.change(now, profile) {
                        server.tell(change).await;
                    }
                }
                before = now;
            }
        });
    }

    async fn tell(&self, change: Change) {
        // There may be nobody who listens.
        let _ = self.changes.send(change);
        for peer in self.peers_of(change.profile) {
            // A client that is gone need not know.
            if change.tools {
                let _ = peer.notify_tool_list_changed().await;
            }
            if change.resources {
                let _ = peer.notify_resource_list_changed().await;
            }
        }
    }
}
