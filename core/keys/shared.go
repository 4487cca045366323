package keys

import (
	"encoding/binary"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// CommitmentMask returns the mask of a RingCT output whose shared secret is Hs(derivation ‖ index).
// Source: src/ringct/rctOps.cpp, genCommitmentMask.
func CommitmentMask(shared *edwards.Scalar) *edwards.Scalar {
	return edwards.HashToScalar([]byte("commitment_mask"), shared.Bytes())
}

// SealAmount encrypts an amount for the holder of shared, or decrypts it: the operation is its own inverse.
// Source: src/ringct/rctOps.cpp, ecdhEncode with short amounts.
func SealAmount(shared *edwards.Scalar, amount [8]byte) [8]byte {
	pad := keccak.Sum256([]byte("amount"), shared.Bytes())
	return xor8(amount, pad)
}

// SealPaymentID encrypts an eight-byte payment ID under a transaction's derivation, or decrypts it.
// Source: src/device/device_default.cpp, encrypt_payment_id.
func SealPaymentID(d edwards.Derivation, id [8]byte) [8]byte {
	return xor8(id, keccak.Sum256(d[:], []byte{0x8d}))
}

// OpenLongAmount decrypts amount and mask of RingCT types 1 to 3.
// Source: src/ringct/rctOps.cpp, ecdhDecode without short amounts.
func OpenLongAmount(shared *edwards.Scalar, sealedMask, sealedAmount [32]byte) (amount uint64, mask *edwards.Scalar) {
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
