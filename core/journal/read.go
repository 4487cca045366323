package journal

import (
	"encoding/binary"
	"slices"

	"glim/core/smallfmt"
)

// frame is an encrypted record in a file.
type frame struct {
	raw   []byte   // the record with its frame
	at    int      // offset in the file
	state [32]byte // hash of everything before it
	next  [32]byte // the same, including it
	torn  bool     // its end was not written
}

// frames are consecutive frames.
type frames struct {
	list []frame
	end  int    // offset of the end of the last one
	why  string // damage at end; empty at the end of the file or at an incomplete record
}

// readBatch is the minimum number of bytes of records in one batch.
const readBatch = 1 << 18

// split finds the frames after the header of content and passes them to yield in batches, until the end or until
// yield returns false.
func (w *writer) split(content []byte, yield func(frames) bool) {
	rest, state := content[w.start:], w.state
	var f frames
	size := 0
	for len(rest) > 0 {
		f.end = len(content) - len(rest)
		if len(rest) < frameSize {
			yield(f)
			return
		}
		length := binary.LittleEndian.Uint32(rest)
		valid := binary.LittleEndian.Uint32(rest[4:]) == frameSum(rest[:frameSize])
		if !valid || length < tagSize || length > MaxRecord+tagSize {
			if !unwritten(rest[frameSize:]) {
				f.why = "its length is damaged"
			}
			yield(f)
			return
		}
		if uint64(len(rest)-frameSize) < uint64(length) {
			yield(f)
			return
		}
		one := frame{raw: rest[:frameSize+int(length)], at: f.end, state: state}
		state = chain(state, one.raw)
		one.next, one.torn = state, len(one.raw) == len(rest) && unwritten(one.raw[len(one.raw)-tagSize:])
		f.list = append(f.list, one)
		rest = rest[len(one.raw):]
		if size += len(one.raw); size >= readBatch {
			f.end = len(content) - len(rest)
			if !yield(f) {
				return
			}
			f, size = frames{}, 0
		}
	}
	f.end = len(content)
	yield(f)
}

// read decrypts the records after the header of content, in place. It returns the offset at which the last complete
// record ends, and whether the mark follows. It advances w.state. The hashes that bind the records are computed by
// another goroutine, ahead of decryption.
func (w *writer) read(content []byte) (records [][]byte, end int64, marked bool, err error) {
	batches, stop := make(chan frames, 2), make(chan struct{})
	ahead := *w
	go func() {
		defer close(batches)
		ahead.split(content, func(f frames) bool {
			select {
			case batches <- f:
				return true
			case <-stop:
				return false
			}
		})
	}()
	defer func() { // the goroutine no longer reads content when read returns
		close(stop)
		for range batches {
		}
	}()
	damaged := func(at int, why string) error {
		return smallfmt.Errorf("%w: record %d, at byte %d: %s", ErrCorrupt, len(records), at, why)
	}
	for f := range batches {
		for i := range f.list {
			one := &f.list[i]
			sealed := one.raw[frameSize:]
			plain, err := w.aead.Open(sealed[:0], one.raw[8:frameSize], sealed, one.state[:])
			if err != nil {
				if one.torn {
					return records, int64(one.at), false, nil
				}
				if last := one.at+len(one.raw) == len(content); last && w.isMark(one) {
					return records, int64(one.at), true, nil
				}
				return records, int64(one.at), false, damaged(one.at, "authentication failed")
			}
			records = append(records, slices.Clip(plain))
			w.state = one.next
		}
		if end = int64(f.end); f.why != "" {
			return records, end, false, damaged(f.end, f.why)
		}
	}
	return records, end, false, nil
}
