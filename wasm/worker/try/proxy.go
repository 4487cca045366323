package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
)

// behaviour selects the behaviour of a proxy.
type behaviour int

const (
	honest   behaviour = iota
	forging            // it claims a much longer chain
	stalling           // it never answers
)

// proxy forwards requests to the daemon, as one of several upstreams of the worker.
type proxy struct {
	server    *http.Server
	URL       string
	mu        sync.Mutex
	behaviour behaviour
	asked     map[string]int
	all       int // number of requests
	bytes     int
	closed    chan struct{}
}

func newProxy(daemon string) (*proxy, error) {
	target, err := url.Parse(daemon)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{URL: "http://" + l.Addr().String(), asked: map[string]int{}, closed: make(chan struct{})}
	way := httputil.NewSingleHostReverseProxy(target)
	way.ModifyResponse = func(r *http.Response) error {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		if p.is() == forging {
			b = []byte(strings.ReplaceAll(string(b), `"height": `, `"height": 9`))
			r.Header.Del("Content-Length")
			r.ContentLength = int64(len(b))
		}
		p.mu.Lock()
		p.bytes += len(b)
		p.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(b))
		return nil
	}
	p.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked[r.URL.Path]++
		p.all++
		p.mu.Unlock()
		if p.is() == stalling {
			select {
			case <-r.Context().Done():
			case <-p.closed:
			}
			return
		}
		way.ServeHTTP(w, r)
	})}
	go func() { _ = p.server.Serve(l) }()
	return p, nil
}

func (p *proxy) is() behaviour {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.behaviour
}

func (p *proxy) be(m behaviour) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behaviour = m
}

// questions returns the number of requests to a path since the last call, and the bytes of all responses.
func (p *proxy) questions(path string) (n, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, size = p.asked[path], p.bytes
	p.asked[path], p.bytes = 0, 0
	return n, size
}

// total returns the number of requests since the last call.
func (p *proxy) total() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.all
	p.all = 0
	return n
}

func (p *proxy) close() {
	close(p.closed)
	_ = p.server.Close()
}
