package tx

import (
	"glim/core/crypto/keccak"
	"glim/core/xmr"
)

// CommitmentDigest replaces a commitment in a compact block: the first bytes of a hash of the block's ID and the
// commitment. The maker of an output does not know that ID, which depends on the commitment, so each attempt to
// substitute another commitment costs a block, and one in 2^64 succeeds.
type CommitmentDigest [8]byte

// CommitmentDigests replace the commitments of a transaction.
type CommitmentDigests struct {
	Block xmr.Hash           // that contains the transaction
	List  []CommitmentDigest // one per output
}

// NewCommitmentDigest returns the digest of a commitment in a transaction of block.
func NewCommitmentDigest(block xmr.Hash, commitment [32]byte) CommitmentDigest {
	h := keccak.Sum256([]byte("compact commitment"), block[:], commitment[:])
	return CommitmentDigest(h[:])
}

// Commits reports whether output o has this commitment; false for an output without one.
func (c *RingCT) Commits(o int, commitment [32]byte) bool {
	if d := c.CommitmentDigests; d != nil {
		return o < len(d.List) && d.List[o] == NewCommitmentDigest(d.Block, commitment)
	}
	return o < len(c.Commitments) && c.Commitments[o] == commitment
}
