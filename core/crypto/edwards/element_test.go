package edwards

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

var fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))

// TestElement checks the constants, and the comparisons that formulas use.
func TestElement(t *testing.T) {
	require.Equal(t, [32]byte{1}, elementOne.bytes())
	var v element
	v.add(&elementHalf, &elementHalf)
	require.True(t, v.equal(&elementOne))
	v.square(&elementI)
	v.add(&v, &elementOne)
	require.True(t, v.isZero())
	require.False(t, elementOne.isZero())
	require.Equal(t, byte(1), elementOne.isNegative())
	v.subtract(&v, &elementOne)
	require.Equal(t, byte(0), v.isNegative())
	require.False(t, v.equal(&elementOne))
}

func littleEndian(b [32]byte) *big.Int {
	n := new(big.Int)
	for i := len(b) - 1; i >= 0; i-- {
		n.Lsh(n, 8).Or(n, big.NewInt(int64(b[i])))
	}
	return n
}
