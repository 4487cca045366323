//go:build !js

package engine

import "runtime/debug"

// trace returns the stack of this goroutine.
func trace() string { return string(debug.Stack()) }
