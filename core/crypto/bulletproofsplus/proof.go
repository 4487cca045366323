// Package bulletproofsplus makes and verifies Bulletproofs+, which prove that up to 16 committed amounts are from 0 to
// 2^64 − 1.
//
// The generators g and h of the paper are called H and G here: amounts are multiples of H, and masks are multiples of
// G.
// Source: eprint 2020/735; src/ringct/bulletproofs_plus.cc.
package bulletproofsplus

import (
	"errors"
	"io"
	"math/bits"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// MaxOutputs is the maximum number of commitments of a proof.
// Source: src/cryptonote_config.h, BULLETPROOF_PLUS_MAX_OUTPUTS.
const MaxOutputs = 16

// amountBits is the width of an amount, a power of two.
const (
	amountBits    = 64
	logAmountBits = 6
)

// Errors of this package. All are permanent for the same input.
var (
	// ErrCount: no amounts, more than MaxOutputs, or slices of different lengths.
	ErrCount = errors.New("bulletproofsplus: wrong number of amounts, masks or commitments")
	// ErrMalformed: a point or scalar is not canonical, or the number of rounds is wrong.
	ErrMalformed = errors.New("bulletproofsplus: malformed proof")
	// ErrInvalid: all proofs are well formed, but at least one of the batch is invalid.
	ErrInvalid = errors.New("bulletproofsplus: proof does not verify")
)

// Proof is an aggregate range proof as in transactions: all points are multiplied by 1/8, and it does not include the
// commitments.
type Proof struct {
	A, A1, B   [32]byte // points
	R1, S1, D1 [32]byte // scalars
	// points, one pair for each round: 6 + log2 of the number of amounts, rounded up to a power of two
	L, R [][32]byte
}

// rounds returns the number of rounds of a proof of count amounts. Each round halves the vectors.
func rounds(count int) int { return logAmountBits + bits.Len(uint(count-1)) }

// transcript is the running hash that the challenges are derived from.
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

// challenge absorbs parts and returns the next challenge.
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
	// y is the hash of the transcript, and z is the hash of y.
	yb := edwards.EncodeScalar(y)
	z = edwards.HashToScalar(yb[:])
	*t = edwards.EncodeScalar(z)
	return y, z
}

// stream is a source of secret scalars. It is unpredictable if rand is, or if the parts are secret and do not repeat.
type stream struct {
	seed  [32]byte
	count uint64
}

// newStream returns a stream seeded with 64 bytes of rand and with parts. The error is rand's.
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

// powers returns the n powers 1, x, x², ….
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
