package epee

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
)

// Marshal returns v, a struct or a pointer to one, as a message. Fields are in the order the reference writes them,
// so that the same content gives the same bytes. The error is ErrGoType, or ErrDepth for values nested too deeply.
// Source: portable_storage_to_bin.h, pack_entry_to_buff.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// Append appends what Marshal returns to dst.
func Append(dst []byte, v any) ([]byte, error) {
	p := reflect.ValueOf(v)
	switch {
	case p.Kind() == reflect.Pointer && !p.IsNil():
	case p.Kind() == reflect.Struct: // a copy, whose arrays can be sliced
		q := reflect.New(p.Type())
		q.Elem().Set(p)
		p = q
	default:
		return nil, fmt.Errorf("%w: Marshal needs a struct, not %T", ErrGoType, v)
	}
	c, err := planOf(p.Type().Elem())
	if err != nil {
		return nil, err
	}
	e := encoder{out: append(dst, header...)}
	e.object(c.obj, p.Elem(), 0)
	if e.err != nil {
		return nil, e.err
	}
	return e.out, nil
}

type encoder struct {
	out []byte
	err error
}

// size writes a length in as few bytes as it can.
func (e *encoder) size(n int) {
	v := uint64(n) << 2
	switch l := bits.Len64(v); {
	case l <= 8:
		e.out = append(e.out, byte(v))
	case l <= 16:
		e.out = binary.LittleEndian.AppendUint16(e.out, uint16(v)|1)
	case l <= 32:
		e.out = binary.LittleEndian.AppendUint32(e.out, uint32(v)|2)
	default:
		e.out = binary.LittleEndian.AppendUint64(e.out, v|3)
	}
}

func (e *encoder) object(o *object, v reflect.Value, depth int) {
	if depth > maxDepth {
		e.err = ErrDepth
		return
	}
	count := 0
	for i := range o.fields {
		if o.fields[i].present(at(v, &o.fields[i])) {
			count++
		}
	}
	e.size(count)
	for i := range o.fields {
		f := &o.fields[i]
		if fv := at(v, f); f.present(fv) && e.err == nil {
			e.out = append(e.out, byte(len(f.name)))
			e.out = append(e.out, f.name...)
			e.value(f.codec, fv, depth)
		}
	}
}

// present reports whether f, holding v, is written.
func (f *field) present(v reflect.Value) bool {
	switch f.codec.kind {
	case kindSlice, kindPacked:
		return v.Len() > 0
	case kindPtr:
		return !v.IsNil()
	}
	switch {
	case !f.omitEmpty:
		return true
	case f.deflt.IsValid():
		return !v.Equal(f.deflt)
	case f.codec.kind == kindBytes:
		return v.Len() > 0
	}
	return !v.IsZero()
}

// value writes v with its entry type in front.
func (e *encoder) value(c *codec, v reflect.Value, depth int) {
	switch {
	case c.kind == kindPtr:
		e.value(c.elem, v.Elem(), depth)
	case c.kind == kindSlice:
		e.slice(c, v, depth)
	case c.toString:
		if b, ok := asString(v); ok {
			e.out = append(e.out, typeString)
			e.string(b)
			return
		}
		fallthrough
	default:
		e.out = append(e.out, c.entry)
		e.scalar(c, v, depth)
	}
}

func (e *encoder) slice(c *codec, v reflect.Value, depth int) {
	n := v.Len()
	if c.elem.toString && allStrings(v) {
		e.out = append(e.out, typeString|flagArray)
		e.size(n)
		for i := range n {
			b, _ := asString(v.Index(i))
			e.string(b)
		}
		return
	}
	e.out = append(e.out, c.elem.entry|flagArray)
	e.size(n)
	for i := 0; i < n && e.err == nil; i++ {
		e.scalar(c.elem, v.Index(i), depth)
	}
}

func asString(v reflect.Value) ([]byte, bool) {
	return v.Addr().Interface().(StringMarshaler).MarshalEpeeString()
}

func allStrings(v reflect.Value) bool {
	for i := range v.Len() {
		if _, ok := asString(v.Index(i)); !ok {
			return false
		}
	}
	return true
}

func (e *encoder) string(b []byte) {
	e.size(len(b))
	e.out = append(e.out, b...)
}

// scalar writes v without its entry type.
func (e *encoder) scalar(c *codec, v reflect.Value, depth int) {
	switch c.kind {
	case kindObject:
		e.object(c.obj, v, depth+1)
	case kindText:
		e.size(v.Len())
		e.out = append(e.out, v.String()...)
	case kindBytes, kindFixed:
		e.string(v.Bytes())
	case kindPacked:
		e.size(v.Len() * c.size)
		for i := range v.Len() {
			e.pack(c.elem, v.Index(i))
		}
	case kindRecord:
		e.size(c.size)
		e.pack(c.elem, v)
	default:
		e.pack(c, v)
	}
}

// pack writes a value of fixed size.
func (e *encoder) pack(c *codec, v reflect.Value) {
	var raw uint64
	switch c.kind {
	case kindObject:
		for i := range c.obj.packed {
			e.pack(c.obj.packed[i].codec, at(v, &c.obj.packed[i]))
		}
		return
	case kindFixed:
		e.out = append(e.out, v.Bytes()...)
		return
	case kindBool:
		if v.Bool() {
			raw = 1
		}
	case kindInt:
		raw = uint64(v.Int())
	case kindUint:
		raw = v.Uint()
	case kindFloat:
		raw = math.Float64bits(v.Float())
	}
	for range c.size {
		e.out = append(e.out, byte(raw))
		raw >>= 8
	}
}
