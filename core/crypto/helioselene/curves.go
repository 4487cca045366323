package helioselene

// The constants of both curves: b of y² = x³ − 3x + b, and the generator, whose x is 1. Source: point.rs of the Rust
// crate.
var (
	heliosB = element25519Of("26bdec0884fe05f20cb42071569fab6432be360d07da8c5b460b82b980fd8c60")
	heliosY = element25519Of("611dffc62fe02c759e5ac10f40e009b8e3b147387068aaf810dbdf2d817c67ba")
	seleneB = elementOf("38c40d10c226ef3bc597c2e1e25bc748e3401c3d031d14ca2265f309ba81efe4")
	seleneY = elementOf("39098c0a54bd9d2781c7d734720d5ca639ee79deeefcd74517fced93ad6635c0")
)

func element25519Of(hexadecimal string) (v Element25519) {
	b := littleEndianOf(hexadecimal)
	v.v.SetBytes(&b)
	return v
}

func elementOf(hexadecimal string) (v Element) {
	b := littleEndianOf(hexadecimal)
	v.v.SetBytes(&b)
	return v
}

// littleEndianOf returns the bytes of a number of 64 lower-case hexadecimal digits.
func littleEndianOf(hexadecimal string) (b [size]byte) {
	for i := range hexadecimal {
		digit := hexadecimal[i] - '0'
		if digit > 9 {
			digit = hexadecimal[i] - 'a' + 10
		}
		b[size-1-i/2] |= digit << (4 * (1 - i%2))
	}
	return b
}
