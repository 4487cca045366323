package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	disk "glim/bindings/native/files"
	sockets "glim/bindings/native/p2p"
	"glim/core/p2p"
	"glim/core/p2p/netaddr"
	"glim/core/peering"
)

const (
	// peersFile stores the lists of peers next to the chain.
	peersFile = "glim-peers.bin"
	// maxPeersFile limits the size of peersFile, in bytes. It exceeds what a state machine saves.
	maxPeersFile = 16 << 20
)

// peerStore stores peers and bans in a folder.
type peerStore struct {
	dir    string           // empty to store nothing
	listed []netaddr.Subnet // the bans of --ban-list

	network atomic.Pointer[sockets.Network]
	bans    sync.Mutex // held while the bans are written
}

// open returns a state machine with the stored peers and bans.
func (s *peerStore) open(c p2p.Config) (m *p2p.Machine, err error) {
	var old []storedBan
	if s.dir != "" {
		if c.State, err = readPeers(filepath.Join(s.dir, peersFile)); err != nil {
			return nil, err
		}
		if old, err = readBans(filepath.Join(s.dir, bansFile)); err != nil {
			return nil, err
		}
	}
	if m, err = p2p.New(c); err != nil {
		return nil, err
	}
	now := time.Now()
	for _, b := range old {
		m.SetBan(now, b.subnet, b.until.Sub(now))
	}
	for _, subnet := range s.listed {
		m.SetBan(now, subnet, banListTime)
	}
	return m, nil
}

// save stores the state of the machine.
func (s *peerStore) save(state []byte) error {
	if s.dir == "" {
		return nil
	}
	return errors.Join(disk.Replace(filepath.Join(s.dir, peersFile), state), s.saveBans())
}

// saveBans stores the bans of the running network.
func (s *peerStore) saveBans() error {
	s.bans.Lock()
	defer s.bans.Unlock()
	network := s.network.Load()
	if s.dir == "" || network == nil {
		return nil
	}
	var file []byte
	encode := func(m *p2p.Machine, now time.Time) { file = writeBans(now, peering.Bans(m, now), s.listed) }
	if !network.Do(encode) {
		return nil
	}
	return disk.Replace(filepath.Join(s.dir, bansFile), file)
}

// readPeers reads the stored peers. It returns nil if no peers are stored.
func readPeers(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxPeersFile))
}
