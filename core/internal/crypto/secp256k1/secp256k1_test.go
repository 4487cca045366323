package secp256k1

import (
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func number(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic(s)
	}
	return n
}

// The constants of SEC 2, section 2.4.1, as written there.
var (
	p  = number("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F")
	n  = number("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141")
	gx = number("79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798")
	gy = number("483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8")
)

func bytesOf(x *big.Int) (b [32]byte) {
	x.FillBytes(b[:])
	return b
}

// edges returns numbers at the limits of words, of p and of n, and some random ones, all below limit.
func edges(limit *big.Int) (list []*big.Int) {
	add := func(x *big.Int) {
		if x.Sign() >= 0 && x.Cmp(limit) < 0 {
			list = append(list, x)
		}
	}
	for d := int64(-3); d <= 3; d++ {
		add(big.NewInt(d))
		add(new(big.Int).Add(p, big.NewInt(d)))
		add(new(big.Int).Add(n, big.NewInt(d)))
		add(new(big.Int).Add(big.NewInt(fold), big.NewInt(d)))
		for _, bit := range []uint{32, 64, 128, 192, 255, 256} {
			add(new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), bit), big.NewInt(d)))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var b [32]byte
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		add(new(big.Int).SetBytes(b[:]))
	}
	return list
}

// TestElements compares the field with package math/big, also for numbers from p to 2^256.
func TestElements(t *testing.T) {
	list := edges(new(big.Int).Lsh(big.NewInt(1), 256))
	require.Greater(t, len(list), 60)
	mod := func(x *big.Int) [32]byte { return bytesOf(x.Mod(x, p)) }
	for _, a := range list {
		ab := bytesOf(a)
		x := elementOf(&ab)
		require.Equal(t, mod(new(big.Int).Set(a)), x.bytes())
		var r element
		r.invert(&x)
		inverse := new(big.Int).ModInverse(new(big.Int).Mod(a, p), p)
		if inverse == nil {
			inverse = new(big.Int)
		}
		require.Equal(t, bytesOf(inverse), r.bytes(), a.Text(16))
		for _, b := range list {
			bb := bytesOf(b)
			y := elementOf(&bb)
			r.add(&x, &y)
			require.Equal(t, mod(new(big.Int).Add(a, b)), r.bytes(), "%x + %x", a, b)
			r.subtract(&x, &y)
			require.Equal(t, mod(new(big.Int).Sub(a, b)), r.bytes(), "%x - %x", a, b)
			r.multiply(&x, &y)
			require.Equal(t, mod(new(big.Int).Mul(a, b)), r.bytes(), "%x * %x", a, b)
		}
	}
}

// TestAdd compares sums modulo n with package math/big.
func TestAdd(t *testing.T) {
	for _, a := range edges(n) {
		for _, b := range edges(n) {
			x, y := bytesOf(a), bytesOf(b)
			sum := new(big.Int).Add(a, b)
			require.Equal(t, bytesOf(sum.Mod(sum, n)), Add(&x, &y), "%x + %x", a, b)
		}
	}
}

// plainAdd is the addition of affine points from the textbook; nil is infinity.
func plainAdd(a, b []*big.Int) []*big.Int {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	slope, below := new(big.Int), new(big.Int)
	if a[0].Cmp(b[0]) == 0 {
		if a[1].Cmp(b[1]) != 0 {
			return nil
		}
		slope.Mul(a[0], a[0]).Mul(slope, big.NewInt(3))
		below.Lsh(a[1], 1)
	} else {
		slope.Sub(b[1], a[1])
		below.Sub(b[0], a[0])
	}
	slope.Mul(slope, below.ModInverse(below.Mod(below, p), p)).Mod(slope, p)
	x := new(big.Int).Mul(slope, slope)
	x.Sub(x, a[0]).Sub(x, b[0]).Mod(x, p)
	y := new(big.Int).Sub(a[0], x)
	y.Mul(y, slope).Sub(y, a[1]).Mod(y, p)
	return []*big.Int{x, y}
}

// TestPublicKey compares public keys with the textbook's formulas.
func TestPublicKey(t *testing.T) {
	for _, k := range edges(n) {
		secret := bytesOf(k)
		require.Equal(t, k.Sign() != 0, Valid(&secret))
		if k.Sign() == 0 {
			continue
		}
		var sum []*big.Int
		for i := k.BitLen() - 1; i >= 0; i-- {
			sum = plainAdd(sum, sum)
			if k.Bit(i) == 1 {
				sum = plainAdd(sum, []*big.Int{gx, gy})
			}
		}
		x := bytesOf(sum[0])
		want := append([]byte{byte(2 + sum[1].Bit(0))}, x[:]...)
		got := PublicKey(&secret)
		require.Equal(t, hex.EncodeToString(want), hex.EncodeToString(got[:]), "%x", k)
	}
}

// TestNotSecretKeys refuses numbers outside 1 to n − 1.
func TestNotSecretKeys(t *testing.T) {
	for _, k := range []*big.Int{new(big.Int), n, new(big.Int).Add(n, big.NewInt(1)),
		new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))} {
		secret := bytesOf(k)
		require.False(t, Valid(&secret))
		require.Panics(t, func() { PublicKey(&secret) })
	}
}
