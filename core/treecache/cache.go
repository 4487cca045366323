package treecache

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"glim/core/block"
	"glim/core/carrot"
	"glim/core/consensus"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/helioselene"
	"glim/core/xmr"
)

// Errors of a Cache. After an error the cache is unchanged.
var (
	// ErrHeight reports a block that is not the next one, or a height above the next block's.
	ErrHeight = errors.New("treecache: not the next block")
	// ErrRoot reports that a header commits to another tree than the blocks before it have: the daemon has left out,
	// added or altered outputs or unlock times, or the cache began with a wrong state. Read the blocks again from
	// another daemon.
	ErrRoot = errors.New("treecache: the header commits to another tree of all outputs")
	// ErrDepth reports a reorganisation that is deeper than the cache was made for. The cache must begin anew.
	ErrDepth = errors.New("treecache: the reorganisation is too deep")
	// ErrReference reports that the cache does not have the tree that a reference block stands for.
	ErrReference = errors.New("treecache: no tree for this reference block")
	// ErrUnknown reports an output that is not registered.
	ErrUnknown = errors.New("treecache: the output is not registered")
	// ErrLocked reports an output that is not in the tree of the reference block: it is locked there, its block has not
	// been read, or it was registered when it was in the tree already.
	ErrLocked = errors.New("treecache: the output is not in the tree of the reference block")
)

// ahead is how many blocks before its last locked block an output enters the tree.
const ahead = xmr.SpendableAge - 1

// MaxDepth is the greatest depth that New accepts.
const MaxDepth = 10_000

// pending is the place of an own output that is not in the tree.
const pending = ^uint64(0)

// Cache computes the tree of all outputs and keeps the paths of own outputs. It must not be used by several goroutines
// at once. What it has reveals the own outputs; times of all methods depend on it.
type Cache struct {
	rules  *carrot.Rules
	depth  uint64
	next   uint64 // number of blocks
	tree   *curvetree.Tree
	states []state // after the last blocks, oldest first; the last one is that of tree
	leaves layer[Output]
	hashes []layer[[32]byte] // x coordinates of hashes, from the lowest layer to the root
	late   []group           // by last and created; those that entered the tree before the oldest state are forgotten
	own    map[Output]uint64 // places in the tree, or pending
	places []uint64          // of own outputs in the tree, ascending
}

// state is the tree after some block.
type state struct {
	outputs uint64
	edge    [][32]byte // as curvetree.Tree.Edge returns it
}

// group are the outputs of a block that enter the tree later than with their block, together.
type group struct {
	last, created uint64 // the last block in which they are locked; their block
	outputs       []Output
}

// Block is what the cache needs of a block.
type Block struct {
	Height uint64      // its index
	Tree   *block.Tree // of its header: nil before the next hard fork
	Txs    []Tx        // the coinbase, and then the others in the block's order
}

// New returns a cache of a chain without blocks, for reorganisations of up to depth blocks, from 1 to MaxDepth. It
// panics for others. A cache that begins later comes from Decode.
func New(rules *carrot.Rules, depth int) *Cache {
	if depth < 1 || depth > MaxDepth {
		panic("treecache: depth must be from 1 to 10,000")
	}
	return &Cache{
		rules: rules, depth: uint64(depth), tree: new(curvetree.Tree), states: []state{{}}, leaves: newLeaves(),
		own: map[Output]uint64{},
	}
}

func newLeaves() layer[Output] {
	return layer[Output]{width: curvetree.SeleneWidth, span: curvetree.SeleneWidth}
}

// Height returns the number of blocks, which is the index of the next one.
func (c *Cache) Height() uint64 { return c.next }

// Depth returns how deep reorganisations may be.
func (c *Cache) Depth() uint64 { return c.depth }

// Outputs returns the number of outputs in the tree after the last block.
func (c *Cache) Outputs() uint64 { return c.tree.Outputs() }

// Next returns what the next block commits to.
func (c *Cache) Next() curvetree.Root { return c.states[len(c.states)-1].root() }

func (s *state) root() (r curvetree.Root) {
	if r.Layers = len(s.edge); r.Layers > 0 {
		r.Hash = s.edge[r.Layers-1]
	}
	return r
}

// Register makes o an own output, whose path the cache keeps once it is in the tree. Wallets call it before Add for the
// block of o, or as long as o, the output of a coinbase or with an unlock time, is not in the tree. Otherwise Path
// returns ErrLocked, and the blocks have to be read again. The output stays registered in reorganisations. If the chain
// has equal outputs, the cache keeps the path of the first that enters the tree.
func (c *Cache) Register(o Output) {
	if _, ok := c.own[o]; !ok {
		c.own[o] = pending
	}
}

// Unregister forgets an own output and its path. Wallets call it for outputs that are spent in a block below the reach
// of reorganisations.
func (c *Cache) Unregister(o Output) {
	place, ok := c.own[o]
	delete(c.own, o)
	if !ok || place == pending {
		return
	}
	i, _ := slices.BinarySearch(c.places, place)
	c.places = slices.Delete(c.places, i, i+1)
	c.leaves.forget(place, c.places)
	for i := range c.hashes {
		c.hashes[i].forget(place, c.places)
	}
	c.keep()
}

// Has reports whether o is registered.
func (c *Cache) Has(o Output) bool {
	_, ok := c.own[o]
	return ok
}

// Own returns the registered outputs, sorted.
func (c *Cache) Own() []Output {
	list := make([]Output, 0, len(c.own))
	for o := range c.own {
		list = append(list, o)
	}
	slices.SortFunc(list, compare)
	return list
}

// Registered returns the number of own outputs, and how many of them are in the tree after the last block.
func (c *Cache) Registered() (all, inTree int) { return len(c.own), len(c.places) }

// Add adds the next block. It returns ErrHeight if b is another block, and ErrRoot if its header commits to another
// tree.
func (c *Cache) Add(b *Block) error {
	if b.Height != c.next {
		return fmt.Errorf("%w: block %d, want %d", ErrHeight, b.Height, c.next)
	}
	if b.Tree != nil {
		if r := c.Next(); int(b.Tree.Layers) != r.Layers || b.Tree.Root != r.Hash {
			return fmt.Errorf("%w: block %d has %d layers and root %x, want %d and %x",
				ErrRoot, b.Height, b.Tree.Layers, b.Tree.Root, r.Layers, r.Hash)
		}
	}
	last := b.Height + ahead
	var due []Output
	for i := c.search(last, 0); i < len(c.late) && c.late[i].last == last; i++ {
		due = append(due, c.late[i].outputs...)
	}
	for i := range b.Txs {
		t := &b.Txs[i]
		if until := consensus.LastLocked(t.UnlockTime, b.Height); until != last {
			c.lock(until, b.Height, t.Outputs)
		} else {
			due = append(due, t.Outputs...)
		}
	}
	c.grow(due)
	c.next++
	c.forget()
	return nil
}

// search returns the index of the first group whose outputs are locked until a block, made in block created or later.
func (c *Cache) search(last, created uint64) int {
	return sort.Search(len(c.late), func(i int) bool {
		g := &c.late[i]
		return g.last > last || g.last == last && g.created >= created
	})
}

// lock adds outputs that enter the tree later.
func (c *Cache) lock(last, created uint64, outputs []Output) {
	if len(outputs) == 0 {
		return
	}
	i := c.search(last, created)
	if i == len(c.late) || c.late[i].last != last || c.late[i].created != created {
		c.late = slices.Insert(c.late, i, group{last: last, created: created})
	}
	c.late[i].outputs = append(c.late[i].outputs, outputs...)
}

// grow adds outputs to the tree, and a state.
func (c *Cache) grow(due []Output) {
	leaves, valid := Leaves(c.rules, due)
	if len(leaves) == 0 {
		c.states = append(c.states, c.states[len(c.states)-1])
		return
	}
	first := c.tree.Outputs()
	for i, o := range valid {
		if place, ok := c.own[o]; ok && place == pending {
			c.own[o] = first + uint64(i)
			c.places = append(c.places, first+uint64(i))
		}
	}
	c.leaves.put(first, valid)
	c.tree.GrowWatched(leaves, (*watcher)(c))
	c.states = append(c.states, state{c.tree.Outputs(), c.tree.Edge()})
}

// watcher implements curvetree.Watcher.
type watcher Cache

func (w *watcher) Selene(layer int, first uint64, x []helioselene.Element) {
	put((*Cache)(w), 2*layer, first, x, (*helioselene.Element).Bytes)
}

func (w *watcher) Helios(layer int, first uint64, x []helioselene.Element25519) {
	put((*Cache)(w), 2*layer+1, first, x, (*helioselene.Element25519).Bytes)
}

// put sets the x coordinates of hashes of layer i from index first on.
func put[E any](c *Cache, i int, first uint64, x []E, encode func(*E) [32]byte) {
	c.addLayers(i + 1)
	list := make([][32]byte, len(x))
	for j := range x {
		list[j] = encode(&x[j])
	}
	c.hashes[i].put(first, list)
}

// addLayers adds layers of hashes until there are n.
func (c *Cache) addLayers(n int) {
	for i := len(c.hashes); i < n; i++ {
		width, below := uint64(curvetree.HeliosWidth), c.leaves.span
		if i > 0 {
			below = c.hashes[i-1].span
		}
		if i%2 == 1 {
			width = curvetree.SeleneWidth
		}
		c.hashes = append(c.hashes, layer[[32]byte]{width: width, span: below * width})
	}
}

// forget removes what is no longer needed after a block was added.
func (c *Cache) forget() {
	if n := len(c.states) - int(c.depth+ahead+1); n > 0 {
		c.states = slices.Delete(c.states, 0, n)
	}
	c.late = slices.Delete(c.late, 0, c.search(c.oldest()+ahead, 0))
	c.keep()
}

// keep removes the children that are needed neither for a state nor for an own output.
func (c *Cache) keep() {
	ends := c.ends()
	c.leaves.keep(ends[0], c.places)
	for i := range c.hashes {
		c.hashes[i].keep(ends[i+1], c.places)
	}
}

// ends returns the number of children that each layer has in each state.
func (c *Cache) ends() [][]uint64 {
	ends := make([][]uint64, len(c.hashes)+1)
	for i := range c.states {
		outputs := c.states[i].outputs
		ends[0] = append(ends[0], outputs)
		hashes := curvetree.Hashes(outputs)
		for j := range c.hashes {
			n := uint64(0)
			if j < len(hashes) {
				n = hashes[j]
			}
			ends[j+1] = append(ends[j+1], n)
		}
	}
	return ends
}

// oldest returns the number of blocks of the oldest state.
func (c *Cache) oldest() uint64 { return c.next + 1 - uint64(len(c.states)) }

// Detach drops all blocks from index height on. It returns ErrHeight if height is above that of the next block, and
// ErrDepth if it is further below the highest block that the cache has had than New was told.
func (c *Cache) Detach(height uint64) error {
	if height > c.next {
		return fmt.Errorf("%w: %d, have %d blocks", ErrHeight, height, c.next)
	}
	if height < c.oldest() {
		return fmt.Errorf("%w: block %d is dropped, and the oldest tree is that before block %d",
			ErrDepth, height, c.oldest())
	}
	if height == c.next {
		return nil
	}
	states := c.states[:len(c.states)-int(c.next-height)]
	now := &states[len(states)-1]
	tree, err := curvetree.FromEdge(now.outputs, now.edge)
	if err != nil {
		return err
	}
	clear(c.states[len(states):])
	c.tree, c.states, c.next = tree, states, height
	c.late = slices.DeleteFunc(c.late, func(g group) bool { return g.created >= height })
	c.leaves.cut(now.outputs)
	clear(c.hashes[len(now.edge):])
	c.hashes = c.hashes[:len(now.edge)]
	for i, end := range curvetree.Hashes(now.outputs) {
		l := &c.hashes[i]
		l.cut(end)
		edge := l.recent[len(l.recent)-1].children
		edge[len(edge)-1] = xOf(now.edge[i])
	}
	i, _ := slices.BinarySearch(c.places, now.outputs)
	c.places = c.places[:i]
	for o, place := range c.own {
		if place >= now.outputs {
			c.own[o] = pending
		}
	}
	return nil
}

// xOf returns the x coordinate of the encoding of a point: all but its highest bit, which is the sign of y.
func xOf(b [32]byte) [32]byte {
	b[31] &= 0x7f
	return b
}
