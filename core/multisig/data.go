package multisig

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/keys"
	"glim/core/xmr"
)

// AccountData is an account's contents, for storage.
type AccountData struct {
	Threshold uint32
	Signers   []xmr.PublicKey // in any order
	Base      keys.Secret     // this signer's own
	View      keys.Secret     // the group's
	Spend     xmr.PublicKey   // the group's; the identity before the account is Complete
	Shares    []keys.Secret   // of the group's spend key
	Round     uint32          // completed rounds
	KexKeys   []xmr.PublicKey // this signer's keys of the current round
}

// Data returns the account's contents.
func (a *Account) Data() AccountData {
	p := AccountData{
		Threshold: a.threshold, Signers: slices.Clone(a.signers), Base: edwards.EncodeScalar(a.base),
		View:  a.ViewSecret(),
		Spend: a.spendKey, Round: a.round, KexKeys: slices.Clone(a.kexKeys),
	}
	for _, s := range a.shares {
		p.Shares = append(p.Shares, edwards.EncodeScalar(s))
	}
	return p
}

// FromData returns the account with these contents. It returns ErrConfig, ErrKey, ErrDuplicate, ErrForeignSigner when
// its own key is not among the signers', or ErrDisagree when the contents do not belong to an account after that round.
// Source: src/multisig/multisig_account.cpp, multisig_account and set_multisig_config.
func FromData(p AccountData) (*Account, error) {
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
	if len(p.KexKeys) > 0 {
		a.kexKeys = slices.Clone(p.KexKeys)
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
	sortKeys(a.kexKeys)
	switch {
	case len(slices.Compact(slices.Clone(a.signers))) != len(a.signers),
		len(slices.Compact(slices.Clone(a.kexKeys))) != len(a.kexKeys):
		return nil, ErrDuplicate
	case !a.isSigner(a.self):
		return nil, ErrForeignSigner
	}
	if err := a.checkKeys(); err != nil {
		return nil, err
	}
	return a, a.checkRound()
}

// secret decodes a secret key. It returns ErrKey for an invalid one and for zero.
func secret(b keys.Secret) (*edwards.Scalar, error) {
	s, err := edwards.DecodeScalar(b)
	if err != nil || s.Equal(edwards.NewScalar()) == 1 {
		return nil, ErrKey
	}
	return s, nil
}

// checkKeys returns ErrKey for an invalid public key.
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
	for _, k := range a.kexKeys { // made by this account: check each once
		if _, err := edwards.DecodePoint(k); err != nil || k == identity {
			return ErrKey
		}
	}
	return nil
}

// checkRound returns ErrDisagree unless the account has the contents that belong to its round.
func (a *Account) checkRound() error {
	total := a.Total()
	shared, shares := choose(total-1, a.round), 0
	switch last := mainRounds(total, a.threshold); {
	case a.round >= last:
		shared, shares = 0, ShareCount(total, a.threshold)
	case a.round == last-1:
		shares = shared
	}
	if len(a.kexKeys) != shared || len(a.shares) != shares || !a.Complete() && a.spendKey != identity {
		return ErrDisagree
	}
	if a.threshold == 1 && a.Complete() && publicOf(a.shares[0]) != a.spendKey {
		return ErrDisagree
	}
	return nil
}

// recordVersion begins what Encode writes.
const recordVersion = 1

// Encode serialises the account, including secrets, for the wallet's file.
func (a *Account) Encode() []byte {
	p := a.Data()
	b := []byte{recordVersion}
	b = wire.AppendVarint(b, uint64(p.Threshold))
	b = wire.AppendVarint(b, uint64(p.Round))
	b = append(append(append(b, p.Base[:]...), p.View[:]...), p.Spend[:]...)
	b = wire.AppendVarint(b, uint64(len(p.Signers)))
	for _, k := range p.Signers {
		b = append(b, k[:]...)
	}
	b = wire.AppendVarint(b, uint64(len(p.KexKeys)))
	for _, k := range p.KexKeys {
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

// Decode reads what Encode wrote. It returns ErrMessage for other bytes, and the errors of FromData.
func Decode(b []byte) (*Account, error) {
	r := wire.NewReader(b)
	if r.Byte() != recordVersion {
		return nil, ErrMessage
	}
	var p AccountData
	p.Threshold, p.Round = uint32(min(r.Varint(), MaxSigners+1)), uint32(min(r.Varint(), MaxSigners+2))
	p.Base, p.View, p.Spend = r.Bytes32(), r.Bytes32(), r.Bytes32()
	p.Signers = make([]xmr.PublicKey, r.Count(MaxSigners, 32))
	for i := range p.Signers {
		p.Signers[i] = r.Bytes32()
	}
	p.KexKeys = make([]xmr.PublicKey, r.Count(maxKeys, 32))
	for i := range p.KexKeys {
		p.KexKeys[i] = r.Bytes32()
	}
	p.Shares = make([]keys.Secret, r.Count(maxKeys, 32))
	defer clear(p.Shares)
	for i := range p.Shares {
		p.Shares[i] = r.Bytes32()
	}
	if r.Close() != nil {
		return nil, ErrMessage
	}
	return FromData(p)
}
