package clsag

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
)

// cosigner is a signer with a part of the key.
type cosigner struct {
	part   *edwards.Scalar
	nonces [Nonces]*edwards.Scalar
}

// cosigned is a multisig signature before its responses.
type cosigned struct {
	multisig *Multisig
	signed   *signed // without C1 and the real response
	real     int
	mask     *edwards.Scalar
	signers  []cosigner
	total    Points
}

// newCosigned splits the key of an opening among a number of signers.
func newCosigned(t testing.TB, rand io.Reader, size, realIndex, signers int) *cosigned {
	t.Helper()
	o := newOpening(t, rand, size, realIndex)
	c := &cosigned{real: realIndex, mask: edwards.NewScalar().Subtract(o.secret.Mask, o.pseudoMask)}
	rest := edwards.NewScalar().Set(o.secret.Key)
	var sums [2][Nonces]*edwards.Point
	for i := range Nonces {
		sums[0][i], sums[1][i] = edwards.Identity(), edwards.Identity()
	}
	for n := range signers {
		s := cosigner{part: rest}
		if n < signers-1 {
			s.part = scalar(t, rand)
			rest = edwards.NewScalar().Subtract(rest, s.part)
		}
		for i := range s.nonces {
			s.nonces[i] = scalar(t, rand)
			g, h := NoncePoints(o.ring[realIndex].Key, s.nonces[i])
			for side, b := range [][32]byte{g, h} {
				p, err := Nonce(b)
				require.NoError(t, err)
				sums[side][i].Add(sums[side][i], p)
			}
		}
		c.signers = append(c.signers, s)
	}
	for i := range Nonces {
		c.total.G[i], c.total.H[i] = sums[0][i].Encode(), sums[1][i].Encode()
	}
	s := &signed{message: o.message, ring: o.ring, pseudoOut: o.pseudoOut,
		keyImage: edwards.GenerateKeyImage(o.ring[realIndex].Key, o.secret.Key)}
	s.sig.S, s.sig.D = make([][32]byte, size), Auxiliary(o.ring[realIndex].Key, c.mask)
	for i := range s.sig.S {
		if i != realIndex {
			s.sig.S[i] = edwards.EncodeScalar(scalar(t, rand))
		}
	}
	c.signed = s
	var err error
	c.multisig, err = NewMultisig(s.message, s.ring, realIndex, s.pseudoOut, s.keyImage, s.sig.D, s.sig.S)
	require.NoError(t, err)
	return c
}

// finish collects the responses of the signers in from, and returns the signature.
func (c *cosigned) finish(t testing.TB, from []cosigner) *signed {
	t.Helper()
	ch, err := c.multisig.Challenge(c.total)
	require.NoError(t, err)
	sum := edwards.NewScalar()
	for n, s := range from {
		mask := c.mask
		if n > 0 {
			mask = nil
		}
		sum.Add(sum, c.multisig.Respond(ch, s.nonces, s.part, mask))
	}
	done := c.signed.clone()
	done.sig.C1, done.sig.S[c.real] = ch.C1, edwards.EncodeScalar(sum)
	return done
}

func TestMultisigVerifies(t *testing.T) {
	rand := source(21)
	for _, size := range []int{1, 2, 16} {
		for _, realIndex := range []int{0, size / 2, size - 1} {
			for _, signers := range []int{1, 2, 5} {
				c := newCosigned(t, rand, size, realIndex, signers)
				require.NoError(t, c.finish(t, c.signers).verify(), "%d of %d, %d signers", realIndex, size, signers)
				if signers > 1 {
					require.ErrorIs(t, c.finish(t, c.signers[1:]).verify(), ErrInvalid, "without the first")
					require.ErrorIs(t, c.finish(t, c.signers[:signers-1]).verify(), ErrInvalid, "without the last")
				}
			}
		}
	}
}

// TestMergingFactorCoversEverything: the merging factor depends on every nonce and on everything that is signed.
func TestMergingFactorCoversEverything(t *testing.T) {
	c := newCosigned(t, source(22), 4, 2, 3)
	ch, err := c.multisig.Challenge(c.total)
	require.NoError(t, err)
	merges := map[[32]byte]bool{edwards.EncodeScalar(ch.merge): true}
	differs := func(s *Multisig, total Points) {
		t.Helper()
		other, err := s.Challenge(total)
		require.NoError(t, err)
		m := edwards.EncodeScalar(other.merge)
		require.False(t, merges[m], "two merging factors are equal")
		merges[m] = true
	}
	g, h := NoncePoints([32]byte{1}, edwards.ScalarFromUint64(7))
	for i := range Nonces {
		total := c.total
		total.G[i] = g
		differs(c.multisig, total)
		total = c.total
		total.H[i] = h
		differs(c.multisig, total)
	}
	for name, change := range map[string]func(s *signed){
		"message":   func(s *signed) { s.message[3] ^= 1 },
		"response":  func(s *signed) { s.sig.S[0] = edwards.EncodeScalar(edwards.ScalarFromUint64(9)) },
		"auxiliary": func(s *signed) { s.sig.D = Auxiliary(s.ring[2].Key, edwards.ScalarFromUint64(5)) },
		"key image": func(s *signed) {
			s.keyImage = edwards.GenerateKeyImage(s.ring[2].Key, edwards.ScalarFromUint64(5))
		},
		"ring":       func(s *signed) { s.ring[0], s.ring[1] = s.ring[1], s.ring[0] },
		"commitment": func(s *signed) { s.ring[0].Commitment = s.ring[1].Commitment },
		"pseudo out": func(s *signed) { s.pseudoOut = s.ring[1].Commitment },
	} {
		s := c.signed.clone()
		change(s)
		multisig, err := NewMultisig(s.message, s.ring, 2, s.pseudoOut, s.keyImage, s.sig.D, s.sig.S)
		require.NoError(t, err, name)
		differs(multisig, c.total)
	}
	s := c.signed
	multisig, err := NewMultisig(s.message, s.ring, 1, s.pseudoOut, s.keyImage, s.sig.D, s.sig.S)
	require.NoError(t, err)
	differs(multisig, c.total)
}

func TestMultisigRefusesMalformed(t *testing.T) {
	c := newCosigned(t, source(23), 4, 2, 2)
	small := [32]byte(mustHex(t, "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")) // order 8
	identity := edwards.Identity().Encode()
	torsion, err := edwards.DecodePoint(small)
	require.NoError(t, err)
	mixed, err := edwards.DecodePoint(c.total.G[0])
	require.NoError(t, err)
	bad := map[string][32]byte{
		"torsion": mixed.Add(mixed, torsion).Encode(), "small": small, "identity": identity, "no point": {2},
	}
	for name, b := range bad {
		_, err := Nonce(b)
		require.ErrorIs(t, err, ErrMalformed, name)
		for i := range Nonces {
			total := c.total
			total.G[i] = b
			_, err := c.multisig.Challenge(total)
			require.ErrorIs(t, err, ErrMalformed, name)
			total = c.total
			total.H[i] = b
			_, err = c.multisig.Challenge(total)
			require.ErrorIs(t, err, ErrMalformed, name)
		}
		s := c.signed
		_, err = NewMultisig(s.message, s.ring, 2, s.pseudoOut, b, s.sig.D, s.sig.S)
		require.ErrorIs(t, err, ErrMalformed, name)
		if name != "torsion" { // multiplication by eight removes torsion from D
			_, err = NewMultisig(s.message, s.ring, 2, s.pseudoOut, s.keyImage, b, s.sig.S)
			require.ErrorIs(t, err, ErrMalformed, name)
		}
	}
	s := c.signed
	for _, realIndex := range []int{-1, 4} {
		_, err = NewMultisig(s.message, s.ring, realIndex, s.pseudoOut, s.keyImage, s.sig.D, s.sig.S)
		require.ErrorIs(t, err, ErrMalformed)
	}
	_, err = NewMultisig(s.message, s.ring, 2, s.pseudoOut, s.keyImage, s.sig.D, s.sig.S[1:])
	require.ErrorIs(t, err, ErrMalformed)
	over := s.clone()
	over.sig.S[0] = [32]byte{31: 0xff}
	_, err = NewMultisig(s.message, s.ring, 2, s.pseudoOut, s.keyImage, s.sig.D, over.sig.S)
	require.ErrorIs(t, err, ErrMalformed)
}

func BenchmarkMultisig(b *testing.B) {
	c := newCosigned(b, source(24), 16, 7, 2)
	s := c.signed
	for b.Loop() {
		multisig, err := NewMultisig(s.message, s.ring, 7, s.pseudoOut, s.keyImage, s.sig.D, s.sig.S)
		require.NoError(b, err)
		ch, err := multisig.Challenge(c.total)
		require.NoError(b, err)
		multisig.Respond(ch, c.signers[1].nonces, c.signers[1].part, nil)
	}
}
