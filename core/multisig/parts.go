package multisig

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/xmr"
)

// Parts are what an account is made of, for files.
type Parts struct {
	Threshold uint32
	Signers   []xmr.PublicKey // in any order
	Base      keys.Secret     // this signer's own
	View      keys.Secret     // the group's
	Spend     xmr.PublicKey   // the group's; the identity before the account is Complete
	Shares    []keys.Secret   // of the group's spend key
	Round     uint32          // rounds behind it
	Shared    []xmr.PublicKey // this signer's keys of the round under way
}

// Parts returns what the account is made of.
func (a *Account) Parts() Parts {
	p := Parts{
		Threshold: a.threshold, Signers: slices.Clone(a.signers), Base: edwards.EncodeScalar(a.base), View: a.ViewSecret(),
		Spend: a.spendKey, Round: a.round, Shared: slices.Clone(a.shared),
	}
	for _, s := range a.shares {
		p.Shares = append(p.Shares, edwards.EncodeScalar(s))
	}
	return p
}

// FromParts returns the account p is of. Errors: ErrConfig, ErrKey, ErrDuplicate, ErrStranger when the own key is not among the
// signers', ErrDisagree when the parts are not those of an account after that round.
// Source: src/multisig/multisig_account.cpp, multisig_account and set_multisig_config.
func FromParts(p Parts) (*Account, error) {
	total := uint32(min(len(p.Signers), MaxSigners+1))
	if err := checkGroup(total, p.Threshold); err != nil {
		return nil, err
	}
	if p.Round < 1 || p.Round > Rounds(total, p.Threshold) {
		return nil, ErrRound
	}
	a := &Account{
		threshold: p.Threshold, signers: slices.Clone(p.Signers), spendKey: p.Spend, round: p.Round,
	}
	if len(p.Shared) > 0 {
		a.shared = slices.Clone(p.Shared)
	}
	var err error
	if a.base, err = secret(p.Base); err != nil {
		return nil, err
	}
	if a.view, err = secret(p.View); err != nil {
		return nil, err
	}
	a.self, a.viewKey = publicOf(a.base), publicOf(a.view)
	for _, s := range p.Shares {
		share, err := secret(s)
		if err != nil {
			return nil, err
		}
		a.shares = append(a.shares, share)
	}
	sortKeys(a.signers)
	sortKeys(a.shared)
	switch {
	case len(slices.Compact(slices.Clone(a.signers))) != len(a.signers), len(slices.Compact(slices.Clone(a.shared))) != len(a.shared):
		return nil, ErrDuplicate
	case !a.isSigner(a.self):
		return nil, ErrStranger
	}
	if err := a.checkKeys(); err != nil {
		return nil, err
	}
	return a, a.checkRound()
}

// secret reads a secret that is not zero, or ErrKey.
func secret(b keys.Secret) (*edwards.Scalar, error) {
	s, err := edwards.DecodeScalar(b)
	if err != nil || s.Equal(edwards.NewScalar()) == 1 {
		return nil, ErrKey
	}
	return s, nil
}

// checkKeys returns ErrKey when a public key is none.
func (a *Account) checkKeys() error {
	good := map[xmr.PublicKey]bool{a.self: true}
	for _, k := range a.signers {
		if err := checkKey(k, good); err != nil {
			return err
		}
	}
	if a.Complete() {
		return checkKey(a.spendKey, good)
	}
	for _, k := range a.shared { // made by this account, so that one look each is enough
		if _, err := edwards.DecodePoint(k); err != nil || k == identity {
			return ErrKey
		}
	}
	return nil
}

// checkRound returns ErrDisagree when the account has not what it has after its round.
func (a *Account) checkRound() error {
	total := a.Total()
	shared, shares := choose(total-1, a.round), 0
	switch last := mainRounds(total, a.threshold); {
	case a.round >= last:
		shared, shares = 0, ShareCount(total, a.threshold)
	case a.round == last-1:
		shares = shared
	}
	if len(a.shared) != shared || len(a.shares) != shares || !a.Complete() && a.spendKey != identity {
		return ErrDisagree
	}
	if a.threshold == 1 && a.Complete() && publicOf(a.shares[0]) != a.spendKey {
		return ErrDisagree
	}
	return nil
}

// recordVersion begins what Encode writes.
const recordVersion = 1

// Encode writes the account, with its secrets, for the wallet's own file.
func (a *Account) Encode() []byte {
	p := a.Parts()
	b := []byte{recordVersion}
	b = wire.AppendVarint(b, uint64(p.Threshold))
	b = wire.AppendVarint(b, uint64(p.Round))
	b = append(append(append(b, p.Base[:]...), p.View[:]...), p.Spend[:]...)
	b = wire.AppendVarint(b, uint64(len(p.Signers)))
	for _, k := range p.Signers {
		b = append(b, k[:]...)
	}
	b = wire.AppendVarint(b, uint64(len(p.Shared)))
	for _, k := range p.Shared {
		b = append(b, k[:]...)
	}
	b = wire.AppendVarint(b, uint64(len(p.Shares)))
	for i := range p.Shares {
		b = append(b, p.Shares[i][:]...)
	}
	clear(p.Shares)
	clear(p.Base[:])
	return b
}

// Decode reads what Encode wrote. Errors: ErrMessage for other bytes, FromParts'.
func Decode(b []byte) (*Account, error) {
	r := wire.NewReader(b)
	if r.Byte() != recordVersion {
		return nil, ErrMessage
	}
	var p Parts
	p.Threshold, p.Round = uint32(min(r.Varint(), MaxSigners+1)), uint32(min(r.Varint(), MaxSigners+2))
	p.Base, p.View, p.Spend = r.Bytes32(), r.Bytes32(), r.Bytes32()
	p.Signers = make([]xmr.PublicKey, r.Count(MaxSigners, 32))
	for i := range p.Signers {
		p.Signers[i] = r.Bytes32()
	}
	p.Shared = make([]xmr.PublicKey, r.Count(maxKeys, 32))
	for i := range p.Shared {
		p.Shared[i] = r.Bytes32()
	}
	p.Shares = make([]keys.Secret, r.Count(maxKeys, 32))
	defer clear(p.Shares)
	for i := range p.Shares {
		p.Shares[i] = r.Bytes32()
	}
	if r.Close() != nil {
		return nil, ErrMessage
	}
	return FromParts(p)
}
