package session_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// blockOf returns a block with n outputs of the wallet.
func blockOf(rnd *chaintest.Random, height uint64, n int) wallet.ChainChange {
	c := wallet.ChainChange{Blocks: []wallet.BlockID{{Height: height, Hash: rnd.Bytes32()}}}
	id := xmr.Hash(rnd.Bytes32())
	for i := range n {
		c.Outputs = append(c.Outputs, wallet.OwnedOutput{
			TxID: id, Index: uint64(i), GlobalIndex: uint64(i), Amount: 1, Key: rnd.Bytes32(),
			Image: rnd.Bytes32(), ImageKnown: true, Derivation: rnd.Bytes32(), Height: height, RingCT: true,
		})
	}
	return c
}

// reorganise replaces the last block with one of n outputs.
func reorganise(t *testing.T, s *session.Session, rnd *chaintest.Random, height uint64, n int) {
	t.Helper()
	c := blockOf(rnd, height, n)
	c.Detach = &height
	require.NoError(t, s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return wallet.ChangeSet{Chain: c}, nil, nil
	}))
}

// TestLogIsBounded makes reorganisations and repeated changes without ever storing or closing the wallet: its file
// stays below twice the size of the wallet plus a few MiB, and reopening it at any time gives the same wallet.
func TestLogIsBounded(t *testing.T) {
	st := journal.NewMemory()
	replaced, written := 0, 0
	st.Fault = func(op journal.Op, p []byte) (int, error) {
		if written += len(p); op == journal.OpReplace {
			replaced++
		}
		return 0, nil
	}
	s := create(t, st, host())
	rnd := chaintest.NewRandom("growth")
	largest := 0
	for i := range 200 {
		reorganise(t, s, rnd, 1, 2000)
		largest = max(largest, len(st.Content))
		if i%50 == 49 {
			again := open(t, bytes.Clone(st.Content))
			require.Equal(t, state(t, s), state(t, again))
		}
	}
	require.NoError(t, s.Close())
	require.NotEmpty(t, replaced)
	live := 0
	for _, r := range state(t, s) {
		live += len(r)
	}
	t.Logf("%d bytes live, the file had %d at most, %d written, %d snapshots", live, largest, written, replaced)
	require.Less(t, largest, 2*live+6<<20)
	require.Less(t, written, 3*200*live)
}

// TestLogIsShortenedOverKills checks that the file does not grow without limit if the process is repeatedly killed
// after a few changes.
func TestLogIsShortenedOverKills(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	rnd := chaintest.NewRandom("kills")
	for range 60 {
		reorganise(t, s, rnd, 1, 2000)
		st = &journal.Memory{Content: bytes.Clone(st.Content)}
		var err error
		s, err = session.Open(st, []byte("password"), host())
		require.NoError(t, err)
		require.Less(t, len(st.Content), 8<<20)
	}
}

// TestShorteningFails checks that a failed snapshot does not fail the change, is not tried again at every change, and
// loses nothing, whether or not the new file replaced the old one.
func TestShorteningFails(t *testing.T) {
	for _, took := range []int{0, 1} {
		st := journal.NewMemory()
		s := create(t, st, host())
		tries := 0
		st.Fault = func(op journal.Op, _ []byte) (int, error) {
			if op != journal.OpReplace {
				return 0, nil
			}
			tries++
			return took, errors.New("disk full")
		}
		rnd := chaintest.NewRandom("fails")
		var stored [][]byte
		for range 60 {
			c := blockOf(rnd, 1, 2000)
			first := uint64(1)
			c.Detach = &first
			if s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
				return wallet.ChangeSet{Chain: c}, nil, nil
			}) != nil {
				require.Equal(t, 1, took, "the log refers to the new file")
				break
			}
			stored = state(t, s)
		}
		require.NotZero(t, tries)
		require.LessOrEqual(t, tries, 5)
		require.Equal(t, stored, state(t, open(t, bytes.Clone(st.Content))))
	}
}

// TestReadersWhileShortening checks that readers do not wait while a snapshot is written.
func TestReadersWhileShortening(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	reading, read := make(chan struct{}), make(chan struct{})
	st.Fault = func(op journal.Op, _ []byte) (int, error) {
		if op == journal.OpReplace {
			close(reading)
			<-read
			st.Fault = nil
		}
		return 0, nil
	}
	go func() {
		<-reading
		s.View(func(w *wallet.Wallet) { _ = w.Height() })
		close(read)
	}()
	rnd := chaintest.NewRandom("readers")
	for range 40 {
		reorganise(t, s, rnd, 1, 2000)
	}
	select {
	case <-read:
	default:
		t.Fatal("no snapshot was written")
	}
}

// TestRefreshWritesWhatIsNew checks that a block without transfers adds very little to the log, however large the
// wallet is, and that a reorganisation adds only its own changes.
func TestRefreshWritesWhatIsNew(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	transfers(t, s, 10_000)
	rnd := chaintest.NewRandom("empty")
	tip := uint64(0)
	s.View(func(w *wallet.Wallet) { tip = w.Height() - 1 })
	read := func(n int) (written int) {
		before := len(st.Content)
		require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			var blocks []wallet.ScannedBlock
			for range n {
				tip++
				blocks = append(blocks, wallet.ScannedBlock{
					BlockID: wallet.BlockID{Height: tip, Hash: rnd.Bytes32()}, Timestamp: 1_700_000_000,
				})
			}
			return w.DecideBlocks(blocks, tip)
		}))
		return len(st.Content) - before
	}
	read(100) // these blocks unlock the last outputs
	for range 5 {
		require.Less(t, read(1), 300)
	}
	before := len(st.Content)
	require.NoError(t, s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, events := w.DecideDetach(tip-2, 1_700_000_000)
		return c, events, nil
	}))
	tip -= 3
	require.Less(t, read(3)+len(st.Content)-before, 1000)
	require.NoError(t, s.Close())
}
