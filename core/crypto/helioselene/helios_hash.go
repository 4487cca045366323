package helioselene

import "glim/core/crypto/keccak"

// HashToHelios returns a point of which nobody knows a discrete logarithm: it hashes text with Keccak-256, and the hash
// again, until it is the encoding of a point other than the identity. Monero's generators are the points of these
// texts, with numbers i in decimal from 0:
//
//	Monero Helios Hash Initializer     what the hash of a layer of the tree begins with
//	Monero Helios G i, Monero Helios H i     the generators of vectors
//	Monero Helios G, Monero Helios H         the generators of values and blinds
//
// The time depends on text. Source: rejection_sampling_hash_to_curve of the Rust crate
// monero-fcmp-plus-plus-generators.
func HashToHelios(text string) *Helios {
	hash := keccak.Sum256([]byte(text))
	for {
		if p, err := DecodeHelios(hash); err == nil && !p.IsIdentity() {
			return p
		}
		hash = keccak.Sum256(hash[:])
	}
}
