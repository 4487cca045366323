// Package zmq has two kinds of sockets of ZeroMQ, with ZMTP 3.0 and the mechanism NULL: a PUB socket publishes messages
// to subscribers, and a REP socket answers requests.
//
// A publisher does not wait for subscribers: messages for those that read too slowly are dropped. Connections are
// neither authenticated nor encrypted, so every program that can reach the address can read what is published, and
// send requests.
package zmq

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

const (
	// maxSubscribers limits the number of subscribers.
	maxSubscribers = 100
	// handshake limits the duration of the handshake. Source: zmq_setsockopt, ZMQ_HANDSHAKE_IVL.
	handshake = 30 * time.Second
	// linger limits the time to send queued messages on Close. Source: src/rpc/zmq_server.cpp, linger_timeout.
	linger = 2 * time.Second
	// evictInterval is the minimum time between disconnecting two subscribers that keep up.
	evictInterval = time.Second
)

// Publisher is a PUB socket. Methods are safe for concurrent use.
type Publisher struct {
	log       *slog.Logger
	listeners []net.Listener
	running   sync.WaitGroup

	mu      sync.Mutex
	all     map[*subscriber]struct{}
	closed  bool
	evicted time.Time // when a subscriber that keeps up was last disconnected for another
}

// Start accepts subscribers until Close, which also closes the listeners.
func Start(listeners []net.Listener, log *slog.Logger) *Publisher {
	p := &Publisher{log: log, listeners: listeners, all: map[*subscriber]struct{}{}}
	for _, l := range listeners {
		p.running.Go(func() { p.accept(l) })
	}
	return p
}

// accept accepts subscribers until the listener is closed.
func (p *Publisher) accept(l net.Listener) {
	failed := func(err error) { p.log.Warn("accepting a subscriber failed", "error", err) }
	for conn := range accepted(l, failed) {
		s := newSubscriber(conn)
		if !p.enter(s) {
			_ = conn.Close()
			continue
		}
		p.running.Go(func() {
			why := s.run()
			p.mu.Lock()
			delete(p.all, s)
			p.mu.Unlock()
			p.log.Debug("subscriber disconnected", "from", conn.RemoteAddr().String(), "reason", why,
				"messages", s.sent.Load(), "dropped", s.dropped.Load())
		})
	}
}

// enter adds a subscriber, and disconnects another one if there are too many. It returns false if none can be.
func (p *Publisher) enter(s *subscriber) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	if len(p.all) >= maxSubscribers {
		out := p.first(s)
		if out == nil {
			p.log.Warn("too many subscribers", "limit", maxSubscribers)
			return false
		}
		delete(p.all, out)
		out.close()
	}
	p.all[s] = struct{}{}
	return true
}

// first returns the subscriber to disconnect for a new one, or nil. It prefers those before their handshake, then those
// without subscriptions, then those that read too slowly; among them those of the host with the most connections, and
// then the oldest. Of those that keep up, at most one a second is disconnected, and only for a host with fewer
// connections, so that neither holding all slots nor a flood of new connections keeps others out.
func (p *Publisher) first(newcomer *subscriber) (out *subscriber) {
	now := time.Now()
	count := map[netip.Addr]int{}
	for s := range p.all {
		count[s.host]++
	}
	worst := keepsUp
	for s := range p.all {
		standing := s.standing()
		if standing == keepsUp && s.host != newcomer.host && count[s.host] <= count[newcomer.host] {
			continue
		}
		switch {
		case out == nil, standing < worst, standing == worst && count[s.host] > count[out.host],
			standing == worst && count[s.host] == count[out.host] && s.since.Before(out.since):
			out, worst = s, standing
		}
	}
	if out != nil && out.standing() == keepsUp && now.Sub(p.evicted) < evictInterval {
		return nil
	}
	if worst == keepsUp {
		p.evicted = now
	}
	return out
}

// HasSubscribers reports whether messages of a topic, which begin with the topic and a colon, have subscribers.
func (p *Publisher) HasSubscribers(topic string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.all {
		if s.wants(func(prefix string) bool {
			return strings.HasPrefix(topic+":", prefix) || strings.HasPrefix(prefix, topic+":")
		}) {
			return true
		}
	}
	return false
}

// Publish sends a message, which is the topic, a colon and the text, to its subscribers.
func (p *Publisher) Publish(topic string, text []byte) {
	message := append(append(append([]byte(nil), topic...), ':'), text...)
	packed := frame(0, message)
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.all {
		if s.wants(func(prefix string) bool {
			return strings.HasPrefix(string(message[:min(len(message), len(prefix))]), prefix)
		}) {
			s.send(packed)
		}
	}
}

// Close stops accepting, sends queued messages for at most linger, and waits for all connections to end.
func (p *Publisher) Close() (err error) {
	for _, l := range p.listeners {
		err = errors.Join(err, l.Close())
	}
	p.mu.Lock()
	p.closed = true
	for s := range p.all {
		s.leave()
	}
	p.mu.Unlock()
	p.running.Wait()
	return err
}
