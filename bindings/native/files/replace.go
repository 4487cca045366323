package files

import "os"

// Replace makes p the content of the file at path, readable by its owner only: whole and durable when it returns nil, and else as it
// was. For one caller at a time. Errors are the file system's.
func Replace(path string, p []byte) error {
	next := beside(path, ".new")
	err := writeDurably(next, p)
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		_ = os.Remove(next)
		return err
	}
	return syncDir(path)
}
