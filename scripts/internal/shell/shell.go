// Package shell writes shell scripts.
package shell

import "strings"

// Quote returns words as they are written in a POSIX shell, without any expansion.
func Quote(words ...string) string {
	var all []string
	for _, w := range words {
		all = append(all, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	return strings.Join(all, " ")
}
