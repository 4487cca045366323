package say

import "strings"

// maxShort is how many bytes of a text Short leaves.
const maxShort = 1000

// Short returns a text that somebody else wrote, for an error or a log: its first 1000 bytes and dots when it is longer. A daemon's message may be as long
// as the transport takes, and an error is quoted, wrapped and logged, each time anew.
func Short(text string) string {
	if len(text) <= maxShort {
		return text
	}
	return strings.ToValidUTF8(text[:maxShort], "") + "..."
}
