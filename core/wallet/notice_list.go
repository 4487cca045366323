package wallet

import (
	"glim/core/internal/codec/wire"
	"glim/core/keys"
)

// noticeList stores notices encoded, in less than half the memory of their values, in blocks of fixed count. The zero
// value is empty.
type noticeList struct {
	blocks  []*noticeBlock
	dropped int // number removed from the first block
	n       int
}

// noticeBlock has the encodings of up to noticesPerBlock notices, concatenated.
type noticeBlock struct {
	data []byte
	ends [noticesPerBlock]uint16 // end offsets in data; a notice takes at most 138 bytes
}

const noticesPerBlock = 128

// Flags in the first byte of an encoded notice; the second byte is its kind.
const (
	noticeOut = 1 << iota
	noticeCoinbase
	noticePaymentID
)

func (l *noticeList) len() int { return l.n }

// add appends n.
func (l *noticeList) add(n *Notice) {
	at := (l.dropped + l.n) % noticesPerBlock
	if at == 0 {
		capacity := 0
		if n := len(l.blocks); n > 0 {
			capacity = len(l.blocks[n-1].data) * 5 / 4 // notices of one wallet have similar sizes
		}
		l.blocks = append(l.blocks, &noticeBlock{data: make([]byte, 0, capacity)})
	}
	b := l.blocks[len(l.blocks)-1]
	b.data = n.appendTo(b.data)
	b.ends[at] = uint16(len(b.data))
	if at == noticesPerBlock-1 {
		b.data = copyBytes(b.data) // drop the spare capacity
	}
	l.n++
}

// bytes returns the encoding of the notice with index i.
func (l *noticeList) bytes(i int) []byte {
	i += l.dropped
	b, i := l.blocks[i/noticesPerBlock], i%noticesPerBlock
	start := uint16(0)
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.data[start:b.ends[i]]
}

// at returns the notice with index i.
func (l *noticeList) at(i int) Notice { return readNotice(l.bytes(i)) }

// kind returns the kind of the notice with index i.
func (l *noticeList) kind(i int) NoticeKind { return NoticeKind(l.bytes(i)[1]) }

// slice returns the notices with indices from, inclusive, to to, exclusive.
func (l *noticeList) slice(from, to int) []Notice {
	if from >= to {
		return nil
	}
	out := make([]Notice, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, l.at(i))
	}
	return out
}

// dropFirst removes the first notice.
func (l *noticeList) dropFirst() {
	l.dropped, l.n = l.dropped+1, l.n-1
	if l.dropped == noticesPerBlock {
		l.blocks[0] = nil
		l.blocks, l.dropped = l.blocks[1:], 0
	}
}

func (n *Notice) appendTo(b []byte) []byte {
	flags := byte(0)
	if n.Out {
		flags |= noticeOut
	}
	if n.Coinbase {
		flags |= noticeCoinbase
	}
	if !n.PaymentID.IsZero() {
		flags |= noticePaymentID
	}
	b = append(append(b, flags, byte(n.Kind)), n.TxID[:]...)
	if flags&noticePaymentID != 0 {
		b = append(b, n.PaymentID[:]...)
	}
	for _, v := range [...]uint64{
		uint64(n.Address.Major), uint64(n.Address.Minor), n.Amount, n.Fee, n.Height, n.Timestamp, n.UnlockTime,
	} {
		b = wire.AppendVarint(b, v)
	}
	return b
}

// readNotice decodes the result of appendTo.
func readNotice(b []byte) (n Notice) {
	r := wire.NewReader(b)
	flags := r.Byte()
	n.Out, n.Coinbase, n.Kind = flags&noticeOut != 0, flags&noticeCoinbase != 0, NoticeKind(r.Byte())
	n.TxID = r.Bytes32()
	if flags&noticePaymentID != 0 {
		n.PaymentID = r.Bytes32()
	}
	n.Address = keys.Index{Major: uint32(r.Varint()), Minor: uint32(r.Varint())}
	n.Amount, n.Fee, n.Height, n.Timestamp, n.UnlockTime = r.Varint(), r.Varint(), r.Varint(), r.Varint(), r.Varint()
	return n
}
