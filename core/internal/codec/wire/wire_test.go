package wire_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/codec/wire"
)

func TestVarint(t *testing.T) {
	for _, v := range []uint64{0, 1, 127, 128, 255, 300, 16383, 16384, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		b := wire.AppendVarint(nil, v)
		require.Len(t, b, wire.VarintLen(v))
		r := wire.NewReader(b)
		require.Equal(t, v, r.Varint())
		require.NoError(t, r.Close())
	}
	require.Equal(t, []byte{1, 0xac, 2}, wire.AppendVarint([]byte{1}, 300))
}

func TestVarintRefuses(t *testing.T) {
	for _, c := range []struct {
		b   []byte
		err error
	}{
		{nil, wire.ErrShort},
		{[]byte{0x80}, wire.ErrShort},
		{bytes.Repeat([]byte{0xff}, 9), wire.ErrShort},
		{[]byte{0x80, 0}, wire.ErrNonCanonical},
		{[]byte{0xff, 0x80, 0}, wire.ErrNonCanonical},
		{append(bytes.Repeat([]byte{0x80}, 9), 0), wire.ErrNonCanonical},
		{append(bytes.Repeat([]byte{0xff}, 9), 2), wire.ErrOverflow},
		{append(bytes.Repeat([]byte{0x80}, 9), 0x81), wire.ErrOverflow},
		{bytes.Repeat([]byte{0x80}, 20), wire.ErrOverflow},
	} {
		r := wire.NewReader(c.b)
		require.Zero(t, r.Varint())
		require.ErrorIs(t, r.Err(), c.err, "%x", c.b)
	}
}

// TestFirstFailureSticks: after an error nothing is read, and the first error is kept.
func TestFirstFailureSticks(t *testing.T) {
	r := wire.NewReader([]byte{1, 2, 3})
	require.Nil(t, r.Bytes(4))
	require.ErrorIs(t, r.Err(), wire.ErrShort)
	r.Fail(wire.ErrLimit)
	require.Zero(t, r.Byte())
	require.Zero(t, r.Varint())
	require.Zero(t, r.Count(10, 1))
	require.Nil(t, r.Bytes(1))
	require.Zero(t, r.Bytes32())
	require.Zero(t, r.Uint32())
	require.Zero(t, r.Uint64())
	require.Zero(t, r.Offset())
	require.ErrorIs(t, r.Close(), wire.ErrShort)

	r = wire.NewReader([]byte{1, 2})
	r.Byte()
	require.ErrorIs(t, r.Close(), wire.ErrTrailing)
	r = wire.NewReader(nil)
	require.NoError(t, r.Close())
	r.Fail(wire.ErrLimit)
	require.ErrorIs(t, r.Close(), wire.ErrLimit)
	r = wire.NewReader([]byte{1})
	require.Nil(t, r.Bytes(-1))
	require.ErrorIs(t, r.Err(), wire.ErrShort)
}

// TestCount: Count never returns more elements than the remaining bytes can hold.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		b              []byte
		limit, minSize int
		want           int
		err            error
	}{
		{[]byte{0}, 10, 1, 0, nil},
		{[]byte{2, 9, 9}, 10, 1, 2, nil},
		{[]byte{2, 9}, 10, 1, 0, wire.ErrShort},
		{[]byte{2, 9, 9, 9}, 10, 2, 0, wire.ErrShort},
		{[]byte{11}, 10, 0, 0, wire.ErrLimit},
		{[]byte{10}, 10, 0, 10, nil},
		{[]byte{1}, 0, 1, 0, wire.ErrLimit},
		{wire.AppendVarint(nil, math.MaxUint64), math.MaxInt32, 1, 0, wire.ErrLimit},
		{nil, 1, 1, 0, wire.ErrShort},
	} {
		r := wire.NewReader(c.b)
		require.Equal(t, c.want, r.Count(c.limit, c.minSize), "%+v", c)
		require.ErrorIs(t, r.Err(), c.err, "%+v", c)
	}
}

func TestFixedFields(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	r := wire.NewReader(append(b, make([]byte, 32)...))
	require.Equal(t, uint32(0x04030201), r.Uint32())
	require.Equal(t, uint64(0x0c0b0a0908070605), r.Uint64())
	require.Equal(t, b, r.Since(0))
	require.Equal(t, 12, r.Offset())
	require.Equal(t, [32]byte{}, r.Bytes32())
	require.Zero(t, r.Len())
	require.NoError(t, r.Close())

	// The returned slice aliases the input, and appending to it does not overwrite the bytes that follow.
	got := wire.NewReader(b).Bytes(2)
	_ = append(got, 99)
	require.Equal(t, byte(3), b[2])
}

// FuzzReader makes reads that depend on the input: the consumed bytes match what the reader reports.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5}, []byte{1, 0x80, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, plan, b []byte) {
		r := wire.NewReader(b)
		for _, p := range plan {
			before := r.Offset()
			switch p % 6 {
			case 0:
				r.Byte()
			case 1:
				if v := r.Varint(); r.Err() == nil {
					require.Equal(t, wire.AppendVarint(nil, v), r.Since(before), "a varint has only one encoding")
				}
			case 2:
				if n := r.Count(int(p), 1+int(p/64)); r.Err() == nil {
					require.LessOrEqual(t, n*(1+int(p/64)), r.Len())
				}
			case 3:
				r.Bytes(int(p) - 100)
			case 4:
				r.Bytes32()
			case 5:
				r.Uint64()
			}
			require.LessOrEqual(t, r.Offset(), len(b))
			require.Equal(t, len(b), r.Offset()+r.Len())
		}
		err := r.Close()
		require.Equal(t, err == nil, r.Err() == nil)
	})
}
