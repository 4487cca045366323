//go:build !linux

package native

import "glim/core/node"

// Machine returns nil: background mining is not supported on this system.
func Machine() *node.Machine { return nil }
