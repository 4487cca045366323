//go:build !purego

package keccak

//go:noescape
func permuteAVX512(state *[25][8]uint64)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() (a uint32)

// abreast reports whether permute is available.
var abreast = hasAVX512() && works(permuteAVX512)

// permute permutes eight states at once. It is called directly, so that states can stay on the stack.
func permute(state *[25][8]uint64) { permuteAVX512(state) }

// without is set to "AVX512" by the linker, to measure processors without it.
var without string

// hasAVX512 reports whether the processor has AVX-512F, the operating system supports it, and it is not disabled by
// without.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section 15.2.
func hasAVX512() bool {
	if top, _, _, _ := cpuid(0, 0); top < 7 || without == "AVX512" {
		return false
	}
	const osxsave, avx512f = 1 << 27, 1 << 16
	_, _, c, _ := cpuid(1, 0)
	_, b, _, _ := cpuid(7, 0)
	return c&osxsave != 0 && b&avx512f != 0 && xgetbv()&0xe6 == 0xe6
}
