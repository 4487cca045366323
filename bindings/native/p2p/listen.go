package p2p

import (
	"errors"
	"net"
	"strconv"
	"strings"
)

// Listening configures the listeners for peers.
type Listening struct {
	IP, IPv6       string // IPv6 is used with UseIPv6
	Port, PortIPv6 uint16
	UseIPv6        bool
	WithoutIPv4    bool // with UseIPv6, continue if listening on IPv4 fails
}

// Listen opens the listeners. After an error none stays open.
func (w Listening) Listen() (all []net.Listener, err error) {
	four, err := net.Listen("tcp4", net.JoinHostPort(w.IP, strconv.Itoa(int(w.Port))))
	switch {
	case err == nil:
		all = append(all, four)
	case !w.UseIPv6 || !w.WithoutIPv4:
		return nil, err
	}
	if !w.UseIPv6 {
		return all, nil
	}
	six, err := net.Listen("tcp6", net.JoinHostPort(strings.Trim(w.IPv6, "[]"), strconv.Itoa(int(w.PortIPv6))))
	if err != nil {
		for _, l := range all {
			err = errors.Join(err, l.Close())
		}
		return nil, err
	}
	return append(all, six), nil
}
