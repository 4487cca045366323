package app

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// ticketLife is how long a ticket can be redeemed. Browsers take a while to start.
const ticketLife = 10 * time.Minute

// Limits of what is open at the same time. The oldest gives way.
const (
	maxTickets  = 8
	maxSessions = 64
)

// Token is a random secret of a client. It prints as "[hidden]".
type Token string

// String hides the token.
func (Token) String() string { return "[hidden]" }

// GoString hides the token.
func (Token) GoString() string { return "[hidden]" }

// LogValue hides the token.
func (Token) LogValue() slog.Value { return slog.StringValue("[hidden]") }

// NewToken returns a token with 256 random bits, in the URL alphabet of base64.
func NewToken() Token {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return Token(base64.RawURLEncoding.EncodeToString(b[:]))
}

// digest identifies a token. Looking up digests does not reveal tokens by its duration.
func (t Token) digest() [sha256.Size]byte { return sha256.Sum256([]byte(t)) }

// issued is a token that can be used.
type issued struct {
	digest [sha256.Size]byte
	until  time.Time // zero for no limit
}

// sessions holds the tickets that can be redeemed for a session, and the sessions.
type sessions struct {
	now func() time.Time

	mu      sync.Mutex
	tickets []issued
	open    []issued
}

// ticket returns a new ticket, which begin accepts once.
func (s *sessions) ticket() Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := NewToken()
	s.tickets = latest(append(s.tickets, issued{t.digest(), s.now().Add(ticketLife)}), maxTickets)
	return t
}

// begin redeems a ticket and returns the token of a new session. It returns false if the ticket is unknown, used or too
// old.
func (s *sessions) begin(ticket Token) (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := ticket.digest()
	i := slices.IndexFunc(s.tickets, func(t issued) bool { return t.digest == d })
	if i < 0 {
		return "", false
	}
	late := s.now().After(s.tickets[i].until)
	s.tickets = slices.Delete(s.tickets, i, i+1)
	if late {
		return "", false
	}
	t := NewToken()
	s.open = latest(append(s.open, issued{digest: t.digest()}), maxSessions)
	return t, true
}

// knows reports whether a token is that of an open session.
func (s *sessions) knows(t Token) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := t.digest()
	return slices.ContainsFunc(s.open, func(o issued) bool { return o.digest == d })
}

// latest returns the last n elements.
func latest(list []issued, n int) []issued { return list[max(len(list)-n, 0):] }
