package liar_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// sweepOne spends the output with a key image.
func sweepOne(s *service.Service, image string) (walletrpc.TransferResponse, error) {
	return rpc.Call(context.Background(), s.Registry(), walletrpc.SweepSingle, walletrpc.SweepSingleRequest{
		Outputs: 1, KeyImage: image, Address: node.Nobody(), GetTxHex: true})
}

// images returns the key images of what the wallet can spend.
func images(t *testing.T, s *service.Service) (list []string) {
	t.Helper()
	for _, out := range do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
		if out.Unlocked {
			list = append(list, out.KeyImage)
		}
	}
	return list
}

// watcher is a daemon that notes what it sees of one output that a wallet tries to spend.
type watcher struct {
	t     *testing.T
	rnd   *rand.Rand
	asked [][]uint64 // candidates it was asked for
	rings [][]uint64
}

// lie is a random mixture of lies about outputs, the distribution and what is sent.
func (w *watcher) lie() liar.Lie {
	inflate := w.rnd.IntN(3) == 0
	share, kind := w.rnd.IntN(4), w.rnd.IntN(5)
	seed := w.rnd.Uint64()
	lies := []liar.Lie{
		liar.Bend("", daemonrpc.GetOutsBin, func(q daemonrpc.GetOutsBinRequest, r *outs) {
			var set []uint64
			for i := range q.Outputs {
				set = append(set, q.Outputs[i].Index)
			}
			w.asked = append(w.asked, set)
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
		liar.Bend("", daemonrpc.SendRawTransaction, func(q daemonrpc.SendRawTransactionRequest, r *sending) {
			blob, err := hex.DecodeString(q.TxAsHex)
			require.NoError(w.t, err)
			for _, ring := range rings(w.t, blob) {
				w.rings = append(w.rings, ring)
			}
			r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
		}),
	}
	if inflate {
		lies = append(lies, bendSpread("", func(d []uint64) []uint64 {
			for i := max(0, len(d)-30); i < len(d); i++ {
				d[i] += 2000 * uint64(i+31-len(d))
			}
			return d
		}))
	}
	return liar.Both("random", lies...)
}

// TestRingsAreKeptWhateverDaemonsSay: daemons that refuse a payment and lie about outputs, in any order, over restarts of the wallet, rescans by its
// owner and changes of the daemon, see one ring of an output, and are asked for one set of candidates. What two of them had in common would be
// the output spent.
func TestRingsAreKeptWhateverDaemonsSay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(60, node.Nobody())
	second := httptest.NewServer(w.liar)
	t.Cleanup(second.Close)
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 4))
			s, dir := w.victim(t, nil)
			w.liar.Tell(liar.Lie{})
			require.NoError(t, refresh(s))
			spent := images(t, s)[0]
			seen := &watcher{t: t, rnd: rnd}
			for step := range 12 {
				switch rnd.IntN(5) {
				case 0:
					require.NoError(t, s.Close())
					s = w.serve(t, dir, nil)
					do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
				case 1:
					do(t, s, walletrpc.SetDaemon, walletrpc.SetDaemonRequest{Address: []string{w.url, second.URL}[rnd.IntN(2)], Trusted: true, SSLSupport: "autodetect"})
				case 2:
					w.liar.Tell(liar.Lie{})
					do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
				}
				w.liar.Tell(seen.lie())
				_, err := sweepOne(s, spent)
				require.Error(t, err)
				w.emptyPool(t) // it kept what it refused
				for _, ring := range seen.rings {
					require.Equal(t, seen.rings[0], ring, "step %d", step)
				}
				for _, set := range seen.asked {
					whole := slices.Equal(seen.asked[0], set)
					require.True(t, whole || len(seen.rings) > 0 && slices.Equal(seen.rings[0], set), "step %d: %v, then %v", step, seen.asked[0], set)
				}
			}
			// Its owner has the chain read again, and an honest daemon takes the payment.
			w.liar.Tell(liar.Lie{})
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

// TestRefusedThenLocked: a daemon that refused a payment says that members of its ring are locked, or others than they are. It is not asked, and
// the payment has the same ring.
func TestRefusedThenLocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	seen := &watcher{t: t, rnd: rand.New(rand.NewPCG(1, 1))}
	refuses := liar.Bend("", daemonrpc.SendRawTransaction, func(q daemonrpc.SendRawTransactionRequest, r *sending) {
		blob, err := hex.DecodeString(q.TxAsHex)
		require.NoError(t, err)
		for _, ring := range rings(t, blob) {
			seen.rings = append(seen.rings, ring)
		}
		r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
	})
	w.liar.Tell(refuses)
	_, err := sweepOne(s, spent)
	require.ErrorContains(t, err, "rejected")
	for half := range uint64(4) {
		w.emptyPool(t)
		w.liar.Tell(liar.Both("members locked", refuses, liar.Bend("", daemonrpc.GetOutsBin, func(q daemonrpc.GetOutsBinRequest, r *outs) {
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
		require.Zero(t, w.liar.Asked("get_outs.bin"), "what members are is known")
		require.NoError(t, s.Close())
		s = w.serve(t, dir, nil)
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	}
}

// TestRefusedThenInflated: a daemon that refused a payment shows a chain with many more outputs, in which the ring would look odd. The payment is
// refused, and keeps its ring; with the true distribution it is made.
func TestRefusedThenInflated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	var seen [][]uint64
	refuses := liar.Bend("", daemonrpc.SendRawTransaction, func(q daemonrpc.SendRawTransactionRequest, r *sending) {
		blob, err := hex.DecodeString(q.TxAsHex)
		require.NoError(t, err)
		for _, ring := range rings(t, blob) {
			seen = append(seen, ring)
		}
		r.Status, r.Reason, r.InvalidInput = "Failed", "bad ring", true
	})
	w.liar.Tell(refuses)
	_, err := sweepOne(s, spent)
	require.ErrorContains(t, err, "rejected")
	w.emptyPool(t)
	require.NoError(t, s.Close())
	s = w.serve(t, dir, nil)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	require.NoError(t, refresh(s)) // it has heard where the chain ends: what the daemon says up to there could be kept
	w.liar.Tell(liar.Both("inflated", refuses, bendSpread("", func(d []uint64) []uint64 {
		for i := max(0, len(d)-30); i < len(d); i++ {
			d[i] += 2000 * uint64(i+31-len(d))
		}
		return d
	})))
	_, err = sweepOne(s, spent)
	require.ErrorContains(t, err, "distribution of outputs has not as many")
	require.Len(t, seen, 1, "nothing was sent")
	w.liar.Tell(refuses) // the same daemon, with the truth: what it said before is not kept
	_, err = sweepOne(s, spent)
	require.ErrorContains(t, err, "rejected")
	require.Len(t, seen, 2)
	require.Equal(t, seen[0], seen[1])
}

// bendOutputs returns a lie that changes every output a daemon answers, and adds the indices of each question to asked.
func bendOutputs(asked *[][]uint64, change func(o *daemonrpc.OutKeyBin)) liar.Lie {
	return liar.Bend("", daemonrpc.GetOutsBin, func(q daemonrpc.GetOutsBinRequest, r *outs) {
		var set []uint64
		for i := range q.Outputs {
			set = append(set, q.Outputs[i].Index)
			change(&r.Outs[i])
		}
		*asked = append(*asked, set)
	})
}

// TestLiesAboutTheRealOutputEnd: whether a payment is sent tells a daemon that lied about some of the candidates whether the real one is among
// them. It gets one answer of that kind, and no other daemon another one, until the owner has the chain read again; then the candidates are
// the same.
func TestLiesAboutTheRealOutputEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(60, node.Nobody())
	s, dir := w.victim(t, nil)
	require.NoError(t, refresh(s))
	spent := images(t, s)[0]
	var asked [][]uint64
	for range 2 {
		before := len(asked)
		w.liar.Tell(bendOutputs(&asked, func(o *daemonrpc.OutKeyBin) {
			if w.own[o.Key] {
				o.Key = invented(1)
			}
		}))
		_, err := sweepOne(s, spent)
		require.ErrorContains(t, err, "differs from the wallet's own output")
		w.liar.Tell(bendOutputs(&asked, func(*daemonrpc.OutKeyBin) {}))
		_, err = sweepOne(s, spent)
		require.ErrorContains(t, err, "call rescan_blockchain")
		require.NoError(t, s.Close())
		s = w.serve(t, dir, nil)
		do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
		_, err = sweepOne(s, spent)
		require.ErrorContains(t, err, "call rescan_blockchain")
		require.Len(t, asked, before+1)
		do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
	}
	_, err := sweepOne(s, spent)
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
	for _, set := range asked {
		require.Equal(t, asked[0], set)
	}
}
