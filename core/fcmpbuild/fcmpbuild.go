// Package fcmpbuild makes transactions of Monero's next hard fork: RingCT type 7, which spends outputs with membership
// proofs (FCMP++) and has outputs of Carrot. Nobody has audited it, and only wallets of private chains use it. The
// README of package fcmp describes the steps and what is missing.
//
// Build does everything at once. Its steps are functions of their own, so that a device with the spend key needs no
// tree, and a host with the tree no spend key:
//
//   - Propose lays out a transaction: inputs, payments, change, fee and blinds. It needs the key images of the inputs.
//   - Sign makes the spend proofs. It needs the spend key, and recomputes all outputs, so that the signer knows what it
//     pays.
//   - ProveMembership proves that the inputs are in the tree. It needs their paths, and may run at the same time as
//     Sign, before or after it.
//   - Finish joins the proofs, and checks the finished bytes by the rules of consensus.
//
// Sources, quoted by file and function, are of github.com/j-berman/monero, branch prep-v0.19.0.0-beta.2.1, called the
// beta.
package fcmpbuild

import (
	"encoding/hex"
	"errors"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/treecache"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// Errors of this package, in addition to those of package txbuild that functions name. Retrying is pointless.
var (
	ErrInput    = errors.New("fcmpbuild: an input lacks its secrets, or is given twice")
	ErrProposal = errors.New("fcmpbuild: amounts, order or numbers of the proposal are wrong")
	ErrImage    = errors.New("fcmpbuild: the key image of an input is not that of its secret key")
)

// rules are those of the addressing protocol, format has the limits of transactions and their weights. Both are what
// package nextfork checks.
var (
	rules  = carrot.Default
	format = fcmptx.Default
)

// Viewer derives a wallet's addresses and makes enotes for them. carrot.LegacyView, carrot.ViewAll and what embeds them
// implement it.
type Viewer interface {
	carrot.SelfSender
	SpendKey(i keys.Index) xmr.PublicKey
}

// Spender opens a wallet's outputs, too. carrot.LegacyMaster and carrot.Master implement it, for outputs from before
// and after the fork.
type Spender interface {
	Viewer
	Opening(o *carrot.Received, i keys.Index) (x, y *edwards.Scalar, err error)
}

var (
	_ Viewer  = (*carrot.LegacyView)(nil)
	_ Viewer  = (*carrot.ViewAll)(nil)
	_ Spender = (*carrot.LegacyMaster)(nil)
	_ Spender = (*carrot.Master)(nil)
)

// SpenderOf returns what signs with k, and a function that wipes copies of its secrets. It returns carrot.ErrKey for
// keys that cannot sign by themselves.
func SpenderOf(k *keys.Keys) (s Spender, forget func(), err error) {
	a := carrot.AccountOf(k)
	if a == nil {
		s, err := carrot.NewLegacyMaster(rules, k)
		return s, func() {}, err
	}
	secret, ok := a.MasterSecret()
	if !ok {
		return nil, nil, carrot.ErrKey
	}
	defer clear(secret[:])
	m, err := carrot.NewMaster(rules, secret)
	if err != nil {
		return nil, nil, err
	}
	return m, m.Forget, nil
}

// ViewerOf returns what makes the outputs of transactions for their signer, with the view secrets of k. It returns
// carrot.ErrKey for keys of Carrot below the tier view-all.
func ViewerOf(k *keys.Keys) (Viewer, error) {
	a := carrot.AccountOf(k)
	if a == nil {
		return carrot.NewLegacyView(rules, k)
	}
	all, ok := a.ViewAll()
	if !ok {
		return nil, carrot.ErrKey
	}
	return all, nil
}

// Input is an output of the wallet to spend. Of Received count Key, Spend, Amount, Mask, ExtensionG and ExtensionT.
type Input struct {
	Format   carrot.Format
	Address  keys.Index // that received it
	Received carrot.Received
	Image    xmr.KeyImage
}

// NewLegacyInput returns an output from before the fork, which address in.Address with public spend key spend received.
// Its key image is zero. It returns ErrInput if the mask is not a reduced scalar.
func NewLegacyInput(in *txbuild.Input, spend xmr.PublicKey) (Input, error) {
	mask, err := edwards.DecodeScalar(in.Mask)
	if err != nil {
		return Input{}, ErrInput
	}
	return Input{
		Format: carrot.LegacyOutput, Address: in.Address,
		Received: carrot.Received{
			Key: in.Key, Spend: spend, Amount: in.Amount, Mask: mask,
			ExtensionG: edwards.Derivation(in.Derivation).Scalar(in.Index), ExtensionT: edwards.NewScalar(),
		},
	}, nil
}

// NewCarrotInput returns an output of Carrot, which address in.Address with public spend key spend received.
// in.Derivation is its carrot.EnoteSecret. Its key image is zero. It returns ErrInput if the mask is not a reduced
// scalar.
func NewCarrotInput(in *txbuild.Input, spend xmr.PublicKey, coinbase bool) (Input, error) {
	out, err := NewLegacyInput(in, spend)
	if err != nil {
		return Input{}, err
	}
	out.Format = carrot.CarrotOutput
	r, secret := &out.Received, carrot.EnoteSecret(in.Derivation)
	edwards.Wipe(r.ExtensionG)
	if coinbase {
		r.ExtensionG, r.ExtensionT = secret.CoinbaseExtensions(in.Amount, spend)
	} else {
		r.ExtensionG, r.ExtensionT = secret.Extensions(in.Commitment())
	}
	return out, nil
}

// complete reports whether in has all secrets that do not depend on the spend key.
func (in *Input) complete() bool {
	r := &in.Received
	return r.Mask != nil && r.ExtensionG != nil && r.ExtensionT != nil
}

// SetImage sets the key image. Outputs from before the fork keep the hash to points of today. It returns ErrInput for
// an incomplete input, and the errors of s.Opening.
// Source: src/carrot_impl/key_image_device_composed.cpp, derive_key_image.
func (in *Input) SetImage(s Spender) error {
	if !in.complete() {
		return ErrInput
	}
	x, y, err := s.Opening(&in.Received, in.Address)
	if err != nil {
		return err
	}
	defer edwards.Wipe(x)
	defer edwards.Wipe(y)
	in.Image = rules.KeyImage(in.Format, in.Received.Key, x)
	return nil
}

// Leaf returns the output as a tree of outputs has it, to be registered in a treecache.Cache.
func (in *Input) Leaf() treecache.Output {
	r := &in.Received
	return treecache.Output{
		Key: r.Key, Commitment: edwards.Commit(r.Mask, r.Amount).Encode(), Carrot: in.Format == carrot.CarrotOutput,
	}
}

// Output returns the output as proofs have it.
func (in *Input) Output() fcmp.Output {
	o := in.Leaf()
	return fcmp.Output{Key: o.Key, Generator: o.Generator(rules), Commitment: o.Commitment}
}

// String returns the key image only, because secrets do not belong in logs.
func (in Input) String() string { return "fcmpbuild.Input(" + hex.EncodeToString(in.Image[:]) + ")" }

// GoString is String.
func (in Input) GoString() string { return in.String() }
