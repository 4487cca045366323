package rpc

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Encode writes v as the reference writes answers: members sorted by name, empty lists left out, integers in full
// to 2^64−1. Members tagged omitempty are left out when zero.
func Encode(v any) ([]byte, error) { return encode(nil, reflect.ValueOf(v), false) }

// EncodeBigStrings is Encode with every 64-bit number as a decimal string.
func EncodeBigStrings(v any) ([]byte, error) { return encode(nil, reflect.ValueOf(v), true) }

type member struct {
	name      string
	omitEmpty bool
	value     reflect.Value
}

func encode(b []byte, v reflect.Value, big bool) ([]byte, error) {
	if !v.IsValid() {
		return append(b, "null"...), nil
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return encode(b, v.Elem(), big)
	}
	if raw, ok := v.Interface().(json.RawMessage); ok {
		return append(b, raw...), nil
	}
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err != nil {
			return nil, err
		}
		return appendString(b, string(text)), nil
	}
	switch v.Kind() {
	case reflect.Struct:
		members := structMembers(nil, v)
		slices.SortStableFunc(members, func(x, y member) int { return strings.Compare(x.name, y.name) })
		b = append(b, '{')
		first := true
		for _, m := range members {
			if k := m.value.Kind(); (k == reflect.Slice || k == reflect.Map) && m.value.Len() == 0 ||
				m.omitEmpty && m.value.IsZero() {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = appendString(b, m.name)
			b = append(b, ':')
			var err error
			if b, err = encode(b, m.value, big); err != nil {
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
		return quoteIf(b, big, strconv.AppendUint(nil, v.Uint(), 10)), nil
	case reflect.Int64:
		return quoteIf(b, big, strconv.AppendInt(nil, v.Int(), 10)), nil
	case reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 64), nil
	}
	return nil, fmt.Errorf("rpc: cannot encode %s", v.Type())
}

func structMembers(ms []member, v reflect.Value) []member {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			ms = structMembers(ms, v.Field(i))
			continue
		}
		if name := memberName(f); name != "" {
			ms = append(ms, member{name, strings.Contains(f.Tag.Get("json"), ",omitempty"), v.Field(i)})
		}
	}
	return ms
}

func quoteIf(b []byte, quote bool, digits []byte) []byte {
	if !quote {
		return append(b, digits...)
	}
	b = append(b, '"')
	b = append(b, digits...)
	return append(b, '"')
}

// appendString quotes s. Bytes that are no UTF-8 become the replacement character.
func appendString(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil {
		panic("unreachable: strings always encode")
	}
	return append(b, q...)
}
