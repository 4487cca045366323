//go:build nocarrot

package keys

import (
	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// HasHierarchies reports whether this program knows keys of the next hard fork. The build tag nocarrot leaves them out.
const HasHierarchies = false

// OwnExtensions is empty: this program has no outputs of the next hard fork. It costs no bytes in the download.
type OwnExtensions = struct{}

type extension struct{}

// Hierarchy returns nil.
func (k *Keys) Hierarchy() any { return nil }

// Nothing of the following is reached.

func (k *Keys) hierarchySpendKeys(uint32, uint32, int) []xmr.PublicKey { return nil }

func (k *Keys) hierarchyAddress(Index) (spend, view xmr.PublicKey) { return spend, view }

func (k *Keys) hierarchyAddresses([]Index) (spend, view []xmr.PublicKey) { return nil, nil }

func (k *Keys) hierarchyImage(
	edwards.Derivation, uint64, Index, xmr.PublicKey,
) (image xmr.KeyImage, ok bool, err error) {
	return image, false, nil
}
