package scenario

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPaysOnce repeats a payment request after an answer, after a lost answer, and after reopening the wallet.
func TestPaysOnce(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	g := newGate(t, d)
	ours := newGlim(t, g.URL, options{})
	restore(t, ours, "alice", alice)
	refresh(t, ours)
	to := []destination{{Amount: 1e12, Address: at(t, bob, 0, 0)}}
	request := object{"idempotency_key": "invoice 1", "get_tx_hex": true}
	first := pay(t, ours, to, request)
	require.NotEmpty(t, first.Blob)
	require.Equal(t, first, pay(t, ours, to, request))
	other := pay(t, ours, to, object{"idempotency_key": "invoice 2"})
	require.NotEqual(t, first.TxHash, other.TxHash)

	// The third is delayed and the client gets an error; a repeated request relays the same transaction.
	g.hold("send_raw_transaction", 0)
	ended := make(chan error, 1)
	go func() {
		ended <- ours.JSON(context.Background(), "transfer",
			object{"destinations": to, "idempotency_key": "invoice 3"}, nil)
	}()
	wait(t, g.held)
	g.cut()
	require.Error(t, <-ended)
	type list struct {
		Failed []struct {
			TxID string `json:"txid"`
		} `json:"failed"`
	}
	failed := call[list](t, ours, "get_transfers", object{"failed": true}).Failed
	require.Len(t, failed, 1)
	third := pay(t, ours, to, object{"idempotency_key": "invoice 3"})
	require.Equal(t, failed[0].TxID, third.TxHash)

	mine(t, d, 1, at(t, carol, 0, 0))
	refresh(t, ours)
	do(t, ours, "close_wallet", nil)
	do(t, ours, "open_wallet", object{"filename": "alice", "password": ""})
	require.Equal(t, first, pay(t, ours, to, request))
	// Once it is so deep in the chain that the wallet has dropped its bytes, the wallet fetches them from the daemon.
	mine(t, d, 70, at(t, carol, 0, 0))
	refresh(t, ours)
	require.Equal(t, first, pay(t, ours, to, request))

	payee := newGlim(t, d.URL, options{})
	restore(t, payee, "bob", bob)
	refresh(t, payee)
	type in struct {
		In []struct {
			Amount uint64 `json:"amount"`
			TxID   string `json:"txid"`
		} `json:"in"`
	}
	paid := map[string]bool{}
	for _, e := range call[in](t, payee, "get_transfers", object{"in": true}).In {
		if e.Amount == 1e12 {
			paid[e.TxID] = true
		}
	}
	require.Subset(t, keysOf(paid), []string{first.TxHash, other.TxHash, third.TxHash})
}

func keysOf(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}
