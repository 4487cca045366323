package fcmpbuild_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"

	"glim/core/carrot"
	"glim/core/fcmpbuild"
	"glim/core/keys"
	"glim/core/treecache"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// ExampleBuild pays one XMR with a mining reward of three, as the only output of a chain.
func ExampleBuild() {
	if err := pay(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0%: make outputs
	// 1%: prove spends
	// 2%: prove membership
	// 85%: check the transaction
	// a fee of 0.000153000000 XMR for 7650 bytes, and change of 1.999847000000 XMR
}

func pay() error {
	wallet, err := carrot.NewMaster(carrot.Default, [32]byte{1}) // today's keys: carrot.NewLegacyMaster
	if err != nil {
		return err
	}
	friend, err := carrot.NewMaster(carrot.Default, [32]byte{2})
	if err != nil {
		return err
	}

	// A reward. A wallet scans it and keeps what it needs to open it.
	reward, err := carrot.Default.NewCoinbaseEnote(&carrot.Payment{
		To: wallet.Address(xmr.Regtest, keys.Index{}), Amount: 3 * xmr.Coin, Anchor: [16]byte{1},
	}, 100)
	if err != nil {
		return err
	}
	received, ok := wallet.ScanCoinbase(reward)
	if !ok {
		return fmt.Errorf("the reward is not the wallet's")
	}
	input := fcmpbuild.Input{Format: carrot.CarrotOutput, Received: received}
	if err := input.SetImage(wallet); err != nil {
		return err
	}

	// The tree at the reference block. A wallet gives its cache all blocks as it reads them.
	cache := treecache.New(carrot.Default, 100)
	cache.Register(input.Leaf())
	for height := range uint64(xmr.SpendableAge) {
		block := treecache.Block{Height: height}
		if height == 0 {
			block.Txs = []treecache.Tx{{Outputs: []treecache.Output{input.Leaf()}}}
		}
		if err := cache.Add(&block); err != nil {
			return err
		}
	}
	reference, _ := cache.Reference()
	tree, err := fcmpbuild.TreeOf(cache, reference)
	if err != nil {
		return err
	}

	request := fcmpbuild.Request{
		Inputs: []fcmpbuild.Input{input},
		Destinations: []txbuild.Destination{
			{Address: friend.Address(xmr.Regtest, keys.Index{Minor: 5}), Amount: xmr.Coin},
		},
		PerByte: 20_000, // the daemon's estimate
	}
	var last fcmpbuild.Step
	progress := func(s fcmpbuild.Step, percent int) {
		if percent == 0 || s != last {
			fmt.Printf("%d%%: %v\n", percent, s)
		}
		last = s
	}
	tx, err := fcmpbuild.Build(context.Background(), rand.Reader, wallet, xmr.Regtest, request, tree, progress)
	if err != nil {
		return err
	}
	fmt.Printf("a fee of %s XMR for %d bytes, and change of %s XMR\n",
		xmr.FormatAmount(tx.Fee), tx.Weight, xmr.FormatAmount(tx.Change))
	return nil
}
