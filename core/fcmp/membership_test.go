package fcmp

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"math"
	mathrand "math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// memberships are the proofs of testdata: numbers of inputs and layers.
var memberships = []string{"1-1", "1-2", "1-3", "2-4", "4-5", "8-6"}

// membership returns a proof of testdata.
func membership(t testing.TB, name string) Membership {
	text, err := os.ReadFile("testdata/membership-" + name + ".txt")
	require.NoError(t, err)
	var m Membership
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if key == "#" {
			continue
		}
		if key == "layers" {
			m.Root.Layers, err = strconv.Atoi(value)
			require.NoError(t, err)
			continue
		}
		b, err := hex.DecodeString(value)
		require.NoError(t, err)
		switch key {
		case "root":
			m.Root.Hash = [32]byte(b)
		case "input": // Õ, Ĩ, R, C̃
			m.Inputs = append(m.Inputs, Input{[32]byte(b), [32]byte(b[32:]), [32]byte(b[64:]), [32]byte(b[96:])})
		case "proof":
			m.Proof = b
		default:
			t.Fatalf("unknown line %q", key)
		}
	}
	require.Equal(t, name, strconv.Itoa(len(m.Inputs))+"-"+strconv.Itoa(m.Root.Layers))
	return m
}

// copied returns a copy that shares nothing with m.
func (m Membership) copied() Membership {
	m.Inputs = append([]Input{}, m.Inputs...)
	m.Proof = bytes.Clone(m.Proof)
	return m
}

// verify verifies proofs with the rules that testdata was made with.
func verify(proofs ...Membership) error { return VerifyMembership(rand.Reader, carrot.Plain, proofs) }

// TestPublishedMemberships verifies proofs of the Rust library, alone and together.
func TestPublishedMemberships(t *testing.T) {
	var all []Membership
	for _, name := range memberships {
		m := membership(t, name)
		require.NoError(t, verify(m), name)
		all = append(all, m)
	}
	require.NoError(t, verify(all...))
	require.NoError(t, verify(all[0], all[0]))
	require.NoError(t, verify())
}

// TestAlteredMembershipByte changes bytes of proofs: of a small one at least one in each point and scalar.
func TestAlteredMembershipByte(t *testing.T) {
	try := func(m Membership, at int) {
		altered := m.copied()
		altered.Proof[at] ^= 1 << (at % 8)
		require.ErrorIs(t, verify(altered), ErrMembership, at)
	}
	small := membership(t, "1-1")
	for at := 0; at < len(small.Proof)-openingSize; at += 23 {
		try(small, at)
	}
	for at := len(small.Proof) - openingSize; at < len(small.Proof); at++ {
		try(small, at)
	}
	for _, name := range []string{"1-3", "2-4", "4-5"} {
		m := membership(t, name)
		for at := 5; at < len(m.Proof); at += len(m.Proof) / 7 {
			try(m, at)
		}
	}
}

// TestMembershipOfOthers verifies proofs for what they were not made for.
func TestMembershipOfOthers(t *testing.T) {
	two, four := membership(t, "2-4"), membership(t, "4-5")
	wrong := func(m Membership) { require.ErrorIs(t, verify(m), ErrMembership) }

	m := two.copied()
	m.Root.Hash = membership(t, "1-2").Root.Hash
	wrong(m)
	m = membership(t, "1-1")
	m.Root.Hash = four.Root.Hash
	wrong(m)
	m = two.copied()
	m.Inputs[0], m.Inputs[1] = m.Inputs[1], m.Inputs[0]
	wrong(m)
	m = two.copied()
	m.Inputs[1] = m.Inputs[0]
	wrong(m)
	for i := range 4 {
		m = two.copied()
		changed := Spend{Input: m.Inputs[0]}
		*changed.inputs()[i] = *(&Spend{Input: four.Inputs[2]}).inputs()[i]
		m.Inputs[0] = changed.Input
		wrong(m)
	}
	require.ErrorIs(t, VerifyMembership(rand.Reader, carrot.Personalised, []Membership{two}), ErrMembership)
	require.ErrorIs(t, verify(four, two, m, two), ErrMembership)
	require.ErrorIs(t, verify(m, two), ErrMembership)
}

// TestMembershipLayers verifies proofs for trees with other numbers of layers, cut off or extended to the right length.
func TestMembershipLayers(t *testing.T) {
	for _, name := range []string{"1-1", "1-2", "1-3"} {
		right := membership(t, name)
		roots := map[int][size]byte{
			0: helioselene.HeliosBase().Encode(),
			1: helioselene.SeleneBase().Encode(),
		}
		roots[right.Root.Layers%2] = right.Root.Hash
		for layers := 1; layers <= MaxLayers; layers++ {
			if layers == right.Root.Layers {
				continue
			}
			m := right.copied()
			m.Root.Layers = layers
			m.Root.Hash = roots[layers%2]
			require.ErrorIs(t, verify(m), ErrProofSize)
			full := append(m.Proof, bytes.Repeat(m.Proof, 9)...)
			m.Proof = full[:MembershipProofSize(1, layers)]
			require.ErrorIs(t, verify(m), ErrMembership, layers)
		}
	}
}

// TestMembershipProofSizes verifies a proof that is cut off or extended.
func TestMembershipProofSizes(t *testing.T) {
	m := membership(t, "1-1")
	full := append(append([]byte{}, m.Proof...), 0)
	for n := range len(full) + 1 {
		m.Proof = full[:n]
		if n == len(full)-1 {
			require.NoError(t, verify(m))
		} else {
			require.ErrorIs(t, verify(m), ErrProofSize)
		}
	}
}

// TestMembershipLimits verifies proofs for numbers of inputs and layers that are not allowed.
func TestMembershipLimits(t *testing.T) {
	right := membership(t, "1-1")
	for _, layers := range []int{math.MinInt, -2, -1, 0, MaxLayers + 1, math.MaxInt} {
		m := right
		m.Root.Layers = layers
		require.ErrorIs(t, verify(m), ErrLimits)
		require.Zero(t, MembershipProofSize(1, layers))
	}
	for _, inputs := range []int{0, MaxInputs + 1, 1 << 12} {
		m := right
		m.Inputs = make([]Input, inputs)
		require.ErrorIs(t, verify(m), ErrLimits)
		require.ErrorContains(t, verify(right, m), "proof 1")
		require.Zero(t, MembershipProofSize(inputs, 1))
	}
}

// TestMembershipPoints verifies proofs with inputs and roots that are not points of prime order.
func TestMembershipPoints(t *testing.T) {
	right := membership(t, "1-2")
	two := [size]byte{0: 0xec, 31: 0x7f} // y = −1, a point of order 2
	for i := 1; i < 31; i++ {
		two[i] = 0xff
	}
	order2, err := edwards.DecodePoint(two)
	require.NoError(t, err)
	for i := range 4 {
		original := *(&Spend{Input: right.Inputs[0]}).inputs()[i]
		p, err := edwards.DecodePoint(original)
		require.NoError(t, err)
		for _, wrong := range [][size]byte{p.Add(p, order2).Encode(), edwards.Identity().Encode(), two, {2}} {
			m, s := right.copied(), Spend{Input: right.Inputs[0]}
			*s.inputs()[i] = wrong
			m.Inputs[0] = s.Input
			require.ErrorIs(t, verify(m), ErrPoint)
		}
	}
	for _, name := range []string{"1-1", "1-2"} {
		m := membership(t, name)
		for i := range m.Root.Hash {
			m.Root.Hash[i] = 0xff
		}
		require.ErrorIs(t, verify(m), ErrRoot)
	}
	m := right.copied()
	m.Root.Hash = [size]byte{} // the identity is a point
	require.ErrorIs(t, verify(m), ErrMembership)
}

// TestOppositeMembershipErrors alters two copies of a proof so that their errors cancel out, unless every equation has
// a weight of its own.
func TestOppositeMembershipErrors(t *testing.T) {
	for _, name := range []string{"1-1", "1-2"} {
		right := membership(t, name)
		var proofs []Membership
		for i := range 2 {
			m := right.copied()
			part := m.Proof[len(m.Proof)-size:] // the answer for the root's blind, which no challenge depends on
			if right.Root.Layers%2 == 1 {
				addTo[helioselene.Element25519](t, part, i == 0)
			} else {
				addTo[helioselene.Element](t, part, i == 0)
			}
			require.ErrorIs(t, verify(m), ErrMembership)
			proofs = append(proofs, m)
		}
		require.ErrorIs(t, verify(proofs...), ErrMembership)
	}
}

// addTo adds 1 to an encoded scalar, or subtracts it.
func addTo[E any, P interface {
	*E
	SetBytes([size]byte) error
	SetUint64(uint64) P
	Add(a, b P) P
	Subtract(a, b P) P
	Bytes() [size]byte
}](t *testing.T, b []byte, add bool) {
	var one, v E
	require.NoError(t, P(&v).SetBytes([size]byte(b)))
	P(&one).SetUint64(1)
	if add {
		P(&v).Add(&v, &one)
	} else {
		P(&v).Subtract(&v, &one)
	}
	encoded := P(&v).Bytes()
	copy(b, encoded[:])
}

// wellFormed returns a proof of points and scalars that are valid but prove nothing.
func wellFormed(t *testing.T, inputs, layers int) Membership {
	var m Membership
	example := membership(t, "8-6")
	for i := range inputs {
		m.Inputs = append(m.Inputs, example.Inputs[i%8])
	}
	m.Root.Layers = layers
	m.Root.Hash = [size]byte{1} // x = 1 on both curves
	m.Proof = bytes.Repeat(m.Root.Hash[:], MembershipProofSize(inputs, layers)/size)
	return m
}

// TestMembershipRows builds the circuits for all numbers of layers: they use no more rows than each input has.
func TestMembershipRows(t *testing.T) {
	doublings, err := doublingsOf(carrot.Plain)
	require.NoError(t, err)
	for layers := 1; layers <= MaxLayers; layers++ {
		const inputs = 2
		m := wellFormed(t, inputs, layers)
		l := newLayout(inputs, layers)
		points, err := m.coordinates()
		require.NoError(t, err)
		tr := gbp.NewTranscript([32]byte{}, m.Proof)
		c := &commitments{}
		c.selene, err = tr.SeleneCommitments(len(l.selene.sizes))
		require.NoError(t, err)
		c.helios, err = tr.HeliosCommitments(len(l.helios.sizes))
		require.NoError(t, err)
		drawn, err := drawChallenges(tr, l)
		require.NoError(t, err)
		h, err := c.hashes(l)
		require.NoError(t, err)
		selene, err := gbp.BeginSelene(tr, l.selene.rows, c.selene, l.selene.sizes)
		require.NoError(t, err)
		require.NoError(t, drawn.buildSelene(selene.Circuit, l, points, h, doublings))
		require.LessOrEqual(t, selene.Circuit.Rows(), inputs*(leafRows+(layers-1)/2*seleneRows))
		helios, err := gbp.BeginHelios(tr, l.helios.rows, c.helios, l.helios.sizes)
		require.NoError(t, err)
		require.NoError(t, drawn.buildHelios(helios.Circuit, l, h))
		require.LessOrEqual(t, helios.Circuit.Rows(), inputs*(layers/2)*heliosRows)
	}
	require.ErrorIs(t, verify(wellFormed(t, 3, 7)), ErrMembership)
	require.ErrorIs(t, verify(wellFormed(t, 1, MaxLayers)), ErrMembership)
}

// TestMembershipWithoutRandomness verifies with a source of randomness that fails, at once or later.
func TestMembershipWithoutRandomness(t *testing.T) {
	failed := errors.New("no randomness")
	for _, name := range []string{"1-1", "1-2"} {
		m := membership(t, name)
		for weights := range 5 {
			source := mathrand.NewChaCha8([32]byte{1})
			rand := &limited{source: source, left: 64 * weights, err: failed}
			require.ErrorIs(t, VerifyMembership(rand, carrot.Plain, []Membership{m}), failed)
		}
		require.NoError(t, VerifyMembership(mathrand.NewChaCha8([32]byte{1}), carrot.Plain, []Membership{m}))
	}
	require.ErrorIs(t, VerifyMembership(iotest.ErrReader(failed), carrot.Plain, []Membership{membership(t, "2-4")}),
		failed)
}

// limited is a source of randomness that fails after some bytes.
type limited struct {
	source *mathrand.ChaCha8
	left   int
	err    error
}

func (l *limited) Read(b []byte) (int, error) {
	if len(b) > l.left {
		return 0, l.err
	}
	l.left -= len(b)
	return l.source.Read(b)
}

// FuzzVerifyMembership verifies arbitrary proofs about given inputs, none of which is right but those of testdata.
func FuzzVerifyMembership(f *testing.F) {
	right := map[int]Membership{}
	for _, name := range memberships[:3] {
		m := membership(f, name)
		right[m.Root.Layers] = m
		f.Add(uint8(m.Root.Layers), m.Proof)
		f.Add(uint8(m.Root.Layers+1), m.Proof)
	}
	f.Add(uint8(1), bytes.Repeat(append([]byte{1}, make([]byte, 31)...), MembershipProofSize(1, 1)/size))
	f.Fuzz(func(t *testing.T, layers uint8, proof []byte) {
		m := Membership{Inputs: right[1].Inputs, Proof: proof}
		m.Root.Hash = [size]byte{1}
		if published, ok := right[int(layers)]; ok {
			m = published
		}
		want := m.Proof != nil && bytes.Equal(m.Proof, proof) && m.Root.Layers != 0
		m.Root.Layers, m.Proof = int(layers), proof
		err := VerifyMembership(mathrand.NewChaCha8([32]byte{1}), carrot.Plain, []Membership{m})
		if (err == nil) != want {
			t.Fatal(err)
		}
	})
}
