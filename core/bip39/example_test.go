package bip39_test

import (
	"fmt"

	"glim/core/address"
	"glim/core/bip39"
	"glim/core/keys"
	"glim/core/walletseed"
	"glim/core/xmr"
)

func ExampleDecode() {
	phrase, err := bip39.Decode("alcohol woman abuse must during monitor noble actual mixed trade anger aisle")
	if err != nil {
		panic(err)
	}
	defer phrase.Forget()
	seed, err := phrase.Seed("")
	if err != nil {
		panic(err)
	}
	wallet, err := walletseed.Trezor(seed, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(address.At(xmr.Mainnet, keys.Index{}, wallet.SpendPublic, wallet.ViewPublic))
	// Output:
	// 4Ahp23WfMrMFK3wYL2hLWQFGt87ZTeRkufS6JoQZu6MEFDokAQeGWmu9MA3GFq1yVLSJQbKJqVAn9F9DLYGpRzRAEXqAXKM
}
