// Package fcmp verifies the spend-authorisation and linkability proofs of Monero's next protocol, FCMP++: that the
// owner of an output allows a transaction, and that its key image belongs to the output. Nobody has audited it. It does
// not verify membership: that the output is in the tree of all outputs. A valid proof of this package alone says
// nothing about the existence of the output.
//
// The README describes the whole of FCMP++, and what is still missing here. No other package imports this one yet.
//
// Sources: the Rust crates of monero-oxide at revision 0e438aed2cce, which the beta of Monero 0.19 uses, named by crate
// and file.
package fcmp
