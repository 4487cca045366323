package curvetree

import "glim/core/crypto/helioselene"

// Tree is the tree of all outputs, of which it keeps the last hash of each layer only: enough to add outputs and for
// the root. The zero value is a tree without outputs. Copy keeps an earlier state.
type Tree struct {
	outputs uint64
	selene  []layer[helioselene.Selene] // the first, third, … layer of hashes
	helios  []layer[helioselene.Helios] // the second, fourth, …
}

// layer is a layer of hashes.
type layer[G any] struct {
	hashes uint64
	last   G
}

// Root is the root of a tree: the encoding of a point of Selene if the number of layers of hashes is odd, and otherwise
// of Helios. A tree without outputs has no layers and zeros.
type Root struct {
	Layers int
	Hash   [32]byte
}

// Outputs returns the number of outputs in the tree.
func (t *Tree) Outputs() uint64 { return t.outputs }

// Copy returns a tree that Grow of t does not change.
func (t *Tree) Copy() *Tree {
	return &Tree{
		outputs: t.outputs,
		selene:  append([]layer[helioselene.Selene]{}, t.selene...),
		helios:  append([]layer[helioselene.Helios]{}, t.helios...),
	}
}

// Root returns the root of the tree.
func (t *Tree) Root() Root {
	r := Root{Layers: len(t.selene) + len(t.helios)}
	switch {
	case r.Layers == 0:
	case r.Layers%2 == 1:
		r.Hash = t.selene[len(t.selene)-1].last.Encode()
	default:
		r.Hash = t.helios[len(t.helios)-1].last.Encode()
	}
	return r
}

// Grow adds outputs.
func (t *Tree) Grow(leaves []Leaf) {
	if len(leaves) == 0 {
		return
	}
	scalars := make([]helioselene.Element25519, 0, len(leaves)*len(leaves[0]))
	for i := range leaves {
		scalars = append(scalars, leaves[i][:]...)
	}
	points := change[helioselene.Element25519]{start: t.outputs * uint64(len(Leaf{})), children: scalars}
	t.outputs += uint64(len(leaves))
	for i := 0; ; i++ {
		width := leafWidth
		if i > 0 {
			width = SeleneWidth
		}
		s := grow(&t.selene, i, width, points, GrowSelene, helioselene.SeleneXY)
		if t.selene[i].hashes == 1 {
			return
		}
		h := grow(&t.helios, i, HeliosWidth, s, GrowHelios, helioselene.HeliosXY)
		if t.helios[i].hashes == 1 {
			return
		}
		points = h
	}
}

// change is a change of a layer's children: from index start on they are children. If there was one at start, it was
// old.
type change[S any] struct {
	start    uint64
	replaces bool
	old      S
	children []S
	first    *S // the only child before the change, if it is not among them
}

// grow applies a change to the hashes of layer i, with width children each, and returns the change of these hashes, for
// the layer above.
func grow[G, S, X any](
	layers *[]layer[G], i, width int, c change[S],
	hash func(*G, int, *S, []S) *G, xy func([]G) (x, y []X),
) (out change[X]) {
	if i == len(*layers) { // a new layer, above what was the root
		*layers = append(*layers, layer[G]{})
		if c.first != nil {
			c.children = append([]S{*c.first}, c.children...)
		}
		c.start, c.replaces = 0, false
	}
	l := &(*layers)[i]
	var none S
	before := l.hashes
	out.start = c.start / uint64(width)
	var hashes []G
	for offset, rest := int(c.start%uint64(width)), c.children; len(rest) > 0; offset = 0 {
		n := min(width-offset, len(rest))
		var from *G
		old := &none
		if len(hashes) == 0 && out.start < before {
			from = &l.last
			if c.replaces {
				old = &c.old
			}
		}
		hashes = append(hashes, *hash(from, offset, old, rest[:n]))
		rest = rest[n:]
	}
	if before > 0 {
		x, _ := xy([]G{l.last})
		out.replaces = out.start < before
		out.old = x[0]
		if before == 1 && !out.replaces {
			out.first = &x[0]
		}
	}
	l.hashes, l.last = out.start+uint64(len(hashes)), hashes[len(hashes)-1]
	out.children, _ = xy(hashes)
	return out
}
