package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"glim/core/codec/jsontext"
	"glim/core/say"
)

// MaxListed bounds the lists in a request: one of a few bytes each is answered with many times as many.
const MaxListed = 1 << 17

// ErrParams reports parameters that cannot be meant: a number out of its range, a list longer than MaxListed.
var ErrParams = errors.New("rpc: invalid params")

// Bind reads JSON into v the way the reference reads requests. A member that is null or unknown is as absent, and so is
// what stands where a list belongs and is none; an absent member takes its `default:"…"` tag or zero. A 64-bit number may
// come as a decimal string. A scalar of another type or out of range is ErrParams: money must not move, nor a switch
// stay off, on a value nobody wrote. Nothing at all, or null, is an empty object.
func Bind(b []byte, v any) error {
	rv := reflect.ValueOf(v).Elem()
	if err := setDefaults(rv); err != nil {
		return err
	}
	return bind(bytes.TrimSpace(b), rv)
}

func bind(b []byte, v reflect.Value) error {
	if len(b) == 0 || string(b) == "null" {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		p := reflect.New(v.Type().Elem())
		ok, err := bindValue(b, p.Elem())
		if ok {
			v.Set(p)
		}
		return err
	}
	_, err := bindValue(b, v)
	return err
}

// bindValue reports whether b was of v's type and taken.
func bindValue(b []byte, v reflect.Value) (bool, error) {
	if isHex(v.Type()) {
		if s, isText := jsontext.String(b); !isText || say.UnhexTo(v.Bytes(), s) != nil {
			return false, ErrParams
		}
		return true, nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return true, bindStruct(b, v)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes(bytes.Clone(b))
			return true, nil
		}
		if b[0] != '[' {
			return false, nil
		}
		elems, err := listOf(b)
		if err != nil {
			return false, nil
		}
		if len(elems) > MaxListed {
			return false, say.Errorf("%w: a list of more than %d", ErrParams, MaxListed)
		}
		out := reflect.MakeSlice(v.Type(), 0, len(elems))
		for _, e := range elems {
			if string(e) == "null" {
				return false, say.Errorf("%w: a list holds null", ErrParams)
			}
			x := reflect.New(v.Type().Elem())
			if err := setDefaults(x.Elem()); err != nil {
				return false, err
			}
			ok, err := bindValue(e, x.Elem())
			if err != nil {
				return false, err
			}
			if ok {
				out = reflect.Append(out, x.Elem())
			}
		}
		v.Set(out)
		return true, nil
	case reflect.Uint64:
		if b[0] == '"' {
			text, ok := jsontext.String(b)
			if !ok {
				return false, ErrParams
			}
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return false, say.Errorf("%w: a number in quotes is none, or out of range", ErrParams)
			}
			v.SetUint(n)
			return true, nil
		}
	}
	if decode(b, v) != nil {
		return false, say.Errorf("%w: a member is not of its type or out of range", ErrParams)
	}
	return true, nil
}

// bindStruct takes the members v has, of each the last of its name.
func bindStruct(b []byte, v reflect.Value) error {
	s := shapeOf(v.Type())
	values := make(map[string][]byte, len(s.byName))
	if jsontext.Object(b, func(name, value []byte) error {
		if _, known := s.byName[string(name)]; known {
			values[string(name)] = value
		}
		return nil
	}) != nil {
		return ErrParams
	}
	for i := range s.members {
		m := &s.members[i]
		if err := bind(values[m.name], v.FieldByIndex(m.path)); err != nil {
			return err
		}
	}
	return nil
}

// memberName returns the JSON name of f, or "" when it has none.
func memberName(f reflect.StructField) string {
	if !f.IsExported() {
		return ""
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	if name == "" {
		return f.Name
	}
	return name
}

// setDefaults writes the default tags of the struct v; of other things it does nothing.
func setDefaults(rv reflect.Value) error {
	if rv.Kind() != reflect.Struct {
		return nil
	}
	t := rv.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type.Kind() == reflect.Struct && f.IsExported() {
			if err := setDefaults(rv.Field(i)); err != nil {
				return err
			}
			continue
		}
		text, ok := f.Tag.Lookup("default")
		if !ok {
			continue
		}
		var err error
		switch x := rv.Field(i); x.Kind() {
		case reflect.String:
			x.SetString(text)
		case reflect.Bool:
			var b bool
			b, err = strconv.ParseBool(text)
			x.SetBool(b)
		case reflect.Int, reflect.Int32, reflect.Int64:
			var n int64
			n, err = strconv.ParseInt(text, 10, x.Type().Bits())
			x.SetInt(n)
		case reflect.Uint8, reflect.Uint32, reflect.Uint64:
			var n uint64
			n, err = strconv.ParseUint(text, 10, x.Type().Bits())
			x.SetUint(n)
		default:
			err = errors.New("kind takes no default")
		}
		if err != nil {
			return say.Errorf("rpc: default of %s.%s: %w", t, f.Name, err)
		}
	}
	return nil
}
