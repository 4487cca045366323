package peers

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

// Socket is the client side of a ZeroMQ connection, with ZMTP 3.0 and the mechanism NULL.
// Source: rfc.zeromq.org, 23/ZMTP.
type Socket struct{ conn net.Conn }

// DialZMQ connects to an address as a socket of a kind, such as SUB or REQ. network is one of package net, such as tcp.
// The connection is closed when ctx ends.
func DialZMQ(ctx context.Context, network, address, kind string) (*Socket, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	s := &Socket{conn}
	if err := s.greet(kind); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the connection.
func (s *Socket) Close() error { return s.conn.Close() }

func (s *Socket) greet(kind string) error {
	greeting := make([]byte, 64)
	copy(greeting, "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL")
	if _, err := s.conn.Write(greeting); err != nil {
		return err
	}
	theirs := make([]byte, 64)
	if _, err := io.ReadFull(s.conn, theirs); err != nil {
		return err
	}
	if theirs[0] != 0xff || theirs[9] != 0x7f || theirs[10] < 3 || !bytes.HasPrefix(theirs[12:], []byte("NULL\x00")) {
		return fmt.Errorf("peers: %x greets as no socket of ZMTP 3", theirs)
	}
	ready := append([]byte("\x05READY\x0bSocket-Type"), 0, 0, 0, byte(len(kind)))
	if err := s.write(4, append(ready, kind...)); err != nil {
		return err
	}
	flags, body, err := s.read()
	if err == nil && (flags != 4 || !bytes.HasPrefix(body, []byte("\x05READY"))) {
		err = fmt.Errorf("peers: %x %q in the place of READY", flags, body)
	}
	return err
}

// Subscribe subscribes to messages that begin with prefix.
func (s *Socket) Subscribe(prefix string) error { return s.write(0, append([]byte{1}, prefix...)) }

// Ask sends a request to a REP socket and returns the response.
func (s *Socket) Ask(request []byte) ([]byte, error) {
	if err := s.write(1, nil); err != nil {
		return nil, err
	}
	if err := s.write(0, request); err != nil {
		return nil, err
	}
	if _, err := s.Next(); err != nil { // the empty delimiter frame
		return nil, err
	}
	return s.Next()
}

// Next waits for the next message frame, at most until the context of DialZMQ ends, and returns its body.
func (s *Socket) Next() ([]byte, error) {
	for {
		flags, body, err := s.read()
		if err != nil || flags&4 == 0 {
			return body, err
		}
	}
}

func (s *Socket) write(flags byte, body []byte) error {
	head := append([]byte{flags | 2}, binary.BigEndian.AppendUint64(nil, uint64(len(body)))...)
	_, err := s.conn.Write(append(head, body...))
	return err
}

func (s *Socket) read() (flags byte, body []byte, err error) {
	var head [9]byte
	if _, err = io.ReadFull(s.conn, head[:2]); err != nil {
		return 0, nil, err
	}
	size := uint64(head[1])
	if head[0]&2 != 0 {
		if _, err = io.ReadFull(s.conn, head[2:]); err != nil {
			return 0, nil, err
		}
		size = binary.BigEndian.Uint64(head[1:])
	}
	if size > maxFrame {
		return 0, nil, fmt.Errorf("peers: a frame of %d bytes", size)
	}
	body = make([]byte, size)
	_, err = io.ReadFull(s.conn, body)
	return head[0] &^ 2, body, err
}

// maxFrame is the maximum size of a frame in bytes.
const maxFrame = 64 << 20
