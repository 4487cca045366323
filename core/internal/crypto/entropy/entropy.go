// Package entropy tells a failure of the random source apart from a fault in what is verified with it.
package entropy

import "io"

// Source reads from another source and remembers its last error, which says nothing about what is verified.
type Source struct {
	from io.Reader
	err  error
}

// New returns a Source that reads from random.
func New(random io.Reader) *Source { return &Source{from: random} }

// Read implements io.Reader.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	if err != nil {
		s.err = err
	}
	return n, err
}

// Or returns the error of the source, or err if the source has not failed.
func (s *Source) Or(err error) error {
	if s.err != nil {
		return s.err
	}
	return err
}
