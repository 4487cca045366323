package zmq

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"time"
)

// A frame has a byte of flags, its size in one or eight bytes, and a body. Source: rfc.zeromq.org, 23/ZMTP, "Framing".
const (
	more    = 1 << 0
	long    = 1 << 1
	command = 1 << 2
)

// maxFrame limits the frames of subscribers, in bytes. Topics are short.
const maxFrame = 4096

// Reasons for closing a connection.
var (
	errGreeting = errors.New("zmq: not a greeting of ZMTP 3 with mechanism NULL")
	errFrame    = errors.New("zmq: invalid or too long frame")
	errReady    = errors.New("zmq: not a socket of a suitable kind")
	errMany     = errors.New("zmq: too many subscriptions")
)

// greetingSize is the size of a greeting in bytes. Source: 23/ZMTP, "Version Negotiation".
const greetingSize = 64

// greeting returns our greeting: a signature, version 3.0, and the mechanism.
func greeting() []byte {
	g := make([]byte, greetingSize)
	copy(g, "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL")
	return g
}

// checkGreeting accepts a greeting of version 3 or later with mechanism NULL. It ignores the bytes within the
// signature.
func checkGreeting(g []byte) error {
	mechanism := append([]byte("NULL"), make([]byte, 16)...)
	if len(g) != greetingSize || g[0] != 0xff || g[9] != 0x7f || g[10] < 3 || !bytes.Equal(g[12:32], mechanism) {
		return errGreeting
	}
	return nil
}

// frame encodes a frame.
func frame(flags byte, body []byte) []byte {
	if len(body) < 256 {
		return append([]byte{flags, byte(len(body))}, body...)
	}
	return append(binary.BigEndian.AppendUint64([]byte{flags | long}, uint64(len(body))), body...)
}

// readHead reads the flags and the size of a frame. It returns errFrame or an error of the reader.
func readHead(r io.Reader) (flags byte, size uint64, err error) {
	var head [9]byte
	if _, err = io.ReadFull(r, head[:2]); err != nil {
		return 0, 0, err
	}
	flags = head[0]
	size = uint64(head[1])
	if flags&long != 0 {
		if _, err = io.ReadFull(r, head[2:]); err != nil {
			return 0, 0, err
		}
		size = binary.BigEndian.Uint64(head[1:])
	}
	if flags&^(more|long|command) != 0 || flags&command != 0 && flags&more != 0 {
		return 0, 0, errFrame
	}
	return flags &^ long, size, nil
}

// readFrame reads a frame of at most maxFrame bytes. It returns errFrame or an error of the reader.
func readFrame(r io.Reader) (flags byte, body []byte, err error) {
	flags, size, err := readHead(r)
	if err != nil {
		return 0, nil, err
	}
	if size > maxFrame {
		return 0, nil, errFrame
	}
	body = make([]byte, size)
	_, err = io.ReadFull(r, body)
	return flags, body, err
}

// split returns the name of a command and its data.
func split(body []byte) (name string, rest []byte, err error) {
	if len(body) == 0 || int(body[0]) > len(body)-1 {
		return "", nil, errFrame
	}
	n := 1 + int(body[0])
	return string(body[1:n]), body[n:], nil
}

// ready returns the command that ends the handshake. Source: 23/ZMTP, "The NULL Security Mechanism".
func ready(kind string) []byte {
	body := []byte("\x05READY\x0bSocket-Type")
	return append(binary.BigEndian.AppendUint32(body, uint32(len(kind))), kind...)
}

// kindOf returns the Socket-Type property.
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

// shake does the handshake of a socket of a kind with a client of one of the accepted kinds. It sets the connection's
// deadline meanwhile. r reads from conn.
func shake(conn net.Conn, r io.Reader, kind string, accepted ...string) error {
	if err := conn.SetDeadline(time.Now().Add(handshake)); err != nil {
		return err
	}
	if _, err := conn.Write(greeting()); err != nil {
		return err
	}
	theirs := make([]byte, greetingSize)
	if _, err := io.ReadFull(r, theirs); err != nil {
		return err
	}
	if err := checkGreeting(theirs); err != nil {
		return err
	}
	if _, err := conn.Write(frame(command, ready(kind))); err != nil {
		return err
	}
	flags, body, err := readFrame(r)
	if err != nil {
		return err
	}
	name, properties, err := split(body)
	if err != nil || flags != command || name != "READY" {
		return errReady
	}
	if kind, err := kindOf(properties); err != nil || !slices.Contains(accepted, kind) {
		return errReady
	}
	return conn.SetDeadline(time.Time{})
}

// pong returns the answer to a PING, whose data are two bytes of time and up to 16 bytes to send back.
// Source: rfc.zeromq.org, 37/ZMTP, "PING".
func pong(data []byte) ([]byte, error) {
	if len(data) < 2 || len(data) > 2+16 {
		return nil, errFrame
	}
	return frame(command, append([]byte("\x04PONG"), data[2:]...)), nil
}
