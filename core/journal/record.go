package journal

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/say"
)

// A record is a frame, then the sealed bytes:
//
//	4 length of the sealed bytes, least significant first
//	4 CRC-32C of the length and the nonce
//	24 nonce, random: a file put back from a copy and written on must not repeat one
//	n+16 XChaCha20-Poly1305 of the record; additional data: BLAKE2b-256 over the header and all records before
//
// A mark that the journal was closed may stand behind the last record: one of no bytes, whose additional data ends in "end".
//
// The check sum tells damage to a length from a record that was not written to its end; it is no protection against
// intent, for whoever can change a length can as well cut the file.
const (
	frameSize = 4 + 4 + chacha20poly1305.NonceSizeX
	tagSize   = chacha20poly1305.Overhead
	overhead  = frameSize + tagSize
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal appends a record to dst and returns the state after it.
func (w *writer) seal(dst, record []byte, rand io.Reader) ([]byte, [32]byte, error) {
	if len(record) > MaxRecord {
		return dst, w.state, say.Errorf("%w: a record of %d bytes", ErrLimit, len(record))
	}
	start := len(dst)
	dst = append(slices.Grow(dst, overhead+len(record)), make([]byte, frameSize)...)
	frame := dst[start:]
	binary.LittleEndian.PutUint32(frame, uint32(len(record)+tagSize))
	if _, err := io.ReadFull(rand, frame[8:]); err != nil {
		return dst[:start], w.state, err
	}
	binary.LittleEndian.PutUint32(frame[4:], frameSum(frame))
	dst = w.aead.Seal(dst, frame[8:], record, w.state[:])
	return dst, chain(w.state, dst[start:]), nil
}

// sealMark returns the mark that stands behind the last record: a record without content that is bound to more than others are.
func (w *writer) sealMark(rand io.Reader) ([]byte, error) {
	mark := make([]byte, frameSize, overhead)
	binary.LittleEndian.PutUint32(mark, tagSize)
	if _, err := io.ReadFull(rand, mark[8:]); err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(mark[4:], frameSum(mark))
	return w.aead.Seal(mark, mark[8:], nil, endOf(w.state)), nil
}

// isMark reports whether f is the mark behind the records that w has read.
func (w *writer) isMark(f *frame) bool {
	sealed := f.whole[frameSize:]
	if w.former || len(sealed) != tagSize {
		return false
	}
	_, err := w.aead.Open(nil, f.whole[8:frameSize], sealed, endOf(f.state))
	return err == nil
}

// endOf returns what the mark is bound to behind records of the given state.
func endOf(state [32]byte) []byte { return append(state[:], "end"...) }

// unwritten reports whether the end of a file is what some file systems leave of a write that a power cut stopped: the
// file has its new length, but zeros where the bytes did not arrive. No record ends in as many zeros as its tag is long.
func unwritten(end []byte) bool {
	for _, b := range end {
		if b != 0 {
			return false
		}
	}
	return len(end) >= tagSize
}

// frameSum covers the length and the nonce.
func frameSum(frame []byte) uint32 {
	return crc32.Update(crc32.Checksum(frame[:4], castagnoli), castagnoli, frame[8:frameSize])
}

// chain returns BLAKE2b-256(state ‖ record).
func chain(state [32]byte, record []byte) (out [32]byte) {
	h, err := blake2b.New256(nil)
	if err != nil {
		panic("unreachable: an unkeyed hash has no bad key")
	}
	h.Write(state[:])
	h.Write(record)
	h.Sum(out[:0])
	return out
}
