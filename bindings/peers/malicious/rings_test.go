package malicious_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// sweepOne spends the output with the given key image.
func sweepOne(s *service.Service, image string) (walletrpc.TransferResponse, error) {
	return rpc.Call(context.Background(), s.Registry(), walletrpc.SweepSingle, walletrpc.SweepSingleRequest{
		Outputs: 1, KeyImage: image, Address: node.UnspendableAddress(), GetTxHex: true})
}

// images returns the key images of the spendable outputs.
func images(t *testing.T, s *service.Service) (list []string) {
	t.Helper()
	for _, out := range do(
		t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "available"},
	).Transfers {
		if out.Unlocked {
			list = append(list, out.KeyImage)
		}
	}
	return list
}

// observer records what a daemon learns about one output that a wallet tries to spend.
type observer struct {
	t         *testing.T
	rnd       *rand.Rand
	requested [][]uint64 // ring member candidates in requests
	rings     [][]uint64 // rings of submitted transactions
}

// fault returns a random mixture of forged outputs, a forged distribution and a rejected submission.
func (w *observer) fault() malicious.Fault {
	inflate := w.rnd.IntN(3) == 0
	share, kind := w.rnd.IntN(4), w.rnd.IntN(5)
	seed := w.rnd.Uint64()
	faults := []malicious.Fault{
		malicious.Modify("", daemonrpc.GetOutsBin, func(q daemonrpc.GetOutsBinRequest, r *outs) {
			var set []uint64
			for i := range q.Outputs {
				set = append(set, q.Outputs[i].Index)
			}
			w.requested = append(w.requested, set)
			for i := range r.Outs {
				if share == 0 || rand.New(rand.NewPCG(seed, set[i])).IntN(1+share) != 0 {
					continue
				}
				switch o := &r.Outs[i]; kind {
				case 0:
					o.Unlocked = false
				case 1:
					o.Key = invented(int(set[i]))
				case 2:
					o.Mask = invented(int(set[i]))
				case 3:
					o.Key = torsioned(o.Key)
				case 4:
					o.Key = xmr.PublicKey{2}
				}
			}
		}),
		malicious.Modify("", daemonrpc.SendRawTransaction, func(
			q daemonrpc.SendRawTransactionRequest, r *submission,
		) {
			blob, err := hex.DecodeString(q.TxAsHex)
			require.NoError(w.t, err)
			for _, ring := range rings(w.t, blob) {
				w.rings = append(w.rings, ring)
			}
			r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
		}),
	}
	if inflate {
		faults = append(faults, bendDistribution("", func(d []uint64) []uint64 {
			for i := max(0, len(d)-30); i < len(d); i++ {
				d[i] += 2000 * uint64(i+31-len(d))
			}
			return d
		}))
	}
	return malicious.Combine("random", faults...)
}

// TestRingsSurviveForgedAnswers checks that daemons that reject a payment and forge outputs see the same ring of an
// output and the same set of candidates, in any order of faults, restarts, rescans and changes of the daemon. The
// intersection of two different sets would reveal the spent output.
func TestRingsSurviveForgedAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(60, node.UnspendableAddress())
	second := httptest.NewServer(w.proxy)
	t.Cleanup(second.Close)
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 4))
			s, dir := w.victim(t, nil)
			w.proxy.Inject(malicious.Fault{})
			require.NoError(t, refresh(s))
			spent := images(t, s)[0]
			seen := &observer{t: t, rnd: rnd}
			for step := range 12 {
				switch rnd.IntN(5) {
				case 0:
					require.NoError(t, s.Close())
					s = w.serve(t, dir, nil)
					do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
				case 1:
					do(
						t, s, walletrpc.SetDaemon,
						walletrpc.SetDaemonRequest{
							Address: []string{w.url, second.URL}[rnd.IntN(2)], Trusted: true, SSLSupport: "autodetect",
						},
					)
				case 2:
					w.proxy.Inject(malicious.Fault{})
					do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
				}
				w.proxy.Inject(seen.fault())
				_, err := sweepOne(s, spent)
				require.Error(t, err)
				w.emptyPool(t) // it kept the rejected transaction
				for _, ring := range seen.rings {
					require.Equal(t, seen.rings[0], ring, "step %d", step)
				}
				for _, set := range seen.requested {
					whole := slices.Equal(seen.requested[0], set)
					require.True(
						t, whole || len(seen.rings) > 0 && slices.Equal(seen.rings[0], set), "step %d: %v, then %v",
						step, seen.requested[0], set,
					)
				}
			}
			// After a rescan an honest daemon accepts the payment.
			w.proxy.Inject(malicious.Fault{})
			do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
			sent, err := sweepOne(s, spent)
			require.NoError(t, err)
			blob, err := hex.DecodeString(sent.TxBlob)
			require.NoError(t, err)
			for _, ring := range rings(t, blob) {
				if len(seen.rings) > 0 {
					require.Equal(t, seen.rings[0], ring)
				}
			}
			require.Len(t, w.emptyPool(t), 1)
		})
	}
}

// TestRefusedThenLocked checks that after a rejected payment the wallet does not request the ring members again,
// because the daemon could report them as locked, and that the next attempt has the same ring.
func TestRefusedThenLocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	seen := &observer{t: t, rnd: rand.New(rand.NewPCG(1, 1))}
	rejects := malicious.Modify("", daemonrpc.SendRawTransaction, func(
		q daemonrpc.SendRawTransactionRequest, r *submission,
	) {
		blob, err := hex.DecodeString(q.TxAsHex)
		require.NoError(t, err)
		for _, ring := range rings(t, blob) {
			seen.rings = append(seen.rings, ring)
		}
		r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
	})
	w.proxy.Inject(rejects)
	_, err := sweepOne(s, spent)
	require.ErrorContains(t, err, "rejected")
	for half := range uint64(4) {
		w.emptyPool(t)
		w.proxy.Inject(malicious.Combine("members locked", rejects, malicious.Modify("", daemonrpc.GetOutsBin, func(
			q daemonrpc.GetOutsBinRequest, r *outs,
		) {
			for i := range r.Outs {
				if at := slices.Index(seen.rings[0], q.Outputs[i].Index); at >= 0 && at>>half&1 == 0 {
					r.Outs[i].Unlocked = false
				}
			}
		})))
		_, err := sweepOne(s, spent)
		require.ErrorContains(t, err, "rejected")
		require.ErrorContains(t, err, "call rescan_blockchain")
		require.Len(t, seen.rings, int(half)+2)
		require.Equal(t, seen.rings[0], seen.rings[half+1])
		require.Zero(t, w.proxy.Requests("get_outs.bin"), "the ring members are stored")
		require.NoError(t, s.Close())
		s = w.serve(t, dir, nil)
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	}
}

// TestRefusedThenInflated uses a daemon that rejects a payment and then forges a distribution with many more outputs,
// in which the ring would look unusual. The wallet refuses to pay and keeps the ring, and uses it with the true
// distribution.
func TestRefusedThenInflated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	var seen [][]uint64
	rejects := malicious.Modify("", daemonrpc.SendRawTransaction, func(
		q daemonrpc.SendRawTransactionRequest, r *submission,
	) {
		blob, err := hex.DecodeString(q.TxAsHex)
		require.NoError(t, err)
		for _, ring := range rings(t, blob) {
			seen = append(seen, ring)
		}
		r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
	})
	w.proxy.Inject(rejects)
	_, err := sweepOne(s, spent)
	require.ErrorContains(t, err, "rejected")
	w.emptyPool(t)
	require.NoError(t, s.Close())
	s = w.serve(t, dir, nil)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	require.NoError(t, refresh(s)) // the wallet could now cache the distribution up to the top
	w.proxy.Inject(malicious.Combine("inflated", rejects, bendDistribution("", func(d []uint64) []uint64 {
		for i := max(0, len(d)-30); i < len(d); i++ {
			d[i] += 2000 * uint64(i+31-len(d))
		}
		return d
	})))
	_, err = sweepOne(s, spent)
	require.ErrorContains(t, err, "output distribution has fewer outputs")
	require.Len(t, seen, 1, "nothing was sent")
	w.proxy.Inject(rejects) // the forged distribution must not be cached
	_, err = sweepOne(s, spent)
	require.ErrorContains(t, err, "rejected")
	require.Len(t, seen, 2)
	require.Equal(t, seen[0], seen[1])
}

// bendOutputs returns a fault that changes every output of a response. It appends the indices of each request to
// requested.
func bendOutputs(requested *[][]uint64, change func(o *daemonrpc.OutKeyBin)) malicious.Fault {
	return malicious.Modify("", daemonrpc.GetOutsBin, func(q daemonrpc.GetOutsBinRequest, r *outs) {
		var set []uint64
		for i := range q.Outputs {
			set = append(set, q.Outputs[i].Index)
			change(&r.Outs[i])
		}
		*requested = append(*requested, set)
	})
}

// TestForgedRealOutputStopsRetries checks that a daemon can forge candidates only once: whether the payment is sent
// reveals whether the real output is among the forged ones. Until the user rescans, the wallet refuses to pay with any
// daemon; then the candidates are the same.
func TestForgedRealOutputStopsRetries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(60, node.UnspendableAddress())
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	var requested [][]uint64
	for range 2 {
		before := len(requested)
		w.proxy.Inject(bendOutputs(&requested, func(o *daemonrpc.OutKeyBin) {
			if w.own[o.Key] {
				o.Key = invented(1)
			}
		}))
		_, err := sweepOne(s, spent)
		require.ErrorContains(t, err, "differs from the wallet's own output")
		w.proxy.Inject(bendOutputs(&requested, func(*daemonrpc.OutKeyBin) {}))
		_, err = sweepOne(s, spent)
		require.ErrorContains(t, err, "call rescan_blockchain")
		require.NoError(t, s.Close())
		s = w.serve(t, dir, nil)
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
		_, err = sweepOne(s, spent)
		require.ErrorContains(t, err, "call rescan_blockchain")
		require.Len(t, requested, before+1)
		do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
	}
	_, err := sweepOne(s, spent)
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
	for _, set := range requested {
		require.Equal(t, requested[0], set)
	}
}
