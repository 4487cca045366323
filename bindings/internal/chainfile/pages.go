package chainfile

import (
	"encoding/binary"
	"fmt"
	"io"

	"go.etcd.io/bbolt"
)

// The header of a bbolt page has its ID, type, number of elements and number of overflow pages. The last eight bytes of
// an element of a branch page are the ID of a child page.
// Source: go.etcd.io/bbolt, internal/common/page.go.
const (
	pageHead      = 16
	branchElement = 16
	branchPage    = 1
	leafPage      = 2
)

// checkPages returns ErrDamaged unless the pages of the database and of the bucket form a tree. bbolt follows page IDs
// without checks: a cycle would make it use all memory.
func checkPages(db *bbolt.DB, file io.ReaderAt, k Kind) error {
	return db.View(func(tx *bbolt.Tx) error {
		size := db.Info().PageSize
		w := walk{
			file: file, size: int64(size), end: uint64(tx.Size()) / uint64(size), seen: map[uint64]bool{},
		}
		if err := w.under(uint64(tx.Cursor().Bucket().Root())); err != nil {
			return err
		}
		b := tx.Bucket([]byte(k.bucket))
		if b == nil {
			return ErrForeign
		}
		if root := uint64(b.Root()); root != 0 { // a small bucket is inline in its parent's page
			return w.under(root)
		}
		return nil
	})
}

type walk struct {
	file io.ReaderAt
	size int64  // of a page, in bytes
	end  uint64 // number of pages
	seen map[uint64]bool
}

// under checks a page and all pages below it.
func (w *walk) under(root uint64) error {
	left := []uint64{root}
	head := make([]byte, pageHead)
	for len(left) > 0 {
		id := left[len(left)-1]
		left = left[:len(left)-1]
		if id >= w.end || w.seen[id] {
			return fmt.Errorf("%w: page %d is out of range or used twice", ErrDamaged, id)
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
			return fmt.Errorf("%w: page %d has an invalid type", ErrDamaged, id)
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
