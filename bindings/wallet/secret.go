package wallet

import (
	"fmt"
	"io"
)

// Secret is a text that must not be seen: a password, a seed, a secret key. Package fmt, loggers and encoders write a
// placeholder for it; string(s) is the text.
type Secret string

const hidden = "(secret)"

// Format writes the placeholder, whatever the verb; %p alone, which is for pointers, asks nobody.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// String returns the placeholder.
func (s Secret) String() string { return hidden }

// MarshalText returns the placeholder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
