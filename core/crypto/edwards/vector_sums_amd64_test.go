//go:build !purego

package edwards

// wideMakers are the vectors of this processor.
func wideMakers() map[string]func(s *Sums, out []*Point) bool {
	return map[string]func(s *Sums, out []*Point) bool{}
}
