package edwards

// Kernel sets out[i] = 8·a·keys[i], all zeros where keys[i] is no point, for 1 to 256 keys; a is what program, Deriver.Program's,
// says. It returns false when it does nothing. It is called by one goroutine at a time.
type Kernel func(out []Derivation, keys [][32]byte, program []byte) bool

// kernel is nil where the host has none.
var kernel Kernel

// SetKernel makes every Deriver use k, where a host has something faster than Go's compiler makes, such as vector instructions in
// WebAssembly. It must be called before any Deriver works. It returns false, and k is not used, when k does not give what it must
// for keys of every kind, or when Audited: a kernel gets the view key.
func SetKernel(k Kernel) bool {
	if Audited {
		return false // what a view key is used for is the library's alone
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
