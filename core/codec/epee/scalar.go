package epee

import (
	"encoding/binary"
	"math"
	"reflect"
)

// scalar reads a value that is not an array. Its string or object has been counted before.
func (d *decoder) scalar(c *codec, entry byte, v reflect.Value, depth int) {
	switch c.kind {
	case kindInt, kindUint:
		d.integer(c, entry, v)
		return
	case kindObject:
		switch {
		case entry == typeObject:
			d.object(c.obj, v, depth+1)
		case entry == typeString && c.fromString:
			b := d.string()
			if d.err != nil {
				return
			}
			if err := v.Addr().Interface().(StringUnmarshaler).UnmarshalEpeeString(b); err != nil {
				d.fail(err)
			}
		default:
			d.fail(ErrType)
		}
		return
	}
	if entry != c.entry {
		d.fail(ErrType)
		return
	}
	switch c.kind {
	case kindBool:
		v.SetBool(d.bool())
	case kindFloat:
		if b := d.next(8); b != nil {
			v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	case kindText:
		b := d.string()
		d.allocate(len(b), 1)
		v.SetString(string(b))
	case kindBytes:
		v.SetBytes(d.string())
	case kindFixed:
		b := d.string()
		if d.err == nil && len(b) != c.size {
			d.fail(ErrRange)
			return
		}
		if d.err == nil {
			copy(v.Bytes(), b)
		}
	case kindPacked:
		d.packed(c, v, depth)
	case kindRecord:
		b := d.string()
		if d.err == nil && len(b) != c.size {
			d.fail(ErrRange)
		}
		if d.err == nil {
			d.unpack(c.elem, b, v)
		}
	}
}

func (d *decoder) bool() bool {
	b := d.byte()
	if b > 1 {
		d.fail(ErrNonCanonical)
	}
	return b == 1
}

func (d *decoder) string() []byte { return d.next(d.size(1)) }

// integer reads a number of any width into a field of any width, as long as it fits.
func (d *decoder) integer(c *codec, entry byte, v reflect.Value) {
	if entry < typeInt64 || entry > typeUint8 {
		d.fail(ErrType)
		return
	}
	b := d.next(width(entry))
	if b == nil {
		return
	}
	raw := number(b)
	if entry == c.entry && c.kind == kindUint { // as wide as the field
		v.SetUint(raw)
		return
	}
	if entry <= typeInt8 {
		shift := 64 - 8*len(b)
		raw = uint64(int64(raw<<shift) >> shift) // extend the sign
	}
	negative := entry <= typeInt8 && int64(raw) < 0
	switch {
	case c.kind == kindUint && !negative && !v.OverflowUint(raw):
		v.SetUint(raw)
	case c.kind == kindInt && (negative || raw <= math.MaxInt64) && !v.OverflowInt(int64(raw)):
		v.SetInt(int64(raw))
	default:
		d.fail(ErrRange)
	}
}

// number reads 1, 2, 4 or 8 bytes.
func number(b []byte) uint64 {
	switch len(b) {
	case 8:
		return binary.LittleEndian.Uint64(b)
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	}
	return uint64(b[0])
}

// packed reads a blob of elements into slice v.
func (d *decoder) packed(c *codec, v reflect.Value, depth int) {
	b := d.string()
	if d.err == nil && len(b)%c.size != 0 {
		d.fail(ErrRange)
	}
	if d.err != nil {
		return
	}
	n := len(b) / c.size
	if n == 0 {
		v.SetZero()
		return
	}
	if d.allows(n, c.typ.Elem().Size(), depth); d.err != nil {
		return
	}
	if nums, ok := v.Addr().Interface().(*[]uint64); ok {
		*nums = d.uint64s(b)
		return
	}
	v.Set(reflect.MakeSlice(c.typ, n, n))
	for i := range n {
		d.unpack(c.elem, b[i*c.size:(i+1)*c.size], v.Index(i))
	}
}

// unpack reads one fixed-size value from b, which must be long enough, and returns the rest of b.
func (d *decoder) unpack(c *codec, b []byte, v reflect.Value) []byte {
	if c.kind == kindObject {
		for i := range c.obj.packed {
			f := &c.obj.packed[i]
			b = d.unpack(f.codec, b, at(v, f))
		}
		return b
	}
	raw, rest := b[:c.size], b[c.size:]
	switch c.kind {
	case kindFixed:
		copy(v.Bytes(), raw)
		return rest
	case kindUint:
		v.SetUint(number(raw))
		return rest
	case kindBool:
		if raw[0] > 1 {
			d.fail(ErrNonCanonical)
		}
		v.SetBool(raw[0] == 1)
		return rest
	}
	inner := decoder{buf: raw}
	inner.scalar(c, c.entry, v, 0)
	if inner.err != nil {
		d.fail(inner.err)
	}
	return rest
}
