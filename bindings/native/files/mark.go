package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// mark tells whether a file still is what it was, well enough for a log whose records each seal all before: by its size and its end.
type mark struct {
	size int64
	end  [32]byte // of the content, with zeros before what is shorter
}

// and returns the mark of a content with p behind it.
func (m mark) and(p []byte) mark {
	m.size += int64(len(p))
	if n := len(p); n < len(m.end) {
		copy(m.end[:], m.end[n:])
		copy(m.end[len(m.end)-n:], p)
	} else {
		copy(m.end[:], p[n-len(m.end):])
	}
	return m
}

// markOf returns the mark of the first size bytes of f, or of all when there are fewer.
func markOf(f *os.File, size int64) (mark, error) {
	from := max(0, size-int64(len(mark{}.end)))
	p := make([]byte, size-from)
	n, err := f.ReadAt(p, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return mark{}, err
	}
	return mark{size: from}.and(p[:n]), nil
}

// unchanged returns ErrChanged unless the name leads to the file that is open, and that holds what this process left in it. What somebody
// else made of it is for people to look at: nothing is written behind it, nor over it.
func (f *File) unchanged() error {
	named, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q: %w: it is not there any more", filepath.Base(f.path), ErrChanged)
	}
	own, err2 := f.f.Stat()
	if err2 != nil {
		return err2
	}
	if err == nil && !os.SameFile(named, own) { // a folder that cannot be read tells nothing
		return fmt.Errorf("%q: %w: another file is in its place", filepath.Base(f.path), ErrChanged)
	}
	if f.torn {
		return nil // nobody knows its end
	}
	now, err := markOf(f.f, own.Size())
	if err != nil {
		return err
	}
	if now != f.left {
		return fmt.Errorf("%q: %w: its content is another", filepath.Base(f.path), ErrChanged)
	}
	return nil
}

func sameFile(a, b *os.File) bool {
	x, err := a.Stat()
	y, err2 := b.Stat()
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// Lost implements journal.Losable: the file was removed, and has no other name. One that was moved is not lost.
func (f *File) Lost() bool {
	if f.f == nil {
		return false
	}
	if _, err := os.Lstat(f.path); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return nameless(f.f)
}
