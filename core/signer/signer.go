// Package signer keeps spend secrets in a place of their own, which is asked for what takes them and never hands them out unasked.
//
// A Server is that place: another worker, process or host. It knows passwords and spend secrets, and neither chain nor files. What has
// the wallet open knows the rest, keeps the file and asks by Post, with bytes in both directions. The server says nothing of its
// own accord; each request is bounded, and checked before anything is signed, for who asks may have been taken over: it can
// have signed what the owner consents to, and learn no secret by it.
package signer

import (
	"context"
	"errors"
	"io"
	"sync"

	"glim/core/build"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/xmr"
)

// Errors of asking.
var (
	// ErrGone: the server has no such wallet open, or no longer. Open the wallet again.
	ErrGone = errors.New("signer: the place of the spend key no longer has this wallet open; open it again")
	// ErrUnreachable: the server did not answer, or not in its language.
	ErrUnreachable = errors.New("signer: the place of the spend key does not answer")
	// ErrRefused: its owner did not consent.
	ErrRefused = errors.New("signer: refused where the spend key is kept")
	// ErrRequest: a request that no wallet makes.
	ErrRequest = errors.New("signer: malformed request")
	// ErrFull: too many wallets are open, or too many tickets are out.
	ErrFull = errors.New("signer: too many at once")
)

// Kind is what is asked for.
type Kind uint8

// The kinds that an owner may be asked about.
const (
	Payment      Kind = iota // to make and sign a transaction
	SpendProof               // to prove that a transaction was made by the wallet
	ReserveProof             // to prove what the wallet holds
	Message                  // to sign a text
	KeyImages                // to sign key images, for a wallet that only sees
	Multisig                 // to begin a wallet of several signers with what is made of the secret
	Reveal                   // to hand out the secret itself
)

// String names k.
func (k Kind) String() string {
	names := [...]string{"payment", "spend proof", "reserve proof", "message", "key images", "multisig", "reveal"}
	if int(k) < len(names) {
		return names[k]
	}
	return say.Sprintf("kind(%d)", uint8(k))
}

// Ask is what a request would do, as the server found for itself.
type Ask struct {
	Kind   Kind
	Wallet xmr.PublicKey // its public spend key
	Text   string        // what is signed, or stands in the proof

	// Of a payment, in atomic units. What comes back to an address of the wallet is no destination.
	Destinations      []build.Destination
	Fee, In, Returned uint64
}

// Host is what a server needs of the outside.
type Host struct {
	Random io.Reader // a cryptographic source
	// Consent is asked before anything is signed or revealed, and may wait for the owner: its error is the refusal. Nil consents to
	// all. Key images that only the wallet itself learns, when it receives or spends, are not asked about.
	Consent func(context.Context, Ask) error
	// Tickets says that passwords come as tickets alone, see Admit: so that who asks has nothing sealed under a password of its choice.
	Tickets bool
	// Least is the easiest that passwords may be to guess. Who asks is told what a password becomes as hard as the file says it is, so
	// one that could say anything would have them made easy. Zero is anything.
	Least journal.KDF
	// Keeper has the secrets wrapped while nothing is signed; nil leaves them in memory.
	Keeper Keeper
}

// Keeper wraps secrets, as the key store of a phone does.
type Keeper interface {
	Wrap(ctx context.Context, secret []byte) (wrapped []byte, err error)
	Unwrap(ctx context.Context, wrapped []byte) (secret []byte, err error)
}

// Server has the spend secrets of the wallets that are open. Its methods may be called from any goroutine.
type Server struct {
	host Host

	mu      sync.Mutex // guards what follows
	wallets map[handle]*held
	tickets map[string][]byte // passwords
	brought map[string]*secrets
}

// handle names an open wallet. It is random, so that who was not given it cannot name it.
type handle [16]byte

// held is a wallet that is open.
type held struct {
	public  xmr.PublicKey
	secrets *secrets // nil when a keeper has them
	wrapped []byte
}

// Bounds of a server, beyond which who asks only takes memory.
const (
	maxWallets = 4096
	maxTickets = 256
)

// New returns a server that has no wallet open.
func New(h Host) *Server {
	return &Server{host: h, wallets: map[handle]*held{}, tickets: map[string][]byte{}, brought: map[string]*secrets{}}
}

// Close forgets every wallet and ticket.
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
		s.brought[t].wipe()
		delete(s.brought, t)
	}
}

func (w *held) forget() {
	if w.secrets != nil {
		w.secrets.wipe()
	}
	clear(w.wrapped)
}

// add holds x, which is the server's from then on.
func (s *Server) add(ctx context.Context, x *secrets) (h handle, err error) {
	w := &held{public: x.keys.SpendPublic, secrets: x}
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

// use calls f with the secrets of an open wallet, which f must not keep.
func (s *Server) use(ctx context.Context, h handle, f func(*secrets) error) error {
	s.mu.Lock()
	w := s.wallets[h]
	if w == nil {
		s.mu.Unlock()
		return ErrGone
	}
	if w.secrets != nil {
		x := w.secrets.clone() // it may be forgotten meanwhile
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

func (s *Server) drop(h handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.wallets[h]; w != nil {
		w.forget()
		delete(s.wallets, h)
	}
}

func (s *Server) consent(ctx context.Context, a Ask) error {
	if s.host.Consent == nil {
		return nil
	}
	if err := s.host.Consent(ctx, a); err != nil {
		return say.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}
