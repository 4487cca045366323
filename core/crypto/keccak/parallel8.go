package keccak

import "encoding/binary"

// MaxShort is the maximum length of a message of Parallel8 in bytes: one less than a block of the sponge.
const MaxShort = rate - 1

const rate = 136 // block size in bytes

// Parallel8 hashes up to eight short messages side by side, with vector instructions if there are any. The zero value
// is ready for use, and may be used repeatedly.
type Parallel8 struct{ state [25][8]uint64 }

// Set sets the message of a lane from 0 to 7, with at most MaxShort bytes. A lane without a message has no digest.
func (e *Parallel8) Set(lane int, message []byte) {
	if len(message) > MaxShort {
		panic("keccak: message too long for one block")
	}
	if !abreast {
		sum := Sum256(message)
		for i := range 4 {
			e.state[i][lane] = binary.LittleEndian.Uint64(sum[8*i:])
		}
		return
	}
	set(&e.state, lane, message)
}

func set(state *[25][8]uint64, lane int, message []byte) {
	var block [rate]byte
	copy(block[:], message)
	block[len(message)] = 1
	block[rate-1] |= 0x80
	for i := range rate / 8 {
		state[i][lane] = binary.LittleEndian.Uint64(block[8*i:])
	}
	for i := rate / 8; i < len(state); i++ {
		state[i][lane] = 0
	}
}

// Sum hashes the messages that were set since the last Sum.
func (e *Parallel8) Sum() {
	if abreast {
		permute(&e.state)
	}
}

// Digest returns the digest of a lane's message. Call Sum before.
func (e *Parallel8) Digest(lane int) (out [32]byte) {
	for i := range 4 {
		binary.LittleEndian.PutUint64(out[8*i:], e.state[i][lane])
	}
	return out
}

// First returns the first byte of Digest.
func (e *Parallel8) First(lane int) byte { return byte(e.state[0][lane]) }

// works reports whether permute computes digests correctly. It guards against processors on which nobody has tested it.
func works(p func(*[25][8]uint64)) bool {
	var e Parallel8
	message := make([]byte, MaxShort)
	for i := range message {
		message[i] = byte(7 * i)
	}
	for lane := range 8 {
		set(&e.state, lane, message[:19*lane])
	}
	p(&e.state)
	for lane := range 8 {
		if e.Digest(lane) != Sum256(message[:19*lane]) {
			return false
		}
	}
	return true
}
