package session_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestStoreCostsWhatChanged stores a wallet of sixteen megabytes after each of many changes: the total written is a
// small multiple of the changes, and the file stays below one and a half times the wallet.
func TestStoreCostsWhatChanged(t *testing.T) {
	st := journal.NewMemory()
	written := 0
	st.Fault = func(_ journal.Op, p []byte) (int, error) {
		written += len(p)
		return len(p), nil
	}
	s := create(t, st, host())
	rnd, text := chaintest.NewRandom("notes"), strings.Repeat("n", 1<<18)
	note := func(about xmr.Hash) {
		require.NoError(t, s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return wallet.ChangeSet{User: wallet.UserChange{Notes: []wallet.Note{{TxID: about, Text: text}}}}, nil, nil
		}))
		require.NoError(t, s.Store())
	}
	for range 64 {
		note(rnd.Bytes32())
	}
	whole := 64 * len(text)
	require.Less(t, written, 5*whole)

	written = 0
	for range 128 { // the same note again and again: the wallet does not grow
		note(xmr.Hash{1})
		require.Less(t, len(st.Content), whole*5/2)
	}
	require.Less(t, written, 4*128*len(text))
	require.NoError(t, s.Close())
	again, err := session.Open(&journal.Memory{Content: bytes.Clone(st.Content)}, []byte("password"), host())
	require.NoError(t, err)
	again.View(func(w *wallet.Wallet) { require.True(t, w.Note(xmr.Hash{1}) == text) })
}

// TestOpenReleasesFileContent checks that an open wallet keeps no reference to the loaded content.
func TestOpenReleasesFileContent(t *testing.T) {
	st := journal.NewMemory()
	s := create(t, st, host())
	require.NoError(t, s.Change(func(*wallet.Wallet) (c wallet.ChangeSet, _ []wallet.HostEvent, _ error) {
		c.User.Sent = []wallet.Sent{
			{TxID: xmr.Hash{1}, Blob: []byte("bytes"), Destinations: []wallet.Destination{{Address: "other"}}},
			{TxID: xmr.Hash{2}},
		}
		c.User.Notes = []wallet.Note{{TxID: xmr.Hash{1}, Text: "a text"}}
		c.User.Background = &wallet.Background{Type: wallet.BackgroundReuse, Lock: []byte("lock")}
		c.Chain.Noted = []wallet.Noted{{TxID: xmr.Hash{3}, Blob: []byte("bytes"), Indices: []uint64{1}}}
		c.Chain.Spends = []wallet.Spend{
			{TxID: xmr.Hash{3}, Height: 1, Indices: []uint32{1}, Images: []xmr.KeyImage{{1}}},
		}
		c.Chain.Payments = []wallet.Payment{{TxID: xmr.Hash{3}, Height: 1, Amounts: []uint64{1}}}
		return c, nil, nil
	}))
	content := bytes.Clone(st.Content)
	require.NoError(t, s.Close())
	released := make(chan struct{})
	runtime.AddCleanup(&content[0], func(int) { close(released) }, 0)
	again, err := session.Open(&singleUse{content: content}, []byte("password"), host())
	require.NoError(t, err)
	content = nil
	for deadline, over := time.After(5*time.Minute), false; !over; {
		runtime.GC()
		select {
		case <-released:
			over = true
		case <-deadline:
			t.Fatal("the loaded content is still referenced")
		default:
			runtime.Gosched()
		}
	}
	again.View(func(w *wallet.Wallet) {
		sent, ok := w.SentTx(xmr.Hash{1})
		require.True(t, ok)
		require.Equal(t, []byte("bytes"), sent.Blob)
		require.Equal(t, []byte("bytes"), w.Noted()[0].Blob)
	})
}

// singleUse is storage that drops its content once it was loaded.
type singleUse struct {
	journal.Memory
	content []byte
}

func (h *singleUse) Load() ([]byte, error) {
	content := h.content
	h.content = nil
	return content, nil
}

func (h *singleUse) LoadBeginning(size int) ([]byte, error) {
	return bytes.Clone(h.content[:min(size, len(h.content))]), nil
}
