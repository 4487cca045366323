package edwards

// Kernel sets out[i] = 8·a·keys[i], or to all zeros if keys[i] is not a point, for 1 to 256 keys. program, from
// Deriver.Program, represents the view key a. A kernel may decline and return false. Calls do not overlap.
type Kernel func(out []Derivation, keys [][32]byte, program []byte) bool

// kernel may be nil.
var kernel Kernel

// SetKernel makes every Deriver use k, for hosts with something faster than compiled Go code, such as the vector
// instructions of WebAssembly. It must be called before any derivation. It tests k, and returns false without using it
// if a result is wrong, or if Audited is set, because a kernel gets the view key.
func SetKernel(k Kernel) bool {
	if Audited {
		return false // only the library may compute with the view key
	}
	var keys [][32]byte
	key := Base().Encode()
	for i := range byte(8) {
		keys = append(keys, [32]byte{i}, [32]byte{i, 31: 0x80}, key)
		key = HashToPoint(key).Encode()
	}
	d := NewDeriver(HashToScalar(key[:]))
	want, got := make([]Derivation, len(keys)), make([]Derivation, len(keys))
	d.derive(want, keys)
	if !k(got, keys, d.program) {
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	kernel = k
	return true
}
