package curvetree

import (
	"errors"
	"fmt"

	"glim/core/crypto/helioselene"
)

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

// ErrEdge is the error of FromEdge.
var ErrEdge = errors.New("curvetree: the hashes are not those of a tree's edge")

// Hashes returns the number of hashes of each layer of a tree, the lowest layer first.
func Hashes(outputs uint64) (layers []uint64) {
	for n, width := outputs, uint64(SeleneWidth); n > 0; {
		n = (n-1)/width + 1
		layers = append(layers, n)
		if n == 1 {
			break
		}
		width = SeleneWidth + HeliosWidth - width
	}
	return layers
}

// Edge returns the last hash of each layer, the lowest layer first, as encodings of points of Selene and Helios in
// turn. The last of them is the root. Together with the number of outputs it determines the tree.
func (t *Tree) Edge() [][32]byte {
	edge := make([][32]byte, 0, len(t.selene)+len(t.helios))
	for i := range t.selene {
		edge = append(edge, t.selene[i].last.Encode())
		if i < len(t.helios) {
			edge = append(edge, t.helios[i].last.Encode())
		}
	}
	return edge
}

// FromEdge returns the tree with a number of outputs whose Edge is edge. It returns ErrEdge if the number of hashes
// does not fit, or if a hash is not a point of its curve.
func FromEdge(outputs uint64, edge [][32]byte) (*Tree, error) {
	hashes := Hashes(outputs)
	if len(hashes) != len(edge) {
		return nil, ErrEdge
	}
	t := &Tree{outputs: outputs}
	for i, b := range edge {
		if i%2 == 0 {
			p, err := helioselene.DecodeSelene(b)
			if err != nil {
				return nil, fmt.Errorf("%w: layer %d: %w", ErrEdge, i+1, err)
			}
			t.selene = append(t.selene, layer[helioselene.Selene]{hashes: hashes[i], last: *p})
			continue
		}
		p, err := helioselene.DecodeHelios(b)
		if err != nil {
			return nil, fmt.Errorf("%w: layer %d: %w", ErrEdge, i+1, err)
		}
		t.helios = append(t.helios, layer[helioselene.Helios]{hashes: hashes[i], last: *p})
	}
	return t, nil
}

// Watcher gets the x coordinates of hashes that are new or have changed, with the index of the first of them in its
// layer. Layers of each curve are counted from 0, and a layer gets its hashes before the layer above it. Slices are not
// used again.
type Watcher interface {
	Selene(layer int, first uint64, x []helioselene.Element)
	Helios(layer int, first uint64, x []helioselene.Element25519)
}

// Grow adds outputs.
func (t *Tree) Grow(leaves []Leaf) { t.GrowWatched(leaves, nil) }

// GrowWatched adds outputs, and tells w, unless it is nil, which hashes are new or have changed.
func (t *Tree) GrowWatched(leaves []Leaf, w Watcher) {
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
		if w != nil {
			w.Selene(i, s.start, s.children)
		}
		if t.selene[i].hashes == 1 {
			return
		}
		h := grow(&t.helios, i, HeliosWidth, s, GrowHelios, helioselene.HeliosXY)
		if w != nil {
			w.Helios(i, h.start, h.children)
		}
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
