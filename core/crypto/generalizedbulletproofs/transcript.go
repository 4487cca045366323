package generalizedbulletproofs

import (
	"encoding/binary"
	"errors"
	"hash"
	"math/bits"

	"golang.org/x/crypto/blake2b"
)

const size = 32 // bytes of a point or scalar

// ErrProof is the error of a proof that is cut off, or has an encoding that is not the only one of a point or scalar.
// A proof of the right form may still be wrong: batches decide about that.
var ErrProof = errors.New("generalizedbulletproofs: a proof is malformed")

// ErrWitness is the error of a prover whose numbers do not satisfy the circuit.
var ErrWitness = errors.New("generalizedbulletproofs: the witness does not satisfy the circuit")

// Kinds of what a transcript contains. Source: transcript.rs.
const (
	kindScalar    = 0
	kindPoint     = 1
	kindChallenge = 2
)

// Transcript reads or writes a proof and derives challenges from everything that was read or written before.
type Transcript struct {
	digest  hash.Hash
	proof   []byte // the rest
	written []byte
}

// NewTranscript returns the transcript of a proof, or of one that is to be written, which is nil. The context is a hash
// of everything that the proof is about.
func NewTranscript(context [32]byte, proof []byte) *Transcript {
	digest, err := blake2b.New512(nil)
	if err != nil {
		panic("unreachable: there is no key")
	}
	digest.Write(context[:])
	return &Transcript{digest: digest, proof: proof}
}

// Challenge returns the hash of everything so far.
func (t *Transcript) Challenge() (challenge [64]byte) {
	t.digest.Write([]byte{kindChallenge})
	t.digest.Sum(challenge[:0])
	return challenge
}

// Rest returns what was not read yet.
func (t *Transcript) Rest() []byte { return t.proof }

// Written returns the proof that was written.
func (t *Transcript) Written() []byte { return t.written }

// write adds a point or scalar to the proof.
func (t *Transcript) write(kind byte, b [size]byte) {
	t.written = append(t.written, b[:]...)
	t.digest.Write([]byte{kind})
	t.digest.Write(b[:])
}

// read returns the next point or scalar.
func (t *Transcript) read(kind byte) (b [size]byte, err error) {
	if len(t.proof) < size {
		return b, ErrProof
	}
	copy(b[:], t.proof)
	t.proof = t.proof[size:]
	t.digest.Write([]byte{kind})
	t.digest.Write(b[:])
	return b, nil
}

// count adds the number of commitments that follow.
func (t *Transcript) count(n int) {
	t.digest.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

// Elements returns the number of points and scalars of a proof about a circuit with rows and vector commitments,
// without the commitments.
func Elements(rows, commitments int) int {
	middle := 2*commitments + 2
	return 3 + middle/2 + (middle + 2) + 3 + 2*bits.Len(uint(rows-1)) + 2
}
