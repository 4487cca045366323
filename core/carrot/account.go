package carrot

import (
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// ViewReceived is the tier that finds what others sent, and can do what GenerateAddress can.
// Source: carrot.md, 5.4.2.
type ViewReceived struct {
	GenerateAddress
	Incoming
}

// ViewAll is the tier that finds everything received, and computes key images, so that it sees what is spent. It can do
// what ViewReceived can; its NewSelfSend makes internal enotes, and that of its Incoming makes special ones.
// Source: carrot.md, 5.4.3.
type ViewAll struct {
	ViewReceived
	Internal
	partial xmr.PublicKey   // k_ps·T
	image   *edwards.Scalar // k_gi
}

// Master is the tier that spends, and can do what ViewAll can. Source: carrot.md, 5.4.4.
type Master struct {
	ViewAll
	prove *edwards.Scalar // k_ps
}

// NewMaster returns the keys that follow from the master secret s_m. It returns ErrKey for a secret with which a key is
// zero, which nobody can find.
// Source: carrot.md, 5.2 and 5.3; account_secrets.cpp, make_carrot_provespend_key, make_carrot_viewbalance_secret.
func NewMaster(r *Rules, master keys.Secret) (*Master, error) {
	prove := deriveScalar((*[32]byte)(&master), "Carrot prove-spend key")
	balance := deriveSecret((*[32]byte)(&master), "Carrot view-balance secret")
	if isZero(prove) {
		return nil, ErrKey
	}
	all, err := NewViewAll(r, balance, partialSpendKey(r, prove))
	clear(balance[:])
	if err != nil {
		return nil, err
	}
	return &Master{ViewAll: *all, prove: prove}, nil
}

// partialSpendKey returns k_ps·T. Source: account_secrets.cpp, make_carrot_partial_spend_pubkey.
func partialSpendKey(r *Rules, prove *edwards.Scalar) xmr.PublicKey {
	return new(edwards.Point).ScalarMult(prove, r.t()).Encode()
}

// NewViewAll returns the keys that follow from the view-balance secret s_vb and the partial spend key k_ps·T, which
// Master.BalanceSecret and Master.PartialSpendKey return. It returns ErrKey if the latter is not in the prime-order
// subgroup. Source: carrot.md, 5.2 and 5.3; account_secrets.cpp, make_carrot_generateimage_preimage and the functions
// after it.
func NewViewAll(r *Rules, balance keys.Secret, partialSpend xmr.PublicKey) (*ViewAll, error) {
	partial, ok := inSubgroup(partialSpend)
	if !ok {
		return nil, ErrKey
	}
	secret := (*[32]byte)(&balance)
	preimage := deriveSecret(secret, "Carrot generate-image preimage secret")
	image := deriveScalar(&preimage, "Carrot generate-image key", partialSpend[:])
	clear(preimage[:])
	view := deriveScalar(secret, "Carrot incoming view key")
	spend := new(edwards.Point).ScalarBaseMult(image)
	received, err := NewViewReceived(r, edwards.EncodeScalar(view),
		deriveSecret(secret, "Carrot generate-address secret"), spend.Add(spend, partial).Encode())
	edwards.Wipe(view)
	if err != nil || isZero(image) {
		return nil, ErrKey
	}
	return &ViewAll{
		ViewReceived: *received, Internal: Internal{rules: r, secret: balance}, partial: partialSpend, image: image,
	}, nil
}

// NewViewReceived returns the keys of a wallet with the incoming view key k_v, the generate-address secret s_ga and the
// spend key K_s = k_gi·G + k_ps·T. It returns ErrKey if k_v is zero or not reduced, or K_s not in the prime-order
// subgroup. Source: carrot.md, 5.3 and 6.1.1.
func NewViewReceived(r *Rules, view, generateAddress keys.Secret, spend xmr.PublicKey) (*ViewReceived, error) {
	incoming, err := NewIncoming(r, view, spend)
	if err != nil {
		return nil, err
	}
	account := new(edwards.Point).ScalarMult(incoming.view, incoming.main).Encode()
	mainView := new(edwards.Point).ScalarBaseMult(incoming.view).Encode()
	addresses, err := NewGenerateAddress(generateAddress, spend, account, mainView)
	if err != nil {
		return nil, err
	}
	return &ViewReceived{GenerateAddress: *addresses, Incoming: *incoming}, nil
}

// ViewSecret returns k_v, for the owner, a scanner or the wallet's file.
func (v *ViewReceived) ViewSecret() keys.Secret { return edwards.EncodeScalar(v.Incoming.view) }

// BalanceSecret returns s_vb, for the owner or the wallet's file.
func (v *ViewAll) BalanceSecret() keys.Secret { return v.Internal.secret }

// PartialSpendKey returns k_ps·T, which NewViewAll needs together with BalanceSecret.
func (v *ViewAll) PartialSpendKey() xmr.PublicKey { return v.partial }

// ProveSpendKey returns k_ps, for a signer. The caller wipes it.
func (m *Master) ProveSpendKey() *edwards.Scalar { return edwards.NewScalar().Set(m.prove) }

// Forget overwrites k_ps. No other goroutine may use it during the call, and what needs it does not work later.
func (m *Master) Forget() { edwards.Wipe(m.prove) }

// The tiers print as their public spend key, with every verb for text, so that no log can contain a secret. Each has
// its own method, because embedding two types with String promotes neither.

func describe(tier string, spend xmr.PublicKey) string {
	return smallfmt.Sprintf("%s of %s", tier, spend)
}

// String returns the tier and the public spend key only.
func (a GenerateAddress) String() string { return describe("generate-address", a.spend) }

// GoString is String.
func (a GenerateAddress) GoString() string { return a.String() }

// String returns the tier and the public spend key only.
func (v Incoming) String() string { return describe("view key", v.spend) }

// GoString is String.
func (v Incoming) GoString() string { return v.String() }

// String returns the name of the secret only.
func (v Internal) String() string { return "view-balance secret" }

// GoString is String.
func (v Internal) GoString() string { return v.String() }

// String returns the tier and the public spend key only.
func (v ViewReceived) String() string { return describe("view-received", v.GenerateAddress.spend) }

// GoString is String.
func (v ViewReceived) GoString() string { return v.String() }

// String returns the tier and the public spend key only.
func (v ViewAll) String() string { return describe("view-all", v.GenerateAddress.spend) }

// GoString is String.
func (v ViewAll) GoString() string { return v.String() }

// String returns the tier and the public spend key only.
func (m Master) String() string { return describe("master", m.GenerateAddress.spend) }

// GoString is String.
func (m Master) GoString() string { return m.String() }
