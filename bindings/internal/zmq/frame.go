package zmq

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// Frames have a byte of flags, their size in one byte or in eight, and a body. Source: rfc.zeromq.org, 23/ZMTP, "Framing".
const (
	more    = 1 << 0
	long    = 1 << 1
	command = 1 << 2
)

// maxFrame bounds what a subscriber may send at once, in bytes. Topics are short.
const maxFrame = 4096

// Why a subscriber is sent away.
var (
	errGreeting = errors.New("zmq: no greeting of ZMTP 3 with the mechanism NULL")
	errFrame    = errors.New("zmq: a frame that is too long, or none")
	errReady    = errors.New("zmq: no subscriber")
	errMany     = errors.New("zmq: too many subscriptions")
)

// greetingSize is how many bytes each side begins with. Source: 23/ZMTP, "Version Negotiation".
const greetingSize = 64

// greeting is ours: a signature, the version, 3.0, and the mechanism.
func greeting() []byte {
	g := make([]byte, greetingSize)
	copy(g, "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL")
	return g
}

// checkGreeting returns nil for one of version 3 or later with the mechanism NULL. What the signature has between its ends is not looked
// at.
func checkGreeting(g []byte) error {
	mechanism := append([]byte("NULL"), make([]byte, 16)...)
	if len(g) != greetingSize || g[0] != 0xff || g[9] != 0x7f || g[10] < 3 || !bytes.Equal(g[12:32], mechanism) {
		return errGreeting
	}
	return nil
}

// frame packs a body.
func frame(flags byte, body []byte) []byte {
	if len(body) < 256 {
		return append([]byte{flags, byte(len(body))}, body...)
	}
	return append(binary.BigEndian.AppendUint64([]byte{flags | long}, uint64(len(body))), body...)
}

// readFrame reads a frame of at most maxFrame bytes. Errors: errFrame, the reader's.
func readFrame(r io.Reader) (flags byte, body []byte, err error) {
	var head [9]byte
	if _, err = io.ReadFull(r, head[:2]); err != nil {
		return 0, nil, err
	}
	flags = head[0]
	size := uint64(head[1])
	if flags&long != 0 {
		if _, err = io.ReadFull(r, head[2:]); err != nil {
			return 0, nil, err
		}
		size = binary.BigEndian.Uint64(head[1:])
	}
	if flags&^(more|long|command) != 0 || flags&command != 0 && flags&more != 0 || size > maxFrame {
		return 0, nil, errFrame
	}
	body = make([]byte, size)
	_, err = io.ReadFull(r, body)
	return flags &^ long, body, err
}

// split returns the name of a command and what follows it.
func split(body []byte) (name string, rest []byte, err error) {
	if len(body) == 0 || int(body[0]) > len(body)-1 {
		return "", nil, errFrame
	}
	n := 1 + int(body[0])
	return string(body[1:n]), body[n:], nil
}

// ready is the command that ends the handshake. Source: 23/ZMTP, "The NULL Security Mechanism".
func ready(kind string) []byte {
	body := []byte("\x05READY\x0bSocket-Type")
	return append(binary.BigEndian.AppendUint32(body, uint32(len(kind))), kind...)
}

// kindOf returns the Socket-Type that properties name.
func kindOf(properties []byte) (kind string, err error) {
	for len(properties) > 0 {
		name, rest, err := split(properties)
		if err != nil || len(rest) < 4 {
			return "", errFrame
		}
		size := binary.BigEndian.Uint32(rest)
		if uint64(size) > uint64(len(rest)-4) {
			return "", errFrame
		}
		value := rest[4 : 4+size]
		properties = rest[4+size:]
		if bytes.EqualFold([]byte(name), []byte("Socket-Type")) {
			kind = string(value)
		}
	}
	return kind, nil
}
