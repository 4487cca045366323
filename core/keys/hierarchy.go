//go:build !nocarrot

package keys

import (
	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// HasHierarchies reports whether this program knows keys of the next hard fork. The build tag nocarrot leaves them out.
const HasHierarchies = true

// OwnExtensions is what an OwnOutput has for an output of the next hard fork.
type OwnExtensions = *Extensions

// Extensions are the differences between the secret keys of an output of the next hard fork, for G and T, and those of
// its address.
type Extensions struct{ G, T Secret }

// extension is what Keys have for the next hard fork.
type extension struct {
	hierarchy Hierarchy // nil with today's keys
}

// Hierarchy computes what differs for a wallet whose addresses do not follow from the view key alone, and whose spend
// key is not a multiple of G: one with the keys of the next hard fork, see package carrot.
type Hierarchy interface {
	// SpendKey returns the public spend key of address i.
	SpendKey(i Index) xmr.PublicKey
	// AddressKeys returns the public spend and view keys of address i.
	AddressKeys(i Index) (spend, view xmr.PublicKey)
	// KeyImage returns the key image of an output from before the fork that address i received; public is its key, and
	// added the difference between its secret key for G and that of the address. It returns false if the wallet cannot
	// compute key images, and ErrMismatch if the output is not the wallet's.
	KeyImage(added *edwards.Scalar, i Index, public xmr.PublicKey) (xmr.KeyImage, bool, error)
}

// WithHierarchy returns the keys of a wallet with the view key of the main address, its public spend key, and the
// addresses of h. They have no spend secret: CanSpend is false, because no transaction with rings can spend their
// outputs. It returns the errors of ViewOnly.
func WithHierarchy(view [32]byte, spendPublic xmr.PublicKey, h Hierarchy) (*Keys, error) {
	k, err := ViewOnly(view, spendPublic)
	if err != nil {
		return nil, err
	}
	k.hierarchy = h
	return k, nil
}

// Hierarchy returns the argument of WithHierarchy; nil for today's keys.
func (k *Keys) Hierarchy() Hierarchy { return k.hierarchy }

// ExternalKeyImage returns the key image of o, which may be an output of the next hard fork, for keys of NewExternal.
// It returns an *UnknownKeyImagesError if the external signer has not made it yet, and for keys from WithContext the
// errors of FetchKeyImages.
func (k *Keys) ExternalKeyImage(o OwnOutput) (xmr.KeyImage, error) { return k.keyImage(o) }

// The functions below are those of today's keys for keys with a hierarchy.

func (k *Keys) hierarchySpendKeys(major, from uint32, count int) []xmr.PublicKey {
	out := make([]xmr.PublicKey, count)
	for i := range out {
		out[i] = k.hierarchy.SpendKey(Index{major, from + uint32(i)})
	}
	return out
}

func (k *Keys) hierarchyAddress(i Index) (spend, view xmr.PublicKey) {
	return k.hierarchy.AddressKeys(i)
}

func (k *Keys) hierarchyAddresses(list []Index) (spend, view []xmr.PublicKey) {
	spend, view = make([]xmr.PublicKey, len(list)), make([]xmr.PublicKey, len(list))
	for n, i := range list {
		spend[n], view[n] = k.Address(i)
	}
	return spend, view
}

func (k *Keys) hierarchyImage(
	d edwards.Derivation, n uint64, i Index, public xmr.PublicKey,
) (xmr.KeyImage, bool, error) {
	added := d.SecretKey(n, edwards.NewScalar())
	defer edwards.Wipe(added)
	return k.hierarchy.KeyImage(added, i, public)
}
