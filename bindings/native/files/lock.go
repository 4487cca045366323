package files

import (
	"io"
	"os"
)

// Lock holds the lock at path, a file that it makes and that stays, until what it returns is closed or the process ends.
// Errors: ErrLocked or the file system's.
func Lock(path string) (io.Closer, error) {
	f, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	return held{f}, nil
}

// held is a lock that is given free when it is closed.
type held struct{ f *os.File }

// Close gives the lock free.
func (h held) Close() error { return letGo(h.f) }

// SyncNames makes durable which files there are in the folder of path.
func SyncNames(path string) error { return syncDir(path) }
