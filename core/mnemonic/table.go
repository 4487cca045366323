package mnemonic

import (
	"crypto/subtle"
	"encoding/binary"
)

// table maps numbers to words and back. Both directions read every entry, so that time and memory accesses do not
// depend on the word.
type table struct {
	width   int      // of an entry, in units of eight bytes
	entries []uint64 // each has a text, zeros, and the text's length in the last byte
}

func newTable(texts []string) *table {
	longest := 0
	for _, s := range texts {
		longest = max(longest, len(s))
	}
	t := &table{width: longest/8 + 1}
	for _, s := range texts {
		e, _ := t.pack(s)
		t.entries = append(t.entries, e...)
	}
	return t
}

// index is a table for lookups. Of equal texts it has only the last.
type index struct{ table }

// nothing is the length of an entry that matches no text.
const nothing = 0xff

func newIndex(texts []string) *index {
	x := &index{*newTable(texts)}
	last := map[string]int{}
	for i, s := range texts {
		if j, ok := last[s]; ok {
			x.entries[(j+1)*x.width-1] |= nothing << 56
		}
		last[s] = i
	}
	return x
}

// len returns the number of entries.
func (t *table) len() int { return len(t.entries) / t.width }

// pack returns the entry of text; false when it is too long for the table.
func (t *table) pack(text string) ([]uint64, bool) {
	size := 8 * t.width
	if len(text) >= size {
		return nil, false
	}
	b := make([]byte, size)
	defer clear(b)
	copy(b, text)
	b[size-1] = byte(len(text))
	e := make([]uint64, t.width)
	for i := range e {
		e[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return e, true
}

// get writes entry n to out, which has 8·width bytes, and returns the length of its text.
func (t *table) get(out []byte, n uint32) int {
	var e [4]uint64
	entry := e[:]
	if t.width > len(e) {
		entry = make([]uint64, t.width)
	}
	entry = entry[:t.width]
	defer clear(entry)
	for i := range t.len() {
		mask := -uint64(subtle.ConstantTimeEq(int32(i), int32(n)))
		for j, v := range t.entries[i*t.width : (i+1)*t.width] {
			entry[j] |= v & mask
		}
	}
	for i, v := range entry {
		binary.LittleEndian.PutUint64(out[8*i:], v)
	}
	return int(out[8*t.width-1])
}

// find returns the number of text, and whether it exists.
func (x *index) find(text string) (n uint32, ok bool) {
	wanted, ok := x.pack(text)
	if !ok {
		return 0, false
	}
	defer clear(wanted)
	var found uint64
	for i := range x.len() {
		var difference uint64
		for j, v := range x.entries[i*x.width : (i+1)*x.width] {
			difference |= v ^ wanted[j]
		}
		same := 1 ^ (difference|-difference)>>63
		n |= uint32(i) & -uint32(same)
		found |= same
	}
	return n, found == 1
}
