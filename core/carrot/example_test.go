package carrot_test

import (
	"crypto/rand"
	"fmt"

	"glim/core/carrot"
	"glim/core/keys"
	"glim/core/xmr"
)

// A point of sale derives an address, a payer makes an output for it, and the wallet finds it with its view key.
func Example() {
	master, err := carrot.NewMaster(carrot.Default, keys.Secret{1, 2, 3})
	if err != nil {
		panic(err)
	}
	order := keys.Index{Major: 1, Minor: 42}
	pointOfSale := master.GenerateAddress // derives addresses and finds nothing
	to := pointOfSale.Address(xmr.Stagenet, order)
	fmt.Println(to)

	anchor, err := carrot.RandomAnchor(rand.Reader)
	if err != nil {
		panic(err)
	}
	firstKeyImage := xmr.KeyImage{9} // of the payer's transaction
	payment := carrot.Payment{To: to, Amount: 3 * xmr.Coin, Anchor: anchor}
	output, paymentID, err := carrot.Default.NewOutput(&payment, firstKeyImage)
	if err != nil {
		panic(err)
	}

	found, ok := master.Incoming.Scan(&output.Enote, &paymentID)
	fmt.Println(ok, xmr.FormatAmount(found.Amount), found.Spend == master.SpendKey(order))
	_, err = master.KeyImage(&found, order)
	fmt.Println(err)
	// Output:
	// 75BNrpRpCrjUfAHpimQw7h8oLw8BVe2W9eQpgovwBQCxcivjDK3MoSF3hrMKDrintXP3SA9Y9VQK87bDSRRTEKHw9f8VBEk
	// true 3.000000000000 true
	// <nil>
}
