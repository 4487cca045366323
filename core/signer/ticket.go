package signer

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// ticketMark is the prefix of tickets, which distinguishes them from users' passwords.
const ticketMark = "glim-ticket-"

// Admit returns a ticket that stands for a password in requests until Withdraw. A host that takes the password here and
// gives the client the ticket keeps the password from the client. It returns ErrFull, or the random source's error.
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

// AdmitWallet returns a ticket for Transport.CreateFrom that stands for the secrets of k, and its seed words if these
// contain more than its spend key, until Withdraw. A host that takes a seed here and gives the client the ticket keeps
// the seed from the client. k stays the caller's. It returns keys.ErrKey without a spend key, ErrFull, or the random
// source's error.
func (s *Server) AdmitWallet(k *keys.Keys, words []byte) (string, error) {
	if _, ok := k.SpendSecret(); !ok {
		return "", keys.ErrKey
	}
	if len(words) > maxWords {
		return "", errWords
	}
	t, err := s.Admit(nil)
	if err != nil {
		return "", err
	}
	given := secrets{keys: k, words: words}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.admitted[t] = given.clone()
	return t, nil
}

// IsTicket reports whether text has the form of a ticket.
func IsTicket(text string) bool { return strings.HasPrefix(text, ticketMark) }

// Secrets returns the spend secret of an open wallet, by its public spend key, with its seed words if these contain
// more. It is for the server's host, not for clients. It returns ErrNotOpen, or a keeper's errors.
func (s *Server) Secrets(ctx context.Context, wallet xmr.PublicKey) (spend keys.Secret, words []byte, err error) {
	s.mu.Lock()
	var found *handle
	for h, w := range s.wallets {
		if w.public == wallet {
			found = &h
			break
		}
	}
	s.mu.Unlock()
	if found == nil {
		return spend, nil, ErrNotOpen
	}
	err = s.use(ctx, *found, func(x *secrets) error {
		spend, _ = x.keys.SpendSecret()
		words = slices.Clone(x.words)
		return nil
	})
	return spend, words, err
}

// Withdraw invalidates a ticket.
func (s *Server) Withdraw(ticket string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.admitted[ticket].wipe()
	delete(s.admitted, ticket)
	clear(s.tickets[ticket])
	delete(s.tickets, ticket)
}

var errTicket = errors.New("a ticket without a wallet")

// admittedWallet returns the secrets of a ticket of AdmitWallet, or nil.
func (s *Server) admittedWallet(ticket string, network xmr.Network) *secrets {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.admitted[ticket]
	if x == nil {
		return nil
	}
	x = x.clone()
	x.network = network
	return x
}

// password returns a copy of the password in a request, and whether it was given by a ticket. It returns ErrRefused
// when only tickets are accepted.
func (s *Server) password(given []byte) (password []byte, ticket bool, err error) {
	if IsTicket(string(given)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if p, ok := s.tickets[string(given)]; ok {
			return slices.Clone(p), true, nil
		}
	}
	if s.host.TicketsOnly {
		return nil, false, smallfmt.Errorf("%w: a password that is not a ticket", ErrRefused)
	}
	return slices.Clone(given), false, nil
}

// checkKDF returns journal.ErrLimit for password hashing that is weaker than MinKDF.
func (s *Server) checkKDF(k journal.KDF) error {
	least := s.host.MinKDF
	if k.MemoryKiB < least.MemoryKiB ||
		uint64(k.Time)*uint64(k.MemoryKiB) < uint64(least.Time)*uint64(least.MemoryKiB) {
		return smallfmt.Errorf("%w: password hashing weaker than this server accepts", journal.ErrLimit)
	}
	return nil
}
