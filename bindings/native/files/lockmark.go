package files

import "encoding/binary"

// markSize is the size of an encoded mark in bytes: the size of the content as 8 bytes in little-endian order, and its
// end. The lock file holds two marks: that of the content last written, and zeros. While the content is being replaced
// or truncated, they are the mark of the current content and the mark of the next one.
const markSize = 8 + len(mark{}.end)

func (m mark) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(m.size))
	return append(b, m.end[:]...)
}

// remember stores the mark of the current content. A failure is ignored, because the file is durable before its mark is
// written, and so the mark never describes more than the file has.
func (f *File) remember() {
	_, _ = f.lock.WriteAt(mark{}.append(f.left.append(make([]byte, 0, 2*markSize))), 0)
}

// foresee stores the mark of the next content in addition to that of the current one, so that either content is
// recognised after a kill or a power failure.
func (f *File) foresee(next mark) {
	_, _ = f.lock.WriteAt(next.append(f.left.append(make([]byte, 0, 2*markSize))), 0)
	_ = f.lock.Sync()
	if f.onSwitch != nil {
		f.onSwitch()
	}
}

// recognise determines whether the file has or continues a content whose mark is stored, as it also does after a kill.
// Each record authenticates all earlier ones, so it suffices to compare the bytes before the stored size.
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

// IsCurrent reports whether the file, when it was opened, had or continued the content last written under this name on
// this machine. Otherwise it may be an older copy, or another machine has written it. It is false for a file that has
// never been open under this name.
func (f *File) IsCurrent() bool { return f.same }

// LastWritten reports whether the lock file describes the content last written, and how many bytes, at least, of that
// content are missing at the end of the file. missing is 0 if IsCurrent, and if the content differs but is no shorter.
func (f *File) LastWritten() (known bool, missing int64) { return f.known, f.missing }
