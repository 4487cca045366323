package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrTooLarge means that a file is larger than the maximum size for its kind.
var ErrTooLarge = errors.New("too large")

// Read returns the content of the regular file at path, of at most most bytes. It does not block on pipes or devices.
// It returns ErrMissing, ErrTooLarge or an error of the file system.
func Read(path string, most int64) ([]byte, error) {
	f, err := openToRead(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, most)
}

// ReadStart returns the first size bytes of the regular file at path, or all bytes of a shorter file. It does not block
// on pipes or devices. It returns ErrMissing or an error of the file system.
func ReadStart(path string, size int64) ([]byte, error) {
	f, err := openToRead(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, size))
}

// Copy writes the content of the regular file at path, of at most most bytes, to w. It does not block on pipes or
// devices. It returns ErrMissing, ErrTooLarge, or an error of w or the file system.
func Copy(w io.Writer, path string, most int64) error {
	f, err := openToRead(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > most {
		return ErrTooLarge
	}
	_, err = io.Copy(w, io.LimitReader(f, most))
	return err
}

func openToRead(path string) (*os.File, error) {
	// Checked before opening, because opening some devices has side effects.
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", filepath.Base(path), ErrMissing)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notAFile(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notAFile(path)
	}
	if err != nil {
		_ = f.Close() // the first error is more useful
		return nil, err
	}
	return f, nil
}

// readAll returns the content of a regular file.
func readAll(f *os.File, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%q: %w: %d bytes", filepath.Base(f.Name()), ErrTooLarge, info.Size())
	}
	p := make([]byte, info.Size())
	n, err := f.ReadAt(p, 0)
	if errors.Is(err, io.EOF) {
		err = nil // the file was truncated meanwhile
	}
	return p[:n], err
}
