package levin

import "encoding/binary"

// Decoder splits a stream of bytes, received in pieces of any length, into frames. It holds only bytes that were
// received and not yet returned: the size that a frame claims allocates nothing.
type Decoder struct {
	// Max limits the body of a frame; 0 for MaxBefore. It may be raised while the connection is open.
	Max int
	// Limit returns the additional limit for a command's body. May be nil.
	Limit func(command uint32) int

	buffer []byte
	at     int    // index of the next frame in buffer
	pieces []byte // of a fragmented frame
	failed error
}

// Write adds received bytes.
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

// Next returns the next frame, or false if it is not complete. The caller owns the body. After an error there are no
// more frames. It returns ErrSignature, ErrVersion, ErrSize or ErrFragment.
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

// frame returns the next frame. A frame without flags stands for a fragment or noise that was read.
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

// shrink releases the memory of a large frame.
func (d *Decoder) shrink() {
	if cap(d.buffer) > 1<<20 && len(d.buffer)-d.at < cap(d.buffer)/4 {
		d.buffer = append([]byte(nil), d.buffer[d.at:]...)
		d.at = 0
	}
}

// piece adds a fragment, and returns the frame after the last one.
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
