package files

import "io"

// Lock holds the lock at path, a file that it makes and that stays, until what it returns is closed or the process ends.
// Errors: ErrLocked or the file system's.
func Lock(path string) (io.Closer, error) { return lockFile(path) }

// SyncNames makes durable which files there are in the folder of path.
func SyncNames(path string) error { return syncDir(path) }
