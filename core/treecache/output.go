package treecache

import (
	"glim/core/carrot"
	"glim/core/consensus"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/internal/parallel"
	"glim/core/tx"
	"glim/core/xmr"
)

// Output is an output of the chain. Two that are equal have the same leaf.
type Output struct {
	Key        xmr.PublicKey
	Commitment [32]byte
	Carrot     bool // its key image has the hash to points of Carrot
}

// Generator returns the point I of which the key image is a multiple, as fcmp.Output has it.
func (o *Output) Generator(rules *carrot.Rules) [32]byte { return o.generator(rules).Encode() }

func (o *Output) generator(rules *carrot.Rules) *edwards.Point {
	if o.Carrot {
		return rules.HashToPoint(o.Key[:])
	}
	return edwards.HashToPoint(o.Key)
}

// Tx is what the tree needs of a transaction.
type Tx struct {
	UnlockTime uint64
	Outputs    []Output
}

// TxOf returns what the tree needs of t, which may be pruned. An output with a public amount has the commitment to it
// with mask 1.
func TxOf(t *tx.Transaction) Tx {
	out := Tx{UnlockTime: t.UnlockTime, Outputs: make([]Output, len(t.Outputs))}
	for i, o := range consensus.AppendTreeOutputs(nil, t) {
		out.Outputs[i] = Output(o)
	}
	return out
}

// together is the number of outputs whose leaves are computed with one inversion.
const together = 64

// Leaves returns the leaves of outputs, in their order, and these outputs, without those that cannot be in the tree:
// the daemons of earlier forks did not check all keys. It runs on all processors.
// Source: src/fcmp_pp/curve_trees.cpp of the beta, outputs_to_leaves and output_to_tuple.
func Leaves(rules *carrot.Rules, outputs []Output) (leaves []curvetree.Leaf, valid []Output) {
	type part struct {
		leaves []curvetree.Leaf
		valid  []Output
	}
	parts := make([]part, (len(outputs)+together-1)/together)
	parallel.For(len(parts), func(i int) {
		p := &parts[i]
		p.leaves, p.valid = leavesOf(rules, outputs[i*together:min((i+1)*together, len(outputs))])
	})
	for i := range parts {
		leaves, valid = append(leaves, parts[i].leaves...), append(valid, parts[i].valid...)
	}
	return leaves, valid
}

// leavesOf is Leaves with one inversion.
func leavesOf(rules *carrot.Rules, outputs []Output) (leaves []curvetree.Leaf, valid []Output) {
	points := make([]curvetree.Output, 0, len(outputs))
	for i := range outputs {
		o := &outputs[i]
		key, err := edwards.DecodePoint(o.Key)
		commitment, err2 := edwards.DecodePoint(o.Commitment)
		if err != nil || err2 != nil {
			continue
		}
		points = append(points,
			curvetree.Output{Key: key, KeyImageGenerator: o.generator(rules), Commitment: commitment})
		valid = append(valid, *o)
	}
	if leaves, err := curvetree.NewLeaves(points); err == nil {
		return leaves, valid
	}
	kept := valid[:0]
	for i := range points {
		if one, err := curvetree.NewLeaves(points[i : i+1]); err == nil {
			leaves, kept = append(leaves, one...), append(kept, valid[i])
		}
	}
	return leaves, kept
}
