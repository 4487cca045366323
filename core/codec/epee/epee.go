// Package epee converts Go structs to and from portable storage, the binary format of the daemon's *.bin calls.
//
// The json tag of a field is its name. Embedded structs are flattened as in encoding/json. Go types map to entries:
//
//	bool, int8…uint64, float64   an entry of the same type; int and uint are written with 64 bits
//	string, []byte, [N]byte      a string; for an array it must have exactly N bytes
//	struct                       an object
//	slice                        an array, omitted if empty
//	pointer                      the value pointed to, omitted if nil
//
// Other tags:
//
//	epee:"-"          not part of the message
//	epee:"omitempty"  omitted if it has its default value, or, without a default, if it is zero
//	epee:"blob"       on a slice of fixed-size values: one string of all elements, packed in little-endian order,
//	                  omitted if empty. On a struct of fixed-size values: one string of exactly its size.
//	default:"…"       the value of a bool, number or string field that is missing in a message
//
// Options can be combined: epee:"blob,omitempty".
//
// Source: contrib/epee/include/storages/portable_storage_{base,from_bin,to_bin}.h.
package epee

import "errors"

// Errors of Unmarshal. All except ErrGoType mean that the sender has violated the format, so retrying is pointless.
var (
	ErrSignature    = errors.New("epee: not portable storage")
	ErrShort        = errors.New("epee: input ends early")
	ErrTrailing     = errors.New("epee: bytes after the end")
	ErrNonCanonical = errors.New("epee: value is not in its canonical form")
	ErrLimit        = errors.New("epee: too many objects, fields, strings or elements")
	ErrListTooLong  = errors.New("epee: a list is longer than allowed")
	ErrDepth        = errors.New("epee: nested too deeply")
	ErrDuplicate    = errors.New("epee: two fields of the same name")
	ErrType         = errors.New("epee: entry of an unexpected type")
	ErrRange        = errors.New("epee: value does not fit its field")

	// ErrGoType reports a Go type or tag that the format does not support. It is an error of the caller, not of the
	// input.
	ErrGoType = errors.New("epee: unsupported Go type")
	// ErrSize reports a message that exceeds the limit of MarshalLimited.
	ErrSize = errors.New("epee: the message is larger than allowed")
)

// StringUnmarshaler is implemented by pointers to structs that also accept a string instead of an object. For example,
// daemons send unpruned transactions as strings and pruned ones as objects. b aliases the input.
type StringUnmarshaler interface {
	UnmarshalEpeeString(b []byte) error
}

// StringMarshaler is the counterpart of StringUnmarshaler: a struct is written as a string if ok is true. The elements
// of a slice are written as strings only if ok is true for all of them.
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

// width returns the size of a scalar of entry type t in bytes, or 0 if the type has no fixed size.
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
