package native

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// hidden is a masked secret, so that a search of the memory does not find the value searched for.
type hidden [32]byte

func hide(b [32]byte) (h hidden) {
	for i := range h {
		h[i] = b[i] ^ 0x5a
	}
	return h
}

// inMemory reports whether the heap of the process contains the secret.
func inMemory(t *testing.T, h hidden) bool {
	t.Helper()
	for range 3 { // a sync.Pool is empty only after two collections
		runtime.GC()
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "heap"))
	require.NoError(t, err)
	defer f.Close()
	debug.WriteHeapDump(f.Fd())
	dump, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.Greater(t, len(dump), 1<<16)
	for i := range dump {
		dump[i] ^= 0x5a // masked, so that the next dump does not contain the secret from this one
	}
	found := bytes.Contains(dump, h[:])
	clear(dump)
	return found
}

// scalar returns the spend key in the representation that computations use.
func scalar(k *keys.Keys) hidden {
	return hide(*(*[32]byte)(reflect.ValueOf(k).Elem().FieldByName("spend").UnsafePointer()))
}

type closer interface {
	journal.Storage
	Close() error
}

// secretive creates a wallet and leaves no other copy of its spend key in memory.
func secretive(t *testing.T, d WalletDir) (s *session.Session, own, file closer, text, limbs hidden) {
	t.Helper()
	var seed [32]byte
	_, err := rand.Read(seed[:])
	require.NoError(t, err)
	seed[31] = 1 // below the group order, so that the spend key equals the seed
	k, err := keys.FromSeed(seed)
	require.NoError(t, err)
	text, limbs = hide(seed), scalar(k)
	clear(seed[:])
	own, err = d.Create("w")
	require.NoError(t, err)
	o := wallet.Identity{Network: xmr.Regtest, Keys: k, RestoreHeight: 1}
	s, err = session.Create(own, []byte("password"), journal.WeakestKDF(), o, wallet.Lookahead{Major: 2, Minor: 2},
		session.Host{Random: rand.Reader, Now: func() uint64 { return 1 }, Workers: 1})
	require.NoError(t, err)
	require.NoError(t, s.SetupBackground(wallet.BackgroundReuse, nil, nil, journal.WeakestKDF()))
	file, err = d.Background("w")
	require.NoError(t, err)
	return s, own, file, text, limbs
}

// TestSpendKeyIsNotInMemory searches the heap for the spend key while the wallet synchronises in the background without
// it.
func TestSpendKeyIsNotInMemory(t *testing.T) {
	s, own, file, text, limbs := secretive(t, WalletDir(t.TempDir()))
	require.True(t, inMemory(t, limbs), "it is there, and the search finds it")
	for range 2 {
		require.NoError(t, s.StartBackground(file))
		require.False(t, inMemory(t, limbs), "as a number")
		require.False(t, inMemory(t, text), "as bytes")
		require.NoError(t, s.StopBackground(t.Context(), own, []byte("password"), nil))
		require.True(t, inMemory(t, limbs), "it is back")
	}
	require.NoError(t, s.Close())
	require.NoError(t, own.Close())
	require.NoError(t, file.Close())
}
