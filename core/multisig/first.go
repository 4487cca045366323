package multisig

import (
	"context"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/xmr"
)

// domain ends what the secrets of a signer are hashed from.
// Source: src/cryptonote_config.h, HASH_KEY_MULTISIG.
var domain = [32]byte{'M', 'u', 'l', 't', 'i', 's', 'i', 'g'}

// blind returns Hs(secret ‖ domain): a signer's own keys say nothing about the wallet's he began with.
// Source: src/multisig/multisig.cpp, get_multisig_blinded_secret_key.
func blind(secret *[32]byte) *edwards.Scalar { return edwards.HashToScalar(secret[:], domain[:]) }

// Beginner is a keys.Spender that gives what a signer's account begins with: Blind of the spend secret, which it does not tell.
type Beginner interface {
	MultisigSecret(ctx context.Context) (keys.Secret, error)
}

// Blind returns what an account begins with that is made of the wallet's spend secret: a hash of it. False without that secret.
func Blind(k *keys.Keys) (keys.Secret, bool) {
	spend, ok := k.SpendSecret()
	if !ok {
		return keys.Secret{}, false
	}
	defer clear(spend[:])
	return edwards.EncodeScalar(blind((*[32]byte)(&spend))), true
}

// beginning returns the two secrets an account begins with: that which signs, and its part of the view key.
func beginning(k *keys.Keys) (base, view *edwards.Scalar, err error) {
	if k.Away() {
		place, ctx, err := k.Place()
		if err != nil {
			return nil, nil, err
		}
		b, ok := place.(Beginner)
		if !ok {
			return nil, nil, keys.ErrAway
		}
		secret, err := b.MultisigSecret(ctx)
		defer clear(secret[:])
		if err != nil {
			return nil, nil, err
		}
		if base, err = edwards.DecodeScalar(secret); err != nil {
			return nil, nil, keys.ErrKey
		}
		see := k.ViewSecret()
		defer clear(see[:])
		return base, blind((*[32]byte)(&see)), nil
	}
	spend, ok := k.SpendSecret()
	if !ok {
		return nil, nil, keys.ErrKey
	}
	defer clear(spend[:])
	see := k.ViewSecret()
	defer clear(see[:])
	return blind((*[32]byte)(&spend)), blind((*[32]byte)(&see)), nil
}

// Prepare returns the first message of the signer whose wallet's keys are k: it holds his part of the view key, so it is
// for the other signers alone. keys.ErrKey for a wallet without a spend key; or the error of random.
// Source: src/wallet/wallet2.cpp, get_multisig_first_kex_msg.
func Prepare(random io.Reader, k *keys.Keys) (string, error) {
	base, view, err := beginning(k)
	if err != nil {
		return "", err
	}
	m := Message{Round: 1, Signer: publicOf(base), Secret: edwards.EncodeScalar(view)}
	defer clear(m.Secret[:])
	return m.Sign(random, base)
}

// Make returns the account of the signer whose wallet's keys are k, in the group of those who sent the first messages in texts,
// among which his own may be, and his message of the next round. Errors: keys.ErrKey for a wallet without a spend key, ParseMessage's,
// ErrRound, ErrDuplicate, ErrConfig, random's.
// Source: src/wallet/wallet2.cpp, make_multisig; src/multisig/multisig_account_kex_impl.cpp, initialize_kex_update.
func Make(random io.Reader, k *keys.Keys, threshold uint32, texts []string) (*Account, string, error) {
	base, view, err := beginning(k)
	if err != nil {
		return nil, "", err
	}
	if len(texts) > MaxSigners {
		return nil, "", ErrConfig
	}
	a := &Account{threshold: threshold, base: base, self: publicOf(base), spendKey: identity}
	a.signers = []xmr.PublicKey{a.self}
	own := edwards.EncodeScalar(view)
	parts := [][32]byte{own}
	defer func() { clear(parts) }()
	seen := map[xmr.PublicKey]bool{}
	var found []*Message
	for _, text := range texts {
		m, err := ParseMessage(text)
		switch {
		case err != nil:
			return nil, "", err
		case m.Round != 1:
			return nil, "", ErrRound
		case seen[m.Signer]:
			return nil, "", ErrDuplicate
		case m.Signer == a.self && m.Secret != keys.Secret(own):
			return nil, "", ErrDisagree
		}
		seen[m.Signer] = true
		if m.Signer == a.self {
			continue
		}
		found = append(found, m)
		a.signers = append(a.signers, m.Signer)
		parts = append(parts, m.Secret)
	}
	if err := checkGroup(a.Total(), threshold); err != nil {
		return nil, "", err
	}
	sortKeys(a.signers)
	a.view = commonView(parts)
	if a.view.Equal(edwards.NewScalar()) == 1 {
		return nil, "", ErrKey
	}
	a.viewKey = publicOf(a.view)
	a.shared = []xmr.PublicKey{a.self}
	if mainRounds(a.Total(), threshold) == 1 {
		a.shares = []*edwards.Scalar{base} // of N of N each gives his own key
	}
	others := make([]xmr.PublicKey, len(found))
	for i, m := range found {
		others[i] = m.Signer
	}
	next, err := a.advance(others)
	if err != nil {
		return nil, "", err
	}
	text, err := next.Message(random)
	return next, text, err
}

// commonView returns the view key made of everybody's part: the hash of all, ascending, so that who sends last cannot choose it
// freely. It sorts parts.
// Source: src/multisig/multisig_account_kex_impl.cpp, make_multisig_common_privkey.
func commonView(parts [][32]byte) *edwards.Scalar {
	order.Sort(parts, func(a, b [32]byte) int { return compareKeys(a, b) })
	all := make([]byte, 0, 32*MaxSigners)
	for i := range parts {
		all = append(all, parts[i][:]...)
	}
	defer clear(all)
	return edwards.HashToScalar(all)
}
