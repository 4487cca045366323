package smallfmt

import "strings"

// maxShort is the maximum number of bytes that Short keeps.
const maxShort = 1000

// Short returns a text of an untrusted sender for an error or a log: its first 1000 bytes, followed by dots if it is
// longer. A daemon's message may be as long as the transport allows, and errors are quoted, wrapped and logged
// repeatedly.
func Short(text string) string {
	if len(text) <= maxShort {
		return text
	}
	return strings.ToValidUTF8(text[:maxShort], "") + "..."
}
