package keys

import (
	"encoding/binary"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// CommitmentMask returns the mask of a RingCT output with the shared secret Hs(derivation ‖ index).
// Source: src/ringct/rctOps.cpp, genCommitmentMask.
func CommitmentMask(shared *edwards.Scalar) *edwards.Scalar {
	return edwards.HashToScalar([]byte("commitment_mask"), shared.Bytes())
}

// EncryptAmount encrypts an amount under the output's shared secret.
// Source: src/ringct/rctOps.cpp, ecdhEncode with short amounts.
func EncryptAmount(shared *edwards.Scalar, amount [8]byte) [8]byte {
	pad := keccak.Sum256([]byte("amount"), shared.Bytes())
	return xor8(amount, pad)
}

// DecryptAmount decrypts what EncryptAmount returned: the cipher is its own inverse.
func DecryptAmount(shared *edwards.Scalar, amount [8]byte) [8]byte {
	return EncryptAmount(shared, amount)
}

// EncryptPaymentID encrypts a payment ID of eight bytes under the transaction's derivation.
// Source: src/device/device_default.cpp, encrypt_payment_id.
func EncryptPaymentID(d edwards.Derivation, id [8]byte) [8]byte {
	return xor8(id, keccak.Sum256(d[:], []byte{0x8d}))
}

// DecryptPaymentID decrypts what EncryptPaymentID returned: the cipher is its own inverse.
func DecryptPaymentID(d edwards.Derivation, id [8]byte) [8]byte { return EncryptPaymentID(d, id) }

// DecryptLongAmount decrypts the amount and mask of RingCT types 1 to 3.
// Source: src/ringct/rctOps.cpp, ecdhDecode without short amounts.
func DecryptLongAmount(
	shared *edwards.Scalar, sealedMask, sealedAmount [32]byte,
) (amount uint64, mask *edwards.Scalar) {
	first := edwards.HashToScalar(shared.Bytes())
	second := edwards.HashToScalar(first.Bytes())
	mask = edwards.ReduceScalar(sealedMask)
	mask.Subtract(mask, first)
	a := edwards.ReduceScalar(sealedAmount)
	a.Subtract(a, second)
	return binary.LittleEndian.Uint64(a.Bytes()[:8]), mask
}

func xor8(a [8]byte, pad [32]byte) [8]byte {
	for i := range a {
		a[i] ^= pad[i]
	}
	return a
}
