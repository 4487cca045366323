package tx

// Arena allocates the memory of many decoded transactions in shared pieces, to avoid one allocation per field. It does
// not reuse memory; a piece is freed with everything that refers to it. The zero value is ready; a nil Arena allocates
// separately. It serves one goroutine at a time.
type Arena struct {
	transactions []Transaction
	inputs       []Input
	outputs      []Output
	numbers      []uint64
	amounts      []EcdhInfo
	keys         [][32]byte
	digests      []CommitmentDigest
	lists        []CommitmentDigests
	bytes        []byte
}

// Lengths of pieces, some ten kilobytes each. Larger requests are allocated separately.
const (
	pieceTransactions = 64
	pieceParts        = 256
	pieceNumbers      = 2048
	pieceBytes        = 8192
)

// take returns n zeroed elements from the rest of a piece, and starts a new piece when the rest is too small.
func take[T any](left *[]T, n, piece int) []T {
	if n > len(*left) {
		if n > piece/4 {
			return make([]T, n)
		}
		*left = make([]T, piece)
	}
	out := (*left)[:n:n]
	*left = (*left)[n:]
	return out
}

// Transaction returns an empty transaction.
func (a *Arena) Transaction() *Transaction {
	if a == nil {
		return new(Transaction)
	}
	return &take(&a.transactions, 1, pieceTransactions)[0]
}

// Inputs returns n empty inputs.
func (a *Arena) Inputs(n int) []Input {
	if a == nil {
		return make([]Input, n)
	}
	return take(&a.inputs, n, pieceParts)
}

// Outputs returns n empty outputs.
func (a *Arena) Outputs(n int) []Output {
	if a == nil {
		return make([]Output, n)
	}
	return take(&a.outputs, n, pieceParts)
}

// Numbers returns n zeros.
func (a *Arena) Numbers(n int) []uint64 {
	if a == nil {
		return make([]uint64, n)
	}
	return take(&a.numbers, n, pieceNumbers)
}

// Amounts returns n empty EcdhInfos.
func (a *Arena) Amounts(n int) []EcdhInfo {
	if a == nil {
		return make([]EcdhInfo, n)
	}
	return take(&a.amounts, n, pieceParts)
}

// Keys returns n zeroed keys.
func (a *Arena) Keys(n int) [][32]byte {
	if a == nil {
		return make([][32]byte, n)
	}
	return take(&a.keys, n, pieceParts)
}

// Digests returns n zeroed digests.
func (a *Arena) Digests(n int) *CommitmentDigests {
	if a == nil {
		return &CommitmentDigests{List: make([]CommitmentDigest, n)}
	}
	d := &take(&a.lists, 1, pieceParts)[0]
	d.List = take(&a.digests, n, pieceParts)
	return d
}

// Bytes returns a copy of b; nil if b is empty.
func (a *Arena) Bytes(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	if a == nil {
		return append([]byte(nil), b...)
	}
	out := take(&a.bytes, len(b), pieceBytes)
	copy(out, b)
	return out
}
