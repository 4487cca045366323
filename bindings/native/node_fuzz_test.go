package native

import (
	"bytes"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
)

// FuzzDaemonRequests sends arbitrary requests to a daemon, over its unrestricted and its restricted port. It must
// respond and stay available.
func FuzzDaemonRequests(f *testing.F) {
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := chain.Mine(f.Context(), 20, node.UnspendableAddress()); err != nil {
		f.Fatal(err)
	}
	var urls [2]string
	for i, c := range []ServerConfig{
		{Service: chain.Registry()}, {Service: chain.Restricted(), Options: rpc.Options{Restricted: true}},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			f.Fatal(err)
		}
		s := NewServer(c)
		go func() { _ = s.Serve(l) }()
		f.Cleanup(func() { _ = s.Shutdown(f.Context()) })
		urls[i] = "http://" + l.Addr().String()
	}
	operations := append(daemonrpc.Operations(), daemonrpc.Extensions()...)
	for i, op := range operations {
		f.Add(uint8(i), false, []byte(`{"id":0,"method":"`+op.Name+`","params":{}}`))
		f.Add(
			uint8(i), true, []byte("\x01\x11\x01\x01\x01\x01\x02\x01\x01\x04\x01a\x05\x01\x00\x00\x00\x00\x00\x00\x00"),
		)
	}
	client := http.Client{Timeout: 5 * time.Minute}
	post := func(t *testing.T, url string, body []byte) int {
		res, err := client.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		return res.StatusCode
	}
	f.Fuzz(func(t *testing.T, which uint8, restricted bool, body []byte) {
		if bytes.Contains(body, []byte("generateblocks")) && bytes.Contains(body, []byte("amount_of_blocks")) {
			return // mining many blocks takes too long
		}
		base := urls[0]
		if restricted {
			base = urls[1]
		}
		path := "/json_rpc"
		if op := operations[int(which)%len(operations)]; op.Wire != rpc.JSONRPC {
			path = "/" + op.Name
		}
		switch status := post(t, base+path, body); status {
		case http.StatusOK, http.StatusBadRequest, http.StatusNotFound:
		default:
			t.Fatalf("%s: status %d", path, status)
		}
		if status := post(t, base+"/get_height", nil); status != http.StatusOK {
			t.Fatalf("afterwards: status %d", status)
		}
	})
}
