// Package curvetree computes the tree of all outputs, whose root full-chain membership proofs (FCMP++) of Monero's next
// protocol prove membership in. Nobody has audited it.
//
// An output becomes a leaf of six numbers modulo 2^255 − 19: the coordinates of its key O, of its key image generator I
// and of its commitment C on Wei25519, a form of Ed25519. The leaves of 38 outputs are hashed to a point of Selene, the
// x coordinates of 18 such points to a point of Helios, those of 38 of them to a point of Selene again, and so on until
// one point is left, the root. A hash is a constant point plus the sum of generators times children, so that it grows
// by multiples of what is added or changed. All inputs are public, and times depend on them.
//
// Sources: full-chain-membership-proofs and monero-fcmp-plus-plus-generators of monero-oxide at revision 0e438aed2cce;
// src/fcmp_pp/curve_trees.cpp of the beta of Monero 0.19. Vectors from the Rust crates are in testdata.
package curvetree
