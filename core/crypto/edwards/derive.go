package edwards

import (
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/wire"
)

// Derivation is the shared secret 8·a·R of a transaction, where a is the view key and R the transaction's public key.
type Derivation [32]byte

// Derive returns 8·secret·public, or ErrPoint. It is constant time in secret.
// Source: src/crypto/crypto.cpp, generate_key_derivation.
func Derive(secret *Scalar, public [32]byte) (Derivation, error) {
	p, err := DecodePoint(public)
	if err != nil {
		return Derivation{}, err
	}
	p.ScalarMult(secret, p)
	return Derivation(p.MultByCofactor(p).Encode()), nil
}

// Scalar returns Hs(derivation ‖ varint(index)), the shared secret of output index.
// Source: src/crypto/crypto.cpp, derivation_to_scalar.
func (d Derivation) Scalar(index uint64) *Scalar { return ReduceScalar(d.hash(index)) }

func (d *Derivation) hash(index uint64) [32]byte {
	return keccak.Sum256(wire.AppendVarint(append(make([]byte, 0, 42), d[:]...), index))
}

// ViewTag returns the first byte of Keccak("view_tag" ‖ derivation ‖ varint(index)).
// Source: src/crypto/crypto.cpp, derive_view_tag.
func (d Derivation) ViewTag(index uint64) byte {
	b := append(make([]byte, 0, 50), "view_tag"...)
	b = append(b, d[:]...)
	h := keccak.Sum256(wire.AppendVarint(b, index))
	return h[0]
}

// ViewTags sets tags[i] to derivations[i].ViewTag(indices[i]), faster than one by one. The slices must have the same
// length.
func ViewTags(tags []byte, derivations []Derivation, indices []uint64) {
	if len(tags) != len(derivations) || len(indices) != len(derivations) {
		panic("edwards: numbers of tags, derivations and indices differ")
	}
	var hashes keccak.Parallel8
	var buffer [50]byte
	start := append(buffer[:0], "view_tag"...)
	for first := 0; first < len(tags); first += 8 {
		n := min(8, len(tags)-first)
		for lane := range n {
			message := append(start, derivations[first+lane][:]...)
			hashes.Set(lane, wire.AppendVarint(message, indices[first+lane]))
		}
		hashes.Sum()
		for lane := range n {
			tags[first+lane] = hashes.First(lane)
		}
	}
}

// PublicKey returns Hs(d ‖ index)·G + spend, the key of output index that is paid to spend; or ErrPoint.
// Source: src/crypto/crypto.cpp, derive_public_key.
func (d Derivation) PublicKey(index uint64, spend [32]byte) ([32]byte, error) {
	p, err := DecodePoint(spend)
	if err != nil {
		return [32]byte{}, err
	}
	return p.Add(p, new(Point).ScalarBaseMult(d.Scalar(index))).Encode(), nil
}

// SpendKey returns output − Hs(d ‖ index)·G, or ErrPoint. This is the spend key that the output is paid to, if d
// belongs to it. Its time depends on d. Source: src/crypto/crypto.cpp, derive_subaddress_public_key.
func (d Derivation) SpendKey(index uint64, output [32]byte) ([32]byte, error) {
	p, err := DecodePoint(output)
	if err != nil {
		return [32]byte{}, err
	}
	return p.Subtract(p, new(Point).ScalarBaseMult(d.Scalar(index))).Encode(), nil
}

// SecretKey returns Hs(d ‖ index) + spend, the secret key of output index.
// Source: src/crypto/crypto.cpp, derive_secret_key.
func (d Derivation) SecretKey(index uint64, spend *Scalar) *Scalar {
	return NewScalar().Add(d.Scalar(index), spend)
}

// GenerateKeyImage returns x·Hp(P).
// Source: src/crypto/crypto.cpp, generate_key_image.
func GenerateKeyImage(public [32]byte, secret *Scalar) [32]byte {
	p := HashToPoint(public)
	return p.ScalarMult(secret, p).Encode()
}
