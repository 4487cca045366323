package files

import "encoding/binary"

// The lock of a file keeps the mark of what was last written, its size, least significant byte first, and its end. Behind it stands the mark of what
// is about to take its place, while it does, and zeros else.
const markSize = 8 + len(mark{}.end)

func (m mark) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(m.size))
	return append(b, m.end[:]...)
}

// remember keeps the mark. One that cannot be kept, or is lost when the power fails, makes the file a stranger at worst: the file is durable before,
// so that the lock never knows of more than there is.
func (f *File) remember() {
	_, _ = f.lock.WriteAt(mark{}.append(f.left.append(make([]byte, 0, 2*markSize))), 0)
}

// foresee keeps the mark of what the file is about to become beside that of what it is: whatever a kill or a power cut leaves of the two is known.
func (f *File) foresee(next mark) {
	_, _ = f.lock.WriteAt(next.append(f.left.append(make([]byte, 0, 2*markSize))), 0)
	_ = f.lock.Sync()
	if f.onSwitch != nil {
		f.onSwitch()
	}
}

// recognise finds out whether the file goes on from where it was remembered, as it does after a kill, too. Its records are bound to all before
// them, so that one in its place tells of the others.
func (f *File) recognise() {
	var b [2 * markSize]byte
	n, _ := f.lock.ReadAt(b[:], 0)
	for at := 0; at+markSize <= n && !f.same; at += markSize {
		was := mark{size: int64(binary.LittleEndian.Uint64(b[at:])), end: [32]byte(b[at+8:])}
		if was == (mark{}) {
			continue
		}
		f.known = true
		if was.size < 0 || was.size > f.left.size {
			f.missing = max(f.missing, was.size-f.left.size)
			continue
		}
		now, err := markOf(f.f, was.size)
		f.same = err == nil && now == was
	}
	if f.same {
		f.missing = 0
	}
}

// Familiar reports whether the file was, when it was opened, what was here last, or went on from that: no older copy was put in its place, and it
// was written nowhere else. Of a file that was never open under this name, nobody knows.
func (f *File) Familiar() bool { return f.same }

// Remembered reports whether it is known what was here last, and how many bytes at least are missing of that; 0 of what is Familiar, and of what
// is another content.
func (f *File) Remembered() (known bool, missing int64) { return f.known, f.missing }
