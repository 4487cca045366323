package consensus

import (
	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// TreeOutput is an output as the tree of all outputs has it.
type TreeOutput struct {
	Key        xmr.PublicKey
	Commitment [32]byte
	Carrot     bool // its key image has the hash to points of Carrot
}

// AppendTreeOutputs adds the outputs of t, which may be pruned, to list. An output with a public amount has the
// commitment to it with mask 1.
func AppendTreeOutputs(list []TreeOutput, t *tx.Transaction) []TreeOutput {
	for i := range t.Outputs {
		o := TreeOutput{Key: t.Outputs[i].Key, Carrot: t.Carrot != nil}
		if t.RingCT.Commitments != nil {
			o.Commitment = t.RingCT.Commitments[i]
		} else {
			o.Commitment = edwards.CommitPublic(t.Outputs[i].Amount).Encode()
		}
		list = append(list, o)
	}
	return list
}
