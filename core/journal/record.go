package journal

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20poly1305"

	"glim/core/smallfmt"
)

// A record is a frame, followed by the encrypted bytes:
//
//	4 length of the encrypted bytes, little-endian
//	4 CRC-32C of the length and the nonce
//	24 nonce, random, because a file restored from a copy must not repeat one
//	n+16 XChaCha20-Poly1305 of the record; additional data: BLAKE2b-256 over the header and all earlier records
//
// The mark that the journal was closed is an empty record after the last one, with additional data that ends in
// "end".
//
// The checksum distinguishes a damaged length from an incomplete record. It does not protect against an attacker, who
// could truncate the file anyway.
const (
	frameSize = 4 + 4 + chacha20poly1305.NonceSizeX
	tagSize   = chacha20poly1305.Overhead
	overhead  = frameSize + tagSize
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal appends a record to dst and returns the state after it.
func (w *writer) seal(dst, record []byte, rand io.Reader) ([]byte, [32]byte, error) {
	if len(record) > MaxRecord {
		return dst, w.state, smallfmt.Errorf("%w: a record of %d bytes", ErrLimit, len(record))
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

// sealMark returns the mark that follows the last record: an empty record with distinct additional data.
func (w *writer) sealMark(rand io.Reader) ([]byte, error) {
	mark := make([]byte, frameSize, overhead)
	binary.LittleEndian.PutUint32(mark, tagSize)
	if _, err := io.ReadFull(rand, mark[8:]); err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(mark[4:], frameSum(mark))
	return w.aead.Seal(mark, mark[8:], nil, endOf(w.state)), nil
}

// isMark reports whether f is the mark after the records that w has read.
func (w *writer) isMark(f *frame) bool {
	sealed := f.raw[frameSize:]
	if w.version1 || len(sealed) != tagSize {
		return false
	}
	_, err := w.aead.Open(nil, f.raw[8:frameSize], sealed, endOf(f.state))
	return err == nil
}

// endOf returns the additional data of the mark after records with the given state.
func endOf(state [32]byte) []byte { return append(state[:], "end"...) }

// unwritten reports whether the end of a file is zeros, as some file systems leave it when a power cut interrupts a
// write: the file has its new length, but zeros in place of the data. The tag of a valid record is never all zeros.
func unwritten(end []byte) bool {
	for _, b := range end {
		if b != 0 {
			return false
		}
	}
	return len(end) >= tagSize
}

// frameSum returns the checksum of the length and the nonce.
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
