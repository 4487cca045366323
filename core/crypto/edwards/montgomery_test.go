package edwards

import (
	"crypto/sha512"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// ladders are both implementations.
var ladders = map[string]pointArithmetic{"own": own{}, "library": library{}}

// smallOrders are the u-coordinates of points of order 1 to 8 on Curve25519 and its twist, with those of 2^255 − 19
// and more. Source: libsodium, x25519_ref10.c, has_small_order, a list of seven.
var smallOrders = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
	"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}

// TestX25519Published computes the exchange of RFC 7748, section 6.1, and the first iteration of section 5.2. Their
// clamped scalars may be reduced, because the points have prime order.
func TestX25519Published(t *testing.T) {
	clamped := func(text string) *Scalar {
		b := b32(t, text)
		b[0] &= 248
		b[31] = b[31]&127 | 64
		return ReduceScalar(b)
	}
	base := [32]byte{9}
	alice := clamped("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
	bob := clamped("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
	nine := clamped("0900000000000000000000000000000000000000000000000000000000000000")
	for name, l := range ladders {
		t.Run(name, func(t *testing.T) {
			ofAlice, ofBob := l.ladder(alice, &base), l.ladder(bob, &base)
			require.Equal(t, b32(t, "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"), ofAlice)
			require.Equal(t, b32(t, "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"), ofBob)
			shared := b32(t, "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
			require.Equal(t, shared, l.ladder(alice, &ofBob))
			require.Equal(t, shared, l.ladder(bob, &ofAlice))
			require.Equal(t, b32(t, "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"),
				l.ladder(nine, &base))
		})
	}
}

// TestX25519Convergence computes s·P on both curves, for the scalars 2^i + j and random ones. Monero has the same test
// of mx25519: x25519.cpp, scmul_key_convergence.
func TestX25519Convergence(t *testing.T) {
	r := rand.NewChaCha8([32]byte{25})
	points := append(somePoints(t, r, 3), Base())
	var scalars []*Scalar
	for i := range 253 {
		var b [32]byte
		b[i/8] = 1 << (i % 8)
		scalars = append(scalars, NewScalar().Add(ReduceScalar(b), ScalarFromUint64(uint64(i%8))))
	}
	scalars = append(append(scalars, edgeScalars()...), ReduceScalar(hashed("random")))
	for i, s := range scalars {
		p := points[i%len(points)]
		u := p.Montgomery()
		want := new(Point).ScalarMult(s, p).Montgomery()
		for name, l := range ladders {
			require.Equal(t, want, l.ladder(s, &u), name)
		}
		require.Equal(t, want, X25519(s, u))
	}
}

func hashed(text string) [32]byte { return sha512.Sum512_256([]byte(text)) }

func TestMontgomery(t *testing.T) {
	require.Equal(t, [32]byte{9}, Base().Montgomery())
	points := append(somePoints(t, rand.NewChaCha8([32]byte{26}), 20), Identity(), Base(), H(), ofOrderEight)
	for _, p := range points {
		require.Equal(t, own{}.montgomery(p), library{}.montgomery(p))
		require.Equal(t, p.Montgomery(), new(Point).Negate(p).Montgomery())
	}
	require.Equal(t, [32]byte{}, Identity().Montgomery())
}

// TestX25519AnyBytes multiplies u-coordinates of all kinds, also of the twist, as affine points with big integers.
func TestX25519AnyBytes(t *testing.T) {
	r := rand.NewChaCha8([32]byte{27})
	us := [][32]byte{{2}, {3}, {4}, {255}}
	for range 12 {
		var u [32]byte
		_, err := r.Read(u[:])
		require.NoError(t, err)
		us = append(us, u)
	}
	scalars := append(edgeScalars(), ReduceScalar(hashed("a")), ReduceScalar(hashed("b")))
	for _, u := range us {
		for _, s := range scalars {
			want := affineMult(s, u)
			for name, l := range ladders {
				require.Equal(t, want, l.ladder(s, &u), "%s: %x", name, u)
			}
			high := u
			high[31] ^= 128
			require.Equal(t, want, X25519(s, high), "the highest bit is ignored")
		}
	}
	for _, text := range smallOrders {
		u := b32(t, text)
		for _, s := range scalars {
			require.Equal(t, own{}.ladder(s, &u), library{}.ladder(s, &u))
		}
		require.Equal(t, [32]byte{}, X25519(ScalarFromUint64(8), u))
	}
}

// affineMult returns the u-coordinate of s·(u, 1) on b·v² = u³ + 486662·u² + u, the curve or its twist with a
// coefficient b for which the point is on it. It is zero for the point at infinity.
func affineMult(s *Scalar, u [32]byte) [32]byte {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	a, one := big.NewInt(486662), big.NewInt(1)
	u[31] &= 127
	mod := func(x *big.Int) *big.Int { return x.Mod(x, p) }
	mul := func(x, y *big.Int) *big.Int { return mod(new(big.Int).Mul(x, y)) }
	add := func(x, y *big.Int) *big.Int { return mod(new(big.Int).Add(x, y)) }
	sub := func(x, y *big.Int) *big.Int { return mod(new(big.Int).Sub(x, y)) }
	u0 := mod(integerOf(u))
	b := mul(u0, add(mul(u0, add(u0, a)), one))
	type point struct{ u, v *big.Int } // nil at infinity
	sum := func(m, n *point) *point {
		var over, under *big.Int
		switch {
		case m == nil:
			return n
		case n == nil:
			return m
		case m.u.Cmp(n.u) != 0:
			over, under = sub(m.v, n.v), sub(m.u, n.u)
		case m.v.Cmp(n.v) != 0 || m.v.Sign() == 0:
			return nil
		default:
			over = add(mul(mul(big.NewInt(3), m.u), m.u), add(mul(add(a, a), m.u), one))
			under = mul(add(b, b), m.v)
		}
		slope := mul(over, new(big.Int).ModInverse(under, p))
		u3 := sub(sub(sub(mul(b, mul(slope, slope)), a), m.u), n.u)
		return &point{u3, sub(mul(slope, sub(m.u, u3)), m.v)}
	}
	var acc *point
	k := integerOf(EncodeScalar(s))
	for i := k.BitLen() - 1; i >= 0; i-- {
		acc = sum(acc, acc)
		if k.Bit(i) == 1 {
			acc = sum(acc, &point{u0, one})
		}
	}
	if acc == nil {
		return [32]byte{}
	}
	var out [32]byte
	acc.u.FillBytes(out[:])
	slices.Reverse(out[:])
	return out
}

// integerOf returns the integer that b encodes, little-endian.
func integerOf(b [32]byte) *big.Int {
	slices.Reverse(b[:])
	return new(big.Int).SetBytes(b[:])
}

func TestReduceWide(t *testing.T) {
	order := new(big.Int).Add(integerOf(EncodeScalar(minusOne)), big.NewInt(1))
	for _, text := range []string{"", "a", "b"} {
		wide := sha512.Sum512([]byte(text))
		low, high := integerOf([32]byte(wide[:32])), integerOf([32]byte(wide[32:]))
		want := new(big.Int).Mod(new(big.Int).Add(low, new(big.Int).Lsh(high, 256)), order)
		require.Equal(t, want, integerOf(EncodeScalar(ReduceWide(&wide))))
	}
}

func BenchmarkX25519(b *testing.B) {
	s, u := HashToScalar([]byte("view")), H().Montgomery()
	for b.Loop() {
		u = X25519(s, u)
	}
}
