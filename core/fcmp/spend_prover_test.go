package fcmp

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
)

// owned is an output with its secrets.
type owned struct {
	Output
	x, y, mask *edwards.Scalar
	amount     uint64
}

func randomScalar(t testing.TB) *edwards.Scalar {
	s, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	return s
}

// newOwned returns an output with random secrets.
func newOwned(t testing.TB, rules *carrot.Rules, amount uint64) *owned {
	o := &owned{x: randomScalar(t), y: randomScalar(t), mask: randomScalar(t), amount: amount}
	onT, err := edwards.DecodePoint(rules.T)
	require.NoError(t, err)
	key := new(edwards.Point).ScalarBaseMult(o.x)
	o.Key = key.Add(key, onT.ScalarMult(o.y, onT)).Encode()
	o.Generator = edwards.HashToPoint(o.Key).Encode()
	o.Commitment = edwards.Commit(o.mask, amount).Encode()
	return o
}

func newBlinds(t testing.TB) *Blinds {
	b, err := NewBlinds(rand.Reader)
	require.NoError(t, err)
	return b
}

// prove returns the spend of an output.
func (o *owned) prove(t testing.TB, rules *carrot.Rules, message [size]byte, b *Blinds) *Spend {
	s, err := ProveSpend(rand.Reader, rules, message, &o.Output, b, o.x, o.y)
	require.NoError(t, err)
	return s
}

// TestProveSpend proves spends and verifies them, alone and together with published ones.
func TestProveSpend(t *testing.T) {
	spends := published(t)
	for i := range 3 {
		o := newOwned(t, carrot.Plain, 5)
		s := o.prove(t, carrot.Plain, [size]byte{byte(i)}, newBlinds(t))
		require.NoError(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{*s}))
		require.ErrorIs(t, VerifySpends(rand.Reader, carrot.Personalised, []Spend{*s}), ErrProof)
		generator, err := edwards.DecodePoint(o.Generator)
		require.NoError(t, err)
		require.Equal(t, generator.ScalarMult(o.x, generator).Encode(), s.KeyImage)
		spends = append(spends, *s)
	}
	require.NoError(t, VerifySpends(rand.Reader, carrot.Plain, spends))

	o := newOwned(t, carrot.Personalised, 5)
	s := o.prove(t, carrot.Personalised, [size]byte{}, newBlinds(t))
	require.NoError(t, VerifySpends(rand.Reader, carrot.Personalised, []Spend{*s}))
}

// TestProvenSpendAltered changes each part of a spend that is proven.
func TestProvenSpendAltered(t *testing.T) {
	original := newOwned(t, carrot.Plain, 5).prove(t, carrot.Plain, [size]byte{1}, newBlinds(t))
	try := func(change func(*Spend)) {
		s := *original
		s.Proof = append([]byte{}, original.Proof...)
		change(&s)
		require.Error(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{s}))
	}
	for i := 0; i < SpendProofSize; i += 5 {
		try(func(s *Spend) { s.Proof[i] ^= 2 })
	}
	try(func(s *Spend) { s.Message[0] ^= 1 })
	try(func(s *Spend) { s.KeyImage[0] ^= 1 })
	for j := range original.inputs() {
		try(func(s *Spend) { s.inputs()[j][0] ^= 1 })
	}
}

// TestProveSpendRefuses proves with secrets and points that are wrong.
func TestProveSpendRefuses(t *testing.T) {
	o := newOwned(t, carrot.Plain, 5)
	zero, other := edwards.NewScalar(), randomScalar(t)
	try := func(want error, output Output, b *Blinds, x, y *edwards.Scalar) {
		_, err := ProveSpend(rand.Reader, carrot.Plain, [size]byte{}, &output, b, x, y)
		require.ErrorIs(t, err, want)
	}
	b := newBlinds(t)
	try(nil, o.Output, b, o.x, o.y)
	try(ErrSecret, o.Output, b, o.x, other)
	try(ErrSecret, o.Output, b, other, o.y)
	try(ErrSecret, o.Output, b, o.y, o.x)
	try(ErrSecret, o.Output, b, zero, o.y)
	try(ErrSecret, o.Output, b, nil, o.y)
	try(ErrSecret, o.Output, b, o.x, nil)
	try(ErrBlind, o.Output, nil, o.x, o.y)
	for i := range b.all() {
		for _, value := range []*edwards.Scalar{nil, zero} {
			changed := *b
			*changed.all()[i] = value
			try(ErrBlind, o.Output, &changed, o.x, o.y)
			_, err := o.Blind(carrot.Plain, &changed)
			require.ErrorIs(t, err, ErrBlind)
		}
	}
	identity := edwards.Identity().Encode()
	two := order2(t)
	generator, err := edwards.DecodePoint(o.Generator)
	require.NoError(t, err)
	torsion := generator.Add(generator, two).Encode()
	for _, change := range []func(*Output){
		func(o *Output) { o.Key = identity },
		func(o *Output) { o.Key = [size]byte{2} },
		func(o *Output) { o.Key = two.Encode() },
		func(o *Output) { o.Generator = identity },
		func(o *Output) { o.Generator = [size]byte{2} },
		func(o *Output) { o.Generator = torsion },
		func(o *Output) { o.Commitment = identity },
		func(o *Output) { o.Commitment = [size]byte{2} },
		func(o *Output) { o.Commitment = two.Encode() },
	} {
		changed := o.Output
		change(&changed)
		try(ErrPoint, changed, b, o.x, o.y)
	}

	wrong := &carrot.Rules{T: [size]byte{2}}
	_, err = ProveSpend(rand.Reader, wrong, [size]byte{}, &o.Output, b, o.x, o.y)
	require.Error(t, err)
	_, err = o.Blind(wrong, b)
	require.Error(t, err)
	failed := errors.New("no randomness")
	_, err = ProveSpend(iotest.ErrReader(failed), carrot.Plain, [size]byte{}, &o.Output, b, o.x, o.y)
	require.ErrorIs(t, err, failed)
	for n := range 4 {
		_, err = NewBlinds(io.MultiReader(io.LimitReader(rand.Reader, int64(64*n)), iotest.ErrReader(failed)))
		require.ErrorIs(t, err, failed)
	}
}

// TestProveSpendWithTorsion spends an output whose key and commitment have torsion, which the tree and the input do not
// have.
func TestProveSpendWithTorsion(t *testing.T) {
	o := newOwned(t, carrot.Plain, 5)
	b := newBlinds(t)
	plain, err := o.Blind(carrot.Plain, b)
	require.NoError(t, err)
	for _, part := range []*[size]byte{&o.Key, &o.Commitment} {
		p, err := edwards.DecodePoint(*part)
		require.NoError(t, err)
		*part = p.Add(p, order2(t)).Encode()
	}
	s := o.prove(t, carrot.Plain, [size]byte{}, b)
	require.Equal(t, plain, s.Input)
	require.NoError(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{*s}))
}

// TestNoncesDependOnEverything proves with the same randomness: any change must change P, as a nonce for two challenges
// reveals secrets.
func TestNoncesDependOnEverything(t *testing.T) {
	o, b := newOwned(t, carrot.Plain, 5), newBlinds(t)
	prove := func(random byte, message [size]byte, b *Blinds, output *owned) string {
		rand := bytes.NewReader(bytes.Repeat([]byte{random}, 64))
		s, err := ProveSpend(rand, carrot.Plain, message, &output.Output, b, output.x, output.y)
		require.NoError(t, err)
		return string(s.Proof[size : 2*size]) // A, which consists of nonces only
	}
	seen := map[string]bool{prove(0, [size]byte{}, b, o): true}
	require.True(t, seen[prove(0, [size]byte{}, b, o)])
	add := func(a string) {
		require.False(t, seen[a])
		seen[a] = true
	}
	add(prove(1, [size]byte{}, b, o))
	add(prove(0, [size]byte{1}, b, o))
	other := *o
	other.Commitment = edwards.Commit(o.mask, 6).Encode()
	add(prove(0, [size]byte{}, b, &other))
	other = *o
	other.Generator = edwards.HashToPoint([size]byte{}).Encode()
	add(prove(0, [size]byte{}, b, &other))
	for i := range b.all() {
		changed := *b
		*changed.all()[i] = randomScalar(t)
		add(prove(0, [size]byte{}, &changed, o))
	}
}

// TestBalance gives pseudo-outputs masks with a sum.
func TestBalance(t *testing.T) {
	for n := 1; n <= 3; n++ {
		sum := randomScalar(t)
		var blinds []*Blinds
		var masks []*edwards.Scalar
		var outputs []*owned
		total := uint64(0)
		for i := range n {
			outputs = append(outputs, newOwned(t, carrot.Plain, uint64(100+i)))
			masks = append(masks, outputs[i].mask)
			blinds = append(blinds, newBlinds(t))
			total += outputs[i].amount
		}
		require.NoError(t, Balance(blinds, masks, sum))
		points := edwards.Identity()
		for i, o := range outputs {
			in, err := o.Blind(carrot.Plain, blinds[i])
			require.NoError(t, err)
			p, err := edwards.DecodePoint(in.Commitment)
			require.NoError(t, err)
			points.Add(points, p)
			s := o.prove(t, carrot.Plain, [size]byte{}, blinds[i])
			require.Equal(t, in, s.Input)
			require.NoError(t, VerifySpends(rand.Reader, carrot.Plain, []Spend{*s}))
		}
		require.True(t, points.Equal(edwards.Commit(sum, total)))

		require.ErrorIs(t, Balance(blinds, masks[1:], sum), ErrMasks)
		blinds[0].R = nil
		require.ErrorIs(t, Balance(blinds, masks, sum), ErrBlind)
	}
	require.ErrorIs(t, Balance(nil, nil, randomScalar(t)), ErrMasks)
	require.ErrorIs(t, Balance([]*Blinds{newBlinds(t)}, []*edwards.Scalar{nil}, randomScalar(t)), ErrMasks)
	require.ErrorIs(t, Balance([]*Blinds{newBlinds(t)}, []*edwards.Scalar{randomScalar(t)}, nil), ErrMasks)
	mask := randomScalar(t)
	require.ErrorIs(t, Balance([]*Blinds{newBlinds(t)}, []*edwards.Scalar{mask}, mask), ErrBlind)
}

// TestBlindsAreSecret formats and wipes blinds.
func TestBlindsAreSecret(t *testing.T) {
	b := newBlinds(t)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "fcmp.Blinds(redacted)", fmt.Sprintf(format, b))
		require.Equal(t, "fcmp.Blinds(redacted)", fmt.Sprintf(format, *b))
	}
	b.Wipe()
	for _, s := range b.all() {
		require.Equal(t, 1, (*s).Equal(edwards.NewScalar()))
	}
	new(Blinds).Wipe()
}

func BenchmarkProveSpend(b *testing.B) {
	o := newOwned(b, carrot.Plain, 5)
	blinds := newBlinds(b)
	for b.Loop() {
		if _, err := ProveSpend(rand.Reader, carrot.Plain, [size]byte{}, &o.Output, blinds, o.x, o.y); err != nil {
			b.Fatal(err)
		}
	}
}
