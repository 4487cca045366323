package daemonrpc

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"glim/core/codec/jsontext"
	"glim/core/internal/codec/wire"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// ErrBlob reports a packed member that is malformed or has an invalid length.
var ErrBlob = errors.New("daemonrpc: malformed packed member")

// QuoteBlob returns b as a JSON string as the reference writes it: raw bytes, of which only a few are escaped. The
// result is not valid JSON if b is not text. Clients of the reference expect this form, and the client of package rpc
// accepts it.
// Source: contrib/epee/src/parserse_base_utils.cpp, transform_to_escape_sequence.
func QuoteBlob(b []byte) json.RawMessage {
	out := make([]byte, 0, len(b)+len(b)/8+2)
	out = append(out, '"')
	for _, c := range b {
		switch c {
		case '\b':
			out = append(out, '\\', 'b')
		case '\f':
			out = append(out, '\\', 'f')
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		case '\v':
			out = append(out, '\\', 'v')
		case '"', '\\', '/':
			out = append(out, '\\', c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// UnquoteBlob returns the bytes of a JSON string written by QuoteBlob, and nil for empty text and null. It returns
// ErrBlob if raw is malformed.
func UnquoteBlob(raw json.RawMessage) ([]byte, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return nil, smallfmt.Errorf("%w: not a string", ErrBlob)
	}
	in := raw[1 : len(raw)-1]
	out := make([]byte, 0, len(in))
	for i := 0; i < len(in); i++ {
		if in[i] == '"' {
			return nil, smallfmt.Errorf("%w: string ends early", ErrBlob)
		}
		if in[i] != '\\' {
			out = append(out, in[i])
			continue
		}
		c, n, ok := unescape(in[i:])
		if !ok {
			return nil, smallfmt.Errorf("%w: unknown escape", ErrBlob)
		}
		out = append(out, c)
		i += n - 1
	}
	return out, nil
}

// unescape decodes the escape at the start of b to one byte. n is the length of the escape.
func unescape(b []byte) (c byte, n int, ok bool) {
	if len(b) < 2 {
		return 0, 0, false
	}
	switch b[1] {
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'v':
		return '\v', 2, true
	case '"', '\\', '/':
		return b[1], 2, true
	case 'u':
		if len(b) < 6 || b[2] != '0' || b[3] != '0' {
			return 0, 0, false
		}
		hi, lo := nibble(b[4]), nibble(b[5])
		if hi > 15 || lo > 15 {
			return 0, 0, false
		}
		return hi<<4 | lo, 6, true
	}
	return 0, 0, false
}

func nibble(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}

// PackHashes returns the field TxHashes of GetTransactionPoolHashesBinResponse: the concatenated hashes. It is nil if
// there are no hashes.
func PackHashes(hashes []xmr.Hash) json.RawMessage {
	if len(hashes) == 0 {
		return nil
	}
	b := make([]byte, 0, 32*len(hashes))
	for i := range hashes {
		b = append(b, hashes[i][:]...)
	}
	return QuoteBlob(b)
}

// BacklogEntry is a pool transaction in get_txpool_backlog.
type BacklogEntry struct {
	Weight     uint64 // bytes
	Fee        uint64 // atomic units
	TimeInPool uint64 // seconds
}

// PackBacklog returns the field Backlog of GetTxPoolBacklogResponse: three 64-bit little-endian numbers per entry. It
// is nil if there are no entries.
func PackBacklog(entries []BacklogEntry) json.RawMessage {
	if len(entries) == 0 {
		return nil
	}
	b := make([]byte, 0, 24*len(entries))
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint64(b, e.Weight)
		b = binary.LittleEndian.AppendUint64(b, e.Fee)
		b = binary.LittleEndian.AppendUint64(b, e.TimeInPool)
	}
	return QuoteBlob(b)
}

// UnpackBacklog reverses PackBacklog. It returns ErrBlob if raw is malformed.
func UnpackBacklog(raw json.RawMessage) ([]BacklogEntry, error) {
	b, err := UnquoteBlob(raw)
	if err != nil {
		return nil, err
	}
	if len(b)%24 != 0 {
		return nil, smallfmt.Errorf("%w: %d bytes of backlog", ErrBlob, len(b))
	}
	entries := make([]BacklogEntry, len(b)/24)
	for i := range entries {
		e := b[24*i:]
		entries[i] = BacklogEntry{
			Weight:     binary.LittleEndian.Uint64(e),
			Fee:        binary.LittleEndian.Uint64(e[8:]),
			TimeInPool: binary.LittleEndian.Uint64(e[16:]),
		}
	}
	return entries, nil
}

// NewDistribution packs numbers in the form that the flags of a request select.
func NewDistribution(amount, startHeight, base uint64, numbers []uint64, binaryForm, compress bool) Distribution {
	d := Distribution{Amount: amount, StartHeight: startHeight, Base: base, Binary: binaryForm, Compress: compress}
	switch {
	case len(numbers) == 0:
	case binaryForm && compress:
		d.CompressedData = QuoteBlob(CompressNumbers(numbers))
	case binaryForm:
		b := make([]byte, 0, 8*len(numbers))
		for _, n := range numbers {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
		d.Distribution = QuoteBlob(b)
	default:
		raw, err := rpc.Encode(numbers)
		if err != nil {
			panic("unreachable: numbers always encode")
		}
		d.Distribution = raw
	}
	return d
}

// NewDistributionBin packs numbers for the binary answer, compressed on request.
func NewDistributionBin(amount, startHeight, base uint64, numbers []uint64, compress bool) DistributionBin {
	d := DistributionBin{Amount: amount, StartHeight: startHeight, Base: base, Binary: true, Compress: compress}
	if compress {
		d.CompressedData = CompressNumbers(numbers)
	} else {
		d.Distribution = numbers
	}
	return d
}

// Distinct returns the amounts of the request without duplicates, in order. The answer grows with the chain for each
// amount, and a request can repeat an amount many times.
func (r *GetOutputDistributionRequest) Distinct() []uint64 {
	seen := map[uint64]bool{}
	return slices.DeleteFunc(slices.Clone(r.Amounts), func(a uint64) bool {
		again := seen[a]
		seen[a] = true
		return again
	})
}

// Numbers returns the list, decoded from any form. It returns ErrBlob if the data is malformed.
func (d Distribution) Numbers() ([]uint64, error) {
	if !d.Binary {
		if len(d.Distribution) == 0 {
			return nil, nil
		}
		r := jsontext.Reader{Text: d.Distribution}
		n, _ := r.Len(0, len(d.Distribution)) // Array below returns the same error
		numbers := make([]uint64, 0, n)
		err := jsontext.Array(d.Distribution, func(value []byte) error {
			n, err := strconv.ParseUint(string(value), 10, 64)
			numbers = append(numbers, n)
			return err
		})
		if err != nil && string(d.Distribution) != "null" {
			return nil, smallfmt.Errorf("%w: distribution: %w", ErrBlob, err)
		}
		return numbers, nil
	}
	if d.Compress {
		b, err := UnquoteBlob(d.CompressedData)
		if err != nil {
			return nil, err
		}
		return ExpandNumbers(b)
	}
	b, err := UnquoteBlob(d.Distribution)
	if err != nil {
		return nil, err
	}
	if len(b)%8 != 0 {
		return nil, smallfmt.Errorf("%w: %d bytes of distribution", ErrBlob, len(b))
	}
	numbers := make([]uint64, len(b)/8)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return numbers, nil
}

// Numbers returns the list, decompressed if necessary. It returns ErrBlob if the data is malformed.
func (d DistributionBin) Numbers() ([]uint64, error) {
	if d.Compress {
		return ExpandNumbers(d.CompressedData)
	}
	return d.Distribution, nil
}

// Count returns the number of elements, without allocating a list of them.
func (d DistributionBin) Count() int {
	if d.Compress {
		return countNumbers(d.CompressedData)
	}
	return len(d.Distribution)
}

// countNumbers counts the varints in b. Only the last byte of each has a clear high bit.
func countNumbers(b []byte) (n int) {
	for _, c := range b {
		n += int(^c >> 7)
	}
	return n
}

// CompressNumbers writes numbers as varints. Source: core_rpc_server_commands_defs.h, compress_integer_array.
func CompressNumbers(numbers []uint64) []byte {
	b := make([]byte, 0, 2*len(numbers))
	for _, n := range numbers {
		b = wire.AppendVarint(b, n)
	}
	return b
}

// ExpandNumbers reverses CompressNumbers. It returns ErrBlob if b is malformed.
func ExpandNumbers(b []byte) ([]uint64, error) {
	r := wire.NewReader(b)
	numbers := make([]uint64, 0, countNumbers(b))
	for r.Len() > 0 && r.Err() == nil {
		numbers = append(numbers, r.Varint())
	}
	if err := r.Close(); err != nil {
		return nil, smallfmt.Errorf("%w: %w", ErrBlob, err)
	}
	return numbers, nil
}
