package chainfile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"glim/core/chain"
	"glim/core/node"
	"glim/core/xmr"
)

// fund is the address of the reference's general fund.
const fund = "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A"

func open(t testing.TB, folder string, anew bool) *File {
	t.Helper()
	f, err := Open(folder, anew)
	require.NoError(t, err)
	return f
}

// records returns all records of a file.
func records(t testing.TB, f *File) map[string]string {
	t.Helper()
	all, last := map[string]string{}, ""
	require.NoError(t, f.Load(func(key, value []byte) error {
		require.Greater(t, string(key), last, "in order")
		last = string(key)
		all[last] = string(value)
		return nil
	}))
	return all
}

// daemon serves the chain of a file.
func daemon(t testing.TB, f *File) *node.Regtest {
	t.Helper()
	n, err := regtest(f)
	require.NoError(t, err)
	return n
}

func regtest(s chain.Store) (*node.Regtest, error) {
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return 1_700_000_000 }, Random: rand.Reader,
		Store: s,
	}})
	return &node.Regtest{Node: n}, err
}

// TestRecords compares the store with a map, over many commits and reopening.
func TestRecords(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	f := open(t, folder, false)
	require.Empty(t, records(t, f))
	want := map[string]string{}
	r := mathrand.New(mathrand.NewPCG(1, 2))
	for range 60 {
		var put []chain.Record
		var drop [][]byte
		for range r.IntN(20) {
			key := []byte{1, byte(r.IntN(40))}
			value := bytes.Repeat([]byte{byte(r.IntN(256))}, r.IntN(20000))
			if i := slices.IndexFunc(put, func(p chain.Record) bool { return bytes.Equal(p.Key, key) }); i >= 0 {
				continue
			}
			put = append(put, chain.Record{Key: key, Value: value})
			want[string(key)] = string(value)
		}
		for range r.IntN(6) {
			key := []byte{2, byte(r.IntN(40))}
			drop = append(drop, key)
			delete(want, string(key))
		}
		put = append(put, chain.Record{Key: []byte{2, byte(r.IntN(40)), 1}, Value: []byte{1}})
		want[string(put[len(put)-1].Key)] = "\x01"
		require.NoError(t, f.Commit(put, drop))
		if r.IntN(10) == 0 {
			require.NoError(t, f.Close())
			f = open(t, folder, false)
		}
		require.Equal(t, want, records(t, f))
	}
	require.Greater(t, f.Size(), uint64(1<<16))
	require.NotZero(t, f.FreeSpace())
	require.Error(t, f.Commit([]chain.Record{{Value: []byte{1}}}, nil), "no key")
	require.Equal(t, want, records(t, f), "all or nothing")

	stop := os.ErrClosed
	require.ErrorIs(t, f.Load(func(_, _ []byte) error { return stop }), stop)
	require.NoError(t, f.Close())
	require.Error(t, f.Commit(nil, nil))
	require.Error(t, f.Load(nil))
	if runtime.GOOS != "windows" {
		for name, mode := range map[string]os.FileMode{"": 0o700, Name: 0o600, ".glim-chain.lock": 0o600} {
			info, err := os.Stat(filepath.Join(folder, name))
			require.NoError(t, err)
			require.Equal(t, mode, info.Mode().Perm(), name)
		}
	}
	// A new file contains no records of the old one.
	large := f.Size()
	require.NoError(t, os.WriteFile(Chain.nextPath(folder), []byte("left by a killed process"), 0o600))
	f = open(t, folder, true)
	require.Empty(t, records(t, f))
	require.Less(t, f.Size(), large)
	require.NoError(t, f.Close())
}

// TestFolderIsLocked checks that a second process cannot open the folder.
func TestFolderIsLocked(t *testing.T) {
	folder := t.TempDir()
	f := open(t, folder, false)
	require.NoError(t, f.Commit([]chain.Record{{Key: []byte("k"), Value: []byte("v")}}, nil))
	for _, anew := range []bool{false, true} {
		_, err := Open(folder, anew)
		require.ErrorIs(t, err, ErrLocked)
		require.ErrorContains(t, err, folder)
	}
	require.NotEmpty(t, records(t, f))
	require.NoError(t, f.Close())
	require.NoError(t, open(t, folder, false).Close())
}

// TestForeignFilesAreKept checks that files which are not chains of glim are left alone, even if a new chain is
// requested.
func TestForeignFilesAreKept(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other")
	db, err := bbolt.Open(other, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err }))
	require.NoError(t, db.Close())
	foreign, err := os.ReadFile(other)
	require.NoError(t, err)
	for what, content := range map[string][]byte{
		"empty": {}, "text": []byte("dear diary"), "zeros": make([]byte, 1<<16), "noise": noise(1 << 16),
		"another's": foreign,
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, Name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		for _, anew := range []bool{false, true} {
			_, err := Open(folder, anew)
			require.ErrorIs(t, err, ErrForeign, what)
			require.ErrorContains(t, err, path, what)
		}
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, content, now, what)
	}
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, Name), 0o700))
	_, err = Open(folder, true)
	require.ErrorIs(t, err, ErrForeign)
	_, err = Open(filepath.Join(other, "below a file"), false)
	require.Error(t, err)
}

func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = mathrand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

// TestDamaged truncates and changes a chain file everywhere. Opening it must fail or find an earlier chain, without
// changing the file.
func TestDamaged(t *testing.T) {
	folder := t.TempDir()
	f := open(t, folder, false)
	n := daemon(t, f)
	for range 15 { // many commits, so that some pages are unused
		_, err := n.Mine(t.Context(), 5, fund)
		require.NoError(t, err)
	}
	whole := records(t, f)
	require.NoError(t, f.Close())
	path := filepath.Join(folder, Name)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	refused := 0
	try := func(damaged []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		f, err := Open(folder, false)
		if err == nil {
			if _, err = regtest(f); err == nil {
				// A change in unused space, or in the newer of two meta pages, which is then ignored.
				now := records(t, f)
				for key, value := range now {
					require.Equal(t, whole[key], value)
				}
				require.GreaterOrEqual(t, len(now), len(whole)-5)
			}
			require.NoError(t, f.Close())
		}
		if err != nil {
			refused++
			require.Truef(t, isOneOf(err, ErrForeign, ErrDamaged, chain.ErrStored), "%v", err)
		}
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(damaged, left), "the file is untouched")
	}
	r := mathrand.New(mathrand.NewPCG(3, 4))
	for range 20 {
		try(content[:r.IntN(len(content))])
		bad := slices.Clone(content)
		bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
		try(bad)
		page := slices.Clone(content)
		at := r.IntN(len(page)/4096) * 4096
		copy(page[at:at+4096], noise(4096))
		try(page)
	}
	require.Greater(t, refused, 20)

	// The intact file again.
	require.NoError(t, os.WriteFile(path, content, 0o600))
	f = open(t, folder, false)
	require.True(t, maps.Equal(whole, records(t, f)))
	require.EqualValues(t, 76, daemon(t, f).Height())
	require.NoError(t, f.Close())
}

func isOneOf(err error, list ...error) bool {
	return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
}

// TestOtherNetwork checks that the chain of another network is rejected and not changed.
func TestOtherNetwork(t *testing.T) {
	folder := t.TempDir()
	f := open(t, folder, false)
	_, err := daemon(t, f).Mine(t.Context(), 3, fund)
	require.NoError(t, err)
	before := records(t, f)
	_, err = chain.New(
		chain.Options{Network: xmr.Stagenet, Now: func() uint64 { return 1 }, Random: rand.Reader, Store: f},
	)
	require.ErrorIs(t, err, chain.ErrNetwork)
	require.Equal(t, before, records(t, f))
	require.NoError(t, f.Close())
}
