package peers

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports are chosen at random from a range that contains no default port of Monero's programs. It is below the ports of
// outgoing connections (from 32768 on Linux, from 49152 on other systems), because one of the many connections of tests
// might otherwise occupy a port between its choice and its use.
const firstPort, ports = 20000, 8000

var handedOut struct {
	sync.Mutex
	ports map[int]bool
}

// FreePort returns a TCP port of 127.0.0.1 that is free now, and that it does not soon return again in this process.
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
			handedOut.ports = map[int]bool{} // the callers have long used or released the first ones
		}
		handedOut.ports[port] = true
		return strconv.Itoa(port), nil
	}
	return "", errors.New("peers: no port is free")
}

// freePorts returns n ports from FreePort.
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
