package fcmp_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/fcmp"
)

// ExampleProveMembership spends an output of a tree that contains nothing else.
func ExampleProveMembership() {
	if err := spend(); err != nil {
		log.Fatal(err)
	}
	// Output: 3616 bytes of proofs
}

func spend() error {
	rules := carrot.Personalised
	x, err := edwards.RandomScalar(rand.Reader)
	if err != nil {
		return err
	}
	y, err := edwards.RandomScalar(rand.Reader)
	if err != nil {
		return err
	}
	key, err := edwards.DecodePoint(rules.T)
	if err != nil {
		return err
	}
	key.ScalarMult(y, key)
	key.Add(key, new(edwards.Point).ScalarBaseMult(x))
	generator := edwards.HashToPoint(key.Encode())
	commitment := edwards.Commit(y, 1_000_000_000_000)

	// The tree. A wallet keeps the path of each of its outputs, and takes the root from the reference block.
	leaves, err := curvetree.NewLeaves([]curvetree.Output{
		{Key: key, KeyImageGenerator: generator, Commitment: commitment},
	})
	if err != nil {
		return err
	}
	var tree curvetree.Tree
	tree.Grow(leaves)

	output := fcmp.Output{Key: key.Encode(), Generator: generator.Encode(), Commitment: commitment.Encode()}
	blinds, err := fcmp.NewBlinds(rand.Reader)
	if err != nil {
		return err
	}
	defer blinds.Wipe()
	message := [32]byte{1} // fcmptx.Rules.SignableHash of the transaction
	spend, err := fcmp.ProveSpend(rand.Reader, rules, message, &output, blinds, x, y)
	if err != nil {
		return err
	}
	membership, err := fcmp.ProveMembership(context.Background(), rand.Reader, rules, tree.Root(), []fcmp.Member{
		{Output: output, Blinds: blinds, Path: fcmp.Path{Leaves: leaves}},
	}, nil)
	if err != nil {
		return err
	}
	tx, err := fcmp.NewTransaction([]*fcmp.Spend{spend}, membership)
	if err != nil {
		return err
	}
	if err := fcmp.VerifyTransactions(rand.Reader, rules, []fcmp.Transaction{*tx}); err != nil {
		return err
	}
	fmt.Println(len(tx.Proof), "bytes of proofs")
	return nil
}
