// Package randomx is Monero's proof of work since 2019: random programs for a machine that common processors are good
// at being, run here by an interpreter.
//
// A key, the ID of an earlier block, makes a Cache of 256 MiB in a second or two; a VM of 2 MiB hashes with it, some five
// times a second on one core of a server of 2.5 GHz. That suffices to check blocks. There is no mode with the whole dataset
// of 2 GiB in memory, which miners want. Nothing hashed here is secret, and the time it takes depends on it.
//
// Source: RandomX specification, https://github.com/tevador/RandomX, doc/specs.md, version 1.
package randomx
