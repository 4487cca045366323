package rpc

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
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
	if err := setDefaults(v); err != nil {
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
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		var s string
		if json.Unmarshal(b, &s) != nil || u.UnmarshalText([]byte(s)) != nil {
			return false, ErrParams
		}
		return true, nil
	}
	switch v.Kind() {
	case reflect.Struct:
		var members map[string]json.RawMessage
		if b[0] != '{' || json.Unmarshal(b, &members) != nil {
			return false, ErrParams
		}
		return true, bindStruct(members, v)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes(bytes.Clone(b))
			return true, nil
		}
		if b[0] != '[' {
			return false, nil
		}
		var elems []json.RawMessage
		if json.Unmarshal(b, &elems) != nil {
			return false, nil
		}
		if len(elems) > MaxListed {
			return false, fmt.Errorf("%w: a list of more than %d", ErrParams, MaxListed)
		}
		out := reflect.MakeSlice(v.Type(), 0, len(elems))
		for _, e := range elems {
			if string(e) == "null" {
				return false, fmt.Errorf("%w: a list holds null", ErrParams)
			}
			x := reflect.New(v.Type().Elem())
			if err := setDefaults(x.Interface()); err != nil {
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
			var text string
			if json.Unmarshal(b, &text) != nil {
				return false, ErrParams
			}
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return false, fmt.Errorf("%w: a number in quotes is none, or out of range", ErrParams)
			}
			v.SetUint(n)
			return true, nil
		}
	}
	if json.Unmarshal(b, v.Addr().Interface()) != nil {
		return false, fmt.Errorf("%w: a member is not of its type or out of range", ErrParams)
	}
	return true, nil
}

func bindStruct(members map[string]json.RawMessage, v reflect.Value) error {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			if err := bindStruct(members, v.Field(i)); err != nil {
				return err
			}
			continue
		}
		name := memberName(f)
		if name == "" {
			continue
		}
		if raw, ok := members[name]; ok {
			if err := bind(raw, v.Field(i)); err != nil {
				return err
			}
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

// setDefaults writes the default tags of the struct that v points to; of other things it does nothing.
func setDefaults(v any) error {
	rv := reflect.ValueOf(v).Elem()
	if rv.Kind() != reflect.Struct {
		return nil
	}
	t := rv.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type.Kind() == reflect.Struct && f.IsExported() {
			if err := setDefaults(rv.Field(i).Addr().Interface()); err != nil {
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
			return fmt.Errorf("rpc: default of %s.%s: %w", t, f.Name, err)
		}
	}
	return nil
}
