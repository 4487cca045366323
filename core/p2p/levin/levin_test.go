package levin

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// feed writes bytes in pieces of a given length and returns the frames.
func feed(t *testing.T, d *Decoder, b []byte, piece int) (list []Frame) {
	t.Helper()
	for len(b) > 0 {
		n := min(piece, len(b))
		d.Write(b[:n])
		b = b[n:]
		for {
			f, ok, err := d.Next()
			require.NoError(t, err)
			if !ok {
				break
			}
			list = append(list, f)
		}
	}
	return list
}

func TestFrames(t *testing.T) {
	var b []byte
	b = append(b, Invoke(1001, []byte("question"))...)
	b = append(b, Answer(1001, OK, nil)...)
	b = append(b, Notify(2002, bytes.Repeat([]byte{7}, 10_000))...)
	b = append(b, Answer(1002, ErrorFormat, []byte{})...)
	for _, piece := range []int{1, 7, 33, 4096, len(b)} {
		list := feed(t, new(Decoder), b, piece)
		require.Len(t, list, 4)
		require.Equal(t, Frame{Command: 1001, Flags: Request, Expect: true, Body: []byte("question")}, list[0])
		require.True(t, list[1].IsResponse())
		require.EqualValues(t, 1, list[1].Code)
		require.Empty(t, list[1].Body)
		require.False(t, list[2].Expect)
		require.Len(t, list[2].Body, 10_000)
		require.EqualValues(t, -7, list[3].Code)
	}
}

// TestHeader checks the encoding of a header, field by field.
func TestHeader(t *testing.T) {
	require.Equal(t, []byte{0x01, 0x21, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0xe9, 3, 0, 0,
		0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, 1, 0, 0, 0, 'a', 'b', 'c'},
		Frame{Command: 1001, Flags: Request, Expect: true, Code: -2, Body: []byte("abc")}.Append(nil))
}

func TestFragments(t *testing.T) {
	body := bytes.Repeat([]byte("monero"), 500)
	whole := fragments(256, 2002, body)
	require.Zero(t, len(whole)%256)
	for _, piece := range []int{1, 100, len(whole)} {
		list := feed(t, new(Decoder), whole, piece)
		require.Len(t, list, 1)
		require.Equal(t, Frame{Command: 2002, Flags: Request, Body: body}, list[0])
	}
	small := feed(t, new(Decoder), fragments(256, 2002, []byte("x")), 256)
	require.Len(t, small, 1)
	require.Len(t, small[0].Body, 256-HeaderSize)
	require.Nil(t, fragments(HeaderSize, 2002, body))
	// Noise between fragments is ignored; a new first fragment discards earlier ones.
	noise := Frame{Flags: Begin | End, Body: make([]byte, 50)}.Append(nil)
	begun := Frame{Flags: Begin, Body: []byte("dropped")}.Append(nil)
	list := feed(t, new(Decoder), bytes.Join([][]byte{noise, begun, whole, noise}, nil), 13)
	require.Len(t, list, 1)
	require.Equal(t, body, list[0].Body)
}

func TestRefused(t *testing.T) {
	header := func(change func(b []byte)) []byte {
		b := Notify(2002, []byte("abc"))
		change(b)
		return b
	}
	inner := Notify(2002, []byte("abc"))
	for name, c := range map[string]struct {
		bytes []byte
		err   error
	}{
		"signature":           {header(func(b []byte) { b[0] = 2 }), ErrSignature},
		"short signature":     {[]byte("GET / HTTP/1.1"), ErrSignature},
		"version":             {header(func(b []byte) { b[29] = 2 }), ErrVersion},
		"huge":                {header(func(b []byte) { binary.LittleEndian.PutUint64(b[8:], 1<<63) }), ErrSize},
		"above the limit":     {header(func(b []byte) { binary.LittleEndian.PutUint64(b[8:], MaxBefore+1) }), ErrSize},
		"above the command's": {Notify(1003, make([]byte, 5000)), ErrSize},
		"short fragments":     {Frame{Flags: End, Body: make([]byte, HeaderSize-1)}.Append(nil), ErrFragment},
		"truncated frame":     {Frame{Flags: End, Body: inner[:len(inner)-1]}.Append(nil), ErrFragment},
		"nested fragments": {Frame{Flags: End, Body: Frame{Flags: End, Body: inner}.Append(nil)}.Append(nil),
			ErrFragment},
		"bad fragments": {Frame{Flags: End, Body: make([]byte, HeaderSize)}.Append(nil), ErrSignature},
		"large command": {Frame{Flags: End, Body: Notify(1003, make([]byte, 5000))}.Append(nil), ErrSize},
	} {
		d := Decoder{Limit: func(command uint32) int {
			if command == 1003 {
				return 4096
			}
			return 1 << 30
		}}
		d.Write(c.bytes)
		_, _, err := d.Next()
		require.ErrorIs(t, err, c.err, name)
		d.Write(inner)
		_, ok, err := d.Next()
		require.ErrorIs(t, err, c.err, "%s: the decoder stops after an error", name)
		require.False(t, ok)
		require.Zero(t, d.Held())
	}
}

// TestPiecesAreBounded checks that fragments without an end use at most the memory of a frame.
func TestPiecesAreBounded(t *testing.T) {
	d := new(Decoder)
	piece := Frame{Body: make([]byte, 60_000)}.Append(nil)
	for range 4 {
		d.Write(piece)
		_, ok, err := d.Next()
		require.NoError(t, err)
		require.False(t, ok)
	}
	d.Write(piece)
	_, _, err := d.Next()
	require.ErrorIs(t, err, ErrSize)
}

// TestClaimedSizeAllocatesNothing checks that a claimed size allocates nothing, and that the memory of a large frame is
// released.
func TestClaimedSizeAllocatesNothing(t *testing.T) {
	d := &Decoder{Max: MaxAfter}
	large := Notify(2004, make([]byte, 8<<20))
	d.Write(large[:HeaderSize])
	_, ok, err := d.Next()
	require.NoError(t, err)
	require.False(t, ok)
	require.Less(t, d.Held(), 1000)
	d.Write(large[HeaderSize:])
	f, ok, err := d.Next()
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, f.Body, 8<<20)
	require.Less(t, d.Held(), 1<<20)
}

// FuzzDecoder checks that frames do not depend on how bytes are split, and that memory is bounded by received bytes.
func FuzzDecoder(f *testing.F) {
	f.Add(Invoke(1001, []byte("abc")), 3)
	f.Add(append(fragments(100, 2002, make([]byte, 300)), Notify(2008, nil)...), 50)
	f.Add(Frame{Flags: Begin | End, Body: make([]byte, 9)}.Append(nil), 1)
	f.Fuzz(func(t *testing.T, b []byte, piece int) {
		piece = max(1, piece%1000)
		var once, pieces Decoder
		all := func(d *Decoder) (list []Frame, fault error) {
			for {
				f, ok, err := d.Next()
				if err != nil || !ok {
					return list, err
				}
				require.LessOrEqual(t, len(f.Body), MaxBefore)
				list = append(list, f)
			}
		}
		once.Write(b)
		want, wantErr := all(&once)
		var got []Frame
		var gotErr error
		for rest := b; len(rest) > 0 && gotErr == nil; {
			n := min(piece, len(rest))
			pieces.Write(rest[:n])
			rest = rest[n:]
			var list []Frame
			list, gotErr = all(&pieces)
			got = append(got, list...)
			require.LessOrEqual(t, pieces.Held(), 4*len(b)+8192)
		}
		require.Equal(t, len(want), len(got))
		for i := range want {
			require.Equal(t, want[i].Append(nil), got[i].Append(nil))
		}
		if wantErr == nil || gotErr == nil {
			require.Equal(t, wantErr, gotErr)
		}
	})
}

// fragments splits a notification into frames of size bytes each, including the header, with the last padded with
// zeros. A small one is a single frame. It returns nil if size is too small for a header and a byte.
// Source: contrib/epee/src/levin_base.cpp, make_fragmented_notify.
func fragments(size int, command uint32, body []byte) []byte {
	if size <= HeaderSize {
		return nil
	}
	whole := Notify(command, body)
	if len(whole) <= size {
		padded := make([]byte, size-HeaderSize)
		copy(padded, body)
		return Notify(command, padded)
	}
	room := size - HeaderSize
	var out []byte
	for at := 0; at < len(whole); at += room {
		f := Frame{Body: make([]byte, room)}
		copy(f.Body, whole[at:])
		if at == 0 {
			f.Flags |= Begin
		}
		if at+room >= len(whole) {
			f.Flags |= End
		}
		out = f.Append(out)
	}
	return out
}
