package randomx

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/blake2b"
)

// TestKeysOfAES recomputes the constants, which are hashes of names.
// Source: RandomX specification, sections 3.2 to 3.4.
func TestKeysOfAES(t *testing.T) {
	sum := func(s string) state { return loadState(blake2b.Sum512([]byte(s))) }
	require.Equal(t, sum("RandomX AesGenerator1R keys"), keys1R)
	require.Equal(t, sum("RandomX AesGenerator4R keys 0-3"), keys4R[0])
	require.Equal(t, sum("RandomX AesGenerator4R keys 4-7"), keys4R[1])
	require.Equal(t, sum("RandomX AesHash1R state"), hashState)
	var b [64]byte
	short := blake2b.Sum256([]byte("RandomX AesHash1R xkeys"))
	copy(b[:], short[:])
	keys := loadState(b)
	require.Equal(t, [2]column(keys[:2]), hashKeys)
}

// TestSeeds recomputes the constants of dataset items, which are a multiplier and words of a hash, two of them
// modified. Source: RandomX specification, section 7.3.
func TestSeeds(t *testing.T) {
	sum := blake2b.Sum512([]byte("RandomX SuperScalarHash initialize"))
	want := line{6364136223846793005}
	for i := 1; i < len(want); i++ {
		want[i] = binary.LittleEndian.Uint64(sum[8*i:])
	}
	want[1] += 1<<33 + 700
	want[3] += 1 << 14
	require.Equal(t, want, seeds)
}

// TestAesGenerator1R runs the vector "AesGenerator1R" of src/tests/tests.cpp, which covers two of the four columns.
func TestAesGenerator1R(t *testing.T) {
	var b [64]byte
	_, err := hex.Decode(b[:], []byte("6c19536eb2de31b6c0065f7f116e86f960d8af0c57210a6584c3237b9d064dc7"))
	require.NoError(t, err)
	s := loadState(b)
	var out [8]uint64
	s.fill1R(out[:])
	require.Equal(t, line(out), s.line(), "the output is the next state")
	var got []byte
	for _, w := range out[:4] {
		got = binary.LittleEndian.AppendUint64(got, w)
	}
	require.Equal(t, "fa89397dd6ca422513aeadba3f124b5540324c4ad4b6db434394307a17c833ab", hex.EncodeToString(got))
}
