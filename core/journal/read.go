package journal

import (
	"encoding/binary"
	"slices"

	"glim/core/say"
)

// frame is a record as it stands in a file.
type frame struct {
	whole []byte
	at    int      // of its first byte
	state [32]byte // of everything before it
	next  [32]byte // with it
	torn  bool     // its end was not written
}

// frames are some that follow one another, and what comes behind the last of a file.
type frames struct {
	list []frame
	end  int    // the last's, in bytes of the file
	why  string // what is damaged there; empty at the end of a file, and of a record that was not written to its end
}

// readBatch is how many bytes of records are handed over at once.
const readBatch = 1 << 18

// split walks through the records behind the header of content, and hands them to give until there is none or give returns false.
func (w *writer) split(content []byte, give func(frames) bool) {
	rest, state := content[w.start:], w.state
	var f frames
	size := 0
	for len(rest) > 0 {
		f.end = len(content) - len(rest)
		if len(rest) < frameSize {
			give(f)
			return
		}
		length := binary.LittleEndian.Uint32(rest)
		if binary.LittleEndian.Uint32(rest[4:]) != frameSum(rest[:frameSize]) || length < tagSize || length > MaxRecord+tagSize {
			if !unwritten(rest[frameSize:]) {
				f.why = "its length is damaged"
			}
			give(f)
			return
		}
		if uint64(len(rest)-frameSize) < uint64(length) {
			give(f)
			return
		}
		one := frame{whole: rest[:frameSize+int(length)], at: f.end, state: state}
		state = chain(state, one.whole)
		one.next, one.torn = state, len(one.whole) == len(rest) && unwritten(one.whole[len(one.whole)-tagSize:])
		f.list = append(f.list, one)
		rest = rest[len(one.whole):]
		if size += len(one.whole); size >= readBatch {
			f.end = len(content) - len(rest)
			if !give(f) {
				return
			}
			f, size = frames{}, 0
		}
	}
	f.end = len(content)
	give(f)
}

// read opens the records behind the header of content, in place, and returns where the last whole one ends, and whether the mark follows. The
// writer's state moves along. What is bound to what, a hash over all bytes, is found out ahead of the deciphering, beside it.
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
	defer func() { // nobody reads content when this has returned
		close(stop)
		for range batches {
		}
	}()
	damaged := func(at int, why string) error {
		return say.Errorf("%w: record %d, at byte %d: %s", ErrCorrupt, len(records), at, why)
	}
	for f := range batches {
		for i := range f.list {
			one := &f.list[i]
			sealed := one.whole[frameSize:]
			plain, err := w.aead.Open(sealed[:0], one.whole[8:frameSize], sealed, one.state[:])
			if err != nil {
				if one.torn {
					return records, int64(one.at), false, nil
				}
				if last := one.at+len(one.whole) == len(content); last && w.isMark(one) {
					return records, int64(one.at), true, nil
				}
				return records, int64(one.at), false, damaged(one.at, "it does not authenticate")
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
