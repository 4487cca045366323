//go:build !amd64 || purego

package cryptonight

const hardware = false

func fillAES(*[padWords]uint64, *[16]uint64, *roundKeys) {}

func drainAES(*[padWords]uint64, *[16]uint64, *roundKeys) {}

func workAES(*[padWords]uint64, *[4]uint64) {}
