//go:build !linux

package native

import "glim/core/node"

// Machine returns what this machine tells about itself, for mining in the background; nil where it is not known how to ask.
func Machine() *node.Machine { return nil }
