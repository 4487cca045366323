package rpc

import (
	"math"
	"strconv"
)

// maxNested bounds how deep objects nest in a request, lists not counted (portable_storage_from_json.h, release
// 0.18.5.1).
const maxNested = 100

// reads reports whether the reference's reader of JSON takes b, which is an object and well-formed (epee,
// parserse_base_utils.h and portable_storage_from_json.h, release 0.18.5.1). Numbers have 64 bits: those with a sign
// are from int64, those without from uint64, and those with a point or an exponent are 0 or normal numbers of double
// precision. The elements of a list have one of these types, or are strings, truth values or objects; a list holds no
// null and no list.
func reads(b []byte) bool {
	r := newReader(b)
	_, err := r.reads(r.Start(), 0)
	return err == nil
}

// reads returns where the value at index i ends, which stands within depth objects.
func (r *reader) reads(i, depth int) (end int, err error) {
	switch r.Text[i] {
	case '{':
		if depth == maxNested {
			return 0, errType
		}
		return r.Object(i, func(_ []byte, i int) (int, error) { return r.reads(i, depth+1) })
	case '[':
		kind := byte(0) // of the elements before
		return r.Array(i, func(i int) (int, error) {
			if c := r.Text[i]; c == '[' || c == 'n' {
				return 0, errType
			}
			end, err := r.reads(i, depth)
			if err != nil {
				return 0, err
			}
			k := kindOf(r.Text[i:end])
			if kind != 0 && k != kind {
				return 0, errType
			}
			kind = k
			return end, nil
		})
	}
	if end, err = r.Skip(i); err == nil && !inRange(r.Text[i:end]) {
		err = errType
	}
	return end, err
}

// kindOf returns a letter for the type that the reference gives an element of a list.
func kindOf(b []byte) byte {
	switch c := b[0]; {
	case c == 'f':
		return 't'
	case c != '-' && (c < '0' || c > '9'):
		return c
	case fractional(b):
		return '.'
	case c == '-':
		return c
	}
	return '0'
}

func fractional(b []byte) bool {
	for _, c := range b {
		if c == '.' || c == 'e' || c == 'E' {
			return true
		}
	}
	return false
}

// smallest is the smallest normal number of double precision.
const smallest = 0x1p-1022

// inRange reports whether b, when it is a number, has a place in 64 bits.
func inRange(b []byte) bool {
	var err error
	switch kindOf(b) {
	case '.':
		var n float64
		n, err = strconv.ParseFloat(string(b), 64)
		if err == nil && math.Abs(n) < smallest {
			return zero(b)
		}
	case '-':
		_, err = strconv.ParseInt(string(b), 10, 64)
	case '0':
		_, err = strconv.ParseUint(string(b), 10, 64)
	}
	return err == nil
}

// zero reports whether the digits of b before its exponent are all 0.
func zero(b []byte) bool {
	for _, c := range b {
		switch {
		case c == 'e' || c == 'E':
			return true
		case c > '0' && c <= '9':
			return false
		}
	}
	return true
}
