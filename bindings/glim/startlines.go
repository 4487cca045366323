package main

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

// startLines prints lines of monerod and monero-wallet-rpc to standard output: "Binding on …" with the address when a
// server listens, and another one when it serves. Programs that start these commands themselves, such as monero-ts,
// read the address from the first line and wait for the second.
// Source: contrib/epee/include/net/http_server_impl_base.h, init; src/daemon/rpc.h, t_rpc::run;
// src/wallet/wallet_rpc_server.cpp, t_executor::run, 0.18.5.1.
type startLines struct {
	mu    sync.Mutex
	out   io.Writer // nil for no lines
	bound time.Time
}

// startLinesGap is the time between the two lines. monero-ts expects the address at the end of what it reads at once,
// so the lines must not arrive together. The reference generates a TLS key between them, which also takes about a
// second.
const startLinesGap = time.Second

// newStartLines returns lines for out. With --log-format json, which the reference does not have, nothing is printed,
// because such a process prints only JSON.
func (l Logging) newStartLines(out io.Writer) *startLines {
	if l.LogFormat == formatJSON {
		out = nil
	}
	return &startLines{out: out}
}

// listens prints the addresses of listeners.
func (s *startLines) listens(all []net.Listener) {
	for _, l := range all {
		at, err := netip.ParseAddrPort(l.Addr().String())
		if err != nil {
			continue // not a TCP listener
		}
		family := "IPv4"
		if at.Addr().Is6() {
			family = "IPv6"
		}
		s.print('I', fmt.Sprintf("Binding on %s (%s):%d", at.Addr(), family, at.Port()))
	}
	s.bound = time.Now()
}

// serves prints lines at a level after startLinesGap, and returns at once. end discards lines that are not printed yet.
func (s *startLines) serves(level byte, lines ...string) (end func()) {
	time.AfterFunc(startLinesGap-time.Since(s.bound), func() {
		for _, line := range lines {
			s.print(level, line)
		}
	})
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.out = nil
	}
}

// print prints a line with time and level as the reference does, but without its colours.
func (s *startLines) print(level byte, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.out != nil {
		fmt.Fprintf(s.out, "%s\t%c %s\n", time.Now().UTC().Format("2006-01-02 15:04:05.000"), level, line)
	}
}
