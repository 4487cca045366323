//go:build js && wasm && nocarrot

package main

import (
	"errors"

	"glim/core/daemon"
	"glim/core/keys"
	"glim/core/session"
)

// passedFork reports whether err is about a chain that has passed the next hard fork, which this program cannot read.
func passedFork(err error) bool { return errors.Is(err, daemon.ErrNextFork) }

// paths is not reached: this program does not pay after the next hard fork.
func (*engine) paths(string, *keys.Keys) session.Paths { return nil }
