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
	"glim/core/say"
	"glim/core/xmr"
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

// AdmitWallet returns a ticket that stands for the secrets of k, and the words it was made from if these are more than its spend key
// says, in Post.CreateFrom, until Withdraw. Who brings a seed here and gives the other side the ticket restores a wallet whose seed only
// the server ever sees. k stays the caller's. Errors: keys.ErrKey for a wallet without a spend key, ErrFull, the random source's.
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
	s.brought[t] = given.clone()
	return t, nil
}

// IsTicket reports whether text is as tickets are.
func IsTicket(text string) bool { return strings.HasPrefix(text, ticketMark) }

// Secrets returns the spend secret of a wallet that is open, by its public spend key, with the words it was made from if these say more:
// for who has the server, not for who asks it. ErrGone when no such wallet is open; a keeper's errors.
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
		return spend, nil, ErrGone
	}
	err = s.use(ctx, *found, func(x *secrets) error {
		spend, _ = x.keys.SpendSecret()
		words = slices.Clone(x.words)
		return nil
	})
	return spend, words, err
}

// Withdraw makes a ticket worthless.
func (s *Server) Withdraw(ticket string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.brought[ticket].wipe()
	delete(s.brought, ticket)
	clear(s.tickets[ticket])
	delete(s.tickets, ticket)
}

var errTicket = errors.New("a ticket that stands for no wallet")

// bring returns what a ticket of AdmitWallet stands for, or nil.
func (s *Server) bring(ticket string, network xmr.Network) *secrets {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.brought[ticket]
	if x == nil {
		return nil
	}
	x = x.clone()
	x.network = network
	return x
}

// password returns what a request's password stands for, in bytes of the caller's own, and whether by a ticket. ErrRefused when only
// tickets are taken.
func (s *Server) password(given []byte) (password []byte, ticket bool, err error) {
	if IsTicket(string(given)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if p, ok := s.tickets[string(given)]; ok {
			return slices.Clone(p), true, nil
		}
	}
	if s.host.Tickets {
		return nil, false, say.Errorf("%w: a password that is no ticket", ErrRefused)
	}
	return slices.Clone(given), false, nil
}

// hard returns journal.ErrLimit for a key that is easier to guess than any may be.
func (s *Server) hard(k journal.KDF) error {
	least := s.host.Least
	if k.MemoryKiB < least.MemoryKiB || uint64(k.Time)*uint64(k.MemoryKiB) < uint64(least.Time)*uint64(least.MemoryKiB) {
		return say.Errorf("%w: a password that would be easier to guess than this place allows", journal.ErrLimit)
	}
	return nil
}
