//go:build js && wasm && nocarrot

package main

import (
	"glim/core/keys"
	"glim/core/session"
)

// paths is not reached: this program does not pay after the next hard fork.
func (*engine) paths(string, *keys.Keys) session.Paths { return nil }
