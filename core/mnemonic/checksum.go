package mnemonic

import "crypto/subtle"

// checksum returns the number of the word selected by the CRC-32 of the words' prefixes, in the case of the list.
// Source: electrum-words.cpp, create_checksum_index.
func (t *tables) checksum(numbers []uint32) (picked uint32) {
	prefix := make([]byte, 8*t.prefixes.width)
	defer clear(prefix)
	crc := ^uint32(0)
	for _, n := range numbers {
		length := t.prefixes.get(prefix, n)
		for i, b := range prefix {
			inside := -uint32(subtle.ConstantTimeLessOrEq(i+1, length))
			crc ^= (crc ^ addByte(crc, b)) & inside
		}
	}
	index := ^crc % uint32(len(numbers))
	for i, n := range numbers {
		picked |= n & -uint32(subtle.ConstantTimeEq(int32(i), int32(index)))
	}
	return picked
}

// addByte is a step of the CRC-32 of IEEE 802.3, bit by bit: a table lookup would depend on the secret.
func addByte(crc uint32, b byte) uint32 {
	crc ^= uint32(b)
	for range 8 {
		crc = crc>>1 ^ 0xedb88320&-(crc&1)
	}
	return crc
}
