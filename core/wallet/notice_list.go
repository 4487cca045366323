package wallet

import (
	"glim/core/internal/codec/wire"
	"glim/core/keys"
)

// noticeList holds notices, of which there are several for each transfer, in less than half of the memory that the values take: as bytes, in
// blocks that are full. The zero value is empty.
type noticeList struct {
	blocks  []*noticeBlock
	dropped int // of the first block
	n       int
}

// noticeBlock has the bytes of up to noticesPerBlock notices, one behind the other.
type noticeBlock struct {
	data []byte
	ends [noticesPerBlock]uint16 // of each in data; a notice takes 138 bytes at most
}

const noticesPerBlock = 128

// What the first byte of a notice says of what follows; its kind is the second.
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
		room := 0
		if n := len(l.blocks); n > 0 {
			room = len(l.blocks[n-1].data) * 5 / 4 // notices of one wallet are alike
		}
		l.blocks = append(l.blocks, &noticeBlock{data: make([]byte, 0, room)})
	}
	b := l.blocks[len(l.blocks)-1]
	b.data = n.appendTo(b.data)
	b.ends[at] = uint16(len(b.data))
	if at == noticesPerBlock-1 {
		b.data = own(b.data) // no room is left to grow
	}
	l.n++
}

// bytes returns those of the notice with index i.
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

// slice returns the notices with indices from up to and without to.
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

// dropFirst forgets the first notice.
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
	for _, v := range [...]uint64{uint64(n.Address.Major), uint64(n.Address.Minor), n.Amount, n.Fee, n.Height, n.Timestamp, n.UnlockTime} {
		b = wire.AppendVarint(b, v)
	}
	return b
}

// readNotice reads what appendTo wrote.
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
