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
	"glim/core/say"
)

// Encode writes v as the reference writes answers: members sorted by name, empty lists left out, integers in full
// to 2^64−1. Members tagged omitempty are left out when zero.
func Encode(v any) ([]byte, error) { return encodeAll(v, false) }

// EncodeBigStrings is Encode with every 64-bit number as a decimal string.
func EncodeBigStrings(v any) ([]byte, error) { return encodeAll(v, true) }

func encodeAll(v any, big bool) ([]byte, error) {
	e := encoder{big: big, most: math.MaxInt}
	err := e.value(reflect.ValueOf(v))
	if err != nil {
		return nil, err
	}
	return e.b, nil
}

// encoder writes a value as JSON, or counts the bytes that it would write.
type encoder struct {
	b        []byte
	big      bool // 64-bit numbers as strings
	counting bool // what was written is counted and dropped
	dropped  int  // bytes of it
	most     int  // bytes; more are errLarge
}

// longAnswer is the size in bytes above which an answer is counted before it is written. Counting takes no memory, and an answer whose size is known
// is written into one buffer of that size: a buffer that grows is held twice, and leaves as much behind.
const longAnswer = 256 << 10

// errLarge reports that a value takes more bytes than the encoder may write.
var errLarge = errors.New("rpc: too large")

// encodeAnswer returns v as JSON between before and after, in at most most bytes. room is asked before a buffer of more than longAnswer bytes is made.
// Errors: errLarge, room's, or a type that cannot be encoded.
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

// fits returns errLarge when n bytes more are too many.
func (e *encoder) fits(n int) error {
	if e.counting && len(e.b) > longAnswer {
		e.dropped, e.b = e.dropped+len(e.b), e.b[:0]
	}
	if n > e.most-e.dropped-len(e.b) {
		return errLarge
	}
	return nil
}

// shape is what is known of a type before any value of it is written.
type shape struct {
	raw     bool           // json.RawMessage
	hex     bool           // 32 bytes: hexadecimal digits
	members []member       // of a struct, by name
	byName  map[string]int // where they are among members
}

type member struct {
	name      string
	key       []byte // with its quotes and its colon
	path      []int
	omitEmpty bool
	list      bool   // left out when empty
	max       string // how many elements it has at most in an answer; see bound
}

var (
	shapes  sync.Map // *shape by reflect.Type
	rawType = reflect.TypeFor[json.RawMessage]()
)

// isHex reports whether values of a type are written as hexadecimal digits: keys and hashes.
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
					all = append(all, member{name, append(appendString(nil, name), ':'), at,
						strings.Contains(f.Tag.Get("json"), ",omitempty"), k == reflect.Slice || k == reflect.Map, f.Tag.Get("max")})
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

func (e *encoder) value(v reflect.Value) error {
	if !v.IsValid() {
		e.b = append(e.b, "null"...)
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.b = append(e.b, "null"...)
			return nil
		}
		return e.value(v.Elem())
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
		e.b = append(e.b, '"')
		if v.CanAddr() {
			e.b = hex.AppendEncode(e.b, v.Bytes())
		} else {
			for i := range v.Len() {
				e.b = hex.AppendEncode(e.b, []byte{byte(v.Index(i).Uint())})
			}
		}
		e.b = append(e.b, '"')
		return nil
	}
	b := e.b
	switch v.Kind() {
	case reflect.Struct:
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
	case reflect.Slice, reflect.Array:
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
	case reflect.String:
		e.b = appendString(b, v.String())
	case reflect.Bool:
		e.b = strconv.AppendBool(b, v.Bool())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		e.b = strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int:
		e.b = strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint64, reflect.Uint:
		e.b = quoteIf(strconv.AppendUint(quoteIf(b, e.big), v.Uint(), 10), e.big)
	case reflect.Int64:
		e.b = quoteIf(strconv.AppendInt(quoteIf(b, e.big), v.Int(), 10), e.big)
	case reflect.Float64:
		e.b = strconv.AppendFloat(b, v.Float(), 'g', -1, 64)
	default:
		return say.Errorf("rpc: cannot encode %s", v.Type())
	}
	return nil
}

func quoteIf(b []byte, quote bool) []byte {
	if quote {
		return append(b, '"')
	}
	return b
}

// appendString quotes s. Bytes that are no UTF-8 become the replacement character.
func appendString(b []byte, s string) []byte {
	if isPlain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	return jsontext.AppendString(b, s)
}

// isPlain reports whether s is written as it is: of printable ASCII, without what json.Marshal escapes.
func isPlain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&':
			return false
		}
	}
	return true
}
