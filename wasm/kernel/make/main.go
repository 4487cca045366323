// Command make writes the WebAssembly module of package kernel to the given file.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: make FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], build(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}
