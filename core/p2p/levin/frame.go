// Package levin puts messages between peers into frames and takes them out again.
//
// Source: contrib/epee/include/net/levin_base.h and levin_protocol_handler_async.h.
package levin

import (
	"encoding/binary"
	"errors"
)

// HeaderSize is how many bytes stand before the body of every frame.
const HeaderSize = 33

// signature opens every frame. Source: contrib/epee/include/net/levin_base.h, LEVIN_SIGNATURE.
const signature = 0x0101010101012101

// version is the only one there is. Source: LEVIN_PROTOCOL_VER_1.
const version = 1

// Flags of a frame. One with neither Request nor Response is a piece of a frame, or, with both Begin and End, nothing but noise.
// Source: LEVIN_PACKET_REQUEST and others.
const (
	Request  = 1
	Response = 2
	Begin    = 4
	End      = 8
)

// Codes that answers carry; above 0 all is well. Source: LEVIN_OK, LEVIN_ERROR_*.
const (
	OK                  = 1 // what the reference's handlers return
	ErrorConnection     = -1
	ErrorHandlerMissing = -6
	ErrorFormat         = -7
)

// Bounds on the body of a frame, in bytes. Source: LEVIN_INITIAL_MAX_PACKET_SIZE, LEVIN_DEFAULT_MAX_PACKET_SIZE.
const (
	MaxBefore = 256 << 10   // until hands are shaken
	MaxAfter  = 100_000_000 // from then on
)

// Errors of Decoder. All mean that the peer does not keep to the format.
var (
	ErrSignature = errors.New("levin: not a frame")
	ErrVersion   = errors.New("levin: unknown version")
	ErrSize      = errors.New("levin: frame too large")
	ErrFragment  = errors.New("levin: pieces that make no frame")
)

// Frame is one message.
type Frame struct {
	Command uint32
	Flags   uint32
	Expect  bool  // an answer is expected
	Code    int32 // of an answer
	Body    []byte
}

// IsResponse reports whether the frame is an answer.
func (f Frame) IsResponse() bool { return f.Flags&Response != 0 }

// Append appends the frame as bytes.
func (f Frame) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, signature)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(f.Body)))
	expect := byte(0)
	if f.Expect {
		expect = 1
	}
	dst = append(dst, expect)
	dst = binary.LittleEndian.AppendUint32(dst, f.Command)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(f.Code))
	dst = binary.LittleEndian.AppendUint32(dst, f.Flags)
	dst = binary.LittleEndian.AppendUint32(dst, version)
	return append(dst, f.Body...)
}

// Invoke returns a question as bytes, Notify a message that wants no answer, Answer an answer.
func Invoke(command uint32, body []byte) []byte {
	return Frame{Command: command, Flags: Request, Expect: true, Body: body}.bytes()
}

// Notify: see Invoke.
func Notify(command uint32, body []byte) []byte {
	return Frame{Command: command, Flags: Request, Body: body}.bytes()
}

// Answer: see Invoke.
func Answer(command uint32, code int32, body []byte) []byte {
	return Frame{Command: command, Flags: Response, Code: code, Body: body}.bytes()
}

func (f Frame) bytes() []byte { return f.Append(make([]byte, 0, HeaderSize+len(f.Body))) }

// parse reads a header; the body is left to the caller, with its length.
func parse(b []byte) (f Frame, size uint64, err error) {
	if binary.LittleEndian.Uint64(b) != signature {
		return f, 0, ErrSignature
	}
	if binary.LittleEndian.Uint32(b[29:]) != version {
		return f, 0, ErrVersion
	}
	f.Expect = b[16] != 0
	f.Command = binary.LittleEndian.Uint32(b[17:])
	f.Code = int32(binary.LittleEndian.Uint32(b[21:]))
	f.Flags = binary.LittleEndian.Uint32(b[25:])
	return f, binary.LittleEndian.Uint64(b[8:]), nil
}
