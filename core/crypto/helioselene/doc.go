// Package helioselene implements the elliptic curves Helios and Selene, which full-chain membership proofs (FCMP++) of
// Monero's next protocol use. Nobody has audited it.
//
// Both curves are y² = x³ − 3x + b and have a prime number of points. They are a cycle on top of Ed25519: a coordinate
// of one curve is a scalar of the other, and coordinates of Ed25519 are scalars of Selene.
//
//	curve     coordinates                     scalars
//	Ed25519   modulo p = 2^255 − 19           modulo its order
//	Selene    modulo q = 2^255 − c            modulo p
//	Helios    modulo p                        modulo q
//
// Here c is 11686397589588510723982429389243424941, which has 124 bits. Element25519 is a number modulo p, Element one
// modulo q. Points are of type Helios or Selene. The code of Selene is generated from that of Helios.
//
// Operations take the same time for all values, unless their name begins with VarTime or HashTo; those that return
// errors or report a comparison reveal that result. Compilers for WebAssembly may still produce code whose time depends
// on values.
//
// Sources: the curves' constants and encodings are those of the Rust crate helioselene in monero-oxide at revision
// 0e438aed2cce, which the beta of Monero 0.19 uses, and of tevador's description of the curves
// (gist 4524c2092178df08996487d4e272b096). Vectors from that crate are in testdata.
package helioselene
