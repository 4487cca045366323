//go:build !js

package engine

import "runtime/debug"

// trace says where this goroutine is.
func trace() string { return string(debug.Stack()) }
