package multisig

import (
	"context"
	"io"

	"glim/core/crypto/edwards"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/xmr"
)

// domain is the suffix of the hashed secrets of a signer.
// Source: src/cryptonote_config.h, HASH_KEY_MULTISIG.
var domain = [32]byte{'M', 'u', 'l', 't', 'i', 's', 'i', 'g'}

// blindedSecret returns Hs(secret ‖ domain), so that a signer's keys reveal nothing about the keys of the wallet that
// it was made from.
// Source: src/multisig/multisig.cpp, get_multisig_blinded_secret_key.
func blindedSecret(secret *[32]byte) *edwards.Scalar {
	return edwards.HashToScalar(secret[:], domain[:])
}

// ExternalSigner is a keys.ExternalSigner that returns BlindedSecretKey without revealing the spend secret.
type ExternalSigner interface {
	MultisigSecret(ctx context.Context) (keys.Secret, error)
}

// BlindedSecretKey returns the hash of the wallet's spend secret from which an account is made; false without that
// secret.
func BlindedSecretKey(k *keys.Keys) (keys.Secret, bool) {
	spend, ok := k.SpendSecret()
	if !ok {
		return keys.Secret{}, false
	}
	defer clear(spend[:])
	return edwards.EncodeScalar(blindedSecret((*[32]byte)(&spend))), true
}

// initialSecrets returns the two secrets of a new account: the signing key, and its part of the view key.
func initialSecrets(k *keys.Keys) (base, view *edwards.Scalar, err error) {
	if k.External() {
		external, ctx, err := k.Signer()
		if err != nil {
			return nil, nil, err
		}
		b, ok := external.(ExternalSigner)
		if !ok {
			return nil, nil, keys.ErrNoSigner
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
		return base, blindedSecret((*[32]byte)(&see)), nil
	}
	spend, ok := k.SpendSecret()
	if !ok {
		return nil, nil, keys.ErrKey
	}
	defer clear(spend[:])
	see := k.ViewSecret()
	defer clear(see[:])
	return blindedSecret((*[32]byte)(&spend)), blindedSecret((*[32]byte)(&see)), nil
}

// Prepare returns the first message of the signer with wallet keys k. It contains a part of the view key, so only the
// other signers may see it. It returns keys.ErrKey without a spend key, or random's error.
// Source: src/wallet/wallet2.cpp, get_multisig_first_kex_msg.
func Prepare(random io.Reader, k *keys.Keys) (string, error) {
	base, view, err := initialSecrets(k)
	if err != nil {
		return "", err
	}
	m := KexMessage{Round: 1, Signer: publicOf(base), Secret: edwards.EncodeScalar(view)}
	defer clear(m.Secret[:])
	return m.Sign(random, base)
}

// Make returns the account of the signer with wallet keys k, in the group of the senders of the first messages in
// texts, which may include its own; and its message of the next round. It returns keys.ErrKey without a spend key, the
// errors of ParseKexMessage, ErrRound, ErrDuplicate, ErrConfig, or random's error.
// Source: src/wallet/wallet2.cpp, make_multisig; src/multisig/multisig_account_kex_impl.cpp, initialize_kex_update.
func Make(random io.Reader, k *keys.Keys, threshold uint32, texts []string) (*Account, string, error) {
	base, view, err := initialSecrets(k)
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
	var found []*KexMessage
	for _, text := range texts {
		m, err := ParseKexMessage(text)
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
	a.kexKeys = []xmr.PublicKey{a.self}
	if mainRounds(a.Total(), threshold) == 1 {
		a.shares = []*edwards.Scalar{base} // N of N: each contributes its own key
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

// commonView returns the group's view key: the hash of all parts, ascending, so that the last sender cannot choose it.
// It sorts parts.
// Source: src/multisig/multisig_account_kex_impl.cpp, make_multisig_common_privkey.
func commonView(parts [][32]byte) *edwards.Scalar {
	smallsort.Sort(parts, func(a, b [32]byte) int { return compareKeys(a, b) })
	all := make([]byte, 0, 32*MaxSigners)
	for i := range parts {
		all = append(all, parts[i][:]...)
	}
	defer clear(all)
	return edwards.HashToScalar(all)
}
