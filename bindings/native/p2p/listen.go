package p2p

import (
	"errors"
	"net"
	"strconv"
	"strings"
)

// Listening says where peers come in.
type Listening struct {
	IP, IPv6       string // IPv6 is for when UseIPv6
	Port, PortIPv6 uint16
	UseIPv6        bool
	WithoutIPv4    bool // goes on, with UseIPv6, when there is no listening on IPv4
}

// Listen opens the sockets. None stays open after an error. Errors are the system's.
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
