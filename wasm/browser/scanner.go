//go:build js && wasm

package main

import (
	"syscall/js"

	"glim/core/keys"
	"glim/core/scan"
	"glim/wasm/host"
)

// scanner returns the functions of a scanner's worker: scan takes a job as bytes and returns its result as bytes, or an
// Error.
func scanner() map[string]any {
	var last keys.Secret
	var prepared *scan.Scanner
	return map[string]any{"scan": function(func(args []js.Value) any {
		job, err := scan.DecodeJob(host.FromJS(args[0]))
		if err != nil {
			return thrown(err)
		}
		if prepared == nil || job.View != last {
			if prepared, err = scan.NewScanner(job.View); err != nil {
				return thrown(err)
			}
			last = job.View
		}
		result := prepared.Run(job.Txs)
		return host.ToJS(result.Encode())
	})}
}
