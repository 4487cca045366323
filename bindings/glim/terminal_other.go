//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package main

import "os"

// hide knows no terminals of this system.
func hide(*os.File) (show func(), hidden bool) { return nil, false }
