package files

import (
	"io"
	"os"
)

// Lock locks the file at path until the result is closed or the process ends. It creates the file if necessary and
// never removes it. It returns ErrLocked if the lock is held, or an error of the file system.
func Lock(path string) (io.Closer, error) {
	f, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	return held{f}, nil
}

// held is a lock that is held until Close.
type held struct{ f *os.File }

// Close implements io.Closer.
func (h held) Close() error { return unlockAndClose(h.f) }

// SyncNames makes the directory entries in the folder of path durable.
func SyncNames(path string) error { return syncDir(path) }
