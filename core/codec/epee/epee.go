// Package epee converts Go structs to and from portable storage, the binary format of the daemon's *.bin calls.
//
// A field is called what its json tag calls it; embedded structs are flattened as encoding/json does.
//
//	bool, int8…uint64, float64   the entry of that type; int and uint are written with 64 bits
//	string, []byte, [N]byte      a string; an array takes a string of exactly N bytes
//	struct                       an object
//	slice                        an array, left out when empty
//	pointer                      the thing pointed to, left out when nil
//
// Tags beside json:
//
//	epee:"-"          not part of the format
//	epee:"omitempty"  left out when it has its default value, or without one when it is zero
//	epee:"blob"       a slice of fixed-size things, packed one after the other (little-endian) into one string;
//	                  left out when empty. On a struct of fixed-size things: a string of exactly its size.
//	default:"…"       the value of a bool, number or string that is absent on decoding
//
// The two can be combined: epee:"blob,omitempty".
//
// Source: contrib/epee/include/storages/portable_storage_{base,from_bin,to_bin}.h.
package epee

import "errors"

// Errors of Unmarshal. All but ErrGoType mean that the sender broke the format; asking it again is pointless.
var (
	ErrSignature    = errors.New("epee: not portable storage")
	ErrShort        = errors.New("epee: input ends early")
	ErrTrailing     = errors.New("epee: bytes after the end")
	ErrNonCanonical = errors.New("epee: value not in its only form")
	ErrLimit        = errors.New("epee: too many objects, fields, strings or elements")
	ErrLonger       = errors.New("epee: a list is longer than allowed")
	ErrDepth        = errors.New("epee: nested too deeply")
	ErrDuplicate    = errors.New("epee: two fields of one name")
	ErrType         = errors.New("epee: entry of an unexpected type")
	ErrRange        = errors.New("epee: value does not fit its field")

	// ErrGoType reports a Go type or tag the format has no place for: a mistake of the caller, never of the input.
	ErrGoType = errors.New("epee: unsupported Go type")
	// ErrSize reports a message that MarshalWithin may not make.
	ErrSize = errors.New("epee: the message is larger than allowed")
)

// StringUnmarshaler is what a struct type implements, on its pointer, to accept a string where an object stands
// usually: unpruned transactions come as strings, pruned ones as objects. b aliases the input.
type StringUnmarshaler interface {
	UnmarshalEpeeString(b []byte) error
}

// StringMarshaler is the way back: a struct for which ok is true is written as a string. In a slice, all elements
// must say so, otherwise all are written as objects.
type StringMarshaler interface {
	MarshalEpeeString() (b []byte, ok bool)
}

// The first nine bytes of every message: two signature words and the version.
// Source: portable_storage_base.h, PORTABLE_STORAGE_SIGNATUREA, -B, PORTABLE_STORAGE_FORMAT_VER.
const header = "\x01\x11\x01\x01\x01\x01\x02\x01\x01"

// Entry types. Source: portable_storage_base.h, SERIALIZE_TYPE_*.
const (
	typeInt64  = 1
	typeInt32  = 2
	typeInt16  = 3
	typeInt8   = 4
	typeUint64 = 5
	typeUint32 = 6
	typeUint16 = 7
	typeUint8  = 8
	typeDouble = 9
	typeString = 10
	typeBool   = 11
	typeObject = 12
	typeArray  = 13
	flagArray  = 0x80
)

// Limits of one message. maxDepth counts objects within objects.
// Source: http_abstract_invoke.h, default_http_bin_limits; portable_storage_from_bin.h,
// EPEE_PORTABLE_STORAGE_RECURSION_LIMIT.
const (
	maxObjects = 3 * 65536
	maxFields  = 3 * 65536
	maxStrings = 3 * 65536
	maxDepth   = 100
	maxName    = 254 // the reference's writer refuses 255
)

// width returns the bytes a scalar of entry type t takes; 0 for what has no fixed width.
func width(t byte) int {
	switch t {
	case typeInt64, typeUint64, typeDouble:
		return 8
	case typeInt32, typeUint32:
		return 4
	case typeInt16, typeUint16:
		return 2
	case typeInt8, typeUint8, typeBool:
		return 1
	}
	return 0
}
