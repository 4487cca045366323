package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// halfRequests returns incomplete requests, on as many connections as are accepted.
func halfRequests(*testbed) (all []attack, err error) {
	const head = "POST /json_rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	add := func(operation, kind string, text func(size int) string) {
		for _, at := range []*place{wallets, daemons} {
			run := func(ctx context.Context, v *target, size int) (int64, error) {
				// the next attack gets a fresh process: this one may refuse connections for a while
				v.wanted = at == wallets
				return sendHalves(ctx, v.url, text(size/halfConnections)), nil
			}
			all = append(all, attack{"half a request", operation + ", " + at.name, kind, at, run})
		}
	}
	add("header", "one long field", func(size int) string {
		return head + "X: " + strings.Repeat("a", min(size, 60<<10))
	})
	add("header", "many short fields", func(size int) string {
		return head + strings.Repeat("A: b\r\n", min(size, 60<<10)/6)
	})
	add("body", "all but its last byte", func(size int) string {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, size+1, strings.Repeat(" ", size))
	})
	add("body", "one byte of the longest body", func(int) string {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n ", head, 1<<20-1)
	})
	add("body", "a chunk without its last byte", func(size int) string {
		return fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s", head, size+1, strings.Repeat(" ", size))
	})
	add("requests", "one after another, whose answers are not read", func(size int) string {
		const one = `{"id":0,"method":"get_version"}`
		request := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(one), one)
		return strings.Repeat(request, max(size/len(request), 1))
	})
	return all, nil
}

const halfConnections = 100

// sendHalves sends a text on many connections at once, keeps them for a while and closes them. It returns the bytes
// sent.
func sendHalves(ctx context.Context, url, text string) int64 {
	var sent atomic.Int64
	var group sync.WaitGroup
	var open [halfConnections]net.Conn
	for i := range open {
		group.Go(func() {
			d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i/20))}, Timeout: attackLimit}
			c, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				return
			}
			open[i] = c
			_ = c.SetWriteDeadline(time.Now().Add(attackLimit))
			if n, err := c.Write([]byte(text)); err == nil {
				sent.Add(int64(n))
			}
		})
	}
	group.Wait()
	time.Sleep(peerPatience)
	for _, c := range open {
		if c != nil {
			_ = c.Close()
		}
	}
	return max(sent.Load(), 1)
}
