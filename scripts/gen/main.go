// Command gen generates the clients in other languages from the lists of operations, and the curve Selene from Helios.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"glim/core/walletrpc"
	"glim/scripts/gen/describe"
)

// notInPages are the operations that the engine of pages does not have; neither does their client, because the
// downloads of pages are to stay small.
var notInPages = []string{
	walletrpc.SetSeparateAccounts.Name, walletrpc.GetSeparateAccounts.Name, walletrpc.DescribeLinks.Name,
	walletrpc.CreateInvoice.Name, walletrpc.GetInvoices.Name, walletrpc.CancelInvoice.Name,
}

// generated returns all generated files by their path from the root of the module.
func generated(root string) (map[string][]byte, error) {
	wallet, err := describe.Wallet(root)
	if err != nil {
		return nil, err
	}
	pages, err := describe.Wallet(root, notInPages...)
	if err != nil {
		return nil, err
	}
	daemon, err := describe.Daemon(root)
	if err != nil {
		return nil, err
	}
	files, err := generatedCurves(root)
	if err != nil {
		return nil, err
	}
	maps.Copy(files, map[string][]byte{
		"web/sdk/src/operations.ts":        typescript(pages),
		"web/sdk/src/daemon-operations.ts": typescript(daemon),

		"mobile/kotlin/src/main/kotlin/glim/rpc/Operations.kt": kotlin(wallet),
		"mobile/swift/Sources/GlimKit/Operations.swift":        swift(wallet),
	})
	return files, nil
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
