package epee

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"glim/core/internal/smallsort"
	"glim/core/smallfmt"
)

// Unmarshal reads one message into the struct that v points to. Byte slices in v alias b, so b must not change while
// they are used. Unknown fields are checked and skipped. A number may have any width that holds it. Missing fields are
// set to their defaults; those without a default are not changed. After an error v is partly filled.
// Source: portable_storage_from_bin.h, throwable_buffer_reader.
//
// Unmarshal allocates at most four bytes for each byte of b, and 64 KiB. If that is not enough it returns ErrLimit;
// messages of the reference need far less.
func Unmarshal(b []byte, v any) error { return UnmarshalLimited(b, v, nil) }

// UnmarshalLimited is Unmarshal with limits for the lists among the fields of v itself: most returns the maximum
// number of elements by the field's name. It returns ErrListTooLong for longer lists, before it allocates memory for
// them.
func UnmarshalLimited(b []byte, v any, most func(name string) int) error {
	return unmarshal(decoder{buf: b, left: perByte*len(b) + slack, limits: most}, v)
}

// UnmarshalTrusted is Unmarshal without limits on the number of objects, fields and strings. It is for authenticated
// data that this program has written itself. Memory is still limited by the length of b.
func UnmarshalTrusted(b []byte, v any) error { return unmarshal(decoder{buf: b, trusted: true}, v) }

const (
	perByte  = 4
	slack    = 64 << 10
	nameSize = 24 // size of a slice header
)

func unmarshal(d decoder, v any) error {
	b := d.buf
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return smallfmt.Errorf("%w: Unmarshal needs a pointer to a struct, not %T", ErrGoType, v)
	}
	c, err := planOf(p.Type().Elem())
	if err != nil {
		return err
	}
	if len(b) < len(header) || string(b[:len(header)]) != header {
		return ErrSignature
	}
	d.off = len(header)
	c.obj.setDefaults(p.Elem())
	d.object(c.obj, p.Elem(), 0)
	if d.err == nil && d.off != len(b) {
		d.err = ErrTrailing
	}
	if len(d.path) > 0 {
		slices.Reverse(d.path)
		return smallfmt.Errorf("%s: %w", strings.Join(d.path, "."), d.err)
	}
	return d.err
}

// decoder reads a message from buf. It keeps the first error, and in path the fields around it, innermost first.
type decoder struct {
	buf     []byte
	off     int
	err     error
	path    []string
	trusted bool // see UnmarshalTrusted

	objects, fields, strings int      // counted against the limits
	names                    [][]byte // of the fields read so far in every object that is still open
	numbers                  []uint64 // unused rest of the memory that short lists share

	left   int                   // bytes that may still be allocated
	limits func(name string) int // maximum number of elements of a list of the top-level object; nil means no limits
	most   int                   // limit for the top-level field that is being read
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// next consumes and returns n bytes. After an error it returns nil.
func (d *decoder) next(n int) []byte {
	if d.err != nil || n > len(d.buf)-d.off {
		d.fail(ErrShort)
		return nil
	}
	b := d.buf[d.off : d.off+n : d.off+n]
	d.off += n
	return b
}

func (d *decoder) byte() byte {
	if b := d.next(1); b != nil {
		return b[0]
	}
	return 0
}

// size reads a length. The two low bits of its first byte give its width, which must be the smallest possible. The
// length must not exceed the number of items, of at least minSize bytes each, that fit into the rest of the input.
func (d *decoder) size(minSize int) int {
	if d.err != nil || d.off == len(d.buf) {
		d.fail(ErrShort)
		return 0
	}
	var v, least uint64
	switch d.buf[d.off] & 3 {
	case 0:
		v = uint64(d.byte())
	case 1:
		if b := d.next(2); b != nil {
			v, least = uint64(binary.LittleEndian.Uint16(b)), 1<<6
		}
	case 2:
		if b := d.next(4); b != nil {
			v, least = uint64(binary.LittleEndian.Uint32(b)), 1<<14
		}
	case 3:
		if b := d.next(8); b != nil {
			v, least = binary.LittleEndian.Uint64(b), 1<<30
		}
	}
	v >>= 2
	switch {
	case d.err != nil:
	case v < least:
		d.fail(ErrNonCanonical)
	case v > uint64((len(d.buf)-d.off)/minSize):
		d.fail(ErrShort)
	default:
		return int(v)
	}
	return 0
}

// take adds n to a counter and fails with ErrLimit if that exceeds the limit.
func (d *decoder) take(counter *int, n, limit int) {
	if n > limit-*counter && !d.trusted {
		d.fail(ErrLimit)
		return
	}
	*counter += n
}

// allocate counts n items of size bytes each. It fails with ErrLimit if they exceed the memory left.
func (d *decoder) allocate(n int, size uintptr) {
	if d.trusted || size == 0 || d.err != nil {
		return
	}
	if n > d.left/int(size) {
		d.fail(ErrLimit)
		return
	}
	d.left -= n * int(size)
}

// name keeps the name of a field to find duplicates.
func (d *decoder) name(name []byte) {
	if n := len(d.names); n == cap(d.names) {
		d.allocate(n+n/3+8, nameSize) // at least the capacity that append will choose
	}
	d.names = append(d.names, name)
}

// object reads an object's fields into struct v; with a nil plan it only checks them.
func (d *decoder) object(o *object, v reflect.Value, depth int) {
	if depth > maxDepth {
		d.fail(ErrDepth)
		return
	}
	count := d.size(4) // the shortest field: length of the name, one letter, type, one byte of value
	d.take(&d.fields, count, maxFields)
	first, sorted := len(d.names), true
	read := d.inOrder(o, v, count, depth)
	if bits.OnesCount64(read) == count || d.err != nil {
		return
	}
	hint := 0
	for rest := read; rest != 0; rest &= rest - 1 { // the fields read so far, to find duplicates
		hint = bits.TrailingZeros64(rest) + 1
		d.name(o.fields[hint-1].head[1:])
	}
	for range count - bits.OnesCount64(read) {
		name := d.next(int(d.byte()))
		entry := d.byte()
		if d.err == nil && len(name) == 0 {
			d.fail(ErrNonCanonical)
		}
		if d.err != nil {
			return
		}
		if n := len(d.names); n > first && bytes.Compare(d.names[n-1], name) >= 0 {
			sorted = false
		}
		d.name(name)
		f := o.find(name, &hint)
		if f == nil {
			d.skip(entry, depth)
			continue
		}
		d.bound(f, depth)
		if d.value(f.codec, entry, at(v, f), depth); d.err != nil {
			d.path = append(d.path, f.name)
			return
		}
	}
	// The reference writes fields in order, so comparing neighbours finds duplicates. Fields of other writers are
	// sorted.
	names := d.names[first:]
	if !sorted {
		smallsort.Sort(names, bytes.Compare)
		for i := 1; i < len(names); i++ {
			if bytes.Equal(names[i-1], names[i]) {
				d.fail(ErrDuplicate)
			}
		}
	}
	d.names = d.names[:first]
}

// inOrder reads fields of o as long as they are in the order of o, in which this package writes them. It returns a bit
// set of the fields read. These cannot be duplicates, because the names of o ascend.
func (d *decoder) inOrder(o *object, v reflect.Value, count, depth int) (read uint64) {
	if o == nil || len(o.fields) > 64 {
		return 0
	}
	for i := 0; i < len(o.fields) && count > 0; i++ {
		f := &o.fields[i]
		rest := d.buf[d.off:]
		size := len(f.head)
		if len(rest) <= size || rest[0] != f.head[0] || string(rest[1:size]) != f.name {
			continue
		}
		d.off += size + 1
		read |= 1 << i
		count--
		d.bound(f, depth)
		if d.value(f.codec, rest[size], at(v, f), depth); d.err != nil {
			d.path = append(d.path, f.name)
			break
		}
	}
	return read
}

// bound sets the limit for a top-level field.
func (d *decoder) bound(f *field, depth int) {
	if depth == 0 && d.limits != nil {
		d.most = d.limits(f.name)
	}
}

// allows checks the limits for a list of n elements of size bytes.
func (d *decoder) allows(n int, size uintptr, depth int) {
	if depth == 0 && d.limits != nil && n > d.most {
		d.fail(ErrListTooLong)
	}
	d.allocate(n, size)
}

// find returns the field of that name, or nil. hint is the index to try first.
func (o *object) find(name []byte, hint *int) *field {
	if o == nil {
		return nil
	}
	if *hint < len(o.fields) && o.fields[*hint].name == string(name) {
		*hint++
		return &o.fields[*hint-1]
	}
	lo, hi := 0, len(o.fields)
	for lo < hi {
		mid := (lo + hi) / 2
		if o.fields[mid].name < string(name) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(o.fields) || o.fields[lo].name != string(name) {
		return nil
	}
	*hint = lo + 1
	return &o.fields[lo]
}

// at returns the field f of struct v.
func at(v reflect.Value, f *field) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

// array reads the rest of an array's type, and its number of elements.
func (d *decoder) array(entry byte) (elem byte, n int) {
	if entry == typeArray { // followed by a second type byte
		if entry = d.byte(); entry&flagArray == 0 {
			d.fail(ErrType)
			return 0, 0
		}
	}
	elem = entry &^ flagArray
	if elem == 0 || elem > typeArray {
		d.fail(ErrType)
		return 0, 0
	}
	n = d.size(max(1, width(elem)))
	switch elem {
	case typeString:
		d.take(&d.strings, n, maxStrings)
	case typeObject:
		d.take(&d.objects, n, maxObjects)
	case typeArray:
		if n > 0 { // the reference does not read arrays of arrays
			d.fail(ErrType)
		}
	}
	if d.err != nil {
		return 0, 0
	}
	return elem, n
}

func isArray(entry byte) bool { return entry == typeArray || entry&flagArray != 0 }

// value reads an entry of the given type into v.
func (d *decoder) value(c *codec, entry byte, v reflect.Value, depth int) {
	switch {
	case c.kind == kindPtr:
		if d.allocate(1, c.elem.typ.Size()); d.err != nil {
			return
		}
		p := reflect.New(c.elem.typ)
		if c.elem.obj != nil {
			c.elem.obj.setDefaults(p.Elem())
		}
		d.value(c.elem, entry, p.Elem(), depth)
		v.Set(p)
	case isArray(entry):
		elem, n := d.array(entry)
		if d.err != nil {
			return
		}
		// A blob of numbers may be sent as an array, as in get_output_distribution.bin without binary. Trusted data
		// may have an array for any blob, because the field was an array when it was written.
		blobAsArray := c.kind == kindPacked && (d.trusted || c.elem.kind == kindUint || c.elem.kind == kindInt)
		if c.kind != kindSlice && !blobAsArray {
			d.fail(ErrType)
			return
		}
		d.elements(c, elem, n, v, depth)
	case c.kind == kindSlice:
		d.fail(ErrType)
	default:
		switch entry {
		case typeString:
			d.take(&d.strings, 1, maxStrings)
		case typeObject:
			d.take(&d.objects, 1, maxObjects)
		}
		d.scalar(c, entry, v, depth)
	}
}

// elements reads n elements into slice v. Without elements it sets v to nil, whatever their type.
func (d *decoder) elements(c *codec, elem byte, n int, v reflect.Value, depth int) {
	if n == 0 {
		v.SetZero()
		return
	}
	if d.allows(n, c.typ.Elem().Size(), depth); d.err != nil {
		return
	}
	if nums, ok := v.Addr().Interface().(*[]uint64); ok && elem == typeUint64 {
		*nums = d.uint64s(d.next(8 * n))
		return
	}
	v.Set(reflect.MakeSlice(c.typ, n, n))
	for i := range n {
		e := v.Index(i)
		if c.elem.obj != nil {
			c.elem.obj.setDefaults(e)
		}
		if d.scalar(c.elem, elem, e, depth); d.err != nil {
			return
		}
	}
}

// shared is the size of the memory that short lists of numbers share. A response with blocks has such a list for each
// transaction.
const shared = 256

// uint64s reads all of b.
func (d *decoder) uint64s(b []byte) []uint64 {
	n := len(b) / 8
	if n > shared/4 {
		return numbers(make([]uint64, n), b)
	}
	if n > len(d.numbers) {
		d.numbers = make([]uint64, shared)
	}
	out := d.numbers[:n:n]
	d.numbers = d.numbers[n:]
	return numbers(out, b)
}

func numbers(out []uint64, b []byte) []uint64 {
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return out
}

// skip checks an entry of an unknown field.
func (d *decoder) skip(entry byte, depth int) {
	n := 1
	if isArray(entry) {
		if entry, n = d.array(entry); n == 0 {
			return
		}
	} else if entry == typeString {
		d.take(&d.strings, 1, maxStrings)
	} else if entry == typeObject {
		d.take(&d.objects, 1, maxObjects)
	}
	switch {
	case entry == typeBool:
		for i := 0; i < n && d.err == nil; i++ {
			d.bool()
		}
	case entry == typeString:
		for i := 0; i < n && d.err == nil; i++ {
			d.string()
		}
	case entry == typeObject:
		for i := 0; i < n && d.err == nil; i++ {
			d.object(nil, reflect.Value{}, depth+1)
		}
	case width(entry) > 0:
		d.next(n * width(entry))
	default:
		d.fail(ErrType)
	}
}
