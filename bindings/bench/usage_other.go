//go:build !linux

package main

import "errors"

var errSystem = errors.New("CPU time and memory of a process are read from Linux's /proc")

// usage works only on Linux.
func usage(int) (usageOf, error) { return usageOf{}, errSystem }

// forgetPeak works only on Linux.
func forgetPeak(int) error { return errSystem }
