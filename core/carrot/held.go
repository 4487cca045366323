package carrot

import (
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Tier tells which secrets an Account has. The tier generate-address finds nothing on the chain, so no wallet has it.
type Tier uint8

// Tiers of wallets. Source: carrot.md, 5.4.
const (
	TierViewReceived Tier = iota + 1
	TierViewAll
	TierMaster
)

// String returns the tier's name in carrot.md.
func (t Tier) String() string {
	switch t {
	case TierViewReceived:
		return "view-received"
	case TierViewAll:
		return "view-all"
	case TierMaster:
		return "master"
	}
	return smallfmt.Sprintf("tier %d", uint8(t))
}

// Account is what a wallet with the keys of Carrot has: the secrets of one tier. It is immutable, and is the
// keys.Hierarchy of the wallet's keys. Formatting it never prints a secret.
type Account struct {
	received *ViewReceived
	all      *ViewAll     // nil in tier view-received
	master   *keys.Secret // s_m; nil below tier master
}

var _ keys.Hierarchy = (*Account)(nil)

// NewMasterAccount returns the account of the master secret s_m. It returns the errors of NewMaster.
func NewMasterAccount(r *Rules, master keys.Secret) (*Account, error) {
	m, err := NewMaster(r, master)
	if err != nil {
		return nil, err
	}
	m.Forget() // nothing here spends; s_m gives it back
	return &Account{received: &m.ViewReceived, all: &m.ViewAll, master: &master}, nil
}

// NewViewAllAccount returns the account of the view-balance secret s_vb and the partial spend key k_ps·T. It returns
// the errors of NewViewAll.
func NewViewAllAccount(r *Rules, balance keys.Secret, partialSpend xmr.PublicKey) (*Account, error) {
	v, err := NewViewAll(r, balance, partialSpend)
	if err != nil {
		return nil, err
	}
	return &Account{received: &v.ViewReceived, all: v}, nil
}

// NewViewReceivedAccount returns the account of the incoming view key k_v, the generate-address secret s_ga and the
// spend key K_s. It returns the errors of NewViewReceived.
func NewViewReceivedAccount(r *Rules, view, generateAddress keys.Secret, spend xmr.PublicKey) (*Account, error) {
	v, err := NewViewReceived(r, view, generateAddress, spend)
	if err != nil {
		return nil, err
	}
	return &Account{received: v}, nil
}

// AccountOf returns the account of a wallet's keys; nil if they are today's.
func AccountOf(k *keys.Keys) *Account {
	a, _ := k.Hierarchy().(*Account)
	return a
}

// CanSpend reports whether a wallet with keys k can sign spends after the fork: with today's spend secret, which an
// external signer may hold, or the master secret.
func CanSpend(k *keys.Keys) bool {
	if a := AccountOf(k); a != nil {
		return a.Tier() == TierMaster
	}
	return k.CanSpend()
}

// Tier returns the tier of a.
func (a *Account) Tier() Tier {
	switch {
	case a.master != nil:
		return TierMaster
	case a.all != nil:
		return TierViewAll
	}
	return TierViewReceived
}

// Keys returns the keys of a wallet that has a.
func (a *Account) Keys() (*keys.Keys, error) {
	spend, _, _ := a.received.AccountKeys()
	return keys.WithHierarchy(a.received.ViewSecret(), spend, a)
}

// SpendKey returns the public spend key of address i.
func (a *Account) SpendKey(i keys.Index) xmr.PublicKey { return a.received.SpendKey(i) }

// AddressKeys returns the public spend and view keys of address i.
func (a *Account) AddressKeys(i keys.Index) (spend, view xmr.PublicKey) {
	to := a.received.Address(xmr.Mainnet, i)
	return to.Spend, to.View
}

// ViewReceived returns the secrets of the tier view-received.
func (a *Account) ViewReceived() *ViewReceived { return a.received }

// ViewAll returns the secrets of the tier view-all; false below it.
func (a *Account) ViewAll() (*ViewAll, bool) { return a.all, a.all != nil }

// MasterSecret returns s_m, for the owner or the wallet's file; false below the tier master.
func (a *Account) MasterSecret() (keys.Secret, bool) {
	if a.master == nil {
		return keys.Secret{}, false
	}
	return *a.master, true
}

// KeyImage is the method of keys.Hierarchy: the key image of an output from before the fork, which keeps today's hash
// to points. Source: src/carrot_impl/key_image_device_composed.cpp, derive_key_image.
func (a *Account) KeyImage(added *edwards.Scalar, i keys.Index, output xmr.PublicKey) (xmr.KeyImage, bool, error) {
	if a.all == nil {
		return xmr.KeyImage{}, false, nil
	}
	own, err := edwards.DecodePoint(a.SpendKey(i))
	if err != nil || own.Add(own, new(edwards.Point).ScalarBaseMult(added)).Encode() != [32]byte(output) {
		return xmr.KeyImage{}, false, keys.ErrMismatch
	}
	return a.image(LegacyOutput, i, output, added), true, nil
}

// image returns the key image of an output that address i received; added is the difference between its secret key for
// G and that of the address.
func (a *Account) image(f Format, i keys.Index, output xmr.PublicKey, added *edwards.Scalar) xmr.KeyImage {
	x := a.all.addressScalar(i)
	defer edwards.Wipe(x)
	return a.all.Internal.rules.KeyImage(f, output, x.MultiplyAdd(x, a.all.image, added))
}

// Lengths of an encoded account, without the tier in front.
var accountLength = map[Tier]int{TierViewReceived: 96, TierViewAll: 64, TierMaster: 32}

// Encode returns the tier and its secrets, for the wallet's file. The caller wipes it.
func (a *Account) Encode() []byte {
	b := append(make([]byte, 0, 97), byte(a.Tier()))
	add := func(s keys.Secret) {
		b = append(b, s[:]...)
		clear(s[:])
	}
	switch a.Tier() {
	case TierMaster:
		add(*a.master)
	case TierViewAll:
		partial := a.all.PartialSpendKey()
		add(a.all.BalanceSecret())
		b = append(b, partial[:]...)
	default:
		spend, _, _ := a.received.AccountKeys()
		add(a.received.ViewSecret())
		add(a.received.AddressSecret())
		b = append(b, spend[:]...)
	}
	return b
}

// DecodeAccount reads the result of Encode. It returns ErrKey for other bytes, and the errors of the constructors.
func DecodeAccount(r *Rules, b []byte) (*Account, error) {
	if len(b) == 0 || len(b)-1 != accountLength[Tier(b[0])] {
		return nil, ErrKey
	}
	part := func(n int) [32]byte { return [32]byte(b[1+32*n:]) }
	switch Tier(b[0]) {
	case TierMaster:
		return NewMasterAccount(r, part(0))
	case TierViewAll:
		return NewViewAllAccount(r, part(0), part(1))
	case TierViewReceived:
		return NewViewReceivedAccount(r, part(0), part(1), part(2))
	}
	return nil, ErrKey
}

// String returns the tier and the public spend key only.
func (a *Account) String() string { return describe(a.Tier().String(), a.SpendKey(keys.Index{})) }

// GoString is String.
func (a *Account) GoString() string { return a.String() }
