package journal

import "slices"

// Memory is Storage in memory, for tests and for wallets that are never saved. The zero value is empty.
type Memory struct {
	Content []byte
	// Fault, if not nil, is called before every change; the change fails if it returns an error. A failed append
	// still adds the first written bytes of p. A failed replace or truncate still takes effect if written is not 0.
	Fault func(op Op, p []byte) (written int, err error)
}

// Op is an operation that changes a Memory.
type Op string

// The operations that can fail.
const (
	OpAppend   Op = "append"
	OpReplace  Op = "replace"
	OpTruncate Op = "truncate"
)

// NewMemory returns empty storage.
func NewMemory() *Memory { return &Memory{} }

// Load implements Storage.
func (m *Memory) Load() ([]byte, error) { return slices.Clone(m.Content), nil }

// LoadBeginning implements Beginner.
func (m *Memory) LoadBeginning(size int) ([]byte, error) {
	return slices.Clone(m.Content[:min(size, len(m.Content))]), nil
}

// Append implements Storage.
func (m *Memory) Append(p []byte) error {
	n, err := m.fault(OpAppend, p)
	if err == nil {
		n = len(p)
	}
	m.Content = append(m.Content, p[:n]...)
	return err
}

// Replace implements Storage.
func (m *Memory) Replace(p []byte) error {
	n, err := m.fault(OpReplace, p)
	if err == nil || n != 0 {
		m.Content = slices.Clone(p)
	}
	return err
}

// Truncate implements Storage.
func (m *Memory) Truncate(size int64) error {
	n, err := m.fault(OpTruncate, nil)
	if err == nil || n != 0 {
		m.Content = m.Content[:size]
	}
	return err
}

func (m *Memory) fault(op Op, p []byte) (int, error) {
	if m.Fault == nil {
		return 0, nil
	}
	return m.Fault(op, p)
}
