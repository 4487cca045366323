package keys

import (
	"context"
	"errors"
	"sync"

	"glim/core/crypto/edwards"
	"glim/core/say"
	"glim/core/xmr"
)

// Errors of a spend secret that is elsewhere.
var (
	// ErrAway: nobody is there to be asked for what takes the spend secret.
	ErrAway = errors.New("keys: the spend key is kept elsewhere, and cannot be asked for this here")
	// ErrWanted: a key image that Learn has not asked for yet. The error that says which is a *WantedError.
	ErrWanted = errors.New("keys: a key image that only the place of the spend key can make")
)

// Output names an output of one's own by how it was received.
type Output struct {
	Derivation edwards.Derivation
	Index      uint64 // in its transaction
	Address    Index  // that received it
	Key        xmr.PublicKey
}

// WantedError says which key images a decision lacks: Learn them and decide again.
type WantedError struct{ Outputs []Output }

// Error counts them.
func (e *WantedError) Error() string { return say.Sprintf("%v (%d)", ErrWanted, len(e.Outputs)) }

// Unwrap returns ErrWanted.
func (e *WantedError) Unwrap() error { return ErrWanted }

// Spender is a place that has the spend secret of one wallet. What else it can be asked for is said by whoever needs it: see
// build.Signer, proof.Prover, coldset.ImageSigner and multisig.Beginner.
type Spender interface {
	// KeyImages returns the key images of outputs. ErrMismatch when one is not the wallet's.
	KeyImages(ctx context.Context, outputs []Output) ([]xmr.KeyImage, error)
	// Reveal hands the spend secret out, with the words that the wallet was made from if these are more than the secret says. Only
	// what the owner asks for by name calls it.
	Reveal(ctx context.Context) (spend Secret, words []byte, err error)
}

// elsewhere is what a wallet knows of the place of its spend secret.
type elsewhere struct {
	deterministic bool

	mu      sync.Mutex // guards what follows; never held while the place is asked
	spender Spender
	// images are as many as the wallet found outputs, each of which it keeps anyway and takes more memory there.
	images map[xmr.PublicKey]xmr.KeyImage
}

// Elsewhere returns the keys of a wallet whose spend secret is in another place, which nobody can ask until Attach says where.
// Deterministic says what Keys.Deterministic will. Errors: ViewOnly's.
func Elsewhere(view [32]byte, spendPublic xmr.PublicKey, deterministic bool) (*Keys, error) {
	k, err := ViewOnly(view, spendPublic)
	if err != nil {
		return nil, err
	}
	k.away = &elsewhere{deterministic: deterministic, images: map[xmr.PublicKey]xmr.KeyImage{}}
	return k, nil
}

// Away reports whether the spend secret is elsewhere.
func (k *Keys) Away() bool { return k.away != nil }

// Attach says whom k and all that Within made of it ask from now on. It does nothing to keys whose secret is not elsewhere.
func (k *Keys) Attach(s Spender) {
	if k.away == nil {
		return
	}
	k.away.mu.Lock()
	defer k.away.mu.Unlock()
	k.away.spender = s
}

// Within returns keys that ask the place of the spend secret under ctx, for as long as an operation takes; k itself when there
// is nobody to ask. A key image is asked for at once then, so no lock may be held that others wait for.
func (k *Keys) Within(ctx context.Context) *Keys {
	if k.away == nil {
		return k
	}
	bound := *k
	bound.ctx = ctx
	return &bound
}

// Place returns whom to ask for what takes the spend secret, and under which context; nil when the secret is here, or nowhere.
// ErrAway when it is elsewhere and nobody can be asked, or k is not from Within.
func (k *Keys) Place() (Spender, context.Context, error) {
	if k.away == nil {
		return nil, nil, nil
	}
	k.away.mu.Lock()
	defer k.away.mu.Unlock()
	if k.away.spender == nil || k.ctx == nil {
		return nil, nil, ErrAway
	}
	return k.away.spender, k.ctx, nil
}

// askAtOnce is how many key images one request is for, so that it stays small.
const askAtOnce = 512

// Learn asks the place of the spend secret for the key images of outputs, which KeyImage then knows. Errors: ErrAway, the place's.
func (k *Keys) Learn(ctx context.Context, outputs []Output) error {
	s, ctx, err := k.Within(ctx).Place()
	if err != nil || s == nil {
		return err
	}
	for len(outputs) > 0 {
		n := min(len(outputs), askAtOnce)
		images, err := s.KeyImages(ctx, outputs[:n])
		if err != nil {
			return err
		}
		if len(images) != n {
			return say.Errorf("%w: it gave %d key images for %d outputs", ErrAway, len(images), n)
		}
		k.away.mu.Lock()
		for i, o := range outputs[:n] {
			k.away.images[o.Key] = images[i]
		}
		k.away.mu.Unlock()
		outputs = outputs[n:]
	}
	return nil
}

// Foresee has KeyImage of outputs asked for at once, where k is from Within, which otherwise asks for one after the other. Errors: Learn's.
func (k *Keys) Foresee(outputs []Output) error {
	if k.away == nil || k.ctx == nil {
		return nil
	}
	return k.Learn(k.ctx, outputs)
}

// keyImage is KeyImage of keys whose secret is elsewhere.
func (k *Keys) keyImage(o Output) (xmr.KeyImage, error) {
	known := func() (xmr.KeyImage, bool) {
		k.away.mu.Lock()
		defer k.away.mu.Unlock()
		image, ok := k.away.images[o.Key]
		return image, ok
	}
	if image, ok := known(); ok {
		return image, nil
	}
	if k.ctx == nil {
		return xmr.KeyImage{}, &WantedError{Outputs: []Output{o}}
	}
	err := k.Learn(k.ctx, []Output{o})
	image, _ := known()
	return image, err
}

// Reveal returns the spend secret wherever it is, for an owner who asked for it by name, and the words that came with it from elsewhere.
// False for a view-only wallet. Errors: ErrAway, the place's; ErrMismatch when what it gave is not k's.
func (k *Keys) Reveal() (spend Secret, words []byte, ok bool, err error) {
	s, ctx, err := k.Place()
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

// Here returns k with its spend secret beside it, for an owner who asked for it by name, and the words that came with it from
// elsewhere; k itself when the secret is not elsewhere. The caller Forgets what is not k. Errors: Reveal's.
func (k *Keys) Here() (*Keys, []byte, error) {
	if k.away == nil {
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
