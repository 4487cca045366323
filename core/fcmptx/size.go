package fcmptx

import (
	"math"
	"math/bits"

	"glim/core/internal/codec/wire"
	"glim/core/xmr"
)

// Sizes of parts of a proof in bytes. Source: src/fcmp_pp/fcmp_pp_rust/fcmp++.h, FCMP_PP_INPUT_TUPLE_SIZE_V1 and
// FCMP_PP_SAL_PROOF_SIZE_V1.
const (
	inputSize = 3*32 + 12*32 // the rerandomized output without its commitment, spend authorisation and linkability
	pokSize   = 64           // proof of knowledge of the blind of the tree's root
)

// Rows of the circuits on both curves, Selene and Helios, for each input, and scalars of a committed word.
// Source: crypto/fcmps/src/lib.rs and tape.rs of monero-oxide, commit 0e438ae, which the beta uses.
const (
	leafRows      = 97
	seleneRows    = 52 // for each layer above the leaves
	heliosRows    = 32 // for each layer
	minSeleneRows = 256
	minHeliosRows = 128
	wordScalars   = 128
)

// ProofSize returns the size in bytes of Proofs.Blob for a number of inputs and of layers, which both must be positive.
// Source: src/fcmp_pp/fcmp_pp_types.cpp, fcmp_pp_proof_len; crypto/fcmps/src/lib.rs of monero-oxide, commit 0e438ae,
// proof_size and ipa_rows.
func ProofSize(inputs int, layers uint8) int {
	return inputs*inputSize + membershipSize(inputs, int(layers))
}

// membershipSize returns the size of the membership proof, which all inputs share.
func membershipSize(inputs, layers int) int {
	helios := layers / 2       // layers on Helios
	selene := (layers - 1) / 2 // layers on Selene, without the leaves
	seleneRoot := layers % 2   // one if the root is on Selene, otherwise zero

	size := proofElements(max(padded(inputs*(leafRows+selene*seleneRows)), minSeleneRows),
		inputs*helios+seleneRoot, inputs*(18+4*selene))
	size += proofElements(max(padded(inputs*max(helios*heliosRows, 1)), minHeliosRows),
		inputs*(helios-1+seleneRoot)+1-seleneRoot, inputs*helios*4)
	return 32*size + pokSize
}

// proofElements returns the number of points and scalars in the proof of a circuit with rows, a power of two: eight,
// two for each round of the inner product, and those of the commitments to branches and to words.
func proofElements(rows, branches, words int) int {
	commitments := branches + (words*wordScalars+rows-1)/rows
	left := 2*commitments + 4             // coefficients of the polynomials l and r
	products := 2*left - 1                // coefficients of t = l·r
	t := products - (commitments + 1) - 1 // those that are committed to
	return 8 + 2*bits.Len(uint(rows-1)) + commitments + t
}

// padded returns the smallest power of two that is at least n.
func padded(n int) int { return 1 << bits.Len(uint(n-1)) }

// Weight returns what determines the fee of a transaction and its share of a block, which follows from its numbers of
// inputs and outputs and the length of extra: not from the layers of the tree, and not from the lengths of the fee and
// the reference block. It returns math.MaxUint64 for numbers that the rules do not allow.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_fcmp_pp_transaction_weight_v1.
func (r *Rules) Weight(inputs, outputs, extra int) uint64 {
	if inputs < 1 || inputs > r.MaxInputs || outputs < 2 || outputs > r.MaxOutputs ||
		extra < 0 || extra > xmr.MaxExtra {
		return math.MaxUint64
	}
	count := func(n int) int { return wire.VarintLen(uint64(n)) }
	rounds := 6 + bits.Len(uint(outputs-1))
	prefix := 1 + 1 + count(inputs) + inputs*(1+1+1+32) + count(outputs) + outputs*(1+1+32+3+16) + count(extra) + extra
	base := 1 + 10 + outputs*(8+32)
	prunable := 1 + 32*(6+2*rounds) + 2 + 5 + 1 + inputs*(inputSize+32) +
		membershipSize(inputs, int(r.WeightLayers))
	return uint64(prefix + base + prunable)
}
