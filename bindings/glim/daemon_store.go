package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"glim/bindings/internal/chainfile"
	"glim/core/chain"
	"glim/core/node"
	"glim/core/xmr"
)

// regtestFolder is the folder of a private chain within the data folder.
// Source: src/cryptonote_core/cryptonote_core.cpp, arg_data_dir.
const regtestFolder = "fake"

// folder returns the folder of a private chain and its peers; empty if they are not stored.
func (c *DaemonConfig) folder() (string, error) {
	switch {
	case c.Network != xmr.Regtest || c.DataDir == "" && !c.Keep:
		return "", nil
	case c.DataDir != "":
		return filepath.Join(c.DataDir, regtestFolder), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("--keep-fakechain without --data-dir: %w", err)
	}
	return filepath.Join(home, ".glim", regtestFolder), nil
}

// store opens the file of the chain, if there is one, and configures the node to use it. end closes the file; the node
// must be closed before.
func (c *DaemonConfig) store(n *node.Config, log *slog.Logger, out io.Writer) (end func() error, err error) {
	dir, err := c.folder()
	if dir == "" || err != nil {
		return func() error { return nil }, err
	}
	f, err := chainfile.Open(dir, !c.Keep)
	if err != nil {
		return nil, fmt.Errorf("--data-dir: %w", err)
	}
	fmt.Fprintf(out, "glim daemon stores the chain in %s\n", dir)
	n.Chain.Store, n.FreeSpace, n.DatabaseSize = loggedStore{f, log}, f.FreeSpace, f.Size
	return f.Close, nil
}

// loggedStore logs storage errors, whose details are not sent to clients.
type loggedStore struct {
	chain.Store
	log *slog.Logger
}

// Commit implements chain.Store.
func (s loggedStore) Commit(put []chain.Record, drop [][]byte) error {
	err := s.Store.Commit(put, drop)
	if err != nil {
		s.log.Error("storing the chain failed", "error", err)
	}
	return err
}

// checkSyncMode checks a mode: safe, fast or fastest, then optionally sync or async, and a number of blocks or bytes.
// Source: src/blockchain_db/blockchain_db.cpp, arg_db_sync_mode; src/cryptonote_core/cryptonote_core.cpp, init.
func checkSyncMode(mode string) error {
	parts := strings.FieldsFunc(mode, func(r rune) bool { return r == ':' || r == ' ' })
	known := len(parts) >= 1 && len(parts) <= 3 && slices.Contains([]string{"safe", "fast", "fastest"}, parts[0])
	if known && len(parts) > 1 {
		known = parts[1] == "sync" || parts[1] == "async"
	}
	if known && len(parts) > 2 {
		number := strings.TrimSuffix(strings.TrimSuffix(parts[2], "blocks"), "bytes")
		_, err := strconv.ParseUint(number, 10, 64)
		known = err == nil
	}
	if !known {
		return fmt.Errorf("%q must be safe, fast or fastest, optionally followed by :sync or :async and :N with "+
			"a number of blocks or bytes", mode)
	}
	return nil
}
