// Package levin encodes and decodes the frames of messages between peers.
//
// Source: contrib/epee/include/net/levin_base.h and levin_protocol_handler_async.h.
package levin

import (
	"encoding/binary"
	"errors"
)

// HeaderSize is the size of the header of a frame, in bytes.
const HeaderSize = 33

// signature begins every frame. Source: contrib/epee/include/net/levin_base.h, LEVIN_SIGNATURE.
const signature = 0x0101010101012101

// version is the only protocol version. Source: LEVIN_PROTOCOL_VER_1.
const version = 1

// Flags of a frame. A frame with neither Request nor Response is a fragment or, with both Begin and End, padding noise.
// Source: LEVIN_PACKET_REQUEST and others.
const (
	Request  = 1
	Response = 2
	Begin    = 4
	End      = 8
)

// Return codes of responses; positive for success. Source: LEVIN_OK, LEVIN_ERROR_*.
const (
	OK                  = 1 // returned by the reference's handlers
	ErrorConnection     = -1
	ErrorHandlerMissing = -6
	ErrorFormat         = -7
)

// Limits of the body of a frame, in bytes. Source: LEVIN_INITIAL_MAX_PACKET_SIZE, LEVIN_DEFAULT_MAX_PACKET_SIZE.
const (
	MaxBefore = 256 << 10   // before the handshake
	MaxAfter  = 100_000_000 // after the handshake
)

// Errors of Decoder. Each means that the peer violates the protocol.
var (
	ErrSignature = errors.New("levin: not a frame")
	ErrVersion   = errors.New("levin: unknown version")
	ErrSize      = errors.New("levin: frame too large")
	ErrFragment  = errors.New("levin: invalid fragments")
)

// Frame is a message.
type Frame struct {
	Command uint32
	Flags   uint32
	Expect  bool  // a response is expected
	Code    int32 // return code of a response
	Body    []byte
}

// IsResponse reports whether the frame is a response.
func (f Frame) IsResponse() bool { return f.Flags&Response != 0 }

// Append appends the encoded frame to dst.
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

// Invoke returns an encoded request that expects a response.
func Invoke(command uint32, body []byte) []byte {
	return Frame{Command: command, Flags: Request, Expect: true, Body: body}.bytes()
}

// Notify returns an encoded message that expects no response.
func Notify(command uint32, body []byte) []byte {
	return Frame{Command: command, Flags: Request, Body: body}.bytes()
}

// Answer returns an encoded response.
func Answer(command uint32, code int32, body []byte) []byte {
	return Frame{Command: command, Flags: Response, Code: code, Body: body}.bytes()
}

func (f Frame) bytes() []byte { return f.Append(make([]byte, 0, HeaderSize+len(f.Body))) }

// parse decodes a header and returns the size of the body.
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
