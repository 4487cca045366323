package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"

	"glim/core/codec/jsontext"
	"glim/core/say"
)

var (
	errType = errors.New("rpc: a value is not of its type or out of range")
)

// decode reads JSON into v as encoding/json does, but that names of members are matched exactly: null changes nothing, members
// that are unknown are left out, and what is of another type or out of range is an error.
func decode(b []byte, v reflect.Value) error {
	t := v.Type()
	switch {
	case t == rawType:
		if !jsontext.Valid(b) {
			return jsontext.ErrSyntax
		}
		v.SetBytes(bytes.Clone(b))
		return nil
	case string(b) == "null":
		switch v.Kind() {
		case reflect.Slice, reflect.Pointer:
			v.SetZero()
		}
		return nil
	case isHex(t):
		if s, ok := jsontext.String(b); !ok || say.UnhexTo(v.Bytes(), s) != nil {
			return errType
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(t.Elem())
		if err := decode(b, p.Elem()); err != nil {
			return err
		}
		v.Set(p)
		return nil
	case reflect.Struct:
		members := shapeOf(t).byName
		return jsontext.Object(b, func(name, value []byte) error {
			if path, ok := members[string(name)]; ok {
				return decode(value, v.FieldByIndex(path))
			}
			return nil
		})
	case reflect.Slice:
		list := reflect.New(t).Elem()
		list.Set(reflect.MakeSlice(t, 0, 0))
		err := jsontext.Array(b, func(value []byte) error {
			n := list.Len()
			list.Grow(1)
			list.SetLen(n + 1)
			list.Index(n).SetZero()
			return decode(value, list.Index(n))
		})
		if err == nil {
			v.Set(list)
		}
		return err
	}
	return decodeScalar(b, v)
}

// decodeScalar reads a string, a truth value or a number.
func decodeScalar(b []byte, v reflect.Value) error {
	if !jsontext.Valid(b) {
		return jsontext.ErrSyntax
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		s, ok := jsontext.String(b)
		if !ok {
			return errType
		}
		v.SetString(s)
	case reflect.Bool:
		if string(b) != "true" && string(b) != "false" {
			return errType
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
			return errType
		}
		var n float64
		n, err = strconv.ParseFloat(string(b), 64)
		v.SetFloat(n)
	default:
		return errType
	}
	if err != nil {
		return errType
	}
	return nil
}

// listOf returns the texts of an array's elements.
func listOf(b []byte) (elems []json.RawMessage, err error) {
	err = jsontext.Array(b, func(value []byte) error {
		elems = append(elems, value)
		return nil
	})
	return elems, err
}
