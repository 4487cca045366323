// Package signer implements an external signer: a process or worker that holds spend secrets and signs on request,
// without revealing them unless the owner asks for that.
//
// A Server holds passwords and spend secrets; it has no chain data or files. Its client, which has opened the wallet,
// keeps the file and sends requests through a Transport that carries bytes in both directions. The server never starts
// a conversation. It limits and checks each request before signing, because the client may be compromised: such a
// client can obtain signatures that the owner consents to, but no secret.
package signer

import (
	"context"
	"errors"
	"io"
	"sync"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Errors of requests.
var (
	// ErrNotOpen: the server does not have this wallet open, or no longer. Open the wallet again.
	ErrNotOpen = errors.New("signer: the external signer no longer has this wallet open; open it again")
	// ErrUnreachable: the server did not answer, or its answer is malformed.
	ErrUnreachable = errors.New("signer: the external signer does not answer")
	// ErrRefused: the owner did not consent.
	ErrRefused = errors.New("signer: refused by the external signer")
	// ErrRequest: a malformed request.
	ErrRequest = errors.New("signer: malformed request")
	// ErrFull: too many open wallets or tickets.
	ErrFull = errors.New("signer: too many at once")
)

// RequestKind is the kind of a request that needs the owner's consent.
type RequestKind uint8

// The kinds of requests.
const (
	KindPayment      RequestKind = iota // make and sign a transaction
	KindSpendProof                      // prove that the wallet made a transaction
	KindReserveProof                    // prove the holdings of the wallet
	KindMessage                         // sign a text
	KindKeyImages                       // sign key images for a view-only wallet
	KindMultisig                        // start a multisig wallet with a hash of the secret
	KindReveal                          // reveal the secret
)

// String returns the kind's name.
func (k RequestKind) String() string {
	names := [...]string{"payment", "spend proof", "reserve proof", "message", "key images", "multisig", "reveal"}
	if int(k) < len(names) {
		return names[k]
	}
	return smallfmt.Sprintf("kind(%d)", uint8(k))
}

// ConsentRequest describes the effect of a request, as the server determined it.
type ConsentRequest struct {
	Kind   RequestKind
	Wallet xmr.PublicKey // its public spend key
	Text   string        // the signed text, or the message of the proof

	// For a payment, in atomic units. Destinations exclude the wallet's own address.
	Destinations    []txbuild.Destination
	Fee, In, Change uint64
}

// Host has the server's callbacks and options.
type Host struct {
	Random io.Reader // a cryptographic source
	// Consent, if not nil, is called before anything is signed or revealed, and may block until the owner decides. Its
	// error refuses the request. Key images that stay with the wallet itself, for receiving and spending, need no
	// consent.
	Consent func(context.Context, ConsentRequest) error
	// TicketsOnly accepts passwords only as tickets, see Admit, so that a client cannot choose a password for sealing.
	TicketsOnly bool
	// MinKDF is the weakest accepted password hashing. A client learns the log's key with the parameters in the file; a
	// compromised one could otherwise request weak parameters. Zero accepts any.
	MinKDF journal.KDF
	// Keeper, if not nil, wraps the secrets while they are not in use. Otherwise they stay in memory.
	Keeper Keeper
}

// Keeper wraps secrets, for example with a phone's key store.
type Keeper interface {
	Wrap(ctx context.Context, secret []byte) (wrapped []byte, err error)
	Unwrap(ctx context.Context, wrapped []byte) (secret []byte, err error)
}

// Server holds the spend secrets of open wallets. It is safe for concurrent use.
type Server struct {
	host Host

	mu       sync.Mutex // guards what follows
	wallets  map[handle]*openWallet
	tickets  map[string][]byte // passwords
	admitted map[string]*secrets
}

// handle identifies an open wallet. It is random, so that a client cannot guess another's.
type handle [16]byte

// openWallet is an open wallet.
type openWallet struct {
	public  xmr.PublicKey
	secrets *secrets // nil if a keeper wraps them
	wrapped []byte
}

// Limits of a server's memory.
const (
	maxWallets = 4096
	maxTickets = 256
)

// New returns a server without open wallets.
func New(h Host) *Server {
	return &Server{
		host:     h,
		wallets:  map[handle]*openWallet{},
		tickets:  map[string][]byte{},
		admitted: map[string]*secrets{},
	}
}

// Close forgets all wallets and tickets.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for h, w := range s.wallets {
		w.forget()
		delete(s.wallets, h)
	}
	for t, password := range s.tickets {
		clear(password)
		delete(s.tickets, t)
		s.admitted[t].wipe()
		delete(s.admitted, t)
	}
}

func (w *openWallet) forget() {
	if w.secrets != nil {
		w.secrets.wipe()
	}
	clear(w.wrapped)
}

// add opens x, which then belongs to the server.
func (s *Server) add(ctx context.Context, x *secrets) (h handle, err error) {
	w := &openWallet{public: x.keys.SpendPublic, secrets: x}
	if s.host.Keeper != nil {
		plain := x.append(nil)
		defer clear(plain)
		w.secrets = nil
		defer x.wipe()
		if w.wrapped, err = s.host.Keeper.Wrap(ctx, plain); err != nil {
			return h, err
		}
	}
	if _, err := io.ReadFull(s.host.Random, h[:]); err != nil {
		w.forget()
		return h, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.wallets) >= maxWallets {
		w.forget()
		return h, ErrFull
	}
	s.wallets[h] = w
	return h, nil
}

// use calls f with the secrets of an open wallet. f must not keep them.
func (s *Server) use(ctx context.Context, h handle, f func(*secrets) error) error {
	s.mu.Lock()
	w := s.wallets[h]
	if w == nil {
		s.mu.Unlock()
		return ErrNotOpen
	}
	if w.secrets != nil {
		x := w.secrets.clone() // another goroutine may close the wallet
		s.mu.Unlock()
		defer x.wipe()
		return f(x)
	}
	wrapped := append([]byte(nil), w.wrapped...)
	s.mu.Unlock()
	plain, err := s.host.Keeper.Unwrap(ctx, wrapped)
	defer clear(plain)
	if err != nil {
		return err
	}
	x, err := parseSecrets(plain)
	if err != nil {
		return err
	}
	defer x.wipe()
	if x.keys.SpendPublic != w.public {
		return keys.ErrMismatch
	}
	return f(x)
}

func (s *Server) forget(h handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.wallets[h]; w != nil {
		w.forget()
		delete(s.wallets, h)
	}
}

func (s *Server) consent(ctx context.Context, a ConsentRequest) error {
	if s.host.Consent == nil {
		return nil
	}
	if err := s.host.Consent(ctx, a); err != nil {
		return smallfmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}
