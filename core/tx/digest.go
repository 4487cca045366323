package tx

import (
	"glim/core/crypto/keccak"
	"glim/core/xmr"
)

// Digest stands for a commitment in a compact block: the first bytes of a hash of the block's ID and the commitment. Whoever makes
// an output cannot know that ID, which its commitment has a part in: so each attempt to pass another commitment off as this one
// takes a block on the chain, and one in 2^64 succeeds.
type Digest [8]byte

// Digests stand for the commitments of a transaction.
type Digests struct {
	Block xmr.Hash // the block that holds it
	List  []Digest // one an output
}

// NewDigest returns the digest of a commitment in a transaction of block.
func NewDigest(block xmr.Hash, commitment [32]byte) Digest {
	h := keccak.Sum256([]byte("compact commitment"), block[:], commitment[:])
	return Digest(h[:])
}

// Commits reports whether output o has this commitment, as far as is known: false for an output that has none.
func (c *RingCT) Commits(o int, commitment [32]byte) bool {
	if d := c.Digests; d != nil {
		return o < len(d.List) && d.List[o] == NewDigest(d.Block, commitment)
	}
	return o < len(c.Commitments) && c.Commitments[o] == commitment
}
