package rpc

import (
	"bytes"
	"errors"
	"math"
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

// Bind reads JSON into v the way the reference reads requests. A member that is null or unknown is as absent, and so
// is another value in the place of a list or an object; an absent member takes its `default:"…"` tag or zero.
// A 64-bit number may come as a decimal string. A scalar of another type or out of range is ErrParams: money must not
// move, nor a switch stay off, on a value nobody wrote. Nothing at all, or null, is an empty object.
func Bind(b []byte, v any) error {
	rv := reflect.ValueOf(v).Elem()
	if err := setDefaults(rv); err != nil {
		return err
	}
	if b = bytes.TrimSpace(b); len(b) == 0 {
		return nil
	}
	if !jsontext.Valid(b) || rv.Kind() == reflect.Struct && b[0] != '{' && b[0] != 'n' {
		return ErrParams
	}
	return newReader(b).bind(0, rv)
}

// bind reads the value at index i, which is well-formed, unless it is null.
func (r *reader) bind(i int, v reflect.Value) error {
	if r.null(i) {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		p := reflect.New(v.Type().Elem())
		ok, err := r.bindValue(i, p.Elem())
		if ok {
			v.Set(p)
		}
		return err
	}
	_, err := r.bindValue(i, v)
	return err
}

// bindValue reports whether the value at index i was of v's type and taken.
func (r *reader) bindValue(i int, v reflect.Value) (bool, error) {
	switch v.Kind() {
	case reflect.Struct:
		if r.Text[i] != '{' {
			return false, nil
		}
		return true, r.bindStruct(i, v)
	case reflect.Slice:
		if v.Type() == rawType {
			break
		}
		if r.Text[i] != '[' {
			return false, nil
		}
		return true, r.bindList(i, v)
	case reflect.Uint64:
		if r.Text[i] == '"' {
			text, _, _ := r.String(i)
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return false, say.Errorf("%w: a number in quotes is none, or out of range", ErrParams)
			}
			v.SetUint(n)
			return true, nil
		}
	}
	if _, err := r.decode(i, v, math.MaxInt); err != nil {
		return false, say.Errorf("%w: a member is not of its type or out of range", ErrParams)
	}
	return true, nil
}

// bindList reads the elements of the array at index i that are of their type.
func (r *reader) bindList(i int, v reflect.Value) error {
	list := reflect.New(v.Type()).Elem()
	switch err := r.list(i, list, MaxListed); {
	case errors.Is(err, errLonger):
		return say.Errorf("%w: a list of more than %d", ErrParams, MaxListed)
	case err != nil:
		return say.Errorf("%w: lists that are too large for the length of the request", ErrParams)
	}
	blank := reflect.New(v.Type().Elem()).Elem()
	if err := setDefaults(blank); err != nil {
		return err
	}
	n := 0
	_, err := r.Array(i, func(i int) (int, error) {
		if r.null(i) {
			return 0, say.Errorf("%w: a list holds null", ErrParams)
		}
		e := list.Index(n)
		e.Set(blank)
		ok, err := r.bindValue(i, e)
		if err != nil {
			return 0, err
		}
		if ok {
			n++
		}
		return r.Skip(i)
	})
	if err == nil {
		v.Set(list.Slice(0, n))
	}
	return err
}

// bindStruct takes the members v has, of each the last of its name.
func (r *reader) bindStruct(i int, v reflect.Value) error {
	s := shapeOf(v.Type())
	first := len(r.found)
	r.found = append(r.found, make([]int, len(s.members))...)
	if _, err := r.Object(i, func(name []byte, i int) (int, error) {
		if k, known := s.byName[string(name)]; known {
			r.found[first+k] = i
		}
		return r.Skip(i)
	}); err != nil {
		return ErrParams
	}
	for k := range s.members {
		if i := r.found[first+k]; i > 0 {
			if err := r.bind(i, v.FieldByIndex(s.members[k].path)); err != nil {
				return err
			}
		}
	}
	r.found = r.found[:first]
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
