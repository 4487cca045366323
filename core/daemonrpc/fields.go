package daemonrpc

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// A MessageError is the error of a message over ZeroMQ, with the reference's text.
// Source: src/serialization/json_object.h, WRONG_TYPE, MISSING_KEY, BAD_INPUT and PARSE_FAIL.
type MessageError string

// Error returns the text.
func (e MessageError) Error() string { return string(e) }

// WrongType returns the error for a value of another type than expected.
func WrongType(expected string) MessageError {
	return MessageError("Json value has incorrect type, expected: " + expected)
}

// MissingKey returns the error for an object without a member called name.
func MissingKey(name string) MessageError {
	return MessageError("Key \"" + name + "\" missing from object.")
}

// ErrParse is the error for a request that is not JSON.
const ErrParse MessageError = "Failed to parse the json request"

const errBadInput MessageError = "An item failed to convert from json object to native object"

// DecodeFields decodes an object of a message over ZeroMQ into a struct. Unlike in requests over HTTP, each field is
// required unless it is a pointer, and has to have its exact type: numbers are integers, and arrays and slices of bytes
// hexadecimal. A json.RawMessage takes any value. Of members with the same name, the first counts. raw must be valid
// JSON. The cost is proportional to the size of raw.
// Source: src/serialization/json_object.{h,cpp}, GET_FROM_JSON_OBJECT and fromJsonValue.
func DecodeFields(raw []byte, into any) error { return decodeField(raw, reflect.ValueOf(into).Elem()) }

// Members returns the values of an object's members, of those with the same name the first, or false if raw is no
// object.
func Members(raw []byte) (map[string]json.RawMessage, bool) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return nil, false
	}
	all := map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(raw))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err != nil {
			break
		}
		if err = d.Decode(&value); err != nil {
			break
		}
		if _, twice := all[name.(string)]; !twice {
			all[name.(string)] = value
		}
	}
	return all, err == nil
}

func decodeField(raw []byte, v reflect.Value) error {
	raw = bytes.TrimSpace(raw)
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes(raw)
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decodeField(raw, v.Elem())
	case reflect.Struct:
		return decodeObject(raw, v)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return decodeBytes(raw, v)
		}
		return decodeList(raw, v)
	case reflect.Array:
		return decodeArray(raw, v)
	case reflect.String:
		s, err := decodeString(raw)
		v.SetString(s)
		return err
	case reflect.Bool:
		if raw[0] != 't' && raw[0] != 'f' {
			return WrongType("boolean")
		}
		v.SetBool(raw[0] == 't')
		return nil
	}
	return decodeNumber(raw, v)
}

// decodeNumber decodes integers. Smaller ones are converted from 32 bits.
func decodeNumber(raw []byte, v reflect.Value) error {
	if v.CanInt() {
		n, err := strconv.ParseInt(string(raw), 10, max(v.Type().Bits(), 32))
		switch {
		case err != nil:
			return WrongType("integer")
		case v.OverflowInt(n) && n < 0:
			return WrongType("numeric underflow")
		case v.OverflowInt(n):
			return WrongType("numeric overflow")
		}
		v.SetInt(n)
		return nil
	}
	n, err := strconv.ParseUint(string(raw), 10, max(v.Type().Bits(), 32))
	switch {
	case err != nil:
		return WrongType("unsigned integer")
	case v.OverflowUint(n):
		return WrongType("numeric overflow")
	}
	v.SetUint(n)
	return nil
}

// decodeString decodes a string up to a zero byte, where the reference's strings end.
func decodeString(raw []byte) (s string, err error) {
	if raw[0] != '"' {
		return "", WrongType("string")
	}
	if json.Unmarshal(raw, &s) != nil {
		return "", ErrParse
	}
	s, _, _ = strings.Cut(s, "\x00")
	return s, nil
}

func decodeBytes(raw []byte, v reflect.Value) error {
	s, err := decodeString(raw)
	if err != nil {
		return err
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return errBadInput
	}
	v.SetBytes(b)
	return nil
}

func decodeArray(raw []byte, v reflect.Value) error {
	s, err := decodeString(raw)
	if err != nil {
		return err
	}
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != v.Len() {
		return errBadInput
	}
	reflect.Copy(v, reflect.ValueOf(b))
	return nil
}

func decodeList(raw []byte, v reflect.Value) error {
	if raw[0] != '[' {
		return WrongType("json array")
	}
	list := reflect.MakeSlice(v.Type(), 0, 0)
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return ErrParse
	}
	for d.More() {
		var element json.RawMessage
		if d.Decode(&element) != nil {
			return ErrParse
		}
		e := reflect.New(v.Type().Elem()).Elem()
		if err := decodeField(element, e); err != nil {
			return err
		}
		list = reflect.Append(list, e)
	}
	v.Set(list)
	return nil
}

func decodeObject(raw []byte, v reflect.Value) error {
	members, found := Members(raw)
	if !found {
		return WrongType("json object")
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		value, found := members[name]
		switch {
		case found:
			if err := decodeField(value, v.FieldByIndex(f.Index)); err != nil {
				return err
			}
		case f.Type.Kind() != reflect.Pointer:
			return MissingKey(name)
		}
	}
	return nil
}
