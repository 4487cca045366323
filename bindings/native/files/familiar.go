package files

import "encoding/binary"

// The lock of a file keeps the mark of what was last written: its size, least significant byte first, and its end.
const markSize = 8 + len(mark{}.end)

// remember keeps the mark. One that cannot be kept, or is lost when the power fails, makes the file a stranger at worst.
func (f *File) remember() {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, markSize), uint64(f.left.size))
	_, _ = f.lock.WriteAt(append(b, f.left.end[:]...), 0)
}

// recognise finds out whether the file goes on from where it was remembered, as it does after a kill, too. Its records are bound to all before
// them, so that one in its place tells of the others.
func (f *File) recognise() {
	var b [markSize]byte
	if n, _ := f.lock.ReadAt(b[:], 0); n < markSize {
		return
	}
	was := mark{size: int64(binary.LittleEndian.Uint64(b[:])), end: [32]byte(b[8:])}
	if was.size < 0 || was.size > f.left.size {
		return
	}
	now, err := markOf(f.f, was.size)
	f.same = err == nil && now == was
}

// Familiar reports whether the file was, when it was opened, what was here last, or went on from that: no older copy was put in its place, and it
// was written nowhere else. Of a file that was never open under this name, nobody knows.
func (f *File) Familiar() bool { return f.same }
