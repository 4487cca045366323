package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// hide turns off the echo of a console until show is called. hidden is false if f is not a console.
func hide(f *os.File) (show func(), hidden bool) {
	console := windows.Handle(f.Fd())
	var was uint32
	if windows.GetConsoleMode(console, &was) != nil ||
		windows.SetConsoleMode(console, was&^windows.ENABLE_ECHO_INPUT) != nil {
		return nil, false
	}
	return func() { _ = windows.SetConsoleMode(console, was) }, true // the console may be closed
}
