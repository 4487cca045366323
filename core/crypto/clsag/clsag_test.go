package clsag

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
)

// key decodes 32 bytes in hexadecimal.
type key [32]byte

func (k *key) UnmarshalText(text []byte) error {
	if len(text) != 64 {
		return errors.New("want 64 digits")
	}
	_, err := hex.Decode(k[:], text)
	return err
}

// signed are the arguments of Verify.
type signed struct {
	message             [32]byte
	ring                []Member
	pseudoOut, keyImage [32]byte
	sig                 Signature
}

func (s *signed) verify() error { return Verify(s.message, s.ring, s.pseudoOut, s.keyImage, s.sig) }

// clone makes a deep copy, so that a test may change it.
func (s *signed) clone() *signed {
	c := *s
	c.ring = append([]Member(nil), s.ring...)
	c.sig.S = append([][32]byte(nil), s.sig.S...)
	return &c
}

// fields returns pointers to all 32-byte fields of s.
func (s *signed) fields() map[string]*[32]byte {
	f := map[string]*[32]byte{"message": &s.message, "pseudo output": &s.pseudoOut, "key image": &s.keyImage,
		"C1": &s.sig.C1, "D": &s.sig.D}
	for i := range s.ring {
		f[fmt.Sprint("key ", i)] = &s.ring[i].Key
		f[fmt.Sprint("commitment ", i)] = &s.ring[i].Commitment
	}
	for i := range s.sig.S {
		f[fmt.Sprint("S ", i)] = &s.sig.S[i]
	}
	return f
}

// chain returns the signatures of real transactions; testdata/README.md names their source.
func chain(t testing.TB) []*signed {
	t.Helper()
	raw, err := os.ReadFile("testdata/chain.json")
	require.NoError(t, err)
	var in []struct {
		Message   key `json:"message"`
		PseudoOut key `json:"pseudo_out"`
		KeyImage  key `json:"key_image"`
		Ring      []struct {
			Key        key `json:"key"`
			Commitment key `json:"commitment"`
		} `json:"ring"`
		S  []key `json:"s"`
		C1 key   `json:"c1"`
		D  key   `json:"d"`
	}
	require.NoError(t, json.Unmarshal(raw, &in))
	var out []*signed
	for _, x := range in {
		s := &signed{message: x.Message, pseudoOut: x.PseudoOut, keyImage: x.KeyImage,
			sig: Signature{C1: x.C1, D: x.D}}
		for _, m := range x.Ring {
			s.ring = append(s.ring, Member{Key: m.Key, Commitment: m.Commitment})
		}
		for _, r := range x.S {
			s.sig.S = append(s.sig.S, r)
		}
		out = append(out, s)
	}
	require.NotEmpty(t, out)
	return out
}

// source is a deterministic source of random bytes.
func source(seed byte) io.Reader { return mathrand.NewChaCha8([32]byte{seed}) }

func scalar(t testing.TB, rand io.Reader) *edwards.Scalar {
	t.Helper()
	s, err := edwards.RandomScalar(rand)
	require.NoError(t, err)
	return s
}

// opening is a ring with the secrets of one of its members.
type opening struct {
	message    [32]byte
	ring       []Member
	real       int
	secret     Secret
	pseudoMask *edwards.Scalar
	pseudoOut  [32]byte
}

func newOpening(t testing.TB, rand io.Reader, size, realIndex int) *opening {
	t.Helper()
	const amount = 123456789
	o := &opening{ring: make([]Member, size), real: realIndex, pseudoMask: scalar(t, rand),
		secret: Secret{Key: scalar(t, rand), Mask: scalar(t, rand)}}
	for i := range o.ring {
		o.ring[i].Key = new(edwards.Point).ScalarBaseMult(scalar(t, rand)).Encode()
		o.ring[i].Commitment = new(edwards.Point).ScalarBaseMult(scalar(t, rand)).Encode()
	}
	o.ring[realIndex].Key = new(edwards.Point).ScalarBaseMult(o.secret.Key).Encode()
	o.ring[realIndex].Commitment = edwards.Commit(o.secret.Mask, amount).Encode()
	o.pseudoOut = edwards.Commit(o.pseudoMask, amount).Encode()
	_, err := io.ReadFull(rand, o.message[:])
	require.NoError(t, err)
	return o
}

func (o *opening) sign(rand io.Reader) (*signed, error) {
	sig, image, err := Sign(rand, o.message, o.ring, o.real, o.secret, o.pseudoMask, o.pseudoOut)
	return &signed{o.message, o.ring, o.pseudoOut, image, sig}, err
}

func TestVerifiesChain(t *testing.T) {
	for i, s := range chain(t) {
		require.NoError(t, s.verify(), i)
	}
}

func TestSignVerifies(t *testing.T) {
	rand := source(1)
	for _, size := range []int{1, 2, 3, 11, 16} {
		for realIndex := range size {
			o := newOpening(t, rand, size, realIndex)
			s, err := o.sign(rand)
			require.NoError(t, err)
			require.NoError(t, s.verify())
			require.Equal(t, edwards.GenerateKeyImage(o.ring[realIndex].Key, o.secret.Key), s.keyImage)
		}
	}
}

// TestTampering changes every field of a real signature and of one made by Sign.
func TestTampering(t *testing.T) {
	own, err := newOpening(t, source(2), 16, 7).sign(source(3))
	require.NoError(t, err)
	for _, s := range []*signed{chain(t)[0], own} {
		require.NoError(t, s.verify())
		for name := range s.fields() {
			for _, bit := range []int{0, 77, 255} {
				c := s.clone()
				c.fields()[name][bit/8] ^= 1 << (bit % 8)
				require.Error(t, c.verify(), "%s, bit %d", name, bit)
			}
		}
	}
}

func TestRefusesMalformed(t *testing.T) {
	whole := chain(t)[0]
	order := edwards.EncodeScalar(edwards.NewScalar().Negate(edwards.ScalarFromUint64(1)))
	order[0]++ // ℓ
	small := [32]byte{}
	copy(small[:], mustHex(t, "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")) // order 8
	torsion, err := edwards.DecodePoint(small)
	require.NoError(t, err)
	identity := edwards.Identity().Encode()
	negativeIdentity := identity
	negativeIdentity[31] |= 0x80
	add := func(k [32]byte) [32]byte {
		p, err := edwards.DecodePoint(k)
		require.NoError(t, err)
		return p.Add(p, torsion).Encode()
	}
	cases := map[string]func(s *signed){
		"no ring":                     func(s *signed) { s.ring, s.sig.S = nil, nil },
		"one response too few":        func(s *signed) { s.sig.S = s.sig.S[1:] },
		"one response too many":       func(s *signed) { s.sig.S = append(s.sig.S, [32]byte{}) },
		"response not reduced":        func(s *signed) { s.sig.S[3] = order },
		"challenge not reduced":       func(s *signed) { s.sig.C1 = order },
		"key image is identity":       func(s *signed) { s.keyImage = identity },
		"key image is -identity":      func(s *signed) { s.keyImage = negativeIdentity },
		"key image of small order":    func(s *signed) { s.keyImage = small },
		"key image with torsion":      func(s *signed) { s.keyImage = add(s.keyImage) },
		"auxiliary is identity":       func(s *signed) { s.sig.D = identity },
		"auxiliary of small order":    func(s *signed) { s.sig.D = small },
		"auxiliary is no point":       func(s *signed) { s.sig.D = [32]byte{2} },
		"pseudo output is no point":   func(s *signed) { s.pseudoOut = [32]byte{2} },
		"ring key is no point":        func(s *signed) { s.ring[5].Key = [32]byte{2} },
		"ring commitment is no point": func(s *signed) { s.ring[5].Commitment = [32]byte{2} },
	}
	for name, spoil := range cases {
		s := whole.clone()
		spoil(s)
		require.ErrorIs(t, s.verify(), ErrMalformed, name)
	}
	// D is multiplied by 8, but hashed as it is, so torsion on it changes the challenges.
	s := whole.clone()
	s.sig.D = add(s.sig.D)
	require.ErrorIs(t, s.verify(), ErrInvalid)
	// The order of ring members matters.
	s = whole.clone()
	s.ring[0], s.ring[1] = s.ring[1], s.ring[0]
	require.ErrorIs(t, s.verify(), ErrInvalid)
}

func mustHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

func TestSignRefusesWrongSecrets(t *testing.T) {
	one := edwards.ScalarFromUint64(1)
	for name, c := range map[string]struct {
		spoil func(o *opening)
		want  error
	}{
		"key":         {func(o *opening) { o.secret.Key.Add(o.secret.Key, one) }, ErrSecret},
		"mask":        {func(o *opening) { o.secret.Mask.Add(o.secret.Mask, one) }, ErrSecret},
		"pseudo mask": {func(o *opening) { o.pseudoMask.Add(o.pseudoMask, one) }, ErrSecret},
		"amount":      {func(o *opening) { o.pseudoOut = edwards.Commit(o.pseudoMask, 1).Encode() }, ErrSecret},
		"index":       {func(o *opening) { o.real = 0 }, ErrSecret},
		"same mask": {func(o *opening) {
			o.pseudoMask, o.pseudoOut = o.secret.Mask, o.ring[o.real].Commitment
		}, ErrSecret},
		"negative":   {func(o *opening) { o.real = -1 }, ErrMalformed},
		"past end":   {func(o *opening) { o.real = len(o.ring) }, ErrMalformed},
		"no key":     {func(o *opening) { o.secret.Key = nil }, ErrMalformed},
		"no point":   {func(o *opening) { o.ring[0].Key = [32]byte{2} }, ErrMalformed},
		"no pseudo":  {func(o *opening) { o.pseudoOut = [32]byte{2} }, ErrMalformed},
		"empty ring": {func(o *opening) { o.ring, o.real = nil, 0 }, ErrMalformed},
	} {
		o := newOpening(t, source(4), 5, 3)
		c.spoil(o)
		_, err := o.sign(source(5))
		require.ErrorIs(t, err, c.want, name)
	}
}

// TestBadRandomness: with constant randomness, signatures of two messages share neither challenges nor responses, and
// signatures of the same message are equal.
func TestBadRandomness(t *testing.T) {
	o := newOpening(t, source(6), 4, 2)
	stuck := func() io.Reader { return bytes.NewReader(make([]byte, 64)) }
	a, err := o.sign(stuck())
	require.NoError(t, err)
	b, err := o.sign(stuck())
	require.NoError(t, err)
	require.Equal(t, a, b)
	o.message[0]++
	c, err := o.sign(stuck())
	require.NoError(t, err)
	for i := range a.sig.S {
		require.NotEqual(t, a.sig.S[i], c.sig.S[i])
	}
	require.NotEqual(t, a.sig.C1, c.sig.C1)
	// The same message with different randomness.
	d, err := o.sign(bytes.NewReader(bytes.Repeat([]byte{1}, 64)))
	require.NoError(t, err)
	for i := range c.sig.S {
		require.NotEqual(t, c.sig.S[i], d.sig.S[i])
	}
	_, err = o.sign(bytes.NewReader(make([]byte, 63)))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// TestSecretsSurviveSigning: Sign neither wipes nor changes the caller's scalars.
func TestSecretsSurviveSigning(t *testing.T) {
	o := newOpening(t, source(7), 3, 1)
	secrets := func() [][32]byte {
		return [][32]byte{
			edwards.EncodeScalar(o.secret.Key), edwards.EncodeScalar(o.secret.Mask), edwards.EncodeScalar(o.pseudoMask),
		}
	}
	before := secrets()
	_, err := o.sign(source(8))
	require.NoError(t, err)
	require.Equal(t, before, secrets())
	require.Equal(t, "clsag.Secret(redacted)", fmt.Sprint(o.secret))
	require.Equal(t, "clsag.Secret(redacted)", fmt.Sprintf("%#v", o.secret))
}

// FuzzVerify changes bytes of a valid signature: Verify neither panics nor accepts it.
func FuzzVerify(f *testing.F) {
	whole := chain(f)[0]
	f.Add(uint16(0), []byte{1})
	f.Add(uint16(32), []byte{0xff, 0xff})
	f.Add(uint16(160), bytes.Repeat([]byte{0xff}, 32))
	f.Fuzz(func(t *testing.T, at uint16, change []byte) {
		s := whole.clone()
		flat := s.flat()
		for i, b := range change {
			p := (int(at) + i) % (32 * len(flat))
			flat[p/32][p%32] ^= b
		}
		changed := false
		for i, v := range whole.flat() {
			changed = changed || *v != *flat[i]
		}
		require.Equal(t, changed, s.verify() != nil)
	})
}

// flat returns pointers to all 32-byte fields of s, in a fixed order.
func (s *signed) flat() []*[32]byte {
	out := []*[32]byte{&s.message, &s.pseudoOut, &s.keyImage, &s.sig.C1, &s.sig.D}
	for i := range s.ring {
		out = append(out, &s.ring[i].Key, &s.ring[i].Commitment, &s.sig.S[i])
	}
	return out
}

func BenchmarkSign(b *testing.B) {
	o := newOpening(b, source(9), 16, 7)
	rand := source(10)
	for b.Loop() {
		if _, err := o.sign(rand); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	s := chain(b)[0]
	for b.Loop() {
		if err := s.verify(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHint: Verify with the right hint, another one or none returns the same as without.
func TestHint(t *testing.T) {
	o, other := newOpening(t, source(11), 16, 7), newOpening(t, source(12), 16, 2)
	made, hint := o.signedWithHint(t, source(13))
	_, foreign := other.signedWithHint(t, source(14))
	again, _ := o.signedWithHint(t, source(15)) // the same ring, other challenges
	require.True(t, hint.follows(made.message, made.keyImage, made.sig), "what it is for")
	require.False(t, hint.follows(again.message, again.keyImage, again.sig))
	for name, s := range map[string]*signed{"made": made, "again": again} {
		for _, tr := range []*Hint{hint, foreign, nil} {
			require.NoError(t, tr.Verify(s.message, s.ring, s.pseudoOut, s.keyImage, s.sig), name)
		}
	}
	for name := range made.fields() {
		bad := made.clone()
		bad.fields()[name][0] ^= 1
		want := bad.verify()
		require.Error(t, want, name)
		require.Equal(t, want, hint.Verify(bad.message, bad.ring, bad.pseudoOut, bad.keyImage, bad.sig), name)
	}
	short := made.clone()
	short.sig.S = short.sig.S[1:]
	require.Equal(t, ErrMalformed, hint.Verify(short.message, short.ring, short.pseudoOut, short.keyImage, short.sig))
	// A wrong challenge in the hint does not change the result.
	for i := range hint.challenges {
		hint.challenges[i] = edwards.ScalarFromUint64(uint64(i))
		require.NoError(t, hint.Verify(made.message, made.ring, made.pseudoOut, made.keyImage, made.sig))
		hint.challenges[i] = edwards.NewScalar()
	}
	require.False(t, hint.follows(made.message, made.keyImage, made.sig))
}

func (o *opening) signedWithHint(t testing.TB, rand io.Reader) (*signed, *Hint) {
	t.Helper()
	sig, image, hint, err := SignWithHint(rand, o.message, o.ring, o.real, o.secret, o.pseudoMask, o.pseudoOut)
	require.NoError(t, err)
	return &signed{o.message, o.ring, o.pseudoOut, image, sig}, hint
}
