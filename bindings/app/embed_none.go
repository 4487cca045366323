//go:build !app

package app

import "io/fs"

// Embedded returns the web wallet in this program, or nil if it is built without it.
func Embedded() fs.FS { return nil }
