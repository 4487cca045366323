package treecache

import (
	"slices"
	"sort"
)

// layer has some of the children of the hashes of one layer: outputs for the lowest layer, otherwise x coordinates of
// the hashes below. The children of one hash form a chunk.
type layer[T any] struct {
	width  uint64     // children of a full chunk
	span   uint64     // outputs below a full chunk
	recent []chunk[T] // the last chunk of each state, by index; the last one is complete, others end with their states
	own    []chunk[T] // full chunks on the paths of own outputs, by index; none of them is in recent
}

type chunk[T any] struct {
	index    uint64
	children []T
}

// put sets the children from index first of the layer on. Those before it do not change.
func (l *layer[T]) put(first uint64, children []T) {
	for len(children) > 0 {
		index, offset := first/l.width, first%l.width
		n := min(l.width-offset, uint64(len(children)))
		if k := len(l.recent); k == 0 || l.recent[k-1].index != index {
			l.recent = append(l.recent, chunk[T]{index: index, children: make([]T, 0, l.width)})
		}
		c := &l.recent[len(l.recent)-1]
		c.children = append(c.children[:offset], children[:n]...)
		first, children = first+n, children[n:]
	}
}

// keep forgets what is needed neither for a state nor for an own output. ends are the numbers of children of the layer
// in each state, ascending; places are the own outputs.
func (l *layer[T]) keep(ends, places []uint64) {
	recent := l.recent[:0]
	for i, c := range l.recent {
		if i == len(l.recent)-1 {
			recent = append(recent, c)
			break
		}
		size := l.size(c.index, ends)
		switch isOwn := l.isOwn(c.index, places); {
		case size == 0 && isOwn:
			at, _ := find(l.own, c.index)
			l.own = slices.Insert(l.own, at, c)
		case size == 0:
		case !isOwn && size < uint64(len(c.children)):
			c.children = slices.Clone(c.children[:size])
			fallthrough
		default:
			recent = append(recent, c)
		}
	}
	clear(l.recent[len(recent):])
	l.recent = recent
}

// size returns the greatest number of children that a chunk has in the states whose last chunk it is, or 0.
func (l *layer[T]) size(index uint64, ends []uint64) uint64 {
	start := index * l.width
	i := sort.Search(len(ends), func(i int) bool { return ends[i] > start+l.width })
	if i == 0 || ends[i-1] <= start {
		return 0
	}
	return ends[i-1] - start
}

// isOwn reports whether the path of an own output leads through a chunk.
func (l *layer[T]) isOwn(index uint64, places []uint64) bool {
	i, _ := slices.BinarySearch(places, index*l.span)
	return i < len(places) && places[i]/l.span == index
}

// forget removes the full chunk on the path of an output that is no longer an own one.
func (l *layer[T]) forget(place uint64, places []uint64) {
	index := place / l.span
	if l.isOwn(index, places) {
		return
	}
	if i, ok := find(l.own, index); ok {
		l.own = slices.Delete(l.own, i, i+1)
	}
}

// cut goes back to a state that has end children in this layer.
func (l *layer[T]) cut(end uint64) {
	if end == 0 {
		l.recent, l.own = nil, nil
		return
	}
	last := (end - 1) / l.width
	i, _ := find(l.own, last)
	clear(l.own[i:])
	l.own = l.own[:i]
	i, _ = find(l.recent, last)
	clear(l.recent[i+1:])
	l.recent = l.recent[:i+1]
	c := &l.recent[i]
	c.children = c.children[:end-last*l.width]
}

// at returns the chunk with an index, or nil.
func (l *layer[T]) at(index uint64) *chunk[T] {
	if i, ok := find(l.recent, index); ok {
		return &l.recent[i]
	}
	if i, ok := find(l.own, index); ok {
		return &l.own[i]
	}
	return nil
}

// find is slices.BinarySearch for the index of a chunk.
func find[T any](list []chunk[T], index uint64) (int, bool) {
	i := sort.Search(len(list), func(i int) bool { return list[i].index >= index })
	return i, i < len(list) && list[i].index == index
}
