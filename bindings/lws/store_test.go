package lws

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/syncer"
	"glim/core/xmr"
)

func openBook(t testing.TB, folder string) (*lws.Book, *Store) {
	t.Helper()
	key, err := ReadKey(filepath.Join(folder, "lws.key"), true, rand.Reader)
	require.NoError(t, err)
	s, err := OpenStore(folder, key, rand.Reader)
	require.NoError(t, err)
	b, err := lws.Open(lws.Options{
		Network: xmr.Regtest, Store: s, Now: func() uint64 { return 1 }, AcceptCreation: true,
	})
	require.NoError(t, err)
	return b, s
}

// TestSealed: without its key, the database contains no view key, address, amount or transaction ID.
func TestSealed(t *testing.T) {
	folder := t.TempDir()
	b, s := openBook(t, folder)
	c := chaintest.New("sealed", xmr.Regtest)
	c.Grow(3)
	_, err := b.Step(t.Context(), chaintest.NewSource(c))
	require.NoError(t, err)
	k, err := keys.FromSeed([32]byte{7})
	require.NoError(t, err)
	a := lws.Address{Spend: k.SpendPublic, View: k.ViewPublic}
	require.NoError(t, b.Add(a, k.ViewSecret()))
	made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 123456789}}})
	_, err = b.Step(t.Context(), chaintest.NewSource(c))
	require.NoError(t, err)
	h, err := b.Holdings(a, k.ViewSecret())
	require.NoError(t, err)
	require.Len(t, h.Outputs, 1)
	_, err = OpenStore(folder, Key{}, rand.Reader)
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, s.Close())

	content, err := os.ReadFile(filepath.Join(folder, "glim-lws.db"))
	require.NoError(t, err)
	view := k.ViewSecret()
	for _, secret := range [][]byte{view[:], k.SpendPublic[:], k.ViewPublic[:], made[1].TxID[:], made[1].Key[:]} {
		require.False(t, bytes.Contains(content, secret))
		require.False(t, bytes.Contains(content, hex.AppendEncode(nil, secret)))
	}
	require.False(t, bytes.Contains(content, []byte("123456789")))

	s, err = OpenStore(folder, Key{1}, rand.Reader)
	require.NoError(t, err)
	_, err = lws.Open(lws.Options{Network: xmr.Regtest, Store: s})
	require.ErrorIs(t, err, ErrSeal)
	require.NoError(t, s.Close())

	b, s = openBook(t, folder)
	again, err := b.Holdings(a, k.ViewSecret())
	require.NoError(t, err)
	require.Equal(t, h.Outputs, again.Outputs)
	require.NoError(t, s.Close())
}

// TestKeyFiles: a key file is created once, for its owner only, and refused if others can read it.
func TestKeyFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "key")
	_, err := ReadKey(path, false, rand.Reader)
	require.ErrorIs(t, err, ErrKeyMissing)
	k, err := ReadKey(path, true, rand.Reader)
	require.NoError(t, err)
	again, err := ReadKey(path, true, rand.Reader)
	require.NoError(t, err)
	require.Equal(t, k, again)
	require.NotContains(t, fmt.Sprintf("%v %#v %s", k, k, k), hex.EncodeToString(k[:4]))
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(path, 0o640))
		_, err = ReadKey(path, true, rand.Reader)
		require.ErrorIs(t, err, ErrKeyMode)
	}
	bad := filepath.Join(t.TempDir(), "bad")
	for _, text := range []string{"", strings.Repeat("0", 63), strings.Repeat("g", 64), strings.Repeat("0", 500)} {
		require.NoError(t, os.WriteFile(bad, []byte(text), 0o600))
		_, err = ReadKey(bad, true, rand.Reader)
		require.ErrorIs(t, err, ErrKeyText)
	}
}

const workVariable = "LWS_TEST_WORK_IN"

// killedChain is a chain that pays three accounts and may spend what they received.
func killedChain() (*chaintest.Chain, []*keys.Keys) {
	c := chaintest.New("killed", xmr.Regtest)
	c.Grow(5)
	var users []*keys.Keys
	for i := range 3 {
		k, err := keys.FromSeed([32]byte{byte(1 + i)})
		if err != nil {
			panic(err)
		}
		users = append(users, k)
	}
	for i := range 60 {
		made := c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: users[i%3], Amount: uint64(1 + i)}, {Amount: 1}}})
		if i%5 == 0 {
			c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image}, Pay: []chaintest.Payment{{Amount: 1}}})
		}
	}
	return c, users
}

// upTo returns a source of the first blocks of c.
func upTo(c *chaintest.Chain, height uint64) syncer.Source {
	part := *c
	part.Blocks = c.Blocks[:height]
	return chaintest.NewSource(&part)
}

// work scans the chain block by block, from where the database ends, and prints the height after each block.
func work(t *testing.T, folder string) {
	c, users := killedChain()
	b, s := openBook(t, folder)
	for h := uint64(5); h <= c.Height(); h++ {
		for done := false; !done; {
			var err error
			done, err = b.Step(context.Background(), upTo(c, h))
			require.NoError(t, err)
		}
		for _, k := range users {
			a := lws.Address{Spend: k.SpendPublic, View: k.ViewPublic}
			_, _, _, err := b.Login(a, k.ViewSecret(), true, true, lws.Lookahead{})
			require.NoError(t, err)
		}
		fmt.Println("height", h)
	}
	require.NoError(t, s.Close())
}

// TestKilled kills a server several times while it scans. What it has reported is kept, and after the last start each
// account has received and may have spent exactly what is on the chain.
func TestKilled(t *testing.T) {
	if folder := os.Getenv(workVariable); folder != "" {
		work(t, folder)
		return
	}
	folder := t.TempDir()
	for round := range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), workVariable+"="+folder)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines, reported := bufio.NewScanner(out), uint64(0)
		for n := 0; n < 3+9*round && lines.Scan(); n++ {
			_, err := fmt.Sscanf(lines.Text(), "height %d", &reported)
			require.NoError(t, err, lines.Text())
		}
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		b, s := openBook(t, folder)
		require.Len(t, b.Accounts(), 3)
		for _, a := range b.Accounts() {
			require.GreaterOrEqual(t, a.Scanned+1, reported)
		}
		require.NoError(t, s.Close())
	}
	c, users := killedChain()
	b, s := openBook(t, folder)
	for done := false; !done; {
		var err error
		done, err = b.Step(t.Context(), chaintest.NewSource(c))
		require.NoError(t, err)
	}
	whole, end := openBook(t, t.TempDir()) // never killed
	_, err := whole.Step(t.Context(), upTo(c, 5))
	require.NoError(t, err)
	for _, k := range users {
		require.NoError(t, whole.Add(lws.Address{Spend: k.SpendPublic, View: k.ViewPublic}, k.ViewSecret()))
	}
	for done := false; !done; {
		done, err = whole.Step(t.Context(), chaintest.NewSource(c))
		require.NoError(t, err)
	}
	for _, k := range users {
		a := lws.Address{Spend: k.SpendPublic, View: k.ViewPublic}
		want, err := whole.Holdings(a, k.ViewSecret())
		require.NoError(t, err)
		is, err := b.Holdings(a, k.ViewSecret())
		require.NoError(t, err)
		require.Len(t, is.Outputs, 20)
		require.GreaterOrEqual(t, len(is.Spends), 4)
		require.Equal(t, want.Outputs, is.Outputs)
		require.Equal(t, want.Spends, is.Spends)
	}
	require.NoError(t, end.Close())
	require.NoError(t, s.Close())
}

// FuzzParseKey reads key files.
func FuzzParseKey(f *testing.F) {
	f.Add(strings.Repeat("0", 64))
	f.Add(" \n")
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := ParseKey(text); err == nil {
			require.Equal(t, strings.ToLower(strings.TrimSpace(text)), hex.EncodeToString(k[:]))
		}
	})
}

// FuzzSeal opens changed records: only the bytes that were sealed open.
func FuzzSeal(f *testing.F) {
	// The same nonce in every process: the fuzzing engine passes seeds to others.
	s := newSealer(Key{5}, bytes.NewReader(make([]byte, chacha20poly1305.NonceSizeX)))
	name, sealed, err := s.close([]byte("key"), []byte("value"))
	require.NoError(f, err)
	f.Add(name, sealed)
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, n, b []byte) {
		key, value, err := s.open(n, b)
		if bytes.Equal(n, name) && bytes.Equal(b, sealed) {
			require.NoError(t, err)
			require.Equal(t, "key value", string(key)+" "+string(value))
			return
		}
		require.ErrorIs(t, err, ErrSeal)
	})
}
