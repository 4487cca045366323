// Package bulletproofsplus proves that up to 16 committed amounts lie between 0 and 2^64 − 1.
//
// The preprint's g is H here and its h is G: amounts are multiples of H, masks of G.
// Source: eprint 2020/735; src/ringct/bulletproofs_plus.cc.
package bulletproofsplus

import (
	"errors"
	"io"
	"math/bits"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// MaxOutputs is the number of commitments one proof can cover.
// Source: src/cryptonote_config.h, BULLETPROOF_PLUS_MAX_OUTPUTS.
const MaxOutputs = 16

// amountBits is the width of an amount, a power of two.
const (
	amountBits    = 64
	logAmountBits = 6
)

// Errors of this package. None can be cured by trying again with the same input.
var (
	// ErrCount: no amounts, more than MaxOutputs, or slices of different lengths.
	ErrCount = errors.New("bulletproofsplus: wrong number of amounts, masks or commitments")
	// ErrMalformed: a point or scalar with no canonical meaning, or the wrong number of rounds.
	ErrMalformed = errors.New("bulletproofsplus: malformed proof")
	// ErrInvalid: well formed, but at least one proof of the batch is false.
	ErrInvalid = errors.New("bulletproofsplus: proof does not verify")
)

// Proof is an aggregate range proof as the wire carries it: all points multiplied by 1/8, the commitments left out.
type Proof struct {
	A, A1, B   [32]byte   // points
	R1, S1, D1 [32]byte   // scalars
	L, R       [][32]byte // points, one pair a round: 6 + log2 of the number of amounts, rounded up to a power of two
}

// rounds returns how often a proof of count amounts halves its vectors.
func rounds(count int) int { return logAmountBits + bits.Len(uint(count-1)) }

// transcript is the running hash that yields the challenges.
type transcript [32]byte

// newTranscript starts with the commitments, multiplied by 1/8.
// Source: src/ringct/bulletproofs_plus.cc, init_exponents and transcript_update.
func newTranscript(commitments [][32]byte) *transcript {
	parts := make([][]byte, len(commitments))
	for i := range commitments {
		parts[i] = commitments[i][:]
	}
	t := transcript(initialTranscript)
	t.challenge(edwards.EncodeScalar(edwards.HashToScalar(parts...)))
	return &t
}

var initialTranscript = edwards.HashToPoint(keccak.Sum256([]byte("bulletproof_plus_transcript"))).Encode()

// challenge absorbs parts and returns the scalar that follows.
func (t *transcript) challenge(parts ...[32]byte) *edwards.Scalar {
	all := make([][]byte, 1, 1+len(parts))
	all[0] = t[:]
	for i := range parts {
		all = append(all, parts[i][:])
	}
	s := edwards.HashToScalar(all...)
	*t = edwards.EncodeScalar(s)
	return s
}

// challengeYZ absorbs A and returns the first two challenges.
func (t *transcript) challengeYZ(a [32]byte) (y, z *edwards.Scalar) {
	y = t.challenge(a)
	// z is the hash of y alone, and y is the whole transcript.
	yb := edwards.EncodeScalar(y)
	z = edwards.HashToScalar(yb[:])
	*t = edwards.EncodeScalar(z)
	return y, z
}

// stream is a source of scalars that is as good as the better of its seeds: randomness, or what is hashed along.
type stream struct {
	seed  [32]byte
	count uint64
}

// newStream hashes 64 bytes of rand with parts. The error is rand's.
func newStream(rand io.Reader, parts ...[]byte) (*stream, error) {
	var random [64]byte
	defer clear(random[:])
	if _, err := io.ReadFull(rand, random[:]); err != nil {
		return nil, err
	}
	return &stream{seed: keccak.Sum256(append([][]byte{[]byte("glim_bulletproofsplus"), random[:]}, parts...)...)}, nil
}

func (s *stream) next() *edwards.Scalar {
	s.count++
	count := edwards.EncodeScalar(edwards.ScalarFromUint64(s.count))
	return edwards.HashToScalar([]byte("glim_bulletproofsplus_nonce"), s.seed[:], count[:])
}

func (s *stream) wipe() { clear(s.seed[:]) }

var (
	zero     = edwards.NewScalar()
	one      = edwards.ScalarFromUint64(1)
	invEight = edwards.NewScalar().Invert(edwards.ScalarFromUint64(8))
)

func isZero(s *edwards.Scalar) bool { return s.Equal(zero) == 1 }

func mul(a, b *edwards.Scalar) *edwards.Scalar { return edwards.NewScalar().Multiply(a, b) }

// powers returns 1, x, x², … of n terms.
func powers(x *edwards.Scalar, n int) []edwards.Scalar {
	p := make([]edwards.Scalar, n)
	p[0].Set(one)
	for i := 1; i < n; i++ {
		p[i].Multiply(&p[i-1], x)
	}
	return p
}

// windows returns d, where d[64j+i] = z^(2(j+1))·2^i for j below outputs.
func windows(z *edwards.Scalar, outputs int) []edwards.Scalar {
	d := make([]edwards.Scalar, amountBits*outputs)
	z2 := mul(z, z)
	d[0].Set(z2)
	for i := 1; i < amountBits; i++ {
		d[i].Add(&d[i-1], &d[i-1])
	}
	for i := amountBits; i < len(d); i++ {
		d[i].Multiply(&d[i-amountBits], z2)
	}
	return d
}
