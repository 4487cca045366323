//go:build !linux

package main

import "errors"

var errSystem = errors.New("CPU time and memory of a process are read from Linux's /proc")

// usage is known on Linux alone.
func usage(int) (usageOf, error) { return usageOf{}, errSystem }

// forgetPeak works on Linux alone.
func forgetPeak(int) error { return errSystem }
