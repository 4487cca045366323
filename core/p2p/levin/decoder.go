package levin

import "encoding/binary"

// Decoder takes frames out of a stream of bytes that comes in pieces of any length. It holds what has come and has not been taken,
// and never more: a frame that only says it is large takes no room.
type Decoder struct {
	// Max bounds the body of a frame; 0 for MaxBefore. It may be raised as the connection goes on.
	Max int
	// Limit returns the bound on a command's body, beside Max. Nil for none.
	Limit func(command uint32) int

	buffer []byte
	at     int    // where the next frame begins in buffer
	pieces []byte // of a frame that comes in pieces
	failed error
}

// Write takes bytes in.
func (d *Decoder) Write(b []byte) {
	if d.failed != nil {
		return
	}
	if d.at > 0 && d.at == len(d.buffer) {
		d.buffer, d.at = d.buffer[:0], 0
	}
	if d.at > 4096 && d.at > len(d.buffer)/2 {
		d.buffer = d.buffer[:copy(d.buffer, d.buffer[d.at:])]
		d.at = 0
	}
	d.buffer = append(d.buffer, b...)
}

// Held returns how many bytes the decoder holds.
func (d *Decoder) Held() int { return cap(d.buffer) + cap(d.pieces) }

func (d *Decoder) max() int {
	if d.Max == 0 {
		return MaxBefore
	}
	return d.Max
}

func (d *Decoder) fits(f Frame, size uint64) bool {
	if size > uint64(d.max()) {
		return false
	}
	piece := f.Flags&(Request|Response) == 0
	return piece || d.Limit == nil || size <= uint64(max(d.Limit(f.Command), 0))
}

// Next returns the next frame; false when there is none yet. Its body is the caller's. After an error there are no more frames.
// Errors: ErrSignature, ErrVersion, ErrSize, ErrFragment.
func (d *Decoder) Next() (Frame, bool, error) {
	for {
		f, ok, err := d.frame()
		if err != nil {
			d.failed = err
			d.buffer, d.pieces = nil, nil
			d.at = 0
			return Frame{}, false, err
		}
		if !ok || f.Flags&(Request|Response) != 0 {
			return f, ok, nil
		}
	}
}

// frame returns the next frame, or with no flags of one the sign that a piece or noise has been read.
func (d *Decoder) frame() (Frame, bool, error) {
	if d.failed != nil {
		return Frame{}, false, d.failed
	}
	rest := d.buffer[d.at:]
	if len(rest) >= 8 && binary.LittleEndian.Uint64(rest) != signature {
		return Frame{}, false, ErrSignature
	}
	if len(rest) < HeaderSize {
		return Frame{}, false, nil
	}
	f, size, err := parse(rest)
	if err != nil {
		return Frame{}, false, err
	}
	if !d.fits(f, size) {
		return Frame{}, false, ErrSize
	}
	if uint64(len(rest)-HeaderSize) < size {
		return Frame{}, false, nil
	}
	body := rest[HeaderSize : HeaderSize+int(size)]
	d.at += HeaderSize + int(size)
	if f.Flags&(Request|Response) != 0 {
		f.Body = append(make([]byte, 0, len(body)), body...)
		d.shrink()
		return f, true, nil
	}
	return d.piece(f.Flags, body)
}

// shrink gives back the room of a large frame.
func (d *Decoder) shrink() {
	if cap(d.buffer) > 1<<20 && len(d.buffer)-d.at < cap(d.buffer)/4 {
		d.buffer = append([]byte(nil), d.buffer[d.at:]...)
		d.at = 0
	}
}

// piece adds a piece of a frame, and returns the frame when it was the last.
func (d *Decoder) piece(flags uint32, body []byte) (Frame, bool, error) {
	if flags&(Begin|End) == Begin|End {
		return Frame{}, true, nil // noise
	}
	if flags&Begin != 0 {
		d.pieces = d.pieces[:0]
	}
	if len(d.pieces)+len(body) > d.max() {
		return Frame{}, false, ErrSize
	}
	d.pieces = append(d.pieces, body...)
	if flags&End == 0 {
		return Frame{}, true, nil
	}
	whole := d.pieces
	d.pieces = nil
	if len(whole) < HeaderSize {
		return Frame{}, false, ErrFragment
	}
	f, size, err := parse(whole)
	if err != nil {
		return Frame{}, false, err
	}
	if size > uint64(len(whole)-HeaderSize) || f.Flags&(Request|Response) == 0 {
		return Frame{}, false, ErrFragment
	}
	if !d.fits(f, size) {
		return Frame{}, false, ErrSize
	}
	f.Body = whole[HeaderSize : HeaderSize+int(size)]
	return f, true, nil
}
