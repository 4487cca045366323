package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// mark identifies the content of a file by its size and its end. That suffices for a log whose records authenticate
// all earlier ones.
type mark struct {
	size int64
	end  [32]byte // the last bytes of the content, with leading zeros if it is shorter
}

// and returns the mark of the content with p appended.
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

// markOf returns the mark of the first size bytes of f, or of its complete content if that is shorter.
func markOf(f *os.File, size int64) (mark, error) {
	from := max(0, size-int64(len(mark{}.end)))
	p := make([]byte, size-from)
	n, err := f.ReadAt(p, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return mark{}, err
	}
	return mark{size: from}.and(p[:n]), nil
}

// unchanged returns ErrChanged unless the path still names the open file, with the content that this process last read
// or wrote. A file that another program has changed is never written to; the user has to inspect it.
func (f *File) unchanged() error {
	named, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q: %w: it is not there any more", filepath.Base(f.path), ErrChanged)
	}
	own, err2 := f.f.Stat()
	if err2 != nil {
		return err2
	}
	if err == nil && !os.SameFile(named, own) { // an unreadable folder is not evidence of a change
		return fmt.Errorf("%q: %w: another file is in its place", filepath.Base(f.path), ErrChanged)
	}
	if f.torn {
		return nil // the end of the content is unknown
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

// Lost implements journal.Losable. It reports whether the file was removed and has no other name. A renamed file is not
// lost.
func (f *File) Lost() bool {
	if f.f == nil {
		return false
	}
	if _, err := os.Lstat(f.path); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return nameless(f.f)
}
