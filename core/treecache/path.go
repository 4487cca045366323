package treecache

import (
	"errors"
	"fmt"
	"slices"

	"glim/core/crypto/curvetree"
	"glim/core/crypto/helioselene"
)

// Path is the way from an output to the root of the tree: the children of each hash on it, the lowest hash first. It
// reveals its output to whoever compares it with other paths. It can be converted to fcmp.Path.
type Path struct {
	Leaves []curvetree.Leaf             // of the first layer: 1 to curvetree.SeleneWidth outputs
	Helios [][]helioselene.Element      // of the second layer, the fourth, …: 1 to curvetree.HeliosWidth children
	Selene [][]helioselene.Element25519 // of the third layer, the fifth, …: 1 to curvetree.SeleneWidth children
}

// String returns a placeholder, because own outputs do not belong in logs.
func (Path) String() string { return "treecache.Path(redacted)" }

// GoString returns a placeholder.
func (p Path) GoString() string { return p.String() }

// String returns a placeholder, because own outputs do not belong in logs.
func (*Cache) String() string { return "treecache.Cache(redacted)" }

// GoString returns a placeholder.
func (c *Cache) GoString() string { return c.String() }

// ErrPath reports children of a path, or of a tree's edge, whose hash is not what the layer above has.
var ErrPath = errors.New("treecache: hashes do not lead to the root")

// Reference returns the newest reference block, which is the last block; ok is false if the cache does not have its
// tree, because there are fewer than nine blocks.
func (c *Cache) Reference() (height uint64, ok bool) {
	if c.next == 0 {
		return 0, false
	}
	_, err := c.at(c.next - 1)
	return c.next - 1, err == nil
}

// at returns the state that a reference block stands for.
func (c *Cache) at(reference uint64) (*state, error) {
	const offset = ahead - 1 // of a reference block to the blocks that its state has
	first := c.oldest() + offset
	if reference < first || reference >= c.next {
		return nil, fmt.Errorf("%w: block %d, while there are %d blocks, and trees from block %d on",
			ErrReference, reference, c.next, first)
	}
	return &c.states[reference-first], nil
}

// Root returns the root of the tree that a reference block stands for. Headers have confirmed it if the block that is
// xmr.SpendableAge − 2 below it is one of the next hard fork. It returns ErrReference.
func (c *Cache) Root(reference uint64) (curvetree.Root, error) {
	s, err := c.at(reference)
	if err != nil {
		return curvetree.Root{}, err
	}
	return s.root(), nil
}

// Path returns the path of an own output in the tree that a reference block stands for, as ProveMembership of package
// fcmp takes it, with the root that Root returns. All inputs of a transaction need the same reference block. It returns
// ErrReference, ErrUnknown or ErrLocked.
func (c *Cache) Path(reference uint64, o Output) (*Path, error) {
	s, err := c.at(reference)
	if err != nil {
		return nil, err
	}
	place, ok := c.own[o]
	if !ok {
		return nil, ErrUnknown
	}
	if place >= s.outputs {
		return nil, ErrLocked
	}
	return c.path(s, place)
}

// path returns the path of an output in a state. It returns ErrPath if an output among the children has no leaf, which
// Decode does not check.
func (c *Cache) path(s *state, place uint64) (p *Path, err error) {
	p = new(Path)
	index := place / c.leaves.width
	outputs := c.leaves.at(index).children
	outputs = outputs[:min(uint64(len(outputs)), s.outputs-index*c.leaves.width)]
	if p.Leaves, _ = leavesOf(c.rules, outputs); len(p.Leaves) != len(outputs) {
		return nil, ErrPath
	}
	ends := curvetree.Hashes(s.outputs)
	for i := range len(ends) - 1 {
		l := &c.hashes[i]
		index /= l.width
		x := l.at(index).children
		if end := ends[i] - index*l.width; end <= uint64(len(x)) { // the last hash has grown since
			x = append(slices.Clone(x[:end-1]), xOf(s.edge[i]))
		}
		if i%2 == 0 {
			p.Helios = append(p.Helios, elements(x, (*helioselene.Element).SetBytes))
		} else {
			p.Selene = append(p.Selene, elements(x, (*helioselene.Element25519).SetBytes))
		}
	}
	return p, nil
}

// elements decodes x coordinates, which are canonical.
func elements[E any](list [][32]byte, decode func(*E, [32]byte) error) []E {
	out := make([]E, len(list))
	for i := range list {
		if err := decode(&out[i], list[i]); err != nil {
			panic("treecache: an x coordinate is canonical: " + err.Error())
		}
	}
	return out
}

// Root hashes the children of each layer and returns the root. It returns ErrPath if a hash is not among the children
// of the layer above, and if layers are missing or have no or too many children.
func (p *Path) Root() (curvetree.Root, error) {
	edge, err := p.hashes()
	if err != nil {
		return curvetree.Root{}, err
	}
	return (&state{edge: edge}).root(), nil
}

// hashes returns the hash of each layer.
func (p *Path) hashes() (edge [][32]byte, err error) {
	if d := len(p.Helios) - len(p.Selene); d != 0 && d != 1 {
		return nil, ErrPath
	}
	numbers := make([]helioselene.Element25519, 0, curvetree.SeleneWidth*len(curvetree.Leaf{}))
	if len(p.Leaves) > curvetree.SeleneWidth {
		return nil, ErrPath
	}
	for i := range p.Leaves {
		numbers = append(numbers, p.Leaves[i][:]...)
	}
	for i := 0; ; i++ {
		if len(numbers) == 0 || i > 0 && len(numbers) > curvetree.SeleneWidth {
			return nil, ErrPath
		}
		selene := curvetree.GrowSelene(nil, 0, new(helioselene.Element25519), numbers)
		edge = append(edge, selene.Encode())
		if i == len(p.Helios) {
			return edge, nil
		}
		x, _, _ := selene.XY()
		children := p.Helios[i]
		if len(children) > curvetree.HeliosWidth ||
			!slices.ContainsFunc(children, isEqual(&x, (*helioselene.Element).Equal)) {
			return nil, ErrPath
		}
		helios := curvetree.GrowHelios(nil, 0, new(helioselene.Element), children)
		edge = append(edge, helios.Encode())
		if i == len(p.Selene) {
			return edge, nil
		}
		x2, _, _ := helios.XY()
		numbers = p.Selene[i]
		if !slices.ContainsFunc(numbers, isEqual(&x2, (*helioselene.Element25519).Equal)) {
			return nil, ErrPath
		}
	}
}

// isEqual returns a function that compares a number with x.
func isEqual[E any](x *E, equal func(a, b *E) bool) func(E) bool {
	return func(e E) bool { return equal(&e, x) }
}

// Check hashes everything that the cache has, up to the root of each state, and returns ErrPath if a hash differs. A
// cache that was decoded from bytes of somebody else must pass it, and then its Next is compared with the next header
// by Add. It takes some milliseconds for each state and each own output.
func (c *Cache) Check() error {
	for i := range c.states {
		s := &c.states[i]
		if s.outputs == 0 || i > 0 && s.outputs == c.states[i-1].outputs {
			continue
		}
		if err := c.check(s, s.outputs-1, s.edge); err != nil {
			return fmt.Errorf("tree before block %d: %w", c.oldest()+uint64(i), err)
		}
	}
	now := &c.states[len(c.states)-1]
	for _, place := range c.places {
		if err := c.check(now, place, now.edge[len(now.edge)-1:]); err != nil {
			return fmt.Errorf("own output %d of the tree: %w", place, err)
		}
	}
	return nil
}

// check compares the hashes on the path of an output, or the last of them, with want.
func (c *Cache) check(s *state, place uint64, want [][32]byte) error {
	p, err := c.path(s, place)
	if err != nil {
		return err
	}
	got, err := p.hashes()
	if err != nil {
		return err
	}
	if len(got) < len(want) || !slices.Equal(got[len(got)-len(want):], want) {
		return ErrPath
	}
	return nil
}
