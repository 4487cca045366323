package epee

import (
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"sync"

	"glim/core/smallfmt"
)

// Marshal returns v, a struct or a pointer to one, as a message. The fields are in the order in which the reference
// writes them, so that equal values have equal bytes. It returns ErrGoType, or ErrDepth if values are nested too
// deeply.
// Source: portable_storage_to_bin.h, pack_entry_to_buff.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// MarshalLimited is Marshal for messages of at most most bytes. For longer ones it returns ErrSize before it allocates
// more.
func MarshalLimited(v any, most int) ([]byte, error) { return appendWithin(nil, v, most) }

// Append appends the message of v to dst, see Marshal.
func Append(dst []byte, v any) ([]byte, error) { return appendWithin(dst, v, math.MaxInt) }

func appendWithin(dst []byte, v any, most int) ([]byte, error) {
	p := reflect.ValueOf(v)
	switch {
	case p.Kind() == reflect.Pointer && !p.IsNil():
	case p.Kind() == reflect.Struct: // an addressable copy, so that arrays can be sliced
		q := reflect.New(p.Type())
		q.Elem().Set(p)
		p = q
	default:
		return nil, smallfmt.Errorf("%w: Marshal needs a struct, not %T", ErrGoType, v)
	}
	c, err := planOf(p.Type().Elem())
	if err != nil {
		return nil, err
	}
	e := encoders.Get().(*encoder)
	defer e.free()
	e.most = most
	e.out = append(e.out, header...)
	e.object(c.obj, p.Elem(), 0)
	e.fits(0)
	if e.err != nil {
		return nil, e.err
	}
	return e.appendTo(dst), nil
}

// encoder writes a message in pieces. Long strings are not copied until the length of the message is known, so each is
// copied only once.
type encoder struct {
	out  []byte
	long []piece
	size int // number of bytes in long
	most int // maximum size of the message
	err  error
}

// fits fails with ErrSize if n more bytes exceed the limit, and reports whether there is no error.
func (e *encoder) fits(n int) bool {
	if e.err == nil && n > e.most-e.size-len(e.out) {
		e.err = ErrSize
	}
	return e.err == nil
}

// piece is a string that follows after the first bytes of encoder.out.
type piece struct {
	after int
	b     []byte
}

// Strings shorter than longString are copied twice, which is faster. Buffers larger than longBuffer are not reused.
const (
	longString = 256
	longBuffer = 1 << 20
)

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func (e *encoder) free() {
	clear(e.long)
	if cap(e.out) <= longBuffer && cap(e.long) <= longBuffer {
		*e = encoder{out: e.out[:0], long: e.long[:0]}
		encoders.Put(e)
	}
}

func (e *encoder) appendTo(dst []byte) []byte {
	dst = slices.Grow(dst, len(e.out)+e.size)
	done := 0
	for _, p := range e.long {
		dst = append(append(dst, e.out[done:p.after]...), p.b...)
		done = p.after
	}
	return append(dst, e.out[done:]...)
}

// length writes a length with as few bytes as possible.
func (e *encoder) length(n int) {
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
	if !e.fits(0) {
		return
	}
	count := 0
	for i := range o.fields {
		if f := &o.fields[i]; f.always || f.present(at(v, f)) {
			count++
		}
	}
	e.length(count)
	for i := range o.fields {
		f := &o.fields[i]
		if fv := at(v, f); (f.always || f.present(fv)) && e.err == nil {
			e.out = append(e.out, f.head...)
			e.value(f.codec, fv, depth)
		}
	}
}

// present reports whether the field is written if it has value v.
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

// value writes the entry type and v.
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
		e.length(n)
		for i := 0; i < n && e.err == nil; i++ {
			b, _ := asString(v.Index(i))
			e.string(b)
		}
		return
	}
	e.out = append(e.out, c.elem.entry|flagArray)
	e.length(n)
	if e.numbers(v) {
		return
	}
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
	e.length(len(b))
	if !e.fits(len(b)) {
		return
	}
	if len(b) < longString {
		e.out = append(e.out, b...)
		return
	}
	e.long = append(e.long, piece{len(e.out), b})
	e.size += len(b)
}

// numbers writes the elements of v if it is a []uint64, the type of long lists, and reports whether it is.
func (e *encoder) numbers(v reflect.Value) bool {
	list, ok := v.Addr().Interface().(*[]uint64)
	if ok && e.fits(8*len(*list)) {
		for _, n := range *list {
			e.out = binary.LittleEndian.AppendUint64(e.out, n)
		}
	}
	return ok
}

// scalar writes v without its entry type.
func (e *encoder) scalar(c *codec, v reflect.Value, depth int) {
	switch c.kind {
	case kindObject:
		e.object(c.obj, v, depth+1)
	case kindText:
		e.length(v.Len())
		if e.fits(v.Len()) {
			e.out = append(e.out, v.String()...)
		}
	case kindBytes, kindFixed:
		e.string(v.Bytes())
	case kindPacked:
		n := v.Len()
		e.length(n * c.size)
		if e.numbers(v) || !e.fits(n*c.size) {
			return
		}
		e.out = slices.Grow(e.out, n*c.size)
		for i := range n {
			e.pack(c.elem, v.Index(i))
		}
	case kindRecord:
		e.length(c.size)
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
	switch c.size {
	case 1:
		e.out = append(e.out, byte(raw))
	case 2:
		e.out = binary.LittleEndian.AppendUint16(e.out, uint16(raw))
	case 4:
		e.out = binary.LittleEndian.AppendUint32(e.out, uint32(raw))
	default:
		e.out = binary.LittleEndian.AppendUint64(e.out, raw)
	}
}
