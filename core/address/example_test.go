package address_test

import (
	"fmt"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/xmr"
)

func ExampleParseFor() {
	k, err := keys.FromSeed([32]byte{1})
	if err != nil {
		panic(err)
	}
	spend, view := k.Address(keys.Index{Minor: 1})
	text := address.At(xmr.Mainnet, keys.Index{Minor: 1}, spend, view).String()
	a, err := address.ParseFor(xmr.Mainnet, text)
	fmt.Println(a.Kind, a.Spend == spend, err)
	_, err = address.ParseFor(xmr.Stagenet, text)
	fmt.Println(err)
	// Output:
	// subaddress true <nil>
	// address: belongs to another network
}
