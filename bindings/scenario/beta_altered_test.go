package scenario

import (
	"bytes"
	"slices"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/fcmptx"
	"glim/core/xmr"
)

// alter changes each part of a transaction with two inputs and two outputs, and requires that both daemons refuse all
// changes, with the same reason where the beta gives one. spent is a key image that the chain contains.
func (b *betaPair) alter(blob []byte, spent xmr.KeyImage) {
	b.Helper()
	point := edwards.Base().Encode()
	order4 := [32]byte{}
	for name, change := range map[string]func(*fcmptx.Transaction){
		"unlock time":       func(x *fcmptx.Transaction) { x.UnlockTime = 1 },
		"fee more":          func(x *fcmptx.Transaction) { x.Fee++ },
		"fee low":           func(x *fcmptx.Transaction) { x.Fee = 1 },
		"extra":             func(x *fcmptx.Transaction) { x.Extra[3] ^= 1 },
		"extra long":        func(x *fcmptx.Transaction) { x.Extra = append(x.Extra, make([]byte, 1100)...) },
		"image":             func(x *fcmptx.Transaction) { x.Inputs[0].KeyImage[0] ^= 1 },
		"image of order 4":  func(x *fcmptx.Transaction) { x.Inputs[1].KeyImage = order4 },
		"image neutral":     func(x *fcmptx.Transaction) { x.Inputs[1].KeyImage = xmr.KeyImage{1} },
		"image other":       func(x *fcmptx.Transaction) { x.Inputs[1].KeyImage = xmr.KeyImage(point); sortInputs(x) },
		"image spent":       func(x *fcmptx.Transaction) { x.Inputs[1].KeyImage = spent; sortInputs(x) },
		"image twice":       func(x *fcmptx.Transaction) { x.Inputs[1] = x.Inputs[0] },
		"inputs order":      func(x *fcmptx.Transaction) { slices.Reverse(x.Inputs) },
		"input amount":      func(x *fcmptx.Transaction) { x.Inputs[0].Amount = 1 },
		"input ring":        func(x *fcmptx.Transaction) { x.Inputs[0].KeyOffsets = []uint64{1} },
		"output amount":     func(x *fcmptx.Transaction) { x.Outputs[0].Amount = 1 },
		"output tag":        func(x *fcmptx.Transaction) { x.Outputs[0].ViewTag[0] ^= 1 },
		"output anchor":     func(x *fcmptx.Transaction) { x.Outputs[0].Anchor[0] ^= 1 },
		"output no point":   func(x *fcmptx.Transaction) { x.Outputs[0].Key = xmr.PublicKey{2} },
		"output neutral":    func(x *fcmptx.Transaction) { x.Outputs[0].Key = xmr.PublicKey{1} },
		"output of order 4": func(x *fcmptx.Transaction) { x.Outputs[0].Key = xmr.PublicKey{} },
		"output twice":      func(x *fcmptx.Transaction) { x.Outputs[1] = x.Outputs[0] },
		"outputs order":     func(x *fcmptx.Transaction) { slices.Reverse(x.Outputs) },
		"sealed amount":     func(x *fcmptx.Transaction) { x.Amounts[0][0] ^= 1 },
		"commitment":        func(x *fcmptx.Transaction) { x.Commitments[0] = point },
		"commitment order":  func(x *fcmptx.Transaction) { slices.Reverse(x.Commitments) },
		"no point":          func(x *fcmptx.Transaction) { x.Commitments[0] = [32]byte{2} },
		"pseudo output":     func(x *fcmptx.Transaction) { x.Proofs.PseudoOuts[0] = point },
		"pseudo order":      func(x *fcmptx.Transaction) { slices.Reverse(x.Proofs.PseudoOuts) },
		"range proof":       func(x *fcmptx.Transaction) { x.Proofs.Range.R1[0] ^= 1 },
		"first proof byte":  func(x *fcmptx.Transaction) { x.Proofs.Blob[0] ^= 1 },
		"second proof":      func(x *fcmptx.Transaction) { x.Proofs.Blob[500] ^= 1 },
		"middle proof byte": func(x *fcmptx.Transaction) { x.Proofs.Blob[len(x.Proofs.Blob)/2] ^= 1 },
		"last proof byte":   func(x *fcmptx.Transaction) { x.Proofs.Blob[len(x.Proofs.Blob)-1] ^= 1 },
		"scalar too large":  func(x *fcmptx.Transaction) { fill(x.Proofs.Blob[len(x.Proofs.Blob)-64:]) },
		"proofs exchanged": func(x *fcmptx.Transaction) {
			const size = 480 // of the part of an input, before the proof of membership
			first := slices.Clone(x.Proofs.Blob[:size])
			copy(x.Proofs.Blob, x.Proofs.Blob[size:2*size])
			copy(x.Proofs.Blob[size:], first)
		},
		"reference earlier": func(x *fcmptx.Transaction) { x.Proofs.ReferenceBlock -= 20 },
		"reference 0":       func(x *fcmptx.Transaction) { x.Proofs.ReferenceBlock = 0 },
		"reference beyond":  func(x *fcmptx.Transaction) { x.Proofs.ReferenceBlock++ },
		"reference far":     func(x *fcmptx.Transaction) { x.Proofs.ReferenceBlock = 1 << 40 },
		"layers more":       func(x *fcmptx.Transaction) { x.Proofs.Layers++ },
		"layers fitting": func(x *fcmptx.Transaction) {
			x.Proofs.Layers++
			longer := make([]byte, fcmptx.ProofSize(2, x.Proofs.Layers))
			copy(longer, x.Proofs.Blob)
			x.Proofs.Blob = longer
		},
		"no layers":   func(x *fcmptx.Transaction) { x.Proofs.Layers = 0 },
		"proof short": func(x *fcmptx.Transaction) { x.Proofs.Blob = x.Proofs.Blob[1:] },
	} {
		x, err := fcmptx.Default.Parse(slices.Clone(blob))
		require.NoError(b, err)
		require.Len(b, x.Inputs, 2)
		change(x)
		got := b.send(name, fcmptx.Default.Append(nil, x))
		b.Logf("%s: %s", name, got)
		require.NotEqual(b, daemonrpc.StatusOK, got, name)
	}
	require.NotEqual(b, daemonrpc.StatusOK, b.send("a byte more", append(slices.Clone(blob), 0)))
	require.NotEqual(b, daemonrpc.StatusOK, b.send("a byte less", blob[:len(blob)-1]))
}

func sortInputs(x *fcmptx.Transaction) {
	if bytes.Compare(x.Inputs[0].KeyImage[:], x.Inputs[1].KeyImage[:]) < 0 {
		slices.Reverse(x.Inputs)
	}
}

func fill(b []byte) {
	for i := range b {
		b[i] = 0xff
	}
}
