package epee

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"glim/core/internal/smallsort"
	"glim/core/smallfmt"
)

type kind uint8

const (
	kindBool   kind = iota + 1
	kindInt         // signed, of entry type codec.entry
	kindUint        // unsigned, of entry type codec.entry
	kindFloat       // float64
	kindText        // string
	kindBytes       // []byte
	kindFixed       // [N]byte
	kindObject      // struct
	kindSlice       // array of elem
	kindPtr         // optional elem
	kindPacked      // string of elem after elem, for a slice
	kindRecord      // string of one packed struct
)

// codec describes how values of a Go type are written.
type codec struct {
	kind  kind
	typ   reflect.Type
	entry byte    // scalars: the entry type written
	size  int     // size in bytes of a scalar, an array or one element of a blob; otherwise 0
	elem  *codec  // of slices and pointers
	obj   *object // of structs

	fromString, toString bool // implements StringUnmarshaler, StringMarshaler
}

// object describes a struct: its fields in the order in which the reference writes them, which is by name.
type object struct {
	fields   []field
	packed   []field // the same fields in the order of declaration, for blobs
	defaults bool    // whether a field, or one of a nested struct, has a default
}

type field struct {
	name      string
	head      []byte // the encoded name
	always    bool   // whether it is written for all values
	index     []int
	codec     *codec
	omitEmpty bool
	deflt     reflect.Value // invalid if there is no default
}

var (
	plans             sync.Map // reflect.Type → *codec; entries never change
	stringUnmarshaler = reflect.TypeFor[StringUnmarshaler]()
	stringMarshaler   = reflect.TypeFor[StringMarshaler]()
)

// planOf returns the codec of struct type t, or an error that wraps ErrGoType.
func planOf(t reflect.Type) (*codec, error) {
	if c, ok := plans.Load(t); ok {
		return c.(*codec), nil
	}
	if t.Kind() != reflect.Struct {
		return nil, smallfmt.Errorf("%w: %v at the top level, which must be a struct", ErrGoType, t)
	}
	c, err := compiler{}.codec(t)
	if err != nil {
		return nil, err
	}
	if err := c.settle(map[reflect.Type]bool{}); err != nil {
		return nil, err
	}
	plans.Store(t, c)
	return c, nil
}

// settle computes the packed sizes of c and everything below it, when all types are known.
func (c *codec) settle(seen map[reflect.Type]bool) error {
	switch {
	case c == nil:
		return nil
	case c.kind == kindPacked || c.kind == kindRecord:
		if c.size = c.elem.packedSize(); c.size == 0 {
			return smallfmt.Errorf("%w: blob of %v", ErrGoType, c.elem.typ)
		}
		return nil
	}
	if err := c.elem.settle(seen); err != nil || c.obj == nil || seen[c.typ] {
		return err
	}
	seen[c.typ] = true
	for i := range c.obj.fields {
		if err := c.obj.fields[i].codec.settle(seen); err != nil {
			return err
		}
	}
	return nil
}

// packedSize returns the size of c within a blob, or 0 if it is not fixed.
func (c *codec) packedSize() int {
	switch c.kind {
	case kindBool, kindInt, kindUint, kindFloat, kindFixed:
		return c.size
	case kindObject:
		total := 0
		for i := range c.obj.fields {
			n := c.obj.fields[i].codec.packedSize()
			if n == 0 {
				return 0
			}
			total += n
		}
		return total
	}
	return 0
}

// compiler holds the struct types that are being compiled, so that a type may contain itself.
type compiler map[reflect.Type]*codec

func (m compiler) codec(t reflect.Type) (*codec, error) {
	c := &codec{typ: t}
	switch t.Kind() {
	case reflect.Bool:
		c.kind, c.entry = kindBool, typeBool
	case reflect.Int, reflect.Int64:
		c.kind, c.entry = kindInt, typeInt64
	case reflect.Int32:
		c.kind, c.entry = kindInt, typeInt32
	case reflect.Int16:
		c.kind, c.entry = kindInt, typeInt16
	case reflect.Int8:
		c.kind, c.entry = kindInt, typeInt8
	case reflect.Uint, reflect.Uint64:
		c.kind, c.entry = kindUint, typeUint64
	case reflect.Uint32:
		c.kind, c.entry = kindUint, typeUint32
	case reflect.Uint16:
		c.kind, c.entry = kindUint, typeUint16
	case reflect.Uint8:
		c.kind, c.entry = kindUint, typeUint8
	case reflect.Float64:
		c.kind, c.entry = kindFloat, typeDouble
	case reflect.String:
		c.kind, c.entry = kindText, typeString
	case reflect.Array:
		if t.Elem().Kind() != reflect.Uint8 || t.Len() == 0 {
			return nil, smallfmt.Errorf("%w: %v", ErrGoType, t)
		}
		c.kind, c.entry, c.size = kindFixed, typeString, t.Len()
		return c, nil
	case reflect.Slice:
		return m.slice(c, t)
	case reflect.Pointer:
		elem, err := m.codec(t.Elem())
		if err != nil {
			return nil, err
		}
		if elem.kind == kindPtr || elem.kind == kindSlice {
			return nil, smallfmt.Errorf("%w: %v", ErrGoType, t)
		}
		c.kind, c.elem = kindPtr, elem
	case reflect.Struct:
		return m.object(c, t)
	default:
		return nil, smallfmt.Errorf("%w: %v", ErrGoType, t)
	}
	c.size = width(c.entry)
	return c, nil
}

func (m compiler) slice(c *codec, t reflect.Type) (*codec, error) {
	if t.Elem().Kind() == reflect.Uint8 {
		c.kind, c.entry = kindBytes, typeString
		return c, nil
	}
	elem, err := m.codec(t.Elem())
	if err != nil {
		return nil, err
	}
	if elem.kind == kindSlice || elem.kind == kindPtr {
		return nil, smallfmt.Errorf("%w: %v", ErrGoType, t)
	}
	c.kind, c.elem = kindSlice, elem
	return c, nil
}

func (m compiler) object(c *codec, t reflect.Type) (*codec, error) {
	if known, ok := m[t]; ok {
		return known, nil
	}
	m[t] = c
	c.kind, c.entry, c.obj = kindObject, typeObject, new(object)
	c.fromString = reflect.PointerTo(t).Implements(stringUnmarshaler)
	c.toString = t.Implements(stringMarshaler) || reflect.PointerTo(t).Implements(stringMarshaler)
	fields, err := m.fields(t, nil)
	if err != nil {
		return nil, err
	}
	smallsort.Stable(fields, func(a, b field) int {
		return cmp.Or(strings.Compare(a.name, b.name), len(a.index)-len(b.index))
	})
	for i, f := range fields {
		if i > 0 && fields[i-1].name == f.name {
			// As in encoding/json, the outermost field of a name counts. encoding/json silently drops two fields of
			// the same level; here they are an error.
			if len(fields[i-1].index) == len(f.index) {
				return nil, smallfmt.Errorf("%w: %v has two fields %q", ErrGoType, t, f.name)
			}
			fields[i].index = fields[i-1].index // a third field is compared with the level of the outermost
			continue
		}
		c.obj.fields = append(c.obj.fields, f)
		c.obj.defaults = c.obj.defaults || f.deflt.IsValid() || f.codec.obj != nil && f.codec.obj.defaults
	}
	c.obj.packed = slices.Clone(c.obj.fields)
	smallsort.Sort(c.obj.packed, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return c, nil
}

func (m compiler) fields(t reflect.Type, prefix []int) ([]field, error) {
	var out []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		tag := sf.Tag.Get("epee")
		if sf.Tag.Get("json") == "-" || tag == "-" {
			continue
		}
		index := append(slices.Clip(prefix), i)
		if sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct {
			inner, err := m.fields(sf.Type, index)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
			continue
		}
		if sf.Anonymous && !sf.IsExported() {
			return nil, smallfmt.Errorf("%w: embedded %s is not exported, so it cannot have a name", ErrGoType, sf.Name)
		}
		if !sf.IsExported() {
			continue
		}
		f := field{name: cmp.Or(name, sf.Name), index: index}
		if len(f.name) > maxName {
			return nil, smallfmt.Errorf("%w: name of field %s is too long", ErrGoType, sf.Name)
		}
		var err error
		if f.codec, err = m.codec(sf.Type); err != nil {
			return nil, smallfmt.Errorf("%s: %w", sf.Name, err)
		}
		if err := f.options(sf, tag); err != nil {
			return nil, err
		}
		f.head = append([]byte{byte(len(f.name))}, f.name...)
		k := f.codec.kind
		f.always = !f.omitEmpty && k != kindSlice && k != kindPacked && k != kindPtr
		out = append(out, f)
	}
	return out, nil
}

// options applies the epee and default tags to f.
func (f *field) options(sf reflect.StructField, tag string) error {
	for option := range strings.SplitSeq(tag, ",") {
		switch {
		case option == "":
		case option == "omitempty":
			f.omitEmpty = true
		case option == "blob" && f.codec.kind == kindSlice:
			f.codec.kind, f.codec.entry = kindPacked, typeString
		case option == "blob" && f.codec.kind == kindObject:
			f.codec = &codec{kind: kindRecord, typ: sf.Type, entry: typeString, elem: f.codec}
		default:
			return smallfmt.Errorf("%w: field %s cannot be %q", ErrGoType, sf.Name, option)
		}
	}
	if text, ok := sf.Tag.Lookup("default"); ok {
		v, err := parseDefault(f.codec, text)
		if err != nil {
			return smallfmt.Errorf("%w: default of field %s: %w", ErrGoType, sf.Name, err)
		}
		f.deflt = v
	}
	return nil
}

func parseDefault(c *codec, text string) (reflect.Value, error) {
	v := reflect.New(c.typ).Elem()
	switch c.kind {
	case kindBool:
		b, err := strconv.ParseBool(text)
		v.SetBool(b)
		return v, err
	case kindInt:
		n, err := strconv.ParseInt(text, 10, c.typ.Bits())
		v.SetInt(n)
		return v, err
	case kindUint:
		n, err := strconv.ParseUint(text, 10, c.typ.Bits())
		v.SetUint(n)
		return v, err
	case kindText:
		v.SetString(text)
		return v, nil
	}
	return v, smallfmt.Errorf("%v cannot have one", c.typ)
}

// setDefaults sets all fields of struct v, nested ones included, that have a default.
func (o *object) setDefaults(v reflect.Value) {
	if !o.defaults {
		return
	}
	for i := range o.fields {
		f := &o.fields[i]
		if f.deflt.IsValid() {
			v.FieldByIndex(f.index).Set(f.deflt)
		} else if f.codec.kind == kindObject {
			f.codec.obj.setDefaults(v.FieldByIndex(f.index))
		}
	}
}
