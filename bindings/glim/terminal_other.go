//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package main

import "os"

// hide does nothing: terminals are not supported on this system.
func hide(*os.File) (show func(), hidden bool) { return nil, false }
