//go:build !js

package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestAutomaticChange: the change of an account that pays often is divided if the wallet's attribute says so and the
// account has few outputs, and otherwise not.
func TestAutomaticChange(t *testing.T) {
	t.Parallel()
	p := newTestChain(t)
	s, _ := p.funded()
	account := do(t, s, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{}).Address
	do(t, s, walletrpc.Transfer, split1(account, 2*xmr.Coin))
	p.mine(10, s)
	pay := func(n uint64) int {
		t.Helper()
		req := dividing(node.UnspendableAddress(), xmr.Coin/100, n)
		req.AccountIndex = 1
		id := do(t, s, walletrpc.Transfer, req).TxHash
		p.mine(1, s)
		parts := 0
		for _, o := range outputsOf(t, s, 1) {
			if o.TxHash == id {
				parts++
			}
		}
		return parts
	}
	set := func(value string) {
		do(t, s, walletrpc.SetAttribute, walletrpc.SetAttributeRequest{Key: changeAttribute, Value: value})
	}
	set(changeAuto)
	for n := range often {
		require.Equal(t, 1, pay(0), n) // it does not pay often yet
		p.mine(9, s)
	}
	set("")
	require.Equal(t, 1, pay(0))
	p.mine(9, s)
	set(changeAuto)
	require.Equal(t, 1, pay(1), "the request asks for one")
	p.mine(9, s)
	require.Equal(t, kept, pay(0))
	p.mine(9, s)
	require.Equal(t, 1, pay(0), "it has enough outputs now")

	// Other accounts are not affected.
	id := do(t, s, walletrpc.Transfer, split1(node.UnspendableAddress(), xmr.Coin/100)).TxHash
	p.mine(1, s)
	require.Len(t, changeOf(t, s, id), 1)
}
