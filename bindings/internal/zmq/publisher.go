// Package zmq publishes messages to whom subscribes to them, as a PUB socket of ZeroMQ does: ZMTP 3.0, mechanism NULL.
//
// Nobody is waited for: what a subscriber is too slow for it does not get. Nothing is asked of him, and nothing encrypted, so that what is
// published is public to whom the address can be reached by.
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
	// maxSubscribers is how many there may be at once.
	maxSubscribers = 100
	// handshake is how long a greeting may take. Source: zmq_setsockopt, ZMQ_HANDSHAKE_IVL.
	handshake = 30 * time.Second
	// linger is how long what waits to be sent may take at the end. Source: src/rpc/zmq_server.cpp, linger_timeout.
	linger = 2 * time.Second
	// spare is how long a subscriber that keeps up is left alone after another one had to give way.
	spare = time.Second
)

// Publisher is a PUB socket. Methods may be called from several goroutines.
type Publisher struct {
	log       *slog.Logger
	listeners []net.Listener
	running   sync.WaitGroup

	mu     sync.Mutex
	all    map[*subscriber]struct{}
	closed bool
	pushed time.Time // when a subscriber that keeps up gave way last
}

// Start accepts subscribers from now on, until Close, which closes the listeners, too.
func Start(listeners []net.Listener, log *slog.Logger) *Publisher {
	p := &Publisher{log: log, listeners: listeners, all: map[*subscriber]struct{}{}}
	for _, l := range listeners {
		p.running.Go(func() { p.accept(l) })
	}
	return p
}

// accept lets in who comes.
func (p *Publisher) accept(l net.Listener) {
	for wait := time.Duration(0); ; {
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // as when there are too many open files: it passes
			wait = min(2*wait+10*time.Millisecond, time.Second)
			p.log.Warn("no subscriber let in", "error", err)
			time.Sleep(wait)
			continue
		}
		wait = 0
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
			p.log.Debug("a subscriber went", "from", conn.RemoteAddr().String(), "why", why, "messages", s.sent.Load(), "left out", s.dropped.Load())
		})
	}
}

// enter reports whether there is room for another one.
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

// first returns which subscriber makes room for another one: one that has not shaken hands, or else subscribes to nothing, or else does not keep up; of
// several the one of the host that has most, and of that one's the oldest. Of those that keep up one goes a second, and none for a host that has as many:
// whoever holds all places does not keep others out, and whoever comes in a flood does not drive others out. Nil when nobody goes.
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
	if out != nil && out.standing() == keepsUp && now.Sub(p.pushed) < spare {
		return nil
	}
	if worst == keepsUp {
		p.pushed = now
	}
	return out
}

// Wanted reports whether somebody subscribes to messages of a topic: those that begin with it and a colon.
func (p *Publisher) Wanted(topic string) bool {
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

// Publish sends a message, a topic, a colon and a text, to whom subscribes to it.
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

// Close lets nobody in any more, sends what waits for linger, and returns when all have gone.
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
