// Package randomx computes RandomX, Monero's proof of work since 2019, with an interpreter. RandomX executes random
// programs on a virtual machine that suits common processors. There are two versions of it, and commitments to hashes.
//
// A seed, the ID of an earlier block, determines a Cache of 256 MiB, which takes a second or two to compute. A VM,
// which needs 2 MiB, computes about five hashes per second on one core of a server with 2.5 GHz, or four of version 2.
// That is enough to check blocks. There is no mode with the complete dataset of 2 GiB, which miners need. The input is
// not secret, and the time depends on it.
//
// Source: RandomX specification, https://github.com/tevador/RandomX, doc/specs.md at v1.2.1 and, for version 2,
// at v2.0.
package randomx
