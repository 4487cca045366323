package keccak

import "encoding/binary"

// MaxShort is the longest message of Eight: less than a block of the sponge.
const MaxShort = rate - 1

const rate = 136 // bytes of a block

// Eight hashes up to eight short messages side by side, with vector instructions where there are some. The zero value is ready; it may be
// used again and again.
type Eight struct{ state [25][8]uint64 }

// Set makes message, of at most MaxShort bytes, the one of a lane from 0 to 7. A lane without a message has no digest.
func (e *Eight) Set(lane int, message []byte) {
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
func (e *Eight) Sum() {
	if abreast {
		permute(&e.state)
	}
}

// Digest returns the digest of the message of a lane, after Sum.
func (e *Eight) Digest(lane int) (out [32]byte) {
	for i := range 4 {
		binary.LittleEndian.PutUint64(out[8*i:], e.state[i][lane])
	}
	return out
}

// First returns the first byte of Digest.
func (e *Eight) First(lane int) byte { return byte(e.state[0][lane]) }

// works reports whether permutation p gives digests: what processors nobody tested on do is not taken on trust.
func works(p func(*[25][8]uint64)) bool {
	var e Eight
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
