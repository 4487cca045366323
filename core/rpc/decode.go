package rpc

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strconv"

	"glim/core/codec/jsontext"
	"glim/core/say"
)

var (
	errType   = errors.New("rpc: a value is not of its type or out of range")
	errLonger = errors.New("rpc: a list is longer than the question allows")
	errLarger = errors.New("rpc: the text asks for too much memory")
)

// What is read takes at most perByte bytes of memory for each byte of its text, and slack beyond that. The reference writes every member
// of an object, and a list of numbers has two bytes a number or more, so that nothing it writes comes near.
const (
	perByte = 4
	slack   = 64 << 10
)

// reader reads JSON into Go values.
type reader struct {
	jsontext.Reader
	left  int                 // bytes of memory that values may still take
	found []int               // where the values begin of a request's objects that are being read; see bindStruct
	most  func(m *member) int // elements a list of an answer may have at most; nil for any number
}

func newReader(b []byte) *reader {
	return &reader{Reader: jsontext.Reader{Text: b}, left: perByte*len(b) + slack}
}

// take counts n things of size bytes as read.
func (r *reader) take(n, size int) error {
	if size > 0 && n > r.left/size {
		return errLarger
	}
	r.left -= n * size
	return nil
}

// list makes room in the slice v for the elements of the array at index i, at most so many.
func (r *reader) list(i int, v reflect.Value, most int) error {
	n, err := r.Len(i, most)
	if err != nil {
		return err
	}
	if n > most {
		return errLonger
	}
	if err := r.take(n, int(v.Type().Elem().Size())); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	return nil
}

// null reports whether null is what begins at index i.
func (r *reader) null(i int) bool { return i+4 <= len(r.Text) && string(r.Text[i:i+4]) == "null" }

// decode reads the value at index i into v as encoding/json does, but that names of members are matched exactly, and returns where it
// ends: null changes nothing, members that are unknown are left out, and what is of another type or out of range is an error. A list at
// i has at most so many elements.
func (r *reader) decode(i int, v reflect.Value, most int) (end int, err error) {
	t := v.Type()
	if t == rawType {
		if end, err = r.Skip(i); err == nil {
			err = r.take(end-i, 1)
		}
		if err == nil {
			v.SetBytes(bytes.Clone(r.Text[i:end]))
		}
		return end, err
	}
	if r.null(i) {
		switch v.Kind() {
		case reflect.Slice, reflect.Pointer:
			v.SetZero()
		}
		return i + 4, nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if err := r.take(1, int(t.Elem().Size())); err != nil {
			return 0, err
		}
		p := reflect.New(t.Elem())
		if end, err = r.decode(i, p.Elem(), most); err == nil {
			v.Set(p)
		}
		return end, err
	case reflect.Struct:
		s, limits := shapeOf(t), r.most
		r.most = nil // for the members of this object alone
		return r.Object(i, func(name []byte, i int) (int, error) {
			k, known := s.byName[string(name)]
			if !known {
				return r.Skip(i)
			}
			m, most := &s.members[k], math.MaxInt
			if limits != nil {
				most = limits(m)
			}
			return r.decode(i, v.FieldByIndex(m.path), most)
		})
	case reflect.Slice:
		list := reflect.New(t).Elem()
		if err := r.list(i, list, most); err != nil {
			return 0, err
		}
		k := 0
		end, err = r.Array(i, func(i int) (int, error) {
			k++
			return r.decode(i, list.Index(k-1), math.MaxInt)
		})
		if err == nil {
			v.Set(list)
		}
		return end, err
	}
	return r.scalar(i, v)
}

// scalar reads a string, a truth value or a number, or the digits of 32 bytes.
func (r *reader) scalar(i int, v reflect.Value) (end int, err error) {
	if v.Kind() == reflect.String || isHex(v.Type()) {
		s, end, ok := r.String(i)
		switch {
		case !ok:
			return 0, errType
		case v.Kind() == reflect.String:
			v.SetString(s)
			return end, r.take(len(s), 1)
		case say.UnhexTo(v.Bytes(), s) != nil:
			return 0, errType
		}
		return end, nil
	}
	if end, err = r.Skip(i); err != nil {
		return 0, err
	}
	b := r.Text[i:end]
	switch v.Kind() {
	case reflect.Bool:
		if string(b) != "true" && string(b) != "false" {
			return 0, errType
		}
		v.SetBool(b[0] == 't')
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(string(b), 10, v.Type().Bits())
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(string(b), 10, v.Type().Bits())
		v.SetUint(n)
	case reflect.Float64:
		if b[0] != '-' && (b[0] < '0' || b[0] > '9') {
			return 0, errType
		}
		var n float64
		n, err = strconv.ParseFloat(string(b), 64)
		v.SetFloat(n)
	default:
		return 0, errType
	}
	if err != nil {
		return 0, errType
	}
	return end, nil
}
