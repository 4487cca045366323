// Package randomx is Monero's proof of work since 2019: random programs for a machine that common processors are good
// at being, run here by an interpreter.
//
// A key, the ID of an earlier block, makes a Cache of 256 MiB; a VM of 2 MiB hashes with it.
//
// Source: RandomX specification, https://github.com/tevador/RandomX, doc/specs.md, version 1.
package randomx
