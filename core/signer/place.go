package signer

import (
	"context"
	"slices"
	"sync"

	"glim/core/build"
	"glim/core/coldset"
	"glim/core/decoy"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/ringsig"
	"glim/core/internal/proof"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/say"
	"glim/core/xmr"
)

// Post carries a request to a Server and returns its answer. It may wait as long as ctx allows, for the owner, too; its error says that
// there is no answer, which must come when there is going to be none, as when a worker has ended: some questions, such as to forget a
// wallet, have no end of their own. It must not keep the request, which is wiped afterwards.
type Post func(ctx context.Context, request []byte) (answer []byte, err error)

// ask posts a request and reads its answer.
func (p Post) ask(ctx context.Context, request []byte, read func(*wire.Reader)) error {
	defer clear(request)
	if len(request) > MaxRequest {
		return say.Errorf("%w: %d bytes", ErrRequest, len(request))
	}
	answer, err := p(ctx, request)
	if err != nil {
		return say.Errorf("%w: %w", ErrUnreachable, err)
	}
	if len(answer) > MaxRequest {
		return say.Errorf("%w: %d bytes came back", ErrUnreachable, len(answer))
	}
	r := wire.NewReader(answer)
	if failed := readBool(r); failed {
		return readError(r)
	}
	read(r)
	if err := r.Close(); err != nil {
		return say.Errorf("%w: %w", ErrUnreachable, err)
	}
	return nil
}

// Opened is a wallet whose secrets a server has; or of which only the password was asked for, because what is sealed is from Bare.
type Opened struct {
	Place         *Place      // nil when there is no secret; then so is all but Key and Sealed
	Key           journal.Key // of the wallet's log
	Sealed        []byte      // for Unlock: no secret to who has no password
	SpendPublic   xmr.PublicKey
	View          keys.Secret
	Deterministic bool
}

// Close has the server forget the wallet, for who does not use it.
func (o *Opened) Close(ctx context.Context) {
	if o.Place != nil {
		_ = o.Place.Close(ctx) // one that is not there has forgotten it
	}
}

// Keys returns the wallet's keys, which ask the place.
func (o *Opened) Keys() (*keys.Keys, error) {
	k, err := keys.Elsewhere(o.View, o.SpendPublic, o.Deterministic)
	if err == nil {
		k.Attach(o.Place)
	}
	return k, err
}

func appendOpened(b []byte, h handle, key, sealed []byte, x *secrets) []byte {
	b = appendBytes(appendBytes(append(b, h[:]...), key), sealed)
	if x == nil {
		return append(b, 0)
	}
	view := x.keys.ViewSecret()
	b = append(append(append(b, 1), x.keys.SpendPublic[:]...), view[:]...)
	return appendBool(b, x.keys.Deterministic())
}

func (p Post) readOpened(r *wire.Reader, o *Opened) {
	o.Place = &Place{post: p}
	copy(o.Place.handle[:], r.Bytes(len(handle{})))
	var err error
	if o.Key, err = journal.ParseKey(readBytes(r, 256)); err != nil {
		r.Fail(err)
	}
	o.Sealed = slices.Clone(readBytes(r, maxSealed))
	if secret := readBool(r); !secret {
		o.Place = nil
		return
	}
	o.SpendPublic, o.View = r.Bytes32(), r.Bytes32()
	o.Deterministic = readBool(r)
	if r.Err() == nil {
		if o.Place.own, err = o.addresses(); err != nil {
			r.Fail(err)
		}
	}
}

// Create has the server keep a new wallet's secrets, sealed under a password: of k, with the words it was made from if any, or fresh
// ones of the server's own making when k is nil. k still has its secret afterwards. Errors: ErrUnreachable, ErrFull, journal.ErrLimit, the
// server's.
func (p Post) Create(ctx context.Context, password []byte, kdf journal.KDF, network xmr.Network, k *keys.Keys, words []byte) (*Opened, error) {
	if len(words) > maxWords {
		return nil, errWords
	}
	b := appendKDF(appendBytes([]byte{opCreate}, password), kdf)
	if k == nil {
		return p.create(ctx, append(b, byte(network), makeFresh))
	}
	if _, ok := k.SpendSecret(); !ok {
		return nil, keys.ErrKey
	}
	x := secrets{network, k, words}
	b = slices.Grow(b, 2+1+64+2+len(words))
	return p.create(ctx, x.append(append(b, byte(network), makeGiven)))
}

// CreateFrom is Create for the secrets that a ticket of AdmitWallet stands for. ErrRequest when it stands for none.
func (p Post) CreateFrom(ctx context.Context, password []byte, kdf journal.KDF, network xmr.Network, ticket string) (*Opened, error) {
	b := appendKDF(appendBytes([]byte{opCreate}, password), kdf)
	return p.create(ctx, appendBytes(append(b, byte(network), makeBrought), []byte(ticket)))
}

// CreateBare has the server make the key of a log of a password, for a wallet without a secret: so that it need not be told to who has the
// log. Errors: Create's.
func (p Post) CreateBare(ctx context.Context, password []byte, kdf journal.KDF, network xmr.Network) (*Opened, error) {
	b := appendKDF(appendBytes([]byte{opCreate}, password), kdf)
	return p.create(ctx, append(b, byte(network), makeNothing))
}

// What a wallet is made from.
const (
	makeFresh   byte = iota // by the server
	makeGiven               // what follows
	makeBrought             // what the ticket that follows stands for
	makeNothing             // there is no secret
)

func (p Post) create(ctx context.Context, b []byte) (*Opened, error) {
	o := new(Opened)
	if err := p.ask(ctx, b, func(r *wire.Reader) { p.readOpened(r, o) }); err != nil {
		return nil, err
	}
	return o, nil
}

// Unlock has the server take the secrets that it sealed under a password. Errors: journal.ErrPassword; ErrUnreachable, ErrFull, the
// server's.
func (p Post) Unlock(ctx context.Context, password, sealed []byte) (*Opened, error) {
	o := new(Opened)
	b := appendBytes(appendBytes([]byte{opUnlock}, password), sealed)
	if err := p.ask(ctx, b, func(r *wire.Reader) { p.readOpened(r, o) }); err != nil {
		return nil, err
	}
	return o, nil
}

// Reseal returns the secrets sealed under another password, as hard to guess as the first, and the key of the log that goes with it. Errors:
// Unlock's.
func (p Post) Reseal(ctx context.Context, sealed, old, password []byte) (key journal.Key, again []byte, err error) {
	b := appendBytes(appendBytes(appendBytes([]byte{opReseal}, sealed), old), password)
	err = p.ask(ctx, b, func(r *wire.Reader) {
		k, err := journal.ParseKey(readBytes(r, 256))
		if err != nil {
			r.Fail(err)
		}
		key, again = k, slices.Clone(readBytes(r, maxSealed))
	})
	return key, again, err
}

// addresses are what is known of a wallet without a secret: its addresses.
func (o *Opened) addresses() (func(keys.Index) (spend, view xmr.PublicKey), error) {
	k, err := keys.ViewOnly(o.View, o.SpendPublic)
	if err != nil {
		return nil, err
	}
	return k.Address, nil
}

// Place is one wallet at a server. It is a keys.Spender, build.Signer, proof.Prover, coldset.ImageSigner and multisig.Beginner.
type Place struct {
	post Post
	own  func(keys.Index) (spend, view xmr.PublicKey) // the wallet's addresses

	mu     sync.Mutex // guards what follows
	handle handle
}

var (
	_ keys.Spender        = (*Place)(nil)
	_ build.Signer        = (*Place)(nil)
	_ proof.Prover        = (*Place)(nil)
	_ coldset.ImageSigner = (*Place)(nil)
	_ multisig.Beginner   = (*Place)(nil)
)

func (p *Place) ask(ctx context.Context, op byte, body []byte, read func(*wire.Reader)) error {
	p.mu.Lock()
	h := p.handle
	p.mu.Unlock()
	request := append(append(make([]byte, 0, 1+len(h)+len(body)), op), h[:]...)
	return p.post.ask(ctx, append(request, body...), read)
}

// Close has the server forget the wallet.
func (p *Place) Close(ctx context.Context) error {
	return p.ask(ctx, opClose, nil, func(*wire.Reader) {})
}

// Take makes p the place that o is, of the same wallet, and closes the one it was. After that o is of no use.
func (p *Place) Take(ctx context.Context, o *Place) {
	p.mu.Lock()
	last := &Place{post: p.post, handle: p.handle}
	p.handle = o.handle
	p.mu.Unlock()
	_ = last.Close(ctx) // a server that started anew has forgotten it
}

// KeyImages returns the key images of outputs.
func (p *Place) KeyImages(ctx context.Context, outputs []keys.Output) (images []xmr.KeyImage, err error) {
	err = p.ask(ctx, opImages, appendOutputs(nil, outputs), func(r *wire.Reader) {
		images = make([]xmr.KeyImage, r.Count(len(outputs), 32))
		for i := range images {
			images[i] = r.Bytes32()
		}
	})
	return images, err
}

// SignPlan makes and signs exactly the transaction of plan, which is settled.
func (p *Place) SignPlan(ctx context.Context, plan build.Plan, rings []decoy.Ring) (result *build.Result, err error) {
	body, err := appendOrder(nil, &plan, rings, p.own)
	if err != nil {
		return nil, err
	}
	err = p.ask(ctx, opSign, body, func(r *wire.Reader) { result = readResult(r, plan, rings) })
	return result, err
}

// SignImages returns key images with the proofs of which output each belongs to.
func (p *Place) SignImages(ctx context.Context, outputs []keys.Output) (signed []coldset.SignedImage, err error) {
	err = p.ask(ctx, opSignedImages, appendOutputs(nil, outputs), func(r *wire.Reader) {
		signed = make([]coldset.SignedImage, r.Count(len(outputs), 96))
		for i := range signed {
			signed[i] = coldset.SignedImage{Image: r.Bytes32(), Signature: ringsig.Signature{C: r.Bytes32(), R: r.Bytes32()}}
		}
	})
	return signed, err
}

// MultisigSecret returns what an account of several signers begins with, see multisig.Blind.
func (p *Place) MultisigSecret(ctx context.Context) (secret keys.Secret, err error) {
	err = p.ask(ctx, opMultisig, nil, func(r *wire.Reader) { secret = r.Bytes32() })
	return secret, err
}

// Reveal returns the spend secret, and the words that the wallet was made from if these are more than it says.
func (p *Place) Reveal(ctx context.Context) (spend keys.Secret, words []byte, err error) {
	err = p.ask(ctx, opReveal, nil, func(r *wire.Reader) {
		spend = r.Bytes32()
		words = slices.Clone(readBytes(r, maxWords))
	})
	return spend, words, err
}
