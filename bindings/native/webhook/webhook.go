// Package webhook hands the events of wallets on to web services: signed, in order, each until it is taken.
package webhook

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
)

// Delivery is the body of a request: one event, and the wallet it is of. Wallet and the event's cursor together name a
// delivery; one that comes again, for its answer was lost, has the same.
type Delivery struct {
	Wallet string          `json:"wallet"` // the name of its file
	Event  walletrpc.Event `json:"event"`
}

// MinSecret is how many bytes a secret must have at least.
const MinSecret = 16

// Options say where events go.
type Options struct {
	URLs   []string       // https, or http; those with TxIDTag are asked by GET
	Secret []byte         // to sign posts with; MinSecret bytes or more, or empty when all URLs are asked by GET
	Proxy  string         // host:port of a SOCKS5 proxy for all but this machine; empty for none
	Roots  *x509.CertPool // that certify servers; nil for the system's
	Log    *slog.Logger
	// A delivery that failed is tried again after First, then after twice as long each time, at most after Last. Zero values
	// are a second and five minutes.
	First, Last time.Duration
	Timeout     time.Duration // of one try; 0 is 30 seconds
}

// TxIDTag in the path or the query of a URL stands for the ID of a transaction. Such a URL is asked by GET, without a body and unsigned,
// for each event of a transaction that pays the wallet, and is told of nothing else.
const TxIDTag = "{txid}"

// Errors of New.
var (
	ErrURL    = errors.New("webhook: not an http or https URL")
	ErrSecret = fmt.Errorf("webhook: the secret has less than %d bytes", MinSecret)
)

// Sender delivers events. Each URL gets those of each wallet in order; neither waits for another, and no wallet waits for any.
type Sender struct {
	o       Options
	hooks   []hook
	client  *http.Client
	ctx     context.Context
	cancel  context.CancelFunc
	mu      sync.Mutex // guards closed, and Add against Wait
	closed  bool
	running sync.WaitGroup
}

// hook is one URL.
type hook struct {
	url  string
	host string // all of it that is told in logs, for what follows may be secret
	get  bool   // with TxIDTag
	name string // under which a wallet remembers its position
}

// New returns a sender that delivers nothing yet. Errors: ErrURL, ErrSecret.
func New(o Options) (*Sender, error) {
	for _, d := range []struct {
		v        *time.Duration
		standard time.Duration
	}{{&o.First, time.Second}, {&o.Last, 5 * time.Minute}, {&o.Timeout, 30 * time.Second}} {
		if *d.v == 0 {
			*d.v = d.standard
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Sender{o: o}
	for _, text := range o.URLs {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.Fragment != "" ||
			strings.Contains(u.Host, TxIDTag) {
			return nil, ErrURL // without the text, which may hold a password
		}
		get := strings.Contains(text, TxIDTag)
		if !get && len(o.Secret) < MinSecret {
			return nil, ErrSecret
		}
		if u.Scheme == "http" && !local(u.Hostname()) {
			o.Log.Warn("a webhook without TLS: whoever is on the way reads it", "host", u.Host)
		}
		id := sha256.Sum256([]byte(text))
		s.hooks = append(s.hooks, hook{text, u.Host, get, "webhook " + hex.EncodeToString(id[:16])})
	}
	s.client = &http.Client{
		Timeout: o.Timeout,
		// What is signed for one place goes to no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  o.proxy,
			DialContext:            (&net.Dialer{Timeout: o.Timeout}).DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
			TLSHandshakeTimeout:    o.Timeout,
			MaxResponseHeaderBytes: maxAnswer,
			MaxIdleConnsPerHost:    1,
			IdleConnTimeout:        time.Minute,
			DisableCompression:     true,
		},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

func (o *Options) proxy(r *http.Request) (*url.URL, error) {
	if o.Proxy == "" || local(r.URL.Hostname()) {
		return nil, nil
	}
	return &url.URL{Scheme: "socks5h", Host: o.Proxy}, nil
}

// local reports whether a host is this machine.
func local(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback() || strings.EqualFold(host, "localhost")
}

// Opened delivers what happens to w, from where each URL was, until the wallet closes or the sender does. It is for
// service.Config.
func (s *Sender) Opened(w service.Opened) {
	s.open(source{w, func(cursor uint64) stream { return w.Follow(cursor) }})
}

// source is an open wallet as a sender needs it.
type source struct {
	wallet
	follow func(cursor uint64) stream
}

type wallet interface {
	Name() string
	Context() context.Context
	Position(receiver string) (uint64, error)
	Delivered(receiver string, cursor uint64) error
}

type stream interface {
	Next(ctx context.Context) ([]walletrpc.Event, error)
}

func (s *Sender) open(w source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	for _, h := range s.hooks {
		at, err := w.Position(h.name)
		if err != nil {
			// The wallet cannot be written to, so that nothing will happen to it either.
			s.o.Log.Error("webhook not started", "host", h.host, "wallet", w.Name(), "error", err)
			continue
		}
		s.running.Go(func() { s.deliver(h, w, at) })
	}
}

// Close ends all deliveries; what was not taken yet is delivered when its wallet is opened again.
func (s *Sender) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.running.Wait()
	s.client.CloseIdleConnections()
}

// deliver hands the events of w after at to h.
func (s *Sender) deliver(h hook, w source, at uint64) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	defer context.AfterFunc(w.Context(), cancel)()
	follower := w.follow(at)
	for {
		events, err := follower.Next(ctx)
		if err != nil {
			return
		}
		for _, e := range events {
			if !s.hand(ctx, h, Delivery{w.Name(), e}) {
				return
			}
			if e.Cursor == at {
				continue
			}
			at = e.Cursor
			if err := w.Delivered(h.name, at); err != nil && ctx.Err() == nil {
				s.o.Log.Error("webhook: what was delivered is not remembered and may come again", "host", h.host, "wallet", w.Name(), "error", err)
			}
		}
	}
}

// hand delivers one event, as often as it takes; false when ctx ended before. What only tells how things stand is tried
// once: the next such event tells it better.
func (s *Sender) hand(ctx context.Context, h hook, d Delivery) bool {
	if h.get && (d.Event.TxID == "" || d.Event.Direction != "in") {
		return true
	}
	body, err := rpc.Encode(&d)
	if err != nil {
		panic("unreachable: events always encode")
	}
	once := false
	switch d.Event.Type {
	case walletrpc.EventHeight, walletrpc.EventSync:
		once = true
	case walletrpc.EventClosed:
		return true // not an event of the wallet but of who follows it
	}
	for wait := s.o.First; ; wait = min(2*wait, s.o.Last) {
		err := s.try(ctx, h, d.Event.TxID, body)
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		if once {
			return true
		}
		s.o.Log.Warn("webhook not delivered; it will be tried again", "host", h.host, "wallet", d.Wallet, "cursor", d.Event.Cursor, "in", wait, "error", err)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

// maxAnswer bounds what is read of an answer, in bytes, to keep the connection.
const maxAnswer = 64 << 10

// request returns what is sent for one event: of a hook with TxIDTag a GET with the transaction's ID, of others a signed POST of body.
func (s *Sender) request(ctx context.Context, h hook, txid string, body []byte) (*http.Request, error) {
	if h.get {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.ReplaceAll(h.url, TxIDTag, txid), nil)
		if err != nil {
			return nil, ErrURL
		}
		r.Header.Set("User-Agent", "glim")
		return r, nil
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(body))
	if err != nil {
		return nil, ErrURL
	}
	now := time.Now().Unix()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "glim")
	r.Header.Set(TimestampHeader, strconv.FormatInt(now, 10))
	r.Header.Set(SignatureHeader, version+Sign(s.o.Secret, now, body))
	return r, nil
}

// try sends one event. Only an answer of 200 to 299 is no error.
func (s *Sender) try(ctx context.Context, h hook, txid string, body []byte) error {
	r, err := s.request(ctx, h, txid, body)
	if err != nil {
		return err
	}
	resp, err := s.client.Do(r)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the URL
		}
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer)) // the status says all
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("answered with status %d", resp.StatusCode)
	}
	return nil
}
