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

// mood is how a proxy behaves.
type mood int

const (
	honest   mood = iota
	lying         // it tells of a much longer chain
	stalling      // it never answers
)

// proxy stands before the daemon as one of several that the worker knows.
type proxy struct {
	server *http.Server
	URL    string
	mu     sync.Mutex
	mood   mood
	asked  map[string]int
	all    int // questions
	bytes  int
	closed chan struct{}
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
		if p.is() == lying {
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

func (p *proxy) is() mood {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mood
}

func (p *proxy) be(m mood) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mood = m
}

// questions returns how often a path was asked since the last time, and how many bytes all answers had.
func (p *proxy) questions(path string) (n, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, size = p.asked[path], p.bytes
	p.asked[path], p.bytes = 0, 0
	return n, size
}

// total returns how often anything was asked since the last time.
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
