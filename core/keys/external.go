package keys

import (
	"context"
	"errors"
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors of a spend secret that an external signer holds.
var (
	// ErrNoSigner: no signer is attached, it does not support the operation, or k is not from WithContext.
	ErrNoSigner = errors.New("keys: the external signer of the spend key is not available for this")
	// ErrUnknownKeyImage: a key image that was not fetched yet. It is wrapped in an *UnknownKeyImagesError.
	ErrUnknownKeyImage = errors.New("keys: the external signer has not made this key image yet")
)

// OwnOutput identifies an output of the wallet by how it was received.
type OwnOutput struct {
	Derivation edwards.Derivation
	Index      uint64 // in its transaction
	// Extensions is nil except for an output of the next hard fork, for which Derivation and Index are not used.
	Extensions OwnExtensions
	Address    Index // that received it
	Key        xmr.PublicKey
}

// UnknownKeyImagesError lists outputs whose key images a decision needs: fetch them with FetchKeyImages and decide
// again.
type UnknownKeyImagesError struct{ Outputs []OwnOutput }

// Error returns the message with the number of outputs.
func (e *UnknownKeyImagesError) Error() string {
	return smallfmt.Sprintf("%v (%d)", ErrUnknownKeyImage, len(e.Outputs))
}

// Unwrap returns ErrUnknownKeyImage.
func (e *UnknownKeyImagesError) Unwrap() error { return ErrUnknownKeyImage }

// ExternalSigner holds the spend secret of one wallet. Packages that need more of it define an interface: see
// txbuild.ExternalSigner, proof.ExternalProver, coldset.ExternalImageSigner and multisig.ExternalSigner.
type ExternalSigner interface {
	// KeyImages returns the key images of outputs. It returns ErrMismatch when one is not the wallet's.
	KeyImages(ctx context.Context, outputs []OwnOutput) ([]xmr.KeyImage, error)
	// Reveal returns the spend secret, with the seed words when these contain more than the secret. It is called only
	// when the owner requests the secret explicitly.
	Reveal(ctx context.Context) (spend Secret, words []byte, err error)
}

// externalState is what a wallet knows about its external signer.
type externalState struct {
	deterministic bool

	mu     sync.Mutex // guards what follows; not held during requests
	signer ExternalSigner
	// images has at most one entry per output of the wallet, which stores more for each anyway.
	images map[xmr.PublicKey]xmr.KeyImage
}

// NewExternal returns the keys of a wallet whose spend secret an external signer holds; AttachSigner sets the signer.
// deterministic is the result of Keys.Deterministic. It returns the errors of ViewOnly.
func NewExternal(view [32]byte, spendPublic xmr.PublicKey, deterministic bool) (*Keys, error) {
	k, err := ViewOnly(view, spendPublic)
	if err != nil {
		return nil, err
	}
	k.external = &externalState{deterministic: deterministic, images: map[xmr.PublicKey]xmr.KeyImage{}}
	return k, nil
}

// External reports whether an external signer holds the spend secret.
func (k *Keys) External() bool { return k.external != nil }

// AttachSigner sets the signer of k and of all keys that WithContext made from k. It does nothing unless k is from
// NewExternal.
func (k *Keys) AttachSigner(s ExternalSigner) {
	if k.external == nil {
		return
	}
	k.external.mu.Lock()
	defer k.external.mu.Unlock()
	k.external.signer = s
}

// WithContext returns keys whose requests to the external signer use ctx, for the duration of one operation; k itself
// without an external signer. These keys fetch key images when they are needed, so the caller must hold no lock.
func (k *Keys) WithContext(ctx context.Context) *Keys {
	if k.external == nil {
		return k
	}
	bound := *k
	bound.ctx = ctx
	return &bound
}

// Signer returns the external signer and the context of requests; nil when k has the spend secret or is view-only. It
// returns ErrNoSigner when no signer is attached or k is not from WithContext.
func (k *Keys) Signer() (ExternalSigner, context.Context, error) {
	if k.external == nil {
		return nil, nil, nil
	}
	k.external.mu.Lock()
	defer k.external.mu.Unlock()
	if k.external.signer == nil || k.ctx == nil {
		return nil, nil, ErrNoSigner
	}
	return k.external.signer, k.ctx, nil
}

// maxFetch is the most key images of one request, to keep requests small.
const maxFetch = 512

// FetchKeyImages requests the key images of outputs from the external signer; KeyImage returns them afterwards. It
// returns ErrNoSigner and the signer's errors.
func (k *Keys) FetchKeyImages(ctx context.Context, outputs []OwnOutput) error {
	s, ctx, err := k.WithContext(ctx).Signer()
	if err != nil || s == nil {
		return err
	}
	for len(outputs) > 0 {
		n := min(len(outputs), maxFetch)
		images, err := s.KeyImages(ctx, outputs[:n])
		if err != nil {
			return err
		}
		if len(images) != n {
			return smallfmt.Errorf("%w: %d key images for %d outputs", ErrNoSigner, len(images), n)
		}
		k.external.mu.Lock()
		for i, o := range outputs[:n] {
			k.external.images[o.Key] = images[i]
		}
		k.external.mu.Unlock()
		outputs = outputs[n:]
	}
	return nil
}

// PrefetchKeyImages is FetchKeyImages for keys from WithContext, for which KeyImage would send one request each. Other
// keys ignore it.
func (k *Keys) PrefetchKeyImages(outputs []OwnOutput) error {
	if k.external == nil || k.ctx == nil {
		return nil
	}
	return k.FetchKeyImages(k.ctx, outputs)
}

// keyImage is KeyImage with an external signer.
func (k *Keys) keyImage(o OwnOutput) (xmr.KeyImage, error) {
	known := func() (xmr.KeyImage, bool) {
		k.external.mu.Lock()
		defer k.external.mu.Unlock()
		image, ok := k.external.images[o.Key]
		return image, ok
	}
	if image, ok := known(); ok {
		return image, nil
	}
	if k.ctx == nil {
		return xmr.KeyImage{}, &UnknownKeyImagesError{Outputs: []OwnOutput{o}}
	}
	err := k.FetchKeyImages(k.ctx, []OwnOutput{o})
	image, _ := known()
	return image, err
}

// Reveal returns the spend secret, for an owner who requests it explicitly, and the seed words that the external signer
// keeps with it. ok is false for a view-only wallet. It returns ErrNoSigner, the signer's errors, and ErrMismatch when
// the signer's secret is not k's.
func (k *Keys) Reveal() (spend Secret, words []byte, ok bool, err error) {
	s, ctx, err := k.Signer()
	if err != nil {
		return spend, nil, false, err
	}
	if s == nil {
		spend, ok = k.SpendSecret()
		return spend, nil, ok, nil
	}
	if spend, words, err = s.Reveal(ctx); err != nil {
		return Secret{}, nil, false, err
	}
	own, err := edwards.DecodeScalar(spend)
	if err != nil || new(edwards.Point).ScalarBaseMult(own).Encode() != [32]byte(k.SpendPublic) {
		clear(spend[:])
		return Secret{}, nil, false, ErrMismatch
	}
	return spend, words, true, nil
}

// WithRevealedSecret returns k with its spend secret, for an owner who requests it explicitly, and the seed words that
// the external signer keeps with it; k itself without an external signer. The caller calls Forget unless the result is
// k. It returns the errors of Reveal.
func (k *Keys) WithRevealedSecret() (*Keys, []byte, error) {
	if k.external == nil {
		return k, nil, nil
	}
	spend, words, _, err := k.Reveal()
	if err != nil {
		return nil, nil, err
	}
	defer clear(spend[:])
	here, err := FromSecrets(spend, k.ViewSecret())
	return here, words, err
}
