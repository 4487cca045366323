package fcmp

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
)

// published returns the spends of testdata.
func published(t testing.TB) []Spend {
	text, err := os.ReadFile("testdata/spends.txt")
	require.NoError(t, err)
	var spends []Spend
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || name == "#" {
			continue
		}
		b, err := hex.DecodeString(value)
		require.NoError(t, err)
		if name == "message" {
			spends = append(spends, Spend{})
		}
		s := &spends[len(spends)-1]
		switch name {
		case "message":
			s.Message = [size]byte(b)
		case "input":
			for i, to := range s.inputs() {
				*to = [size]byte(b[i*size:])
			}
		case "image":
			s.KeyImage = [size]byte(b)
		case "proof":
			s.Proof = b
		default:
			t.Fatalf("unknown line %q", name)
		}
	}
	require.Len(t, spends, 3)
	return spends
}

// inputs returns the parts of the input.
func (spend *Spend) inputs() []*[size]byte {
	in := &spend.Input
	return []*[size]byte{&in.Key, &in.Generator, &in.R, &in.Commitment}
}

// TestPublishedSpends verifies proofs of the Rust library, alone and together.
func TestPublishedSpends(t *testing.T) {
	spends := published(t)
	for i := range spends {
		require.NoError(t, VerifySpends(rand.Reader, carrot.Plain, spends[i:i+1]))
	}
	require.NoError(t, VerifySpends(rand.Reader, carrot.Plain, spends))
	require.NoError(t, VerifySpends(rand.Reader, carrot.Plain, nil))
}

// TestOtherGenerators verifies the proofs with the generators of other rules, for which they were not made.
func TestOtherGenerators(t *testing.T) {
	require.ErrorIs(t, VerifySpends(rand.Reader, carrot.Personalised, published(t)), ErrProof)
}

// TestAlteredSpendByte changes each byte of a spend.
func TestAlteredSpendByte(t *testing.T) {
	original := published(t)[0]
	try := func(change func(*Spend)) {
		s := original
		s.Proof = append([]byte{}, original.Proof...)
		change(&s)
		err := VerifySpends(rand.Reader, carrot.Plain, []Spend{s})
		require.Error(t, err)
		require.True(t, errors.Is(err, ErrProof) || errors.Is(err, ErrPoint) || errors.Is(err, ErrScalar), err)
	}
	for i := range original.Proof {
		try(func(s *Spend) { s.Proof[i] ^= byte(1 << (i % 8)) })
	}
	for i := range size {
		try(func(s *Spend) { s.Message[i] ^= 1 })
		try(func(s *Spend) { s.KeyImage[i] ^= 1 })
		for j := range original.inputs() {
			try(func(s *Spend) { s.inputs()[j][i] ^= 1 })
		}
	}
}

// TestExchangedSpends combines parts of different spends.
func TestExchangedSpends(t *testing.T) {
	spends := published(t)
	a, b := spends[0], spends[1]
	a.Proof, b.Proof = b.Proof, a.Proof
	require.ErrorIs(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{a, b}), ErrProof)
	a = spends[0]
	a.KeyImage = spends[1].KeyImage
	require.ErrorIs(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{a}), ErrProof)
	require.ErrorIs(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{spends[1], a, spends[2]}), ErrProof)
}

// TestSpendProofSizes verifies proofs that are cut off or extended.
func TestSpendProofSizes(t *testing.T) {
	s := published(t)[0]
	full := append(append([]byte{}, s.Proof...), 0)
	for n := range len(full) + 1 {
		s.Proof = full[:n]
		err := VerifySpends(rand.Reader, carrot.Plain, []Spend{s})
		if n == SpendProofSize {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, ErrProofSize)
		}
	}
}

// TestOppositeErrors alters two proofs so that their errors cancel out, unless every equation has a weight of its own.
func TestOppositeErrors(t *testing.T) {
	spends := published(t)[:2]
	one := edwards.ScalarFromUint64(1)
	for _, at := range []int{scalarDelta, scalarY, scalarRP} { // each of them is the answer for T of one equation
		changed := append([]Spend{}, spends...)
		for i, by := range []*edwards.Scalar{one, edwards.NewScalar().Negate(one)} {
			proof := append([]byte{}, spends[i].Proof...)
			part := proof[SpendProofSize/2+at*size:][:size]
			answer, err := edwards.DecodeScalar([size]byte(part))
			require.NoError(t, err)
			b := edwards.EncodeScalar(edwards.NewScalar().Add(answer, by))
			copy(part, b[:])
			changed[i].Proof = proof
		}
		require.ErrorIs(t, VerifySpends(rand.Reader, carrot.Plain, changed), ErrProof)
	}
}

// order2 returns the point of order 2.
func order2(t testing.TB) *edwards.Point {
	two := [size]byte{0: 0xec, 31: 0x7f} // y = −1
	for i := 1; i < 31; i++ {
		two[i] = 0xff
	}
	p, err := edwards.DecodePoint(two)
	require.NoError(t, err)
	return p
}

// TestSpendWithTorsion adds a point of order 2 to each point of a spend.
func TestSpendWithTorsion(t *testing.T) {
	two := order2(t)
	add := func(b []byte) {
		p, err := edwards.DecodePoint([size]byte(b))
		require.NoError(t, err)
		sum := p.Add(p, two).Encode()
		copy(b, sum[:])
	}
	original := published(t)[0]
	for i := range 11 {
		s := original
		s.Proof = append([]byte{}, original.Proof...)
		switch {
		case i < 6:
			add(s.Proof[i*size:][:size])
		case i == 6:
			add(s.KeyImage[:])
		default:
			add(s.inputs()[i-7][:])
		}
		require.ErrorIs(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{s}), ErrPoint, i)
	}
}

// TestSpendWithoutRandomness verifies with a source of randomness that fails.
func TestSpendWithoutRandomness(t *testing.T) {
	failed := errors.New("no randomness")
	require.ErrorIs(t, VerifySpends(iotest.ErrReader(failed), carrot.Plain, published(t)), failed)
}

// FuzzVerifySpends verifies arbitrary proofs, none of which is right.
func FuzzVerifySpends(f *testing.F) {
	spends := published(f)
	for i := range spends {
		f.Add(spends[i].Proof)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, proof []byte) {
		s := spends[0]
		right := string(proof) == string(s.Proof)
		s.Proof = proof
		weights := mathrand.NewChaCha8([32]byte{1})
		if err := VerifySpends(weights, carrot.Plain, []Spend{s}); (err == nil) != right {
			t.Fatal(err)
		}
	})
}

func BenchmarkVerifySpends(b *testing.B) {
	spends := published(b)
	for b.Loop() {
		if err := VerifySpends(rand.Reader, carrot.Plain, spends[:1]); err != nil {
			b.Fatal(err)
		}
	}
}
