package manykeys_test

import (
	"context"
	"fmt"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/manykeys"
	"glim/core/tx"
	"glim/core/xmr"
)

func ExampleSet_Scan() {
	// A server knows the view keys of its accounts.
	var accounts manykeys.Set
	var wallets []*keys.Keys
	for id := range manykeys.ID(3) {
		k, err := keys.FromSeed([32]byte{1 + byte(id)})
		if err != nil {
			panic(err)
		}
		wallets = append(wallets, k)
		if err := accounts.Add(id, k.ViewSecret(), k.SpendPublic); err != nil {
			panic(err)
		}
		if err := accounts.AddSubaddresses(id, 0, 1, 10); err != nil {
			panic(err)
		}
	}

	// A sender pays subaddress 7 of account 2.
	spend, view := wallets[2].Address(keys.Index{Minor: 7})
	destination, err := edwards.DecodePoint(spend)
	if err != nil {
		panic(err)
	}
	r := edwards.ScalarFromUint64(42)
	shared, _ := edwards.Derive(r, view)
	key, _ := shared.PublicKey(0, spend)
	t := &tx.Transaction{
		Version: 1,
		Outputs: []tx.Output{{Amount: 5 * xmr.Coin, Key: key}},
		Extra:   tx.AppendPublicKey(nil, destination.ScalarMult(r, destination).Encode()),
	}

	matches, err := accounts.Scan(context.Background(), []*tx.Transaction{t})
	if err != nil {
		panic(err)
	}
	for _, m := range matches {
		fmt.Println("account", m.Account, "address", m.Index, "output", m.Output, xmr.FormatAmount(m.Amount), m.Opens)
	}
	// Output: account 2 address {0 7} output 0 5.000000000000 true
}
