package randomx

import (
	"encoding/hex"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// zero returns the cache of key "test key 000", which most vectors use.
var zero = sync.OnceValue(func() *Cache { return newCache("test key 000") })

func newCache(key string) *Cache { return fillCache(new([cacheLines]line), []byte(key)) }

func cacheZero(testing.TB) *Cache { return zero() }

// TestCache checks the cache words and dataset items in src/tests/tests.cpp of the reference.
func TestCache(t *testing.T) {
	c := cacheZero(t)
	word := func(i int) uint64 { return c.lines[i/8][i%8] }
	require.Equal(t, uint64(0x191e0e1d23c02186), word(0))
	require.Equal(t, uint64(0xf1b62fe6210bf8b1), word(1568413))
	require.Equal(t, uint64(0x1f47f056d05cd99b), word(33554431))

	var a, b, x, y line
	c.items(0, 10000000, &a, &b)
	require.Equal(t, uint64(0x680588a85ae222db), a[0])
	require.Equal(t, uint64(0x7943a1f6186ffb72), b[0])
	c.items(20000000, 30000000, &x, &y)
	require.Equal(t, uint64(0x9035244d718095e1), x[0])
	require.Equal(t, uint64(0x145a5091f7853099), y[0])

	// An item does not depend on its lane, or on the item in the other lane.
	var first, second line
	c.items(10000000, 20000000, &first, &second)
	require.Equal(t, b, first)
	require.Equal(t, x, second)
}

// vectors are hash tests 1a to 1e of src/tests/tests.cpp.
var vectors = []struct{ key, input, hash string }{
	{"test key 000", "This is a test", "639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f"},
	{"test key 000", "Lorem ipsum dolor sit amet", "300a0adb47603dedb42228ccb2b211104f4da45af709cd7547cd049e9489c969"},
	{"test key 000", "sed do eiusmod tempor incididunt ut labore et dolore magna aliqua",
		"c36d4ed4191e617309867ed66a443be4075014e2b061bcdaf9ce7b721d2b77a8"},
	{"test key 001", "sed do eiusmod tempor incididunt ut labore et dolore magna aliqua",
		"e9ff4503201c0c2cca26d285c93ae883f9b1d30c9eb240b820756f2d5a7905fc"},
	{"test key 001", "\x0b\x0b\x98\xbe\xa7\xe8\x05\xe0\x01\x0a\x21" +
		"\x26\xd2\x87\xa2\xa0\xcc\x83\x3d\x31\x2c\xb7\x86\x38\x5a\x7c\x2f\x9d\xe6\x9d\x25\x53\x7f" +
		"\x58\x4a\x9b\xc9\x97\x7b\x00\x00\x00\x00\x66\x6f\xd8\x75\x3b\xf6\x1a\x86" +
		"\x31\xf1\x29\x84\xe3\xfd\x44\xf4\x01\x4e\xca\x62\x92\x76\x81\x7b\x56\xf3\x2e\x9b\x68\xbd\x82\xf4\x16",
		"c56414121acda1713c2f2a819d8ae38aed7c80c35c2a769298d34f03833cd5f1"},
}

func TestVectors(t *testing.T) {
	one := newCache("test key 001")
	v, other := NewVM(cacheZero(t)), NewVM(one)
	// Repeat the first vector: earlier hashes of a VM must not influence later ones.
	for _, c := range append(vectors, vectors[0]) {
		machine := v
		if strings.HasSuffix(c.key, "1") {
			machine = other
		}
		got := machine.Hash([]byte(c.input))
		require.Equal(t, c.hash, hex.EncodeToString(got[:]), "%s, %s", c.key, c.input)
	}
}

func TestHashAllocatesNothing(t *testing.T) {
	v := NewVM(cacheZero(t))
	hash := func() { v.Hash([]byte("input")) }
	allocations := testing.AllocsPerRun(1, hash)
	for n := 0; n < 5 && allocations > 0; n++ { // allocations of the runtime are counted, too
		allocations = testing.AllocsPerRun(1, hash)
	}
	require.Zero(t, allocations)
}

func BenchmarkNewCache(b *testing.B) {
	for b.Loop() {
		newCache("test key 000")
	}
}

func BenchmarkHash(b *testing.B) {
	v := NewVM(cacheZero(b))
	input := make([]byte, 76)
	for b.Loop() {
		input[0]++
		v.Hash(input)
	}
}

func BenchmarkItems(b *testing.B) {
	c := cacheZero(b)
	var x, y line
	for n := uint64(0); b.Loop(); n++ {
		c.items(n*1000003, n*999983, &x, &y)
	}
}
