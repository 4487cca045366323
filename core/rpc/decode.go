package rpc

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strconv"

	"glim/core/codec/jsontext"
	"glim/core/smallfmt"
)

var (
	errType   = errors.New("rpc: a value is not of its type or out of range")
	errLonger = errors.New("rpc: a list is longer than the request allows")
	errLarger = errors.New("rpc: decoding would take too much memory")
)

// The decoded values of a text take at most perByte bytes of memory for each byte of the text, plus slack bytes. The
// responses of the reference stay within this limit: it writes every member of an object, and a number in a list takes
// at least two bytes of text.
const (
	perByte = 4
	slack   = 64 << 10
)

// reader decodes JSON text into Go values.
type reader struct {
	jsontext.Reader
	left  int                 // bytes of memory that values may still use
	found []int               // indices of the values in the objects being decoded; see bindStruct
	most  func(m *member) int // maximum number of elements of a list in an answer; nil means no limit
}

func newReader(b []byte) *reader {
	return &reader{Reader: jsontext.Reader{Text: b}, left: perByte*len(b) + slack}
}

// take counts n items of size bytes each. It returns errLarger if they exceed the memory left.
func (r *reader) take(n, size int) error {
	if size > 0 && n > r.left/size {
		return errLarger
	}
	r.left -= n * size
	return nil
}

// list allocates the slice v for the elements of the array at index i. It returns errLonger if there are more than most
// elements, or errLarger.
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

// null reports whether the value at index i is null.
func (r *reader) null(i int) bool { return i+4 <= len(r.Text) && string(r.Text[i:i+4]) == "null" }

// decode decodes the value at index i into v and returns the index after it. It works like encoding/json, except that
// it matches names of members exactly: null clears slices and pointers and leaves other values unchanged, unknown
// members are skipped, and a value of another type or out of range is an error. If the value is a list, it may have at
// most most elements.
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
		r.most = nil // the limits apply only to the members of this object
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

// scalar decodes a string, a boolean or a number, or 32 bytes in hexadecimal.
func (r *reader) scalar(i int, v reflect.Value) (end int, err error) {
	if v.Kind() == reflect.String || isHex(v.Type()) {
		s, end, ok := r.String(i)
		switch {
		case !ok:
			return 0, errType
		case v.Kind() == reflect.String:
			v.SetString(s)
			return end, r.take(len(s), 1)
		case smallfmt.UnhexTo(v.Bytes(), s) != nil:
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
