//go:build !purego

package cryptonight

//go:noescape
func fillAES(pad *[padWords]uint64, text *[16]uint64, keys *roundKeys)

//go:noescape
func drainAES(pad *[padWords]uint64, text *[16]uint64, keys *roundKeys)

//go:noescape
func workAES(pad *[padWords]uint64, ab *[4]uint64)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// hardware says whether the functions above are used. Tests clear it, to compare with the portable code.
var hardware = hasAES()

// hasAES reports whether the processor has the AES instructions.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A, CPUID.
func hasAES() bool {
	const aes = 1 << 25
	_, _, c, _ := cpuid(1, 0)
	return c&aes != 0
}
