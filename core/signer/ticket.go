package signer

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"glim/core/journal"
)

// ticketMark is how tickets begin, which keeps them apart from passwords people choose.
const ticketMark = "glim-ticket-"

// Admit returns a ticket that stands for a password in what the server is asked, until Withdraw. Who brings the password here
// and gives the other side the ticket has a password that only the server ever sees. Errors: ErrFull, the random source's.
func (s *Server) Admit(password []byte) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(s.host.Random, b[:]); err != nil {
		return "", err
	}
	t := ticketMark + hex.EncodeToString(b[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tickets) >= maxTickets {
		return "", ErrFull
	}
	s.tickets[t] = slices.Clone(password)
	return t, nil
}

// Withdraw makes a ticket worthless.
func (s *Server) Withdraw(ticket string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tickets[ticket])
	delete(s.tickets, ticket)
}

// password returns what a request's password stands for, in bytes of the caller's own, and whether by a ticket. ErrRefused when only
// tickets are taken.
func (s *Server) password(given []byte) (password []byte, ticket bool, err error) {
	if strings.HasPrefix(string(given), ticketMark) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if p, ok := s.tickets[string(given)]; ok {
			return slices.Clone(p), true, nil
		}
	}
	if s.host.Tickets {
		return nil, false, fmt.Errorf("%w: a password that is no ticket", ErrRefused)
	}
	return slices.Clone(given), false, nil
}

// hard returns journal.ErrLimit for a key that is easier to guess than any may be.
func (s *Server) hard(k journal.KDF) error {
	least := s.host.Least
	if k.MemoryKiB < least.MemoryKiB || uint64(k.Time)*uint64(k.MemoryKiB) < uint64(least.Time)*uint64(least.MemoryKiB) {
		return fmt.Errorf("%w: a password that would be easier to guess than this place allows", journal.ErrLimit)
	}
	return nil
}
