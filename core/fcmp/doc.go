// Package fcmp verifies the proofs of FCMP++, Monero's next protocol, and makes them. Nobody has audited it.
//
// VerifySpends verifies the spend-authorisation and linkability proofs: that the owner of an output allows a
// transaction, and that its key image belongs to the output. VerifyMembership verifies that the output is in the tree
// of all outputs. A transaction needs both, about the same inputs: a valid spend proof alone says nothing about the
// existence of the output, and a membership proof nothing about its owner. VerifyTransactions verifies both for
// whole transactions.
//
// ProveSpend makes spend proofs, ProveMembership membership proofs, and NewTransaction joins them. Blinds hide an
// output in an input; all proofs about an input need the same blinds. Functions of provers take the same time for all
// secrets, unless they return an error.
//
// The README describes the whole of FCMP++ and which code implements it.
//
// Files whose names begin with helios and selene contain code for circuits on these curves, about points whose
// coordinates are the scalars of that curve. The code for Selene is generated from that for Helios.
//
// Sources: the Rust crates of monero-oxide at revision 0e438aed2cce, which the beta of Monero 0.19 uses, named by crate
// and file.
package fcmp
