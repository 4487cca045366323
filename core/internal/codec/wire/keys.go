package wire

// ReadKeys reads a count of at most limit and that many fields of 32 bytes. It returns nil if the count is 0.
func ReadKeys[T ~[32]byte](r *Reader, limit int) []T {
	n := r.Count(limit, 32)
	if n == 0 {
		return nil
	}
	list := make([]T, n)
	for i := range list {
		list[i] = T(r.Bytes32())
	}
	return list
}

// AppendKeys appends the number of keys and the keys.
func AppendKeys[T ~[32]byte](b []byte, list []T) []byte {
	b = AppendVarint(b, uint64(len(list)))
	for i := range list {
		key := [32]byte(list[i])
		b = append(b, key[:]...)
	}
	return b
}
