package rpc

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"

	"glim/core/codec/jsontext"
	"glim/core/smallfmt"
)

// MaxListed is the maximum number of elements of a list in a request. An element of a few bytes can cause a response of
// many times its size.
const MaxListed = 1 << 17

// ErrParams reports invalid parameters: a value of the wrong type or out of range, or a list of more than MaxListed
// elements.
var ErrParams = errors.New("rpc: invalid params")

// Bind decodes the JSON text b into v, a pointer, as the reference decodes requests. It ignores unknown members, null
// members, and values of another type where a list or an object is expected. An absent or ignored member gets the value
// of its `default:"…"` tag, or zero. A uint64 may be a decimal string. Empty text and null are decoded like an empty
// object.
//
// It returns ErrParams if b is not JSON, if a list contains null or has more than MaxListed elements, or if a scalar
// has another type or is out of range: a default in place of such a scalar could move money or leave an option off.
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

// bind decodes the well-formed value at index i into v, unless it is null.
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

// bindValue decodes the value at index i into v. It returns false without an error if it ignores the value because a
// list or an object is expected.
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
				return false, smallfmt.Errorf("%w: a quoted number is invalid or out of range", ErrParams)
			}
			v.SetUint(n)
			return true, nil
		}
	}
	if _, err := r.decode(i, v, math.MaxInt); err != nil {
		return false, smallfmt.Errorf("%w: a member is not of its type or out of range", ErrParams)
	}
	return true, nil
}

// bindList decodes the array at index i into v, without the elements that bindValue ignores.
func (r *reader) bindList(i int, v reflect.Value) error {
	list := reflect.New(v.Type()).Elem()
	switch err := r.list(i, list, MaxListed); {
	case errors.Is(err, errLonger):
		return smallfmt.Errorf("%w: a list of more than %d", ErrParams, MaxListed)
	case err != nil:
		return smallfmt.Errorf("%w: lists that are too large for the length of the request", ErrParams)
	}
	blank := reflect.New(v.Type().Elem()).Elem()
	if err := setDefaults(blank); err != nil {
		return err
	}
	n := 0
	_, err := r.Array(i, func(i int) (int, error) {
		if r.null(i) {
			return 0, smallfmt.Errorf("%w: a list contains null", ErrParams)
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

// bindStruct decodes the object at index i into v. Of duplicate members the last one counts.
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

// memberName returns the JSON name of f, or "" if f is not part of the JSON text.
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

// setDefaults sets the fields of the struct rv, and of structs in it, to the values of their default tags. It does
// nothing for other kinds.
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
			return smallfmt.Errorf("rpc: default of %s.%s: %w", t, f.Name, err)
		}
	}
	return nil
}
