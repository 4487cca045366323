package scan_test

import (
	"fmt"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

func ExampleFind() {
	k, err := keys.FromSeed([32]byte{1})
	if err != nil {
		panic(err)
	}
	// A sender makes an output for the wallet's primary address, with the transaction key r.
	r := edwards.ScalarFromUint64(42)
	shared, _ := edwards.Derive(r, k.ViewPublic)
	key, _ := shared.PublicKey(0, k.SpendPublic)
	t := &tx.Transaction{
		Version: 1,
		Outputs: []tx.Output{{Amount: 5 * xmr.Coin, Key: key}},
		Extra:   tx.AppendPublicKey(nil, new(edwards.Point).ScalarBaseMult(r).Encode()),
	}

	// The view key alone finds it.
	found, err := scan.Find(k.ViewSecret(), t, func(spend xmr.PublicKey) bool { return spend == k.SpendPublic })
	if err != nil {
		panic(err)
	}
	for _, c := range found {
		amount, _, ok := scan.Amount(t, c.Output, c.Derivation)
		fmt.Println("output", c.Output, xmr.FormatAmount(amount), ok)
	}
	// Output: output 0 5.000000000000 true
}
