package liar_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestRetriesUseTheSameRings: a daemon that makes payments fail, in whatever way, sees the same rings each time, also when the wallet was
// closed in between, and so does the next daemon. What rings had in common but for that would be the outputs spent.
func TestRetriesUseTheSameRings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	seen := map[xmr.KeyImage][]uint64{}
	attempts := 0
	saw := func(blob []byte) {
		t.Helper()
		attempts++
		for image, ring := range rings(t, blob) {
			if before, ok := seen[image]; ok {
				require.Equal(t, before, ring, "attempt %d", attempts)
			}
			seen[image] = ring
		}
	}
	refuses := liar.Bend("refuses", daemonrpc.SendRawTransaction, func(q daemonrpc.SendRawTransactionRequest, r *sending) {
		blob, err := hex.DecodeString(q.TxAsHex)
		require.NoError(t, err)
		saw(blob)
		r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
	})
	for range 2 {
		w.liar.Tell(refuses)
		for range 2 {
			_, err := pay(s, node.Nobody())
			require.ErrorContains(t, err, "rejected")
			w.emptyPool(t) // it kept it all the same
		}
		w.liar.Tell(liar.HangUp("hangs up", "send_raw_transaction"))
		_, err := pay(s, node.Nobody())
		require.ErrorContains(t, err, away)
		for _, kept := range w.emptyPool(t) {
			blob, err := hex.DecodeString(kept.TxBlob)
			require.NoError(t, err)
			saw(blob)
		}
		require.NoError(t, s.Close())
		s = w.serve(t, dir, nil)
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	}
	w.liar.Tell(liar.Lie{})
	sent, err := pay(s, node.Nobody())
	require.NoError(t, err)
	blob, err := hex.DecodeString(sent.TxBlob)
	require.NoError(t, err)
	saw(blob)
	require.Equal(t, 7, attempts)
	require.Len(t, seen, len(rings(t, blob)), "and the same outputs are spent")
}

// TestSwallowed: a transaction that a daemon took and passed on to nobody is given up when the pool has lacked it for long, and its money
// is there again.
func TestSwallowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	sent, err := pay(s, node.Nobody())
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance-amount-sent.Fee, balance(t, s), "it may be under way")
	w.later.Store(100)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance-amount-sent.Fee, balance(t, s), "and so it may after a while")
	w.later.Store(501)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance, balance(t, s))
	again, err := pay(s, node.Nobody())
	require.NoError(t, err)
	first, err := hex.DecodeString(sent.TxBlob)
	require.NoError(t, err)
	second, err := hex.DecodeString(again.TxBlob)
	require.NoError(t, err)
	require.Equal(t, rings(t, first), rings(t, second), "at most one of the two is ever mined")
}
