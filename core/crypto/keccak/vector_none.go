//go:build !amd64 || purego

package keccak

// abreast says whether permute is there.
const abreast = false

func permute(*[25][8]uint64) {}
