package treecache_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"

	"glim/core/carrot"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
	"glim/core/treecache"
	"glim/core/wallet"
)

// ExampleCache reads blocks, and proves that an own output is in the tree of all outputs.
func ExampleCache() {
	if err := prove(); err != nil {
		log.Fatal(err)
	}
	// Output: tree of block 13: 2 layers, proof of 3776 bytes
}

func prove() error {
	rules := carrot.Default
	cache := treecache.New(rules, wallet.DefaultMaxReorgDepth)
	own := someOutput(70)
	for height := range uint64(14) {
		b := &treecache.Block{Height: height, Txs: []treecache.Tx{{UnlockTime: height + 60}}} // the coinbase
		for i := range uint64(20) {
			b.Txs = append(b.Txs, treecache.Tx{Outputs: []treecache.Output{someOutput(20*height + i)}})
		}
		if height == 3 { // the wallet has found it in this block
			cache.Register(own)
		}
		if err := cache.Add(b); err != nil {
			return err
		}
	}
	reference, _ := cache.Reference()
	root, err := cache.Root(reference)
	if err != nil {
		return err
	}
	path, err := cache.Path(reference, own)
	if err != nil {
		return err
	}
	blinds, err := fcmp.NewBlinds(rand.Reader)
	if err != nil {
		return err
	}
	defer blinds.Wipe()
	output := fcmp.Output{Key: own.Key, Generator: own.Generator(rules), Commitment: own.Commitment}
	proof, err := fcmp.ProveMembership(context.Background(), rand.Reader, rules, root, []fcmp.Member{
		{Output: output, Blinds: blinds, Path: fcmp.Path(*path)},
	}, nil)
	if err != nil {
		return err
	}
	if err := fcmp.VerifyMembership(rand.Reader, rules, []fcmp.Membership{*proof}); err != nil {
		return err
	}
	fmt.Printf("tree of block %d: %d layers, proof of %d bytes\n", reference, root.Layers, len(proof.Proof))
	return nil
}

// someOutput returns the n-th of some outputs.
func someOutput(n uint64) treecache.Output {
	key := new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(n + 1))
	return treecache.Output{Key: key.Encode(), Commitment: edwards.CommitPublic(n).Encode(), Carrot: true}
}
