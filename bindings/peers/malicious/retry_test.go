package malicious_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestRetriesUseTheSameRings checks that a daemon that makes payments fail sees the same rings on each attempt, also
// after the wallet was reopened, and that the next daemon sees them too. The intersection of different rings would
// reveal the spent outputs.
func TestRetriesUseTheSameRings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	seen := map[xmr.KeyImage][]uint64{}
	attempts := 0
	record := func(blob []byte) {
		t.Helper()
		attempts++
		for image, ring := range rings(t, blob) {
			if before, ok := seen[image]; ok {
				require.Equal(t, before, ring, "attempt %d", attempts)
			}
			seen[image] = ring
		}
	}
	rejects := malicious.Modify("rejects", daemonrpc.SendRawTransaction, func(
		q daemonrpc.SendRawTransactionRequest, r *submission,
	) {
		blob, err := hex.DecodeString(q.TxAsHex)
		require.NoError(t, err)
		record(blob)
		r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
	})
	for range 2 {
		w.proxy.Inject(rejects)
		for range 2 {
			_, err := pay(s, node.UnspendableAddress())
			require.ErrorContains(t, err, "rejected")
			w.emptyPool(t) // it kept the rejected transaction
		}
		w.proxy.Inject(malicious.HangUp("hangs up", "send_raw_transaction"))
		_, err := pay(s, node.UnspendableAddress())
		require.ErrorContains(t, err, noConnection)
		for _, kept := range w.emptyPool(t) {
			blob, err := hex.DecodeString(kept.TxBlob)
			require.NoError(t, err)
			record(blob)
		}
		require.NoError(t, s.Close())
		s = w.serve(t, dir, nil)
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	}
	w.proxy.Inject(malicious.Fault{})
	sent, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	blob, err := hex.DecodeString(sent.TxBlob)
	require.NoError(t, err)
	record(blob)
	require.Equal(t, 7, attempts)
	require.Len(t, seen, len(rings(t, blob)), "the same outputs are spent")
}

// TestUnrelayedPaymentIsReleased checks that the wallet drops a transaction that the daemon accepted but did not relay,
// once the pool has lacked it for long enough, and that its outputs are spendable again.
func TestUnrelayedPaymentIsReleased(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	sent, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance-amount-sent.Fee, balance(t, s), "may still be relayed")
	w.later.Store(100)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance-amount-sent.Fee, balance(t, s), "may still be relayed after 100 s")
	w.later.Store(501)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance, balance(t, s))
	again, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	first, err := hex.DecodeString(sent.TxBlob)
	require.NoError(t, err)
	second, err := hex.DecodeString(again.TxBlob)
	require.NoError(t, err)
	require.Equal(t, rings(t, first), rings(t, second), "both payments must spend the same outputs")
}
