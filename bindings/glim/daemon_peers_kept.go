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
	// peersFile keeps peers, beside the chain.
	peersFile = "glim-peers.bin"
	// maxPeersFile is more than a machine ever saves, in bytes.
	maxPeersFile = 16 << 20
)

// keeper keeps peers and bans in a folder; empty for nowhere.
type keeper struct {
	dir    string
	listed []netaddr.Subnet // who is kept away by --ban-list

	running atomic.Pointer[sockets.Network]
	bans    sync.Mutex // one writes them
}

// open makes a machine that knows what was kept.
func (k *keeper) open(c p2p.Config) (m *p2p.Machine, err error) {
	var old []keptBan
	if k.dir != "" {
		if c.State, err = readPeers(filepath.Join(k.dir, peersFile)); err != nil {
			return nil, err
		}
		if old, err = readBans(filepath.Join(k.dir, bansFile)); err != nil {
			return nil, err
		}
	}
	if m, err = p2p.New(c); err != nil {
		return nil, err
	}
	now := time.Now()
	for _, b := range old {
		m.SetBan(now, b.who, b.until.Sub(now))
	}
	for _, who := range k.listed {
		m.SetBan(now, who, forEver)
	}
	return m, nil
}

// save keeps what the machine wants kept.
func (k *keeper) save(state []byte) error {
	if k.dir == "" {
		return nil
	}
	return errors.Join(disk.Replace(filepath.Join(k.dir, peersFile), state), k.saveBans())
}

// saveBans keeps the bans of a network that runs.
func (k *keeper) saveBans() error {
	k.bans.Lock()
	defer k.bans.Unlock()
	network := k.running.Load()
	if k.dir == "" || network == nil {
		return nil
	}
	var file []byte
	if !network.Do(func(m *p2p.Machine, now time.Time) { file = writeBans(now, peering.Bans(m, now), k.listed) }) {
		return nil
	}
	return disk.Replace(filepath.Join(k.dir, bansFile), file)
}

// readPeers reads what was saved of peers, nothing when there is none.
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
