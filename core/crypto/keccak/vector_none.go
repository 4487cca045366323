//go:build !amd64 || purego

package keccak

// abreast reports whether permute is available.
const abreast = false

func permute(*[25][8]uint64) {}
