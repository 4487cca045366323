package native

import (
	"os"

	"glim/bindings/native/files"
)

// disk changes the reference's files. Nil is the real one; others are for tests.
type disk struct {
	// step is called before and after each change. Its error replaces the change, or the result of the change.
	step func() error
}

func (d *disk) do(change func() error) error {
	if d == nil {
		return change()
	}
	if err := d.step(); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	return d.step()
}

func (d *disk) writeHidden(path, kind string, p []byte) error {
	return d.do(func() error { return files.WriteHidden(path, kind, p) })
}

func (d *disk) putHidden(path, kind string) error {
	return d.do(func() error { return files.PutHidden(path, kind) })
}

func (d *disk) renameHidden(path, kind, to string) error {
	return d.do(func() error { return files.RenameHidden(path, kind, to) })
}

func (d *disk) removeHidden(path, kind string) error {
	return d.do(func() error { return files.RemoveHidden(path, kind) })
}

func (d *disk) writeMissing(path string, p []byte) error {
	return d.do(func() error { return files.WriteMissing(path, p) })
}

func (d *disk) replace(path string, p []byte) error {
	return d.do(func() error { return files.Replace(path, p) })
}

func (d *disk) syncNames(path string) error {
	return d.do(func() error { return files.SyncNames(path) })
}

func (d *disk) remove(path string) error { return d.do(func() error { return os.Remove(path) }) }
