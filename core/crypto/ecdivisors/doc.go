// Package ecdivisors makes what proofs of discrete logarithms in circuits consist of: the coefficients of a scalar to
// powers of two, and those of a function on the curve whose zeros are the doublings of a generator that they stand for,
// and minus their sum. The membership proofs (FCMP++) of Monero's next protocol contain one for each blind. Nobody has
// audited it.
//
// A Group makes a Logarithm from a scalar. HeliosGenerator is a generator whose coordinates are scalars of Helios, for
// circuits on Helios, so a point of Selene; its Multiple returns the multiple and the function. SeleneGenerator is one
// for circuits on Selene: of Helios, or of Ed25519 as Wei25519. The code of Selene is generated from that of Helios.
//
// Except for errors, operations take the same time for all scalars.
//
// Sources: Eagen, "Zero knowledge proofs of elliptic curve inner products from principal divisors and Weil
// reciprocity", eprint 2022/596; the Rust crates ec-divisors and full-chain-membership-proofs (tape.rs) of monero-oxide
// at revision 0e438aed2cce, which the beta of Monero 0.19 uses.
package ecdivisors
