//go:build !amd64 || purego

package edwards

// wideMakers are none without vectors.
func wideMakers() map[string]func(s *Sums, out []*Point) bool {
	return map[string]func(s *Sums, out []*Point) bool{}
}
