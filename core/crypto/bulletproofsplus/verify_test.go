package bulletproofsplus

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
)

func clone(p Proof) Proof {
	p.L = append([][32]byte(nil), p.L...)
	p.R = append([][32]byte(nil), p.R...)
	return p
}

// points and scalars return pointers to all 32-byte fields of a proof.
func points(p *Proof) []*[32]byte {
	out := []*[32]byte{&p.A, &p.A1, &p.B}
	for i := range p.L {
		out = append(out, &p.L[i])
	}
	for i := range p.R {
		out = append(out, &p.R[i])
	}
	return out
}

func scalars(p *Proof) []*[32]byte { return []*[32]byte{&p.R1, &p.S1, &p.D1} }

// subjects are a real proof of three amounts and one made by Prove.
func subjects(t testing.TB) (proofs []Proof, commitments [][][32]byte) {
	t.Helper()
	chainProofs, chainCommitments := chain(t)
	for i := range chainProofs {
		if len(chainCommitments[i]) == 3 {
			proofs, commitments = append(proofs, chainProofs[i]), append(commitments, chainCommitments[i])
		}
	}
	rand := source(10)
	own, c, err := Prove(rand, []uint64{7, 1 << 50}, someMasks(t, rand, 2))
	require.NoError(t, err)
	return append(proofs, own), append(commitments, c)
}

// TestTampering changes every field, alone and in a batch whose other proofs are valid.
func TestTampering(t *testing.T) {
	proofs, commitments := subjects(t)
	require.Len(t, proofs, 2)
	require.NoError(t, Verify(source(11), proofs, commitments))
	for i := range proofs {
		check := func(p Proof, c [][32]byte, what string) {
			require.Error(t, verifyOne(p, c), what)
			batch := append([]Proof(nil), proofs...)
			batchC := append([][][32]byte(nil), commitments...)
			batch[i], batchC[i] = p, c
			require.Error(t, Verify(source(12), batch, batchC), what)
		}
		for f := range append(points(&proofs[i]), scalars(&proofs[i])...) {
			for _, bit := range []int{0, 100, 255} {
				p := clone(proofs[i])
				append(points(&p), scalars(&p)...)[f][bit/8] ^= 1 << (bit % 8)
				check(p, commitments[i], fmt.Sprint("field ", f, " bit ", bit))
			}
		}
		for j := range commitments[i] {
			c := append([][32]byte(nil), commitments[i]...)
			c[j] = edwards.Base().Encode()
			check(proofs[i], c, fmt.Sprint("commitment ", j))
		}
		c := append([][32]byte(nil), commitments[i]...)
		c[0], c[1] = c[1], c[0]
		check(proofs[i], c, "commitments swapped")
		p := clone(proofs[i])
		p.L, p.R = p.R, p.L
		check(p, commitments[i], "L and R swapped")
	}
	require.Error(t, Verify(source(13), []Proof{proofs[1], proofs[0]}, commitments))
}

// TestTorsion adds every point of small order to every point: all changes are detected, although the sum is multiplied
// by 8.
func TestTorsion(t *testing.T) {
	proofs, commitments := subjects(t)
	generator, err := hex.DecodeString("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
	require.NoError(t, err)
	eighth, err := edwards.DecodePoint([32]byte(generator))
	require.NoError(t, err)
	spoil := func(k *[32]byte, small *edwards.Point) {
		q, err := edwards.DecodePoint(*k)
		require.NoError(t, err)
		*k = q.Add(q, small).Encode()
	}
	small := edwards.Identity()
	for range 7 {
		small.Add(small, eighth)
		for f := range points(&proofs[1]) {
			p := clone(proofs[1])
			spoil(points(&p)[f], small)
			require.ErrorIs(t, verifyOne(p, commitments[1]), ErrInvalid)
		}
		for j := range commitments[1] {
			c := append([][32]byte(nil), commitments[1]...)
			spoil(&c[j], small)
			require.ErrorIs(t, verifyOne(proofs[1], c), ErrInvalid)
		}
	}
	require.True(t, small.Add(small, eighth).IsIdentity())
}

// TestOutOfRange commits to 2^64 more than the amount, and proves other bits: no proof is valid.
func TestOutOfRange(t *testing.T) {
	rand := source(14)
	masks := someMasks(t, rand, 1)
	proof, commitments, err := Prove(rand, []uint64{9}, masks)
	require.NoError(t, err)
	require.NoError(t, verifyOne(proof, commitments))
	over := edwards.Commit(edwards.NewScalar(), 1<<63)
	c, err := edwards.DecodePoint(commitments[0])
	require.NoError(t, err)
	c.Add(c, over.Add(over, over))
	require.ErrorIs(t, verifyOne(proof, [][32]byte{c.Encode()}), ErrInvalid)

	// A correct proof for the commitment to 2^64 + 9, with 64 bits.
	for name, commitment := range map[string]*edwards.Point{
		"right": edwards.Commit(masks[0], 9), "over": c, "under": edwards.Commit(masks[0], 8)} {
		nonces, err := newStream(rand)
		require.NoError(t, err)
		divided := eighth(commitment).Encode()
		proof, ok := newProver([]uint64{9}, masks, nonces).prove(newTranscript([][32]byte{divided}))
		require.True(t, ok)
		err = verifyOne(proof, [][32]byte{commitment.Encode()})
		if name == "right" {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, ErrInvalid, name)
		}
	}
}

func TestRefusesMalformed(t *testing.T) {
	proofs, commitments := subjects(t)
	good, c := proofs[1], commitments[1]
	order := edwards.EncodeScalar(edwards.NewScalar().Negate(one))
	order[0]++ // ℓ
	for name, spoil := range map[string]func(p *Proof){
		"R1 not reduced": func(p *Proof) { p.R1 = order },
		"S1 not reduced": func(p *Proof) { p.S1 = order },
		"D1 not reduced": func(p *Proof) { p.D1 = order },
		"A no point":     func(p *Proof) { p.A = [32]byte{2} },
		"A1 no point":    func(p *Proof) { p.A1 = [32]byte{2} },
		"B no point":     func(p *Proof) { p.B = [32]byte{2} },
		"L no point":     func(p *Proof) { p.L[3] = [32]byte{2} },
		"R no point":     func(p *Proof) { p.R[6] = [32]byte{2} },
		"L short":        func(p *Proof) { p.L = p.L[1:] },
		"R short":        func(p *Proof) { p.R = p.R[1:] },
		"both short":     func(p *Proof) { p.L, p.R = p.L[1:], p.R[1:] },
		"both long":      func(p *Proof) { p.L, p.R = append(p.L, p.L[0]), append(p.R, p.R[0]) },
		"empty":          func(p *Proof) { *p = Proof{} },
	} {
		p := clone(good)
		spoil(&p)
		require.ErrorIs(t, verifyOne(p, c), ErrMalformed, name)
	}
	require.ErrorIs(t, verifyOne(good, [][32]byte{c[0], {2}}), ErrMalformed)
	require.ErrorIs(t, verifyOne(good, nil), ErrCount)
	require.ErrorIs(t, verifyOne(good, make([][32]byte, 17)), ErrCount)
	require.ErrorIs(t, Verify(source(15), proofs, commitments[:1]), ErrCount)
	require.ErrorIs(t, Verify(bytes.NewReader(nil), proofs, commitments), io.EOF)
	require.NoError(t, Verify(source(15), nil, nil))
	// One commitment more or less, with a matching number of rounds.
	three, c3 := proofs[0], commitments[0]
	more := append(append([][32]byte(nil), c3...), edwards.Identity().Encode())
	require.ErrorIs(t, verifyOne(three, more), ErrInvalid)
}

// TestWeights: a batch of two invalid proofs is invalid even if their errors cancel without weights.
func TestWeights(t *testing.T) {
	proofs, commitments := subjects(t)
	a, b := clone(proofs[1]), clone(proofs[1])
	shift := func(k *[32]byte, by *edwards.Scalar) {
		s, err := edwards.DecodeScalar(*k)
		require.NoError(t, err)
		*k = edwards.EncodeScalar(s.Add(s, by))
	}
	shift(&a.D1, one)
	shift(&b.D1, edwards.NewScalar().Negate(one))
	// The errors are exactly G and −G.
	both := [][][32]byte{commitments[1], commitments[1]}
	require.ErrorIs(t, Verify(bytes.NewReader(make([]byte, 64)), []Proof{a, b}, both), ErrInvalid)
}

// FuzzVerify changes bytes, the lengths of L and R, and the number of commitments.
func FuzzVerify(f *testing.F) {
	proofs, commitments := subjects(f)
	f.Add(uint16(0), []byte{1}, uint8(7), uint8(7), uint8(2))
	f.Add(uint16(96), bytes.Repeat([]byte{0xff}, 32), uint8(7), uint8(7), uint8(2))
	f.Add(uint16(0), []byte{}, uint8(10), uint8(10), uint8(16))
	f.Add(uint16(0), []byte{}, uint8(6), uint8(6), uint8(1))
	f.Add(uint16(0), []byte{0}, uint8(7), uint8(7), uint8(2))
	f.Fuzz(func(t *testing.T, at uint16, change []byte, l, r, count uint8) {
		p, c := clone(proofs[1]), append([][32]byte(nil), commitments[1]...)
		resize := func(v [][32]byte, n int) [][32]byte {
			for len(v) < n {
				v = append(v, v[len(v)-1])
			}
			return v[:n]
		}
		p.L, p.R, c = resize(p.L, int(l)), resize(p.R, int(r)), resize(c, int(count))
		same := l == 7 && r == 7 && count == 2
		flat := append(points(&p), scalars(&p)...)
		for i := range c {
			flat = append(flat, &c[i])
		}
		before := make([][32]byte, len(flat))
		for i := range flat {
			before[i] = *flat[i]
		}
		for i, b := range change {
			at := (int(at) + i) % (32 * len(flat))
			flat[at/32][at%32] ^= b
		}
		for i := range flat {
			same = same && before[i] == *flat[i]
		}
		require.Equal(t, same, verifyOne(p, c) == nil)
	})
}

func BenchmarkVerify(b *testing.B) {
	proofs, commitments := chain(b)
	bench := func(name string, p []Proof, c [][][32]byte) {
		b.Run(name, func(b *testing.B) {
			rand := source(16)
			for b.Loop() {
				if err := Verify(rand, p, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	seen := map[int]bool{}
	for i := range proofs {
		if n := len(commitments[i]); !seen[n] {
			seen[n] = true
			bench(fmt.Sprint(n, " outputs"), proofs[i:i+1], commitments[i:i+1])
		}
	}
	var batch []Proof
	var batchC [][][32]byte
	for range 32 {
		batch, batchC = append(batch, proofs[0]), append(batchC, commitments[0])
	}
	bench("32 of 2 outputs", batch, batchC)
}
