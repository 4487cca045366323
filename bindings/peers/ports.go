package peers

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports are drawn from firstPort on: below those that systems give to outgoing connections (Linux from 32768 on, others from 49152),
// of which tests make so many that one would now and then take a port between its choice and its use; and apart from those that the
// networks' programs have by default.
const firstPort, ports = 20000, 8000

var handedOut struct {
	sync.Mutex
	ports map[int]bool
}

// FreePort returns a TCP port of 127.0.0.1 that nobody listens on now, and that this process does not get again soon.
func FreePort() (string, error) {
	handedOut.Lock()
	defer handedOut.Unlock()
	for range 10 * ports {
		port := firstPort + rand.IntN(ports)
		if handedOut.ports[port] {
			continue
		}
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			return "", err
		}
		if handedOut.ports == nil || len(handedOut.ports) > ports/2 {
			handedOut.ports = map[int]bool{} // the first are long in use or given back
		}
		handedOut.ports[port] = true
		return strconv.Itoa(port), nil
	}
	return "", errors.New("peers: no port is free")
}

// freePorts returns n ports as FreePort does.
func freePorts(n int) (all []string, err error) {
	for range n {
		port, err := FreePort()
		if err != nil {
			return nil, err
		}
		all = append(all, port)
	}
	return all, nil
}
