// Package carrot computes the addressing protocol of Monero's next hard fork: keys and addresses, outputs to send, and
// what a wallet receives. README.md describes it for users.
//
// Sources, quoted by section or function: carrot.md of github.com/jeffro256/carrot, commit 8565b5f; and src/carrot_core
// and src/carrot_impl of github.com/j-berman/monero, branch prep-v0.19.0.0-beta.2.1, called the beta. Both may still
// change; Rules are what is known to differ between versions.
//
// A type stands for each set of secrets that a wallet may hold, and has the functions that these secrets suffice for:
//
//	GenerateAddress  s_ga               derives addresses
//	ViewReceived     k_v, s_ga          also finds what others sent
//	ViewAll          s_vb               also finds what the wallet sent to itself, and computes key images
//	Master           s_m                also spends
//	LegacyView       k_v                the same for today's keys: derives addresses, finds what others sent
//	LegacyMaster     k_s, k_v           also computes key images and spends
//
// Incoming and Internal are the parts of them that find outputs, for scanners.
package carrot

import (
	"errors"

	"glim/core/crypto/blake2b"
	"glim/core/crypto/edwards"
)

// Errors of keys, addresses and outputs to send.
var (
	ErrKey       = errors.New("carrot: not a valid key")
	ErrMismatch  = errors.New("carrot: the output does not belong to this address")
	ErrAddress   = errors.New("carrot: cannot pay to such an address")
	ErrAnchor    = errors.New("carrot: the anchor must be random")
	ErrEphemeral = errors.New("carrot: the ephemeral key is missing, not valid, or does not fit the other outputs")
	ErrOutputs   = errors.New("carrot: these outputs cannot be in one transaction")
)

// personal is the personalisation of all hashes. Source: config.h, CARROT_PERSONAL_STRING.
const personal = "Monero"

// derive sets out to the hash of the length of domain, domain and parts; key may be nil. The specification writes
// H(domain ‖ key ‖ parts), but its hash has the key as a parameter.
// Source: carrot.md, 3.2; hash_functions.cpp, hash_base; transcript_fixed.h.
func derive(out []byte, key *[32]byte, domain string, parts ...[]byte) {
	var buffer [192]byte
	transcript := append(append(buffer[:0], byte(len(domain))), domain...)
	for _, part := range parts {
		transcript = append(transcript, part...)
	}
	var secret []byte
	if key != nil {
		secret = key[:]
	}
	blake2b.Sum(out, secret, personal, transcript)
	clear(transcript)
}

// deriveSecret returns the hash as 32 bytes. Source: carrot.md, 3.2, SecretDerive.
func deriveSecret(key *[32]byte, domain string, parts ...[]byte) (out [32]byte) {
	derive(out[:], key, domain, parts...)
	return out
}

// deriveScalar returns the hash modulo ℓ. Source: carrot.md, 3.3.4, ScalarDerive; hash_functions.cpp, derive_scalar.
func deriveScalar(key *[32]byte, domain string, parts ...[]byte) *edwards.Scalar {
	var wide [64]byte
	derive(wide[:], key, domain, parts...)
	s := edwards.ReduceWide(&wide)
	clear(wide[:])
	return s
}

// isZero reports whether s = 0, in constant time.
func isZero(s *edwards.Scalar) bool { return s.Equal(edwards.NewScalar()) == 1 }

// inSubgroup decodes a key that must be in the prime-order subgroup, and not the neutral element.
func inSubgroup(key [32]byte) (*edwards.Point, bool) {
	p, err := edwards.DecodePoint(key)
	if err != nil || p.IsIdentity() || !p.IsTorsionFree() {
		return nil, false
	}
	return p, true
}
