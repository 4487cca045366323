// Package vectors reads the published vectors of the reference's crypto suite. Only tests import it.
package vectors

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"strings"
)

// Read returns the lines of a gzip file, each split at white space.
func Read(r io.Reader) (rows [][]string, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		rows = append(rows, strings.Fields(lines.Text()))
	}
	return rows, lines.Err()
}

// Bytes32 reads 64 hexadecimal digits.
func Bytes32(digits string) ([32]byte, error) {
	b, err := hex.DecodeString(digits)
	if err == nil && len(b) != 32 {
		err = errors.New("vectors: not 32 bytes")
	}
	if err != nil {
		return [32]byte{}, err
	}
	return [32]byte(b), nil
}
