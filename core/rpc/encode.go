package rpc

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"glim/core/codec/jsontext"
	"glim/core/smallfmt"
)

// Encode returns v as JSON, as the reference encodes responses: fields are sorted by name, empty lists are omitted, and
// integers up to 2^64−1 are written in full. Zero fields with the tag omitempty are omitted.
func Encode(v any) ([]byte, error) { return encodeAll(v, false) }

// EncodeBigStrings is Encode with 64-bit numbers as decimal strings.
func EncodeBigStrings(v any) ([]byte, error) { return encodeAll(v, true) }

func encodeAll(v any, big bool) ([]byte, error) {
	e := encoder{big: big, most: math.MaxInt}
	err := e.value(reflect.ValueOf(v))
	if err != nil {
		return nil, err
	}
	return e.b, nil
}

// encoder encodes values as JSON, or counts the bytes of their encoding.
type encoder struct {
	b        []byte
	big      bool // 64-bit numbers as strings
	counting bool // count bytes and discard them
	dropped  int  // number of discarded bytes
	most     int  // maximum number of bytes; more result in errLarge
}

// longAnswer is the size in bytes above which an answer is counted before it is encoded. Counting needs no memory, and
// the answer is then encoded into a buffer of exactly its size. A growing buffer would need memory for two copies.
const longAnswer = 256 << 10

// errLarge reports that the encoding of a value exceeds the limit.
var errLarge = errors.New("rpc: too large")

// encodeAnswer returns v as JSON between before and after, in at most most bytes. It calls room before it allocates a
// buffer of more than longAnswer bytes. It returns errLarge, the error of room, or an error for an unsupported type.
func encodeAnswer(before []byte, v any, after string, big bool, most int, room func(size int) error) ([]byte, error) {
	e := encoder{b: before, big: big, most: min(most, longAnswer)}
	err := e.value(reflect.ValueOf(v))
	if err == nil {
		err = e.fits(len(after))
	}
	if err == errLarge && most > longAnswer {
		count := encoder{big: big, counting: true, most: most}
		if err = count.value(reflect.ValueOf(v)); err != nil {
			return nil, err
		}
		size := len(before) + count.dropped + len(count.b) + len(after)
		if size > most {
			return nil, errLarge
		}
		if err = room(size); err != nil {
			return nil, err
		}
		e = encoder{b: append(make([]byte, 0, size), before...), big: big, most: math.MaxInt}
		err = e.value(reflect.ValueOf(v))
	}
	if err != nil {
		return nil, err
	}
	return append(e.b, after...), nil
}

// fits returns errLarge if n more bytes exceed the limit.
func (e *encoder) fits(n int) error {
	if e.counting && len(e.b) > longAnswer {
		e.dropped, e.b = e.dropped+len(e.b), e.b[:0]
	}
	if n > e.most-e.dropped-len(e.b) {
		return errLarge
	}
	return nil
}

// shape describes the encoding of a type.
type shape struct {
	raw     bool           // json.RawMessage
	hex     bool           // 32 bytes, written in hexadecimal
	members []member       // fields of a struct, sorted by name
	byName  map[string]int // indices into members
}

type member struct {
	name      string
	key       []byte // quoted name and colon
	path      []int
	omitEmpty bool
	list      bool   // omitted if empty
	max       string // maximum number of elements in an answer; see bounds
}

var (
	shapes  sync.Map // *shape by reflect.Type
	rawType = reflect.TypeFor[json.RawMessage]()
)

// isHex reports whether values of a type are encoded in hexadecimal, as keys and hashes are.
func isHex(t reflect.Type) bool {
	return t.Kind() == reflect.Array && t.Len() == 32 && t.Elem().Kind() == reflect.Uint8
}

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{raw: t == rawType, hex: isHex(t)}
	if t.Kind() == reflect.Struct {
		var all []member
		var list func(t reflect.Type, path []int)
		list = func(t reflect.Type, path []int) {
			for i := range t.NumField() {
				f, at := t.Field(i), append(slices.Clone(path), i)
				if f.Anonymous && f.Type.Kind() == reflect.Struct {
					list(f.Type, at)
				} else if name := memberName(f); name != "" {
					k := f.Type.Kind()
					all = append(all, member{
						name:      name,
						key:       append(appendString(nil, name), ':'),
						path:      at,
						omitEmpty: strings.Contains(f.Tag.Get("json"), ",omitempty"),
						list:      k == reflect.Slice || k == reflect.Map,
						max:       f.Tag.Get("max"),
					})
				}
			}
		}
		list(t, nil)
		sort.SliceStable(all, func(i, j int) bool { return all[i].name < all[j].name })
		s.members, s.byName = all, make(map[string]int, len(all))
		for i := range all {
			s.byName[all[i].name] = i
		}
	}
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*shape)
}

// value appends v.
func (e *encoder) value(v reflect.Value) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem() // invalid if v is nil
	}
	if !v.IsValid() {
		e.b = append(e.b, "null"...)
		return nil
	}
	s := shapeOf(v.Type())
	size := 0
	if s.raw || v.Kind() == reflect.String {
		size = v.Len()
	}
	if err := e.fits(size); err != nil {
		return err
	}
	switch {
	case s.raw:
		e.b = append(e.b, v.Bytes()...)
		return nil
	case s.hex:
		e.hex(v)
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return e.object(s, v)
	case reflect.Slice, reflect.Array:
		return e.array(v)
	}
	return e.scalar(v)
}

// hex appends an array of bytes as a string of hexadecimal digits.
func (e *encoder) hex(v reflect.Value) {
	e.b = append(e.b, '"')
	if v.CanAddr() {
		e.b = hex.AppendEncode(e.b, v.Bytes())
	} else {
		for i := range v.Len() {
			e.b = hex.AppendEncode(e.b, []byte{byte(v.Index(i).Uint())})
		}
	}
	e.b = append(e.b, '"')
}

// object appends a struct of shape s.
func (e *encoder) object(s *shape, v reflect.Value) error {
	e.b = append(e.b, '{')
	first := true
	for i := range s.members {
		m := &s.members[i]
		value := v.FieldByIndex(m.path)
		if m.list && value.Len() == 0 || m.omitEmpty && value.IsZero() {
			continue
		}
		if !first {
			e.b = append(e.b, ',')
		}
		first = false
		e.b = append(e.b, m.key...)
		if err := e.value(value); err != nil {
			return err
		}
	}
	e.b = append(e.b, '}')
	return nil
}

// array appends the elements of a slice or an array.
func (e *encoder) array(v reflect.Value) error {
	e.b = append(e.b, '[')
	for i := range v.Len() {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		if err := e.value(v.Index(i)); err != nil {
			return err
		}
	}
	e.b = append(e.b, ']')
	return nil
}

// scalar appends a string, a boolean or a number.
func (e *encoder) scalar(v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		e.b = appendString(e.b, v.String())
	case reflect.Bool:
		e.b = strconv.AppendBool(e.b, v.Bool())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		e.b = strconv.AppendUint(e.b, v.Uint(), 10)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int:
		e.b = strconv.AppendInt(e.b, v.Int(), 10)
	case reflect.Uint64, reflect.Uint:
		e.b = quoteIf(strconv.AppendUint(quoteIf(e.b, e.big), v.Uint(), 10), e.big)
	case reflect.Int64:
		e.b = quoteIf(strconv.AppendInt(quoteIf(e.b, e.big), v.Int(), 10), e.big)
	case reflect.Float64:
		e.b = strconv.AppendFloat(e.b, v.Float(), 'g', -1, 64)
	default:
		return smallfmt.Errorf("rpc: cannot encode %s", v.Type())
	}
	return nil
}

func quoteIf(b []byte, quote bool) []byte {
	if quote {
		return append(b, '"')
	}
	return b
}

// appendString appends s in quotes. Invalid UTF-8 becomes the replacement character.
func appendString(b []byte, s string) []byte {
	if isPlain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	return jsontext.AppendString(b, s)
}

// isPlain reports whether s is printable ASCII without characters that json.Marshal escapes.
func isPlain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&':
			return false
		}
	}
	return true
}
