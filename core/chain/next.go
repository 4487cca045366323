package chain

import (
	"fmt"
	"io"

	"glim/core/address"
	"glim/core/block"
	"glim/core/consensus"
	"glim/core/tx"
	"glim/core/xmr"
)

// Next is what a chain needs for blocks of the next hard fork. Package nextfork implements it. The chain does not
// import that package, so that programs without the fork, such as the daemon in a page, do not contain its
// cryptography.
type Next interface {
	// Miner returns a function that adds the output of Carrot with a reward and extra to a coinbase, and returns the
	// ephemeral key that extra begins with. The output pays an address in the block at height. The function may be
	// called several times, and makes one output with the same key in extra each time. Both return an error if the
	// address cannot be paid or random fails.
	Miner(random io.Reader, to address.Address, height uint64) (
		func(coinbase *tx.Transaction, reward uint64, nonce []byte) (xmr.PublicKey, error), error)
	// ReadTx reads a transaction with membership proofs, and returns its fields ID, Blob, Tx, Weight, Fee, Membership
	// and the length of its pruned form in bytes. It returns an error if blob is anything else.
	ReadTx(blob []byte) (t *Tx, pruned int, err error)
	// CheckMemberships returns nil if the owners of all inputs allow them, their key images are right, and the inputs
	// are in the trees. Otherwise it returns consensus.ErrInput, without the number of the transaction that is wrong,
	// or the error of random, which yields unpredictable weights. The time and memory depend on the numbers of inputs
	// and layers.
	CheckMemberships(random io.Reader, list []Spent) error
	// NewTree returns a tree without outputs.
	NewTree() Tree
}

// Membership are the proofs of a transaction of the next hard fork, which are not about rings but about the tree of all
// outputs.
type Membership struct {
	Reference uint64       // index of the block at which the inputs are in the tree
	Layers    uint8        // of that tree, as the transaction says
	Message   xmr.Hash     // what the proofs sign
	Proof     []byte       // of spend authorisation, linkability and membership; aliases Tx.Blob
	Amounts   *tx.Prunable // the range proofs, and the commitments of the inputs
}

// Spent is a transaction of the next hard fork with the tree that its inputs must be in, which has the number of layers
// that the transaction says.
type Spent struct {
	Tx   *Tx
	Tree block.Tree
}

// Tree is the tree of all outputs, of which it keeps what is needed to add outputs and for its root. It is immutable.
type Tree interface {
	// Grow returns the tree with more outputs, in their order. It leaves out those without a valid key or commitment.
	Grow(outputs []TreeOutput) Tree
	// Root returns the number of layers of hashes and the root; zeros for a tree without outputs.
	Root() (layers uint8, root [32]byte)
	// Outputs returns the number of outputs.
	Outputs() uint64
}

// TreeOutput is an output that enters the tree.
type TreeOutput = consensus.TreeOutput

// checkTree returns nil if a block that follows the top has the tree of the outputs before it, and the keys of its
// coinbase may enter the tree. Otherwise it returns consensus.ErrTree or consensus.ErrCoinbase. Before the next hard
// fork it checks that the block has no tree.
// Source: src/cryptonote_core/blockchain.cpp of the beta, handle_block_to_main_chain and validate_miner_transaction.
func (c *Chain) checkTree(b *Block, rules *consensus.Rules) error {
	if !rules.HasTree() {
		if b.Block.Tree != nil {
			return fmt.Errorf("%w: blocks have no tree before the next hard fork", consensus.ErrTree)
		}
		return nil
	}
	want, err := c.treeAfter(c.top().Height, nil)
	if err != nil {
		return err
	}
	if b.Block.Tree == nil || *b.Block.Tree != *want {
		return fmt.Errorf("%w: want %d layers and root %x", consensus.ErrTree, want.Layers, want.Root)
	}
	return consensus.CheckCoinbaseKeys(&b.Block.MinerTx)
}
