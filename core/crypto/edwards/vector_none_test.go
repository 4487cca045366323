//go:build !amd64 || purego

package edwards

// wideMakers is empty without vector instructions.
func wideMakers() map[string]func(s *Sums, out []*Point) bool {
	return map[string]func(s *Sums, out []*Point) bool{}
}
