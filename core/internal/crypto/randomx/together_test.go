package randomx

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTogetherEqualsAlone: hashes of inputs together are those of each input, for every number of inputs.
func TestTogetherEqualsAlone(t *testing.T) {
	for _, version := range []Version{V1, V2} {
		v := NewVM(version, cacheZero(t))
		h := hasherZero()
		var inputs [][]byte
		var want [][32]byte
		for n := range MaxTogether + 2 {
			inputs = append(inputs, binary.LittleEndian.AppendUint64([]byte("input"), uint64(n*n)))
			want = append(want, v.Hash(inputs[n]))
		}
		for n := range len(inputs) + 1 {
			sums, err := h.Sums(version, []byte("test key 000"), inputs[:n])
			require.NoError(t, err)
			require.Equal(t, want[:n], sums)
		}
		_, err := h.Sums(version, make([]byte, MaxKey+1), inputs)
		require.ErrorIs(t, err, ErrKey)
	}
}

// TestItemsTogether: an item depends neither on its lane nor on those in other lanes.
func TestItemsTogether(t *testing.T) {
	c := cacheZero(t)
	list := [lanes]uint64{0, 1, 10000000, 20000000, 30000000, 7, 7, 34000000}
	for range lanes {
		numbers := list
		var items [lanes]line
		c.itemsTogether(&numbers, &items)
		for i, n := range list {
			var a, b line
			c.items(n, 5, &a, &b)
			require.Equal(t, a, items[i])
		}
		list = [lanes]uint64(append(list[1:], list[0]))
	}
}

func BenchmarkSums(b *testing.B)   { benchmarkSums(b, V1) }
func BenchmarkSumsV2(b *testing.B) { benchmarkSums(b, V2) }

func benchmarkSums(b *testing.B, version Version) {
	machines := make([]*VM, MaxTogether)
	inputs := make([][]byte, MaxTogether)
	for i := range machines {
		machines[i], inputs[i] = NewVM(version, cacheZero(b)), make([]byte, 76)
		inputs[i][1] = byte(i)
	}
	for b.Loop() {
		for _, in := range inputs {
			in[0]++
		}
		hashTogether(machines, inputs)
	}
}
