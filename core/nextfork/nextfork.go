// Package nextfork gives package chain what blocks of Monero's next hard fork need: coinbases of Carrot, the tree of
// all outputs, and the verifier of transactions with membership proofs. Nobody has audited it. README.md of package
// carrot says what the fork is, and what is not final.
//
// Sources, quoted by file and function, are of github.com/j-berman/monero, branch prep-v0.19.0.0-beta.2.1, called the
// beta.
package nextfork

import (
	"io"

	"glim/core/address"
	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/curvetree"
	"glim/core/fcmptx"
	"glim/core/treecache"
	"glim/core/tx"
	"glim/core/xmr"
)

// Fork implements chain.Next. The zero value has the rules that package carrot has as default.
type Fork struct{}

// Work are the rules of the proof of work: those of the beta, which are today's. consensus.NextWork has those that are
// proposed.
var Work = consensus.WorkRules{}

// rules are those of the addressing protocol.
var rules = carrot.Default

// Miner implements chain.Next. The address must not be a subaddress or an integrated address; otherwise the returned
// function returns carrot.ErrAddress.
// Source: src/carrot_impl/format_utils.cpp, make_single_enote_carrot_coinbase_transaction_v1.
func (Fork) Miner(random io.Reader, to address.Address, height uint64) (
	func(coinbase *tx.Transaction, reward uint64, nonce []byte) (xmr.PublicKey, error), error,
) {
	anchor, err := carrot.RandomAnchor(random)
	if err != nil {
		return nil, err
	}
	return func(coinbase *tx.Transaction, reward uint64, nonce []byte) (xmr.PublicKey, error) {
		e, err := rules.NewCoinbaseEnote(&carrot.Payment{To: to, Amount: reward, Anchor: anchor}, height)
		if err != nil {
			return xmr.PublicKey{}, err
		}
		t, err := fcmptx.NewCoinbase([]carrot.CoinbaseEnote{*e}, height, nonce)
		if err != nil {
			return xmr.PublicKey{}, err
		}
		coinbase.Outputs, coinbase.Carrot, coinbase.Extra = t.Outputs, t.Carrot, t.Extra
		return e.Ephemeral, nil
	}, nil
}

// NewTree implements chain.Next.
func (Fork) NewTree() chain.Tree { return new(tree) }

// tree implements chain.Tree.
type tree struct{ t curvetree.Tree }

// Grow implements chain.Tree. Leaves are computed on all processors.
func (t *tree) Grow(outputs []chain.TreeOutput) chain.Tree {
	if len(outputs) == 0 {
		return t
	}
	list := make([]treecache.Output, len(outputs))
	for i, o := range outputs {
		list[i] = treecache.Output(o)
	}
	grown := t.t.Copy()
	leaves, _ := treecache.Leaves(rules, list)
	grown.Grow(leaves)
	return &tree{*grown}
}

// Root implements chain.Tree.
func (t *tree) Root() (layers uint8, root [32]byte) {
	r := t.t.Root()
	return uint8(r.Layers), r.Hash
}

// Outputs implements chain.Tree.
func (t *tree) Outputs() uint64 { return t.t.Outputs() }
