package randomx

import (
	_ "embed"
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

//go:embed testdata/hashes.txt
var published string

// vector is a published hash, or a commitment to one.
type vector struct {
	version    Version
	test       string
	key        string
	input      []byte
	hash       string
	commitment bool
}

// vectors are those of testdata.
var vectors = sync.OnceValue(func() (list []vector) {
	for line := range strings.Lines(published) {
		fields := strings.Fields(line)
		input, err := hex.DecodeString(fields[3])
		if err != nil {
			panic(err)
		}
		list = append(list, vector{
			version: Version(fields[0][0] - '0'), test: fields[1], key: strings.ReplaceAll(fields[2], "_", " "),
			input: input, hash: fields[4], commitment: fields[1] == "commitment",
		})
	}
	return list
})

// TestVectors: machines compute the published hashes and commitments of both versions.
func TestVectors(t *testing.T) {
	caches := map[string]*Cache{"test key 000": cacheZero(t), "test key 001": newCache("test key 001")}
	type machine struct {
		version Version
		key     string
	}
	machines := make(map[machine]*VM)
	checked := make(map[Version]int)
	// Repeat the first vector: earlier hashes of a VM must not influence later ones.
	for _, c := range append(vectors(), vectors()[0]) {
		id := machine{c.version, c.key}
		if machines[id] == nil {
			machines[id] = NewVM(c.version, caches[c.key])
		}
		got := machines[id].Hash(c.input)
		if c.commitment {
			got = Commitment(c.input, got)
		}
		require.Equal(t, c.hash, hex.EncodeToString(got[:]), "version %d, %s", c.version, c.test)
		checked[c.version]++
	}
	require.Equal(t, map[Version]int{V1: 7, V2: 6}, checked)
}

// TestVersionsInTurn: a Hasher uses the same cache and machines for both versions, in any order.
func TestVersionsInTurn(t *testing.T) {
	h := hasherZero()
	for range 2 {
		for _, c := range vectors() {
			if c.key != "test key 000" || c.commitment {
				continue
			}
			got, err := h.Sum(c.version, []byte(c.key), c.input)
			require.NoError(t, err)
			require.Equal(t, c.hash, hex.EncodeToString(got[:]), "version %d, %s", c.version, c.test)
		}
	}
	require.Len(t, h.entries, 1)
}

// hasherZero returns a Hasher that has the cache of key "test key 000".
func hasherZero() *Hasher {
	h := NewHasher(1)
	e := h.enter("test key 000")
	e.once.Do(func() { e.cache, h.waiting = zero(), 0 })
	h.leave(e)
	return h
}

func TestHashAllocatesNothing(t *testing.T) {
	for _, version := range []Version{V1, V2} {
		v := NewVM(version, cacheZero(t))
		hash := func() { v.Hash([]byte("input")) }
		allocations := testing.AllocsPerRun(1, hash)
		for n := 0; n < 5 && allocations > 0; n++ { // allocations of the runtime are counted, too
			allocations = testing.AllocsPerRun(1, hash)
		}
		require.Zero(t, allocations)
	}
}

func BenchmarkNewCache(b *testing.B) {
	for b.Loop() {
		newCache("test key 000")
	}
}

func BenchmarkHash(b *testing.B)   { benchmarkHash(b, V1) }
func BenchmarkHashV2(b *testing.B) { benchmarkHash(b, V2) }

func benchmarkHash(b *testing.B, version Version) {
	v := NewVM(version, cacheZero(b))
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
