package epee

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"glim/core/internal/order"
	"glim/core/say"
)

// Unmarshal reads one message into the struct v points to. Byte slices in v alias b, which must not change as long
// as they are used. Unknown fields are checked and skipped. A number may come in any width that holds it. Absent
// fields with a default get it, other absent fields keep what they held. On error v is partly filled.
// Source: portable_storage_from_bin.h, throwable_buffer_reader.
//
// What is made takes at most four bytes of memory for each byte of b, and 64 KiB beyond that; more is ErrLimit. Nothing the reference
// writes comes near.
func Unmarshal(b []byte, v any) error { return UnmarshalMost(b, v, nil) }

// UnmarshalMost is Unmarshal, but the lists among v's own fields have no more elements than most says, which is given a field's name.
// Longer ones are ErrLonger, before memory is taken for them.
func UnmarshalMost(b []byte, v any, most func(name string) int) error {
	return unmarshal(decoder{buf: b, left: perByte*len(b) + slack, limits: most}, v)
}

// UnmarshalOwn is Unmarshal without the limits on how many objects, fields and strings there are: for what this program
// wrote itself, sealed, and must be able to read whatever its size. Memory stays bounded by the length of b.
func UnmarshalOwn(b []byte, v any) error { return unmarshal(decoder{buf: b, own: true}, v) }

const (
	perByte  = 4
	slack    = 64 << 10
	nameSize = 24 // of a slice that refers to a name
)

func unmarshal(d decoder, v any) error {
	b := d.buf
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return say.Errorf("%w: Unmarshal needs a pointer to a struct, not %T", ErrGoType, v)
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
		return say.Errorf("%s: %w", strings.Join(d.path, "."), d.err)
	}
	return d.err
}

// A decoder consumes buf. The first failure sticks; path names the fields around it, the innermost first.
type decoder struct {
	buf  []byte
	off  int
	err  error
	path []string
	own  bool // no limits on counts

	objects, fields, strings int      // counted against the limits
	names                    [][]byte // of the fields read so far in every object that is still open
	numbers                  []uint64 // left of memory that short lists share

	left   int                   // bytes of memory that may still be taken
	limits func(name string) int // elements of a list at the top, nil for any number
	most   int                   // elements of the field at the top that is being read
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// next consumes n bytes; after a failure it returns nil.
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

// size reads a length: the two low bits of its first byte say how many bytes it takes. It must take as few as it
// can and must not exceed the number of things, of min bytes or more, that the input left can hold.
func (d *decoder) size(min int) int {
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
	case v > uint64((len(d.buf)-d.off)/min):
		d.fail(ErrShort)
	default:
		return int(v)
	}
	return 0
}

// take adds n to a counter that has a limit.
func (d *decoder) take(counter *int, n, limit int) {
	if n > limit-*counter && !d.own {
		d.fail(ErrLimit)
		return
	}
	*counter += n
}

// room counts n things of size bytes against the memory that may be taken.
func (d *decoder) room(n int, size uintptr) {
	if d.own || size == 0 || d.err != nil {
		return
	}
	if n > d.left/int(size) {
		d.fail(ErrLimit)
		return
	}
	d.left -= n * int(size)
}

// name counts the name of a field that is kept for comparing.
func (d *decoder) name(name []byte) {
	if n := len(d.names); n == cap(d.names) {
		d.room(n+n/3+8, nameSize) // what it grows to, or a little more
	}
	d.names = append(d.names, name)
}

// object reads an object's fields into struct v; with a nil plan it only checks them.
func (d *decoder) object(o *object, v reflect.Value, depth int) {
	if depth > maxDepth {
		d.fail(ErrDepth)
		return
	}
	count := d.size(4) // a name's length, a letter, a type, a byte of value
	d.take(&d.fields, count, maxFields)
	first, sorted := len(d.names), true
	read := d.inOrder(o, v, count, depth)
	if bits.OnesCount64(read) == count || d.err != nil {
		return
	}
	hint := 0
	for rest := read; rest != 0; rest &= rest - 1 { // what follows is compared with these
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
	// The reference writes fields in order, so that comparing neighbours finds duplicates. Others need sorting.
	names := d.names[first:]
	if !sorted {
		order.Sort(names, bytes.Compare)
		for i := 1; i < len(names); i++ {
			if bytes.Equal(names[i-1], names[i]) {
				d.fail(ErrDuplicate)
			}
		}
	}
	d.names = d.names[:first]
}

// inOrder reads fields as long as o has them and they are in o's order, which is how this package writes structs. It returns which it
// read, by bits. Nothing has to be compared with one another, for o's names ascend.
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

// bound sets how many elements f may have.
func (d *decoder) bound(f *field, depth int) {
	if depth == 0 && d.limits != nil {
		d.most = d.limits(f.name)
	}
}

// allows checks that there may be a list of n elements of size bytes.
func (d *decoder) allows(n int, size uintptr, depth int) {
	if depth == 0 && d.limits != nil && n > d.most {
		d.fail(ErrLonger)
	}
	d.room(n, size)
}

// find returns the field called name, or nil. hint is where to look first.
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

// array reads what follows an entry type that says array: the element type and the number of elements.
func (d *decoder) array(entry byte) (elem byte, n int) {
	if entry == typeArray { // an array in an entry of its own, which repeats the type
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
		if n > 0 { // the reference has no reader for arrays of arrays
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
		if d.room(1, c.elem.typ.Size()); d.err != nil {
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
		// A blob of numbers may come as an array: get_output_distribution.bin does so when not asked for binary. One's own of anything,
		// which was an array when it was written.
		if c.kind != kindSlice && (c.kind != kindPacked || !d.own && c.elem.kind != kindUint && c.elem.kind != kindInt) {
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

// elements reads n elements into slice v. No elements make a nil slice, whatever type they would have had.
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

// shared is how many numbers the memory has that short lists share: an answer with blocks has one for each transaction.
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

// scalar reads a value that is not an array; its string or object has been counted.
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
		d.room(len(b), 1)
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

// unpack reads one fixed-size value from b, which is at least as long, and returns the rest.
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

// skip checks an entry nobody wants.
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
