package rpc

import (
	"math"
	"strconv"
)

// maxNested is the maximum nesting depth of objects in a request; lists do not count.
// Source: portable_storage_from_json.h, release 0.18.5.1.
const maxNested = 100

// reads reports whether the JSON reader of the reference accepts b, a well-formed object. Numbers have 64 bits:
// negative integers must fit into int64, other integers into uint64, and numbers with a point or an exponent must be 0
// or normal numbers of double precision. The elements of a list must all be of one of these three kinds of numbers, or
// all strings, all booleans or all objects. A list must not contain null or lists.
// Source: epee, parserse_base_utils.h and portable_storage_from_json.h, release 0.18.5.1.
func reads(b []byte) bool {
	r := newReader(b)
	_, err := r.reads(r.Start(), 0)
	return err == nil
}

// reads returns the index after the value at index i, which is nested within depth objects.
func (r *reader) reads(i, depth int) (end int, err error) {
	switch r.Text[i] {
	case '{':
		if depth == maxNested {
			return 0, errType
		}
		return r.Object(i, func(_ []byte, i int) (int, error) { return r.reads(i, depth+1) })
	case '[':
		kind := byte(0) // of the previous elements; 0 before the first
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

// kindOf returns a character that stands for the type the reference gives an element of a list.
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

// smallest is the smallest positive normal number of double precision.
const smallest = 0x1p-1022

// inRange reports whether b, if it is a number, fits into 64 bits. It is true for other values.
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

// zero reports whether all digits of b before the exponent are 0.
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
