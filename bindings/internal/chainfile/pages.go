package chainfile

import (
	"encoding/binary"
	"fmt"
	"io"

	"go.etcd.io/bbolt"
)

// What bbolt writes at the beginning of a page: its number, its kind, how many elements it has, and of how many more pages it is. An element of
// a branch says in its last eight bytes which page it leads to.
// Source: go.etcd.io/bbolt, internal/common/page.go.
const (
	pageHead      = 16
	branchElement = 16
	branchPage    = 1
	leafPage      = 2
)

// checkPages returns ErrDamaged unless the pages under those of the database and of our bucket are a tree. bbolt follows them wherever they lead:
// in a circle it would go on until there is no more memory.
func checkPages(db *bbolt.DB, file io.ReaderAt) error {
	return db.View(func(tx *bbolt.Tx) error {
		w := walk{file: file, size: int64(db.Info().PageSize), end: uint64(tx.Size()) / uint64(db.Info().PageSize), seen: map[uint64]bool{}}
		if err := w.under(uint64(tx.Cursor().Bucket().Root())); err != nil {
			return err
		}
		b := tx.Bucket(bucket)
		if b == nil {
			return ErrForeign
		}
		if root := uint64(b.Root()); root != 0 { // a small one lies in its parent's page
			return w.under(root)
		}
		return nil
	})
}

type walk struct {
	file io.ReaderAt
	size int64  // of a page, in bytes
	end  uint64 // the first page there is not
	seen map[uint64]bool
}

// under looks at a page and all that it leads to.
func (w *walk) under(root uint64) error {
	left := []uint64{root}
	head := make([]byte, pageHead)
	for len(left) > 0 {
		id := left[len(left)-1]
		left = left[:len(left)-1]
		if id >= w.end || w.seen[id] {
			return fmt.Errorf("%w: page %d in a place of another", ErrDamaged, id)
		}
		w.seen[id] = true
		at := int64(id) * w.size
		if _, err := w.file.ReadAt(head, at); err != nil {
			return err
		}
		count := binary.LittleEndian.Uint16(head[10:])
		switch kind := binary.LittleEndian.Uint16(head[8:]); {
		case kind == leafPage:
			continue
		case kind != branchPage || count == 0:
			return fmt.Errorf("%w: page %d is of no kind", ErrDamaged, id)
		}
		elements := make([]byte, int(count)*branchElement)
		if _, err := w.file.ReadAt(elements, at+pageHead); err != nil {
			return fmt.Errorf("%w: page %d ends early", ErrDamaged, id)
		}
		for ; len(elements) > 0; elements = elements[branchElement:] {
			left = append(left, binary.LittleEndian.Uint64(elements[8:]))
		}
	}
	return nil
}
