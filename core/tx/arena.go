package tx

// Arena is memory for many transactions: what is decoded into one takes what it needs from pieces that many share, so that decoding
// takes no memory for each. What it gave is never changed by it, and is freed with all that shares the piece. The zero value is ready,
// and a nil Arena takes memory for each. It must not be used by several goroutines at a time.
type Arena struct {
	transactions []Transaction
	inputs       []Input
	outputs      []Output
	numbers      []uint64
	amounts      []EcdhInfo
	keys         [][32]byte
	digests      []Digest
	lists        []Digests
	bytes        []byte
}

// Pieces hold so many of a kind: some ten kilobytes. What is larger by itself gets memory of its own.
const (
	pieceTransactions = 64
	pieceParts        = 256
	pieceNumbers      = 2048
	pieceBytes        = 8192
)

// take returns n zeroed elements out of what is left of a piece, which it replaces when that is too little.
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

// Transaction returns an empty one.
func (a *Arena) Transaction() *Transaction {
	if a == nil {
		return new(Transaction)
	}
	return &take(&a.transactions, 1, pieceTransactions)[0]
}

// Inputs returns n empty ones.
func (a *Arena) Inputs(n int) []Input {
	if a == nil {
		return make([]Input, n)
	}
	return take(&a.inputs, n, pieceParts)
}

// Outputs returns n empty ones.
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

// Amounts returns n empty ones.
func (a *Arena) Amounts(n int) []EcdhInfo {
	if a == nil {
		return make([]EcdhInfo, n)
	}
	return take(&a.amounts, n, pieceParts)
}

// Keys returns n fields of 32 zeros.
func (a *Arena) Keys(n int) [][32]byte {
	if a == nil {
		return make([][32]byte, n)
	}
	return take(&a.keys, n, pieceParts)
}

// Digests returns n empty ones.
func (a *Arena) Digests(n int) *Digests {
	if a == nil {
		return &Digests{List: make([]Digest, n)}
	}
	d := &take(&a.lists, 1, pieceParts)[0]
	d.List = take(&a.digests, n, pieceParts)
	return d
}

// Bytes returns a copy of b; nil for none.
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
