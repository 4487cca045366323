package wallet

import (
	"fmt"
	"io"
)

// Secret is a password, a seed or a secret key. Package fmt, loggers and encoders print a placeholder instead of it.
// Convert it with string(s) to get the text.
type Secret string

const hidden = "(secret)"

// Format prints the placeholder, for every verb except %p, for which package fmt does not call it.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// String returns the placeholder.
func (s Secret) String() string { return hidden }

// MarshalText returns the placeholder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
