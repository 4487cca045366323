// Package treecache keeps the paths of a wallet's own outputs in the tree of all outputs, which membership proofs
// (FCMP++) of Monero's next protocol need. It computes the tree from the outputs of all blocks, as a wallet reads them,
// so that no daemon is asked for the path of an output. Nobody has audited it.
//
// Of the tree it keeps what can still change or be needed again: the last children of each layer, now and after each of
// the last blocks, and the children of the hashes on the paths of own outputs. Paths share those that they have in
// common. Outputs are kept until they are in the tree.
//
// # Blocks and states
//
// The state after n blocks has the outputs whose last locked block has at most the index n + 8. Most outputs are in it
// as soon as their block is read, because outputs unlock ten blocks later; those of coinbases follow after 50 more. The
// block with index n commits to this state, so the tree that a daemon's blocks lead to is compared with each header. A
// transaction refers to a block r that is in the chain, and proves membership in the state after r − 8 blocks: its
// root is in the header of block r − 8.
//
// A reorganisation of blocks from index h on therefore goes back to the state after h blocks, all outputs of which are
// in blocks that stay.
//
// Sources: src/blockchain_db/blockchain_db.cpp, advance_tree; src/cryptonote_core/blockchain.cpp,
// handle_block_to_main_chain and get_fcmp_tx_tree_root; src/wallet/tx_builder.cpp, of the beta of Monero 0.19 (branch
// prep-v0.19.0.0-beta.2.1 of github.com/j-berman/monero).
package treecache
