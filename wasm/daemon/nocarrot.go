//go:build js && wasm && nocarrot

package main

import (
	"syscall/js"

	"glim/core/chain"
	"glim/core/node"
	"glim/wasm/host"
)

// open opens the chain, which never forks.
func open(_ js.Value, kept chain.Store) (*node.Regtest, error) {
	return node.OpenRegtest(host.Now, host.Random{}, kept)
}
