package curvetree

import (
	"strconv"
	"sync"

	"glim/core/crypto/helioselene"
)

// The numbers of children of a hash: outputs or points of Helios for one of Selene, and points of Selene for one of
// Helios.
const (
	SeleneWidth = 38
	HeliosWidth = 18
)

// leafWidth is the number of scalars of a full hash of leaves.
const leafWidth = SeleneWidth * len(Leaf{})

// seleneBasis and heliosBasis are what hashes are made of: what a hash without children is, and the generators whose
// multiples are added for children.
type (
	seleneBasis struct {
		init       *helioselene.Selene
		generators *helioselene.SeleneTables
	}
	heliosBasis struct {
		init       *helioselene.Helios
		generators *helioselene.HeliosTables
	}
)

// tableWidth makes tables of half a megabyte.
const tableWidth = 7

var (
	seleneHash = sync.OnceValue(func() *seleneBasis {
		generators := make([]helioselene.Selene, leafWidth)
		for i := range generators {
			generators[i] = *helioselene.HashToSelene("Monero Selene G " + strconv.Itoa(i))
		}
		return &seleneBasis{
			init:       helioselene.HashToSelene("Monero Selene Hash Initializer"),
			generators: helioselene.NewSeleneTables(generators, tableWidth),
		}
	})
	heliosHash = sync.OnceValue(func() *heliosBasis {
		generators := make([]helioselene.Helios, HeliosWidth)
		for i := range generators {
			generators[i] = *helioselene.HashToHelios("Monero Helios G " + strconv.Itoa(i))
		}
		return &heliosBasis{
			init:       helioselene.HashToHelios("Monero Helios Hash Initializer"),
			generators: helioselene.NewHeliosTables(generators, tableWidth),
		}
	})
)

// GrowSelene returns a hash with children from index offset on instead of none; hash is nil for one without children.
// The first of them replaces old, which is 0 if there was no child. It panics if children exceed the 228 of a hash.
func GrowSelene(
	hash *helioselene.Selene, offset int, old *helioselene.Element25519, children []helioselene.Element25519,
) *helioselene.Selene {
	if len(children) == 0 {
		panic("curvetree: a hash grows by at least one child")
	}
	b := seleneHash()
	if hash == nil {
		hash = b.init
	}
	added := append([]helioselene.Element25519{}, children...)
	added[0].Subtract(&added[0], old)
	sum := new(helioselene.Selene).VarTimeTableMult(added, b.generators, offset)
	return sum.Add(sum, hash)
}

// GrowHelios is GrowSelene for hashes that are points of Helios and have up to 18 children.
func GrowHelios(
	hash *helioselene.Helios, offset int, old *helioselene.Element, children []helioselene.Element,
) *helioselene.Helios {
	if len(children) == 0 {
		panic("curvetree: a hash grows by at least one child")
	}
	b := heliosHash()
	if hash == nil {
		hash = b.init
	}
	added := append([]helioselene.Element{}, children...)
	added[0].Subtract(&added[0], old)
	sum := new(helioselene.Helios).VarTimeTableMult(added, b.generators, offset)
	return sum.Add(sum, hash)
}
