package p2p

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

// Constants of the SOCKS 5 protocol. Source: RFC 1928, sections 3 to 6; RFC 1929, section 2.
const (
	socksVersion  = 5
	socksOpen     = 0 // no login
	socksPassword = 2
	socksConnect  = 1
	socksIPv4     = 1
	socksName     = 3
	socksIPv6     = 4
	loginVersion  = 1
)

// ErrProxy reports an error of a proxy, or an invalid address of one.
var ErrProxy = errors.New("p2p: proxy")

// Proxy is a SOCKS 5 proxy. Its String omits the password.
type Proxy struct {
	Address            string // host:port
	Username, password string
}

// NewProxy returns the proxy at host:port. username and password may be empty. It returns ErrProxy if one is invalid.
func NewProxy(address, username, password string) (*Proxy, error) {
	if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" {
		return nil, fmt.Errorf("%w: the address must be host:port", ErrProxy)
	}
	if len(username) > 255 || len(password) > 255 {
		return nil, fmt.Errorf("%w: the login is too long", ErrProxy)
	}
	return &Proxy{Address: address, Username: username, password: password}, nil
}

// String returns the address of the proxy.
func (p *Proxy) String() string { return p.Address }

// Dial connects to an address over TCP through the proxy. Its errors wrap ErrProxy if the proxy reports one.
func (p *Proxy) Dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	return p.dial(ctx, new(net.Dialer), to)
}

// dial connects to a peer through the proxy.
func (p *Proxy) dial(ctx context.Context, d *net.Dialer, to netip.AddrPort) (net.Conn, error) {
	c, err := d.DialContext(ctx, "tcp", p.Address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	err = p.ask(c, to)
	if !stop() {
		err = errors.Join(ctx.Err(), err)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// ask makes the proxy connect to a peer.
func (p *Proxy) ask(c io.ReadWriter, to netip.AddrPort) error {
	hello := []byte{socksVersion, 1, socksOpen}
	if p.Username != "" {
		hello = []byte{socksVersion, 2, socksOpen, socksPassword}
	}
	if _, err := c.Write(hello); err != nil {
		return err
	}
	var chosen [2]byte
	if _, err := io.ReadFull(c, chosen[:]); err != nil {
		return err
	}
	switch {
	case chosen == [2]byte{socksVersion, socksOpen}:
	case chosen == [2]byte{socksVersion, socksPassword} && p.Username != "":
		login := append([]byte{loginVersion, byte(len(p.Username))}, p.Username...)
		login = append(append(login, byte(len(p.password))), p.password...)
		if _, err := c.Write(login); err != nil {
			return err
		}
		var answer [2]byte
		if _, err := io.ReadFull(c, answer[:]); err != nil {
			return err
		}
		if answer[1] != 0 {
			return fmt.Errorf("%w: the login was rejected", ErrProxy)
		}
	default:
		return fmt.Errorf("%w: not a SOCKS 5 proxy, or it requires another login", ErrProxy)
	}
	kind := byte(socksIPv6)
	if to.Addr().Is4() {
		kind = socksIPv4
	}
	order := append([]byte{socksVersion, socksConnect, 0, kind}, to.Addr().AsSlice()...)
	if _, err := c.Write(append(order, byte(to.Port()>>8), byte(to.Port()))); err != nil {
		return err
	}
	return readSOCKSAnswer(c)
}

// readSOCKSAnswer reads the proxy's response, and nothing after it.
func readSOCKSAnswer(r io.Reader) error {
	var head [5]byte // with the first byte of an address
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if head[0] != socksVersion || head[1] != 0 || head[2] != 0 {
		return fmt.Errorf("%w: the connection failed (%d)", ErrProxy, head[1])
	}
	rest := 2 // the port
	switch head[3] {
	case socksIPv4:
		rest += 4 - 1
	case socksIPv6:
		rest += 16 - 1
	case socksName:
		rest += int(head[4])
	default:
		return fmt.Errorf("%w: invalid response", ErrProxy)
	}
	var where bytes.Buffer
	_, err := io.CopyN(&where, r, int64(rest))
	return err
}
