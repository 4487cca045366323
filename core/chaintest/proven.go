package chaintest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"glim/core/block"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/tx"
	"glim/core/xmr"
)

// Proven returns a transaction with membership proofs that obeys all rules but that of these proofs, which begin with
// the root of tree and are wrong otherwise. It refers to the tree at a block. It has two outputs. Its key images, keys
// and amounts follow from seed, which is below 500, and the number of inputs.
func Proven(seed uint64, inputs int, reference uint64, tree block.Tree) *fcmptx.Transaction {
	const fee, amount = 100_000_000_000, 1_000_000_000_000
	t := &fcmptx.Transaction{Outputs: make([]fcmptx.Output, 2), Amounts: make([][8]byte, 2), Fee: fee}
	masks, rest := make([]*edwards.Scalar, 2), edwards.NewScalar()
	for i, key := range multiples(seed, 2) {
		t.Outputs[i].Key = key
		masks[i] = edwards.ScalarFromUint64(seed*7 + uint64(i) + 1)
		rest.Add(rest, masks[i])
	}
	amounts := []uint64{uint64(inputs)*amount - fee, 0}
	proof, commitments, err := bulletproofsplus.Prove(&digits{seed: seed}, amounts, masks)
	must(err)
	t.Commitments = commitments
	p := &fcmptx.Proofs{
		Range: tx.BulletproofPlus(proof), ReferenceBlock: reference, Layers: tree.Layers,
		Blob: make([]byte, fcmptx.ProofSize(inputs, max(tree.Layers, 1))),
	}
	copy(p.Blob, tree.Root[:])
	images := multiples(seed+500, inputs)
	slices.Reverse(images)
	for i, image := range images {
		mask := edwards.ScalarFromUint64(uint64(i) + 1)
		if i == inputs-1 {
			mask = rest
		} else {
			rest.Subtract(rest, mask)
		}
		t.Inputs = append(t.Inputs, tx.Input{KeyImage: xmr.KeyImage(image)})
		p.PseudoOuts = append(p.PseudoOuts, edwards.Commit(mask, amount).Encode())
	}
	t.Proofs = p
	return t
}

// multiples returns the encodings of n points of prime order that seed determines, ascending.
func multiples(seed uint64, n int) (list [][32]byte) {
	for i := range n {
		s := edwards.ScalarFromUint64(1000*seed + uint64(i) + 1)
		list = append(list, new(edwards.Point).ScalarBaseMult(s).Encode())
	}
	slices.SortFunc(list, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	return list
}

// digits is a source of bytes that seed determines.
type digits struct{ seed, n uint64 }

func (d *digits) Read(p []byte) (int, error) {
	for done := 0; done < len(p); d.n++ {
		b := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, d.seed), d.n)
		sum := sha256.Sum256(b)
		done += copy(p[done:], sum[:])
	}
	return len(p), nil
}
