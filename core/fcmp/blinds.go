package fcmp

import (
	"errors"
	"io"
	"slices"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
)

// Errors of provers. Retrying is pointless.
var (
	ErrSecret = errors.New("fcmp: secrets do not open the output")
	ErrBlind  = errors.New("fcmp: a blind is 0 or missing")
	ErrMasks  = errors.New("fcmp: a transaction has inputs, one mask for each, and a sum of masks")
)

// Output is an output to spend, as the chain has it. Key and Commitment may have torsion, which the tree clears, and so
// do inputs.
type Output struct {
	Key        [size]byte // O = x·G + y·T
	Generator  [size]byte // I, from which the key image is made
	Commitment [size]byte // C
}

// Blinds hide an output in an Input. They are secret, as each of them links the input to its output: Wipe them after
// use. All proofs about an input need the same blinds.
type Blinds struct {
	Key        *edwards.Scalar // r₁
	Generator  *edwards.Scalar // r₂
	R          *edwards.Scalar // r₃, the blind of the commitment R to r₂
	Commitment *edwards.Scalar // r₄
}

// NewBlinds returns blinds from rand, whose error it returns.
func NewBlinds(rand io.Reader) (*Blinds, error) {
	b := new(Blinds)
	for _, to := range b.all() {
		s, err := edwards.RandomScalar(rand)
		if err != nil {
			b.Wipe()
			return nil, err
		}
		*to = s
	}
	if !b.valid() {
		return nil, ErrBlind
	}
	return b, nil
}

func (b *Blinds) all() [4]**edwards.Scalar {
	return [4]**edwards.Scalar{&b.Key, &b.Generator, &b.R, &b.Commitment}
}

// valid reports whether all blinds are there and not 0.
func (b *Blinds) valid() bool {
	if b == nil {
		return false
	}
	zero := edwards.NewScalar()
	for _, s := range b.all() {
		if *s == nil || (*s).Equal(zero) == 1 {
			return false
		}
	}
	return true
}

// Wipe overwrites the blinds with zeros.
func (b *Blinds) Wipe() {
	for _, s := range b.all() {
		if *s != nil {
			edwards.Wipe(*s)
		}
	}
}

// String returns a placeholder, because secrets do not belong in logs.
func (Blinds) String() string { return "fcmp.Blinds(redacted)" }

// GoString returns a placeholder.
func (b Blinds) GoString() string { return b.String() }

// Balance sets the last r₄ so that the masks of all pseudo-outputs add up to sum, as those of a transaction's outputs
// do: Σ (maskᵢ + r₄ᵢ) = sum. masks are those of the commitments that are spent, in the order of blinds. It
// returns ErrMasks if their numbers differ or are 0, or if one of them or sum is missing. It returns ErrBlind if a
// blind is missing or 0, also afterwards: then the pseudo-output would be the commitment.
func Balance(blinds []*Blinds, masks []*edwards.Scalar, sum *edwards.Scalar) error {
	if len(blinds) == 0 || len(blinds) != len(masks) || sum == nil || slices.Contains(masks, nil) {
		return ErrMasks
	}
	rest := edwards.NewScalar().Set(sum)
	defer edwards.Wipe(rest)
	last := blinds[len(blinds)-1]
	for i, b := range blinds {
		if !b.valid() {
			return ErrBlind
		}
		rest.Subtract(rest, masks[i])
		if b != last {
			rest.Subtract(rest, b.Commitment)
		}
	}
	last.Commitment.Set(rest)
	if !last.valid() {
		return ErrBlind
	}
	return nil
}

// Blind returns the output with blinds, as a transaction shows it. It returns ErrBlind for blinds that are 0 or
// missing, and ErrPoint if a point of the output is not valid, is the identity without its torsion, or if Generator has
// torsion. Otherwise its time does not depend on the output and the blinds.
// Source: crate monero-fcmp-plus-plus, sal/mod.rs, RerandomizedOutput.
func (o *Output) Blind(rules *carrot.Rules, b *Blinds) (Input, error) {
	points, err := o.points()
	if err != nil {
		return Input{}, err
	}
	return points.blind(rules, b)
}

// outputPoints is an output without torsion.
type outputPoints struct{ key, generator, commitment *edwards.Point }

func (o *Output) points() (*outputPoints, error) {
	points, err := edwards.DecodePoints([][size]byte{o.Key, o.Generator, o.Commitment})
	if err != nil || !points[1].IsTorsionFree() {
		return nil, ErrPoint
	}
	p := &outputPoints{curvetree.ClearTorsion(points[0]), points[1], curvetree.ClearTorsion(points[2])}
	if p.key.IsIdentity() || p.generator.IsIdentity() || p.commitment.IsIdentity() {
		return nil, ErrPoint
	}
	return p, nil
}

func (o *outputPoints) blind(rules *carrot.Rules, b *Blinds) (Input, error) {
	if !b.valid() {
		return Input{}, ErrBlind
	}
	t, u, v, err := generators(rules)
	if err != nil {
		return Input{}, err
	}
	sums := edwards.Sums{Secret: true}
	onT, onU, onV := sums.Point(t), sums.Point(u), sums.Point(v)
	sums.Add(b.Key, onT)
	sums.End()
	sums.Add(b.Generator, onU)
	sums.End()
	sums.Add(b.Generator, onV)
	sums.Add(b.R, onT)
	sums.End()
	made := sums.Make()
	c := new(edwards.Point).ScalarBaseMult(b.Commitment)
	encoded := edwards.EncodePoints(
		made[0].Add(made[0], o.key), made[1].Add(made[1], o.generator), made[2], c.Add(c, o.commitment))
	return Input{Key: encoded[0], Generator: encoded[1], R: encoded[2], Commitment: encoded[3]}, nil
}
