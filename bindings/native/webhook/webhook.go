// Package webhook delivers the events of wallets to web services. Deliveries are signed, in order, and repeated until
// accepted.
package webhook

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
)

// Delivery is the body of a request: one event and its wallet. The wallet and the cursor of the event identify a
// delivery; a repeated delivery has the same ones.
type Delivery struct {
	Wallet string          `json:"wallet"` // the name of the wallet's file
	Event  walletrpc.Event `json:"event"`
}

// MinSecret is the minimum length of a secret in bytes.
const MinSecret = 16

// Options configure a Sender.
type Options struct {
	URLs   []string       // https or http URLs; those with TxIDTag receive GET requests, others signed POST requests
	Secret []byte         // signs POST requests; at least MinSecret bytes, or empty if every URL contains TxIDTag
	Proxy  string         // host:port of a SOCKS5 proxy for all hosts except this machine; empty for no proxy
	Roots  *x509.CertPool // root CAs that authenticate servers; nil for those of the system
	Log    *slog.Logger
	// A failed delivery is retried after First; the interval then doubles with each attempt, up to Last. The defaults
	// are 1 second and 5 minutes.
	First, Last time.Duration
	Timeout     time.Duration // of one attempt; the default is 30 seconds
}

// TxIDTag is the placeholder of a transaction ID in the path or the query of a URL. Such a URL receives a GET request,
// unsigned and without a body, for each event of a transaction that pays the wallet, and no other events.
const TxIDTag = "{txid}"

// Errors of New.
var (
	ErrURL    = errors.New("webhook: not an http or https URL")
	ErrSecret = fmt.Errorf("webhook: the secret has less than %d bytes", MinSecret)
)

// Sender delivers events. Each URL receives the events of each wallet in order. A slow URL or wallet does not delay the
// others.
type Sender struct {
	o       Options
	hooks   []hook
	client  *Client
	ctx     context.Context
	cancel  context.CancelFunc
	mu      sync.Mutex // guards closed, and Add against Wait
	closed  bool
	running sync.WaitGroup
}

// hook is one URL.
type hook struct {
	url  string
	host string // the only part in logs, because the rest may be secret
	get  bool   // the URL contains TxIDTag
	name string // key under which a wallet stores the position of the hook
}

// New returns a sender, which delivers the events of wallets passed to Opened. It returns ErrURL if a URL is invalid,
// and ErrSecret if the secret is too short.
func New(o Options) (*Sender, error) {
	for _, d := range []struct {
		v        *time.Duration
		standard time.Duration
	}{{&o.First, time.Second}, {&o.Last, 5 * time.Minute}, {&o.Timeout, standardTimeout}} {
		if *d.v == 0 {
			*d.v = d.standard
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Sender{o: o}
	for _, text := range o.URLs {
		host, err := Host(text)
		if err != nil || strings.Contains(host, TxIDTag) {
			return nil, ErrURL
		}
		get := strings.Contains(text, TxIDTag)
		if !get && len(o.Secret) < MinSecret {
			return nil, ErrSecret
		}
		WarnPlain(o.Log, text)
		id := sha256.Sum256([]byte(text))
		s.hooks = append(s.hooks, hook{text, host, get, "webhook " + hex.EncodeToString(id[:16])})
	}
	s.client = NewClient(ClientOptions{Proxy: o.Proxy, Roots: o.Roots, Timeout: o.Timeout})
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Opened starts delivering the events of w, to each URL after the last event it accepted, until the wallet or the
// sender is closed. It is meant for Opened of service.Config.
func (s *Sender) Opened(w service.OpenedWallet) {
	s.open(source{w, func(cursor uint64) stream { return w.Follow(cursor) }})
}

// source is an open wallet, and a function that returns its events after a cursor.
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
			// The wallet's storage fails, so it will have no new events.
			s.o.Log.Error("webhook not started", "host", h.host, "wallet", w.Name(), "error", err)
			continue
		}
		s.running.Go(func() { s.deliver(h, w, at) })
	}
}

// Close ends all deliveries. Undelivered events are delivered when their wallet is opened again.
func (s *Sender) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.running.Wait()
	s.client.Close()
}

// deliver sends the events of w after at to h.
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
				s.o.Log.Error(
					"webhook: what was delivered is not remembered and may come again", "host", h.host, "wallet",
					w.Name(), "error", err,
				)
			}
		}
	}
}

// hand delivers one event, with retries. It returns false if ctx ended before the delivery succeeded. An event that
// only reports the current state is attempted once, because the next such event supersedes it.
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
	case walletrpc.EventClosed, walletrpc.EventProving:
		return true // they are about this stream and a call, and do not report a change of the wallet
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
		s.o.Log.Warn(
			"webhook not delivered; it will be tried again", "host", h.host, "wallet", d.Wallet, "cursor",
			d.Event.Cursor, "in", wait, "error", err,
		)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

// maxAnswer limits how many bytes of a response are read, which is necessary to reuse the connection.
const maxAnswer = 64 << 10

// request returns the request for one event: a GET with the transaction ID for hooks with TxIDTag, a signed POST of
// body for others.
func (s *Sender) request(ctx context.Context, h hook, txid string, body []byte) (*http.Request, error) {
	if h.get {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.ReplaceAll(h.url, TxIDTag, txid), nil)
		if err != nil {
			return nil, ErrURL
		}
		r.Header.Set("User-Agent", "glim")
		return r, nil
	}
	r, err := post(ctx, h.url, body)
	if err != nil {
		return nil, err
	}
	now := time.Now().Unix()
	r.Header.Set(TimestampHeader, strconv.FormatInt(now, 10))
	r.Header.Set(SignatureHeader, version+Sign(s.o.Secret, now, body))
	return r, nil
}

// try sends one event once. It returns nil only for a status from 200 to 299.
func (s *Sender) try(ctx context.Context, h hook, txid string, body []byte) error {
	r, err := s.request(ctx, h, txid, body)
	if err != nil {
		return err
	}
	return s.client.do(r)
}
