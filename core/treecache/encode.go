package treecache

import (
	"bytes"
	"errors"
	"slices"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/helioselene"
	"glim/core/internal/codec/wire"
)

// ErrEncoding is the error of Decode for bytes that Encode does not return.
var ErrEncoding = errors.New("treecache: damaged or unknown encoding of the tree")

const (
	version    = 1
	outputSize = 65
	maxHeight  = 1 << 40
	maxOutputs = 1 << 40
)

// Append appends the encoding of the cache to b. Numbers are varints, and lists begin with their length.
//
//	version, depth, number of blocks
//	states: outputs since the state before, and the edge if there are any
//	groups: last locked block, block, outputs
//	places of own outputs, as distances; own outputs that are not in the tree
//	layers: recent chunks with index and children; own chunks with index and children
//
// Indices of chunks are distances. An output has 65 bytes and the x coordinate of a hash 32. Without own outputs the
// encoding is the same for everybody who has read the same blocks.
func (c *Cache) Append(b []byte) []byte {
	b = append(b, version)
	b = wire.AppendVarint(b, c.depth)
	b = wire.AppendVarint(b, c.next)
	b = wire.AppendVarint(b, uint64(len(c.states)))
	before := uint64(0)
	for i := range c.states {
		s := &c.states[i]
		b = wire.AppendVarint(b, s.outputs-before)
		if i == 0 || s.outputs > before {
			for _, hash := range s.edge {
				b = append(b, hash[:]...)
			}
		}
		before = s.outputs
	}
	b = wire.AppendVarint(b, uint64(len(c.late)))
	for i := range c.late {
		g := &c.late[i]
		b = wire.AppendVarint(b, g.last)
		b = wire.AppendVarint(b, g.created)
		b = appendList(b, g.outputs, appendOutput)
	}
	b = wire.AppendVarint(b, uint64(len(c.places)))
	before = 0
	for _, place := range c.places {
		b = wire.AppendVarint(b, place-before)
		before = place
	}
	b = appendList(b, c.outside(), appendOutput)
	b = c.leaves.append(b, appendOutput)
	for i := range c.hashes {
		b = c.hashes[i].append(b, appendX)
	}
	return b
}

// outside returns the own outputs that are not in the tree, sorted.
func (c *Cache) outside() (list []Output) {
	for o, place := range c.own {
		if place == pending {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, compare)
	return list
}

func compare(a, b Output) int {
	return bytes.Compare(appendOutput(nil, &a), appendOutput(nil, &b))
}

func appendOutput(b []byte, o *Output) []byte {
	b = append(append(b, o.Key[:]...), o.Commitment[:]...)
	if o.Carrot {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendX(b []byte, x *[32]byte) []byte { return append(b, x[:]...) }

func appendList[T any](b []byte, list []T, one func([]byte, *T) []byte) []byte {
	b = wire.AppendVarint(b, uint64(len(list)))
	for i := range list {
		b = one(b, &list[i])
	}
	return b
}

func (l *layer[T]) append(b []byte, one func([]byte, *T) []byte) []byte {
	for _, chunks := range [][]chunk[T]{l.recent, l.own} {
		b = wire.AppendVarint(b, uint64(len(chunks)))
		before := uint64(0)
		for i := range chunks {
			b = wire.AppendVarint(b, chunks[i].index-before)
			before = chunks[i].index
			b = appendList(b, chunks[i].children, one)
		}
	}
	return b
}

// Decode reads what Append returns, and refuses trailing bytes. It returns ErrEncoding. It does not compute hashes: see
// Check. A cache can begin at any block with the encoding of a cache without own outputs, made by whoever has read the
// blocks before.
func Decode(rules *carrot.Rules, b []byte) (*Cache, error) {
	in := wire.NewReader(b)
	c := &Cache{rules: rules, own: map[Output]uint64{}, leaves: newLeaves()}
	if in.Byte() != version {
		in.Fail(ErrEncoding)
	}
	c.depth, c.next = in.Varint(), in.Varint()
	if c.depth < 1 || c.depth > MaxDepth || c.next > maxHeight {
		in.Fail(ErrEncoding)
	}
	c.decodeStates(in)
	c.decodeLate(in)
	c.decodePlaces(in)
	outside := decodeList(in, in.Len(), outputSize, decodeOutput)
	if in.Err() != nil {
		return nil, ErrEncoding
	}
	now := &c.states[len(c.states)-1]
	c.addLayers(len(now.edge))
	c.leaves.decode(in, outputSize, decodeOutput)
	for i := range c.hashes {
		c.hashes[i].decode(in, 32, decodeX(i%2 == 0))
	}
	if in.Close() != nil || !c.fits() {
		return nil, ErrEncoding
	}
	for _, place := range c.places {
		c.own[c.leaves.at(place / c.leaves.width).children[place%c.leaves.width]] = place
	}
	for i, o := range outside {
		if i > 0 && compare(outside[i-1], o) >= 0 {
			return nil, ErrEncoding
		}
		if _, ok := c.own[o]; ok {
			return nil, ErrEncoding
		}
		c.own[o] = pending
	}
	if len(c.own) != len(c.places)+len(outside) {
		return nil, ErrEncoding
	}
	return c, nil
}

// decodeStates reads the states and sets the tree.
func (c *Cache) decodeStates(in *wire.Reader) {
	n := in.Count(int(c.depth+ahead+1), 1)
	if n < 1 || uint64(n) > c.next+1 {
		in.Fail(ErrEncoding)
	}
	var s state
	for i := 0; i < n && in.Err() == nil; i++ {
		added := in.Varint()
		if s.outputs += min(added, maxOutputs+1); s.outputs > maxOutputs {
			in.Fail(ErrEncoding)
			return
		}
		if i == 0 || added > 0 {
			s.edge = make([][32]byte, len(curvetree.Hashes(s.outputs)))
			for j := range s.edge {
				s.edge[j] = in.Bytes32()
			}
			tree, err := curvetree.FromEdge(s.outputs, s.edge)
			if err != nil {
				in.Fail(err)
				return
			}
			c.tree = tree
		}
		c.states = append(c.states, s)
	}
}

// decodeLate reads the groups.
func (c *Cache) decodeLate(in *wire.Reader) {
	n := in.Count(in.Len(), 3+outputSize)
	for i := 0; i < n && in.Err() == nil; i++ {
		g := group{last: in.Varint(), created: in.Varint()}
		g.outputs = decodeList(in, in.Len(), outputSize, decodeOutput)
		if len(g.outputs) == 0 || g.created >= c.next || g.last <= g.created+ahead || g.last < c.oldest()+ahead ||
			c.search(g.last, g.created) != i {
			in.Fail(ErrEncoding)
		}
		if i > 0 && c.late[i-1].last == g.last && c.late[i-1].created == g.created {
			in.Fail(ErrEncoding)
		}
		c.late = append(c.late, g)
	}
}

// decodePlaces reads the places of own outputs.
func (c *Cache) decodePlaces(in *wire.Reader) {
	place := uint64(0)
	n := in.Count(in.Len(), 1)
	for i := 0; i < n && in.Err() == nil; i++ {
		distance := in.Varint()
		if place += distance; distance > maxOutputs || place >= c.tree.Outputs() || i > 0 && distance == 0 {
			in.Fail(ErrEncoding)
		}
		c.places = append(c.places, place)
	}
}

func decodeOutput(in *wire.Reader) Output {
	o := Output{Key: in.Bytes32(), Commitment: in.Bytes32()}
	carrot := in.Byte()
	if carrot > 1 {
		in.Fail(ErrEncoding)
	}
	o.Carrot = carrot == 1
	return o
}

// decodeX returns a function that reads an x coordinate of Selene, or of Helios.
func decodeX(selene bool) func(in *wire.Reader) [32]byte {
	return func(in *wire.Reader) [32]byte {
		x := in.Bytes32()
		err := new(helioselene.Element25519).SetBytes(x)
		if selene {
			err = new(helioselene.Element).SetBytes(x)
		}
		if err != nil {
			in.Fail(err)
		}
		return x
	}
}

// decodeList reads a list of at most limit elements of a size.
func decodeList[T any](in *wire.Reader, limit, size int, one func(in *wire.Reader) T) (list []T) {
	n := in.Count(limit, size)
	for i := 0; i < n && in.Err() == nil; i++ {
		list = append(list, one(in))
	}
	return list
}

func (l *layer[T]) decode(in *wire.Reader, size int, one func(in *wire.Reader) T) {
	for _, chunks := range []*[]chunk[T]{&l.recent, &l.own} {
		n := in.Count(in.Len(), 2+size)
		index := uint64(0)
		for i := 0; i < n && in.Err() == nil; i++ {
			distance := in.Varint()
			if index += distance; distance > maxOutputs || index > maxOutputs || i > 0 && distance == 0 {
				in.Fail(ErrEncoding)
			}
			*chunks = append(*chunks, chunk[T]{index, decodeList(in, int(l.width), size, one)})
		}
	}
}

// fits reports whether the layers have what the states and own outputs need, and nothing else.
func (c *Cache) fits() bool {
	ends := c.ends()
	if !c.leaves.fits(ends[0], c.places) {
		return false
	}
	now := &c.states[len(c.states)-1]
	for i := range c.hashes {
		l := &c.hashes[i]
		if !l.fits(ends[i+1], c.places) {
			return false
		}
		edge := l.recent[len(l.recent)-1].children
		if edge[len(edge)-1] != xOf(now.edge[i]) {
			return false
		}
	}
	return true
}

// fits reports whether a layer is as keep leaves it.
func (l *layer[T]) fits(ends, places []uint64) bool {
	end := ends[len(ends)-1]
	if end == 0 {
		return len(l.recent) == 0 && len(l.own) == 0
	}
	last := (end - 1) / l.width
	chunks := len(l.recent)
	if chunks == 0 || l.recent[chunks-1].index != last ||
		uint64(len(l.recent[chunks-1].children)) != end-last*l.width {
		return false
	}
	for i := range l.recent[:chunks-1] {
		c := &l.recent[i]
		size := l.size(c.index, ends)
		if size > 0 && l.isOwn(c.index, places) {
			size = l.width
		}
		if size == 0 || uint64(len(c.children)) != size {
			return false
		}
	}
	for _, end := range ends {
		if end == 0 {
			continue
		}
		if _, ok := find(l.recent, (end-1)/l.width); !ok {
			return false
		}
	}
	for i := range l.own {
		c := &l.own[i]
		if _, ok := find(l.recent, c.index); ok || c.index > last || uint64(len(c.children)) != l.width ||
			!l.isOwn(c.index, places) {
			return false
		}
	}
	for _, place := range places {
		if l.at(place/l.span) == nil {
			return false
		}
	}
	return true
}
