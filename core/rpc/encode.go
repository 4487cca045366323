package rpc

import (
	"encoding/hex"
	"encoding/json"
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
func Encode(v any) ([]byte, error) { return encode(nil, reflect.ValueOf(v), false) }

// EncodeBigStrings is Encode with every 64-bit number as a decimal string.
func EncodeBigStrings(v any) ([]byte, error) { return encode(nil, reflect.ValueOf(v), true) }

// shape is what is known of a type before any value of it is written.
type shape struct {
	raw     bool             // json.RawMessage
	hex     bool             // 32 bytes: hexadecimal digits
	members []member         // of a struct, by name
	byName  map[string][]int // where a struct has them
}

type member struct {
	name      string
	key       []byte // with its quotes and its colon
	path      []int
	omitEmpty bool
	list      bool // left out when empty
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
						strings.Contains(f.Tag.Get("json"), ",omitempty"), k == reflect.Slice || k == reflect.Map})
				}
			}
		}
		list(t, nil)
		sort.SliceStable(all, func(i, j int) bool { return all[i].name < all[j].name })
		s.members, s.byName = all, make(map[string][]int, len(all))
		for _, m := range all {
			s.byName[m.name] = m.path
		}
	}
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*shape)
}

func encode(b []byte, v reflect.Value, big bool) ([]byte, error) {
	if !v.IsValid() {
		return append(b, "null"...), nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return encode(b, v.Elem(), big)
	}
	s := shapeOf(v.Type())
	switch {
	case s.raw:
		return append(b, v.Bytes()...), nil
	case s.hex:
		b = append(b, '"')
		if v.CanAddr() {
			b = hex.AppendEncode(b, v.Bytes())
		} else {
			for i := range v.Len() {
				b = hex.AppendEncode(b, []byte{byte(v.Index(i).Uint())})
			}
		}
		return append(b, '"'), nil
	}
	switch v.Kind() {
	case reflect.Struct:
		b = append(b, '{')
		first := true
		for i := range s.members {
			m := &s.members[i]
			value := v.FieldByIndex(m.path)
			if m.list && value.Len() == 0 || m.omitEmpty && value.IsZero() {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(b, m.key...)
			var err error
			if b, err = encode(b, value, big); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = encode(b, v.Index(i), big); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case reflect.String:
		return appendString(b, v.String()), nil
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint64, reflect.Uint:
		return quoteIf(strconv.AppendUint(quoteIf(b, big), v.Uint(), 10), big), nil
	case reflect.Int64:
		return quoteIf(strconv.AppendInt(quoteIf(b, big), v.Int(), 10), big), nil
	case reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 64), nil
	}
	return nil, say.Errorf("rpc: cannot encode %s", v.Type())
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
