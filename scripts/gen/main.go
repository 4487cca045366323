// Command gen writes the clients of other languages: what the lists of operations say, in their words.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"glim/scripts/gen/describe"
)

// generated returns every file there must be, by its name from the root of the module.
func generated(root string) (map[string][]byte, error) {
	wallet, err := describe.Wallet(root)
	if err != nil {
		return nil, err
	}
	daemon, err := describe.Daemon(root)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"web/sdk/src/operations.ts":        typescript(wallet),
		"web/sdk/src/daemon-operations.ts": typescript(daemon),

		"mobile/kotlin/src/main/kotlin/glim/rpc/Operations.kt": kotlin(wallet),
		"mobile/swift/Sources/GlimKit/Operations.swift":        swift(wallet),
	}, nil
}

func main() {
	files, err := generated(".")
	for name, text := range files {
		if err == nil {
			if err = os.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o755); err == nil {
				err = os.WriteFile(filepath.FromSlash(name), text, 0o644)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
