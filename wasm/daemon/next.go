//go:build js && wasm && !nocarrot

package main

import (
	"syscall/js"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/xmr"
	"glim/wasm/host"
)

// open opens the chain. From the block with index forkHeight of the host on, it follows the next hard fork; 0 for
// never.
func open(outside js.Value, kept chain.Store) (*node.Regtest, error) {
	at := uint64(0)
	if v := outside.Get("forkHeight"); v.Type() == js.TypeNumber {
		at = uint64(v.Float())
	}
	if at == 0 {
		return node.OpenRegtest(host.Now, host.Random{}, kept)
	}
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: host.Now, Random: host.Random{}, Store: kept,
		Forks: consensus.RegtestForks(at, at+consensus.GraceBlocks), Next: nextfork.Fork{},
	}})
	if err != nil {
		return nil, err
	}
	return &node.Regtest{Node: n}, nil
}
