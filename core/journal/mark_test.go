package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/chacha20poly1305"
)

// TestMarkAtEveryByte truncates a marked journal at every byte: only the complete file is marked, and truncation of
// rewritten content is reported as missing bytes. An append removes the mark, so that no file has one in its middle.
func TestMarkAtEveryByte(t *testing.T) {
	m, starts := filled(t, 1)
	j := reopen(t, m, sample()...)
	require.NoError(t, j.Mark())
	require.NoError(t, j.Mark(), "the second call does nothing")
	whole := bytes.Clone(m.Content)
	require.Len(t, whole, starts[len(starts)-1]+overhead)
	require.EqualValues(t, starts[len(starts)-1], j.Size())
	for size := starts[0]; size <= len(whole); size++ {
		m := &Memory{Content: bytes.Clone(whole[:size])}
		j, records, err := Open(m, password, random(2))
		require.NoError(t, err)
		e := j.Ending()
		require.True(t, e.Markers)
		require.Equal(t, size == len(whole), e.Marked, size)
		if n := len(records); size < len(whole) {
			require.EqualValues(t, size-starts[n], e.Torn)
			require.Len(t, m.Content, starts[n])
		}
		require.NoError(t, j.Append([]byte("next")))
		require.NoError(t, j.Mark())
		j = reopen(t, m, append(records[:len(records):len(records)], []byte("next"))...)
		require.True(t, j.Ending().Marked)
	}

	require.NoError(t, j.Compact(sample()...))
	rewritten := bytes.Clone(m.Content)
	require.NoError(t, j.Append([]byte("grown")))
	require.EqualValues(t, len(rewritten), j.Whole())
	require.EqualValues(t, len(m.Content)-len(rewritten), j.Grown())
	for _, missing := range []int{0, 1, 40, 100} {
		j, _, err := Open(&Memory{Content: bytes.Clone(rewritten[:len(rewritten)-missing])}, password, random(2))
		require.NoError(t, err)
		require.EqualValues(t, missing, j.Ending().Missing)
	}

	// A mark in the middle, or moved from another position, is damage.
	marked := whole[starts[len(starts)-1]:]
	_, _, err := Open(&Memory{Content: append(bytes.Clone(whole), marked...)}, password, random(2))
	require.ErrorIs(t, err, ErrCorrupt)
	_, _, err = Open(&Memory{Content: append(bytes.Clone(whole[:starts[2]]), marked...)}, password, random(2))
	require.ErrorIs(t, err, ErrCorrupt)
}

// TestMarkFails makes writing and removing the mark fail. Nothing is appended after a mark that cannot be removed,
// and the journal becomes unusable if it is unknown whether the mark is still there.
func TestMarkFails(t *testing.T) {
	m, _ := filled(t, 1)
	j := reopen(t, m, sample()...)
	full := errors.New("disk full")
	m.Fault = func(op Op, _ []byte) (int, error) { return 20, full }
	require.ErrorIs(t, j.Mark(), full)
	m.Fault = nil
	j = reopen(t, m, sample()...)
	require.False(t, j.Ending().Marked)
	require.NoError(t, j.Mark())
	for _, cut := range []int{0, 1} {
		copied := &Memory{Content: bytes.Clone(m.Content)}
		j := reopen(t, copied, sample()...)
		copied.Fault = func(op Op, _ []byte) (int, error) {
			if op == OpTruncate {
				return cut, full
			}
			return 0, nil
		}
		require.ErrorIs(t, j.Append([]byte("x")), full)
		if cut == 0 {
			require.ErrorIs(t, j.Append([]byte("x")), full, "the mark is still there")
		} else {
			require.NoError(t, j.Append([]byte("x")), "the mark was removed")
		}
		copied.Fault = nil
		require.NoError(t, j.Append([]byte("y")))
		want := append(sample(), []byte("x"), []byte("y"))
		if cut == 0 {
			want = append(sample(), []byte("y"))
		}
		reopen(t, copied, want...)
	}

	// The storage cannot be read after the failure.
	lost := &unreadable{Memory: *m}
	j, _, err := Open(lost, password, random(2))
	require.NoError(t, err)
	lost.broken = true
	require.ErrorIs(t, j.Append([]byte("x")), errUnreadable)
	require.ErrorIs(t, j.Append([]byte("x")), ErrBroken)
}

var errUnreadable = errors.New("unreadable")

// unreadable is storage that, once broken, cannot be truncated or read.
type unreadable struct {
	Memory
	broken bool
}

func (u *unreadable) Load() ([]byte, error) {
	if u.broken {
		return nil, errUnreadable
	}
	return u.Memory.Load()
}

func (u *unreadable) Truncate(size int64) error {
	if u.broken {
		return errUnreadable
	}
	return u.Memory.Truncate(size)
}

// TestVersion1 checks that a journal of version 1 can be opened and appended to, and that a rewrite upgrades it.
func TestVersion1(t *testing.T) {
	m := NewMemory()
	j, err := Create(m, password, random(1), WeakestKDF(), []byte("public"))
	require.NoError(t, err)

	b := append([]byte(magic[:len(magic)-1]), version1)
	b = append(b, m.Content[len(magic):fixedSize+len("public")]...)
	wrap, err := chacha20poly1305.NewX(j.kek[:])
	require.NoError(t, err)
	nonce, key := make([]byte, chacha20poly1305.NonceSizeX), bytes.Repeat([]byte{7}, chacha20poly1305.KeySize)
	sealed := wrap.Seal(nil, nonce, key, b)
	b = append(append(b, nonce...), sealed...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	w, err := newWriter(key, b)
	require.NoError(t, err)
	b, _, err = w.seal(b, []byte("first"), random(3))
	require.NoError(t, err)

	m = &Memory{Content: b}
	j = reopen(t, m, []byte("first"))
	require.Equal(t, Ending{}, j.Ending())
	require.Zero(t, j.Grown())
	before := len(m.Content)
	require.NoError(t, j.Mark())
	require.Len(t, m.Content, before, "version 1 has no marks")
	require.NoError(t, j.Append([]byte("second")))
	require.NotZero(t, j.Grown())
	j = reopen(t, m, []byte("first"), []byte("second"))
	require.NoError(t, j.Compact([]byte("all")))
	require.NoError(t, j.Mark())
	require.Equal(t, magic, string(m.Content[:len(magic)]))
	require.Equal(t, Ending{Marked: true, Markers: true}, reopen(t, m, []byte("all")).Ending())
}
