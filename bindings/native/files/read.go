package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrTooLarge: the file has more bytes than anything of its kind.
var ErrTooLarge = errors.New("too large")

// Read returns what the file at path holds, of most bytes at most, and Beginning its first size bytes. What is no regular file is not
// waited for. Errors: ErrMissing, ErrTooLarge or the file system's.
func Read(path string, most int64) ([]byte, error) {
	f, err := openToRead(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, most)
}

// Beginning is described with Read.
func Beginning(path string, size int64) ([]byte, error) {
	f, err := openToRead(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, size))
}

// Copy writes what the file at path holds, of most bytes at most, to w. What is no regular file is not waited for.
// Errors: ErrMissing, ErrTooLarge, w's or the file system's.
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
	// Before it is opened, for with some devices that alone does something.
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
		_ = f.Close() // the first error says more
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
		err = nil // somebody cut it meanwhile
	}
	return p[:n], err
}
