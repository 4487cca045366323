package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteBeside makes the file path+suffix, readable by its owner only, with content p: whole and durable when it returns nil, and
// else not there. Nobody makes or opens the wallet at path meanwhile. Errors: ErrExists when there is a file at path, at path+suffix or
// at path+other, ErrLocked or the file system's.
func WriteBeside(path, suffix, other string, p []byte) error {
	lock, err := acquire(path)
	if err != nil {
		return err
	}
	defer lock.Close()
	for _, taken := range []string{path, path + suffix, path + other} {
		if _, err := os.Lstat(taken); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, fmt.Errorf("%q: %w", filepath.Base(taken), ErrExists))
		}
	}
	next := beside(path+suffix, ".new")
	if err := writeDurably(next, p); err != nil {
		_ = os.Remove(next)
		return err
	}
	if err := os.Rename(next, path+suffix); err != nil {
		_ = os.Remove(next)
		return err
	}
	return syncDir(path)
}
