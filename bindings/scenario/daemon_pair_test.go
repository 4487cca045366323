package scenario

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/node"
)

// daemonPair is monerod and our node with the same blocks, branches and pool.
type daemonPair struct {
	*testing.T
	reference *peers.Daemon
	ours      daemon
	node      *node.Regtest
}

// newDaemonPair has both daemons grow one chain in turns, with hundreds of payments of our wallets and of the
// reference. Each passes its transactions, blocks and branches to the other, and both agree after every step. At the
// end there are branches and pending payments.
func newDaemonPair(t *testing.T) daemonPair {
	t.Helper()
	d, n := newMinedMonerod(t), newNode(t)
	w := daemonPair{t, d, answering{n.Registry()}, n}
	feed(t, d, n.Chain(), 1)
	theirs, ours, reference := newGlim(t, d.URL, options{}), newGlimOn(t, n.Registry()), newReference(t, d)
	restore(t, theirs, "alice", alice)
	restore(t, ours, "bob", bob)
	restore(t, reference, "carol", carol)

	// Enough outputs for many payments at once.
	refresh(t, theirs, ours)
	for range 5 {
		for who, c := range map[byte]caller{alice: theirs, bob: ours} {
			to := []destination{{at(t, carol, 0, 0), coin}}
			for len(to) < 15 {
				to = append(to, destination{at(t, who, 0, uint32(len(to)%3)), 2 * coin})
			}
			pay(t, c, to, nil)
		}
	}
	w.exchange()
	w.grow(true, 10)
	for round := range 5 {
		refresh(t, theirs, ours, reference)
		for i := range 20 {
			more := object{"priority": i % 4}
			pay(t, theirs, []destination{{at(t, bob, uint32(i%2), uint32(i%3)), coin / 8}}, more)
			pay(t, ours,
				[]destination{{at(t, alice, uint32(i%2), uint32(i%3)), coin / 8}, {at(t, dave, 0, 0), 1}}[:1+i%2], more)
		}
		for range 2 {
			pay(t, reference, []destination{{at(t, alice, 0, 0), coin / 8}}, nil)
		}
		w.exchange()
		byTheirs := round%2 == 0
		w.grow(byTheirs, 6)
		if round > 0 && round < 3 {
			w.reorganise(byTheirs, 6)
			w.grow(!byTheirs, 6)
		}
	}
	sameOutputs(t, d, n.Chain())
	n.Chain().View(func(v chain.View) {
		require.Greater(t, v.TxCount()-v.Height(), uint64(200))
		require.Len(t, v.Branches(), 2)
	})
	w.json("get_alternate_chains", nil)

	refresh(t, theirs)
	for _, more := range []object{nil, {"priority": 3}} {
		pay(t, theirs, []destination{{at(t, bob, 0, 0), coin}}, more)
	}
	// And one whose output is spent a second time.
	image := call[struct {
		Transfers []struct {
			Image string `json:"key_image"`
		}
	}](t, theirs, "incoming_transfers", object{"transfer_type": "available"}).Transfers[0].Image
	sweep := object{"address": at(t, bob, 0, 0), "key_image": image}
	again := call[struct {
		Blob string `json:"tx_blob"`
	}](t, theirs, "sweep_single", with(sweep, "do_not_relay", true, "get_tx_hex", true)).Blob
	do(t, theirs, "sweep_single", sweep)
	w.exchange()
	for _, d := range []daemon{w.reference, w.ours} {
		r := handOver(t, d, unhex(t, again))
		require.Equal(t, [2]bool{false, true}, [2]bool{r.Status == "OK", r.DoubleSpend})
	}
	comparePools(w)
	return w
}

// waiting returns the transactions in monerod's pool and in ours, by ID.
func (w daemonPair) waiting() (all [2]map[string]daemonrpc.PoolTransaction) {
	w.Helper()
	for i, d := range []daemon{w.reference, w.ours} {
		all[i] = map[string]daemonrpc.PoolTransaction{}
		var pool daemonrpc.GetTransactionPoolResponse
		require.NoError(w, d.Path(deadline(w.T), "/get_transaction_pool", nil, &pool))
		for _, p := range pool.Transactions {
			all[i][p.IDHash.String()] = p
		}
	}
	return all
}

// exchange sends the transactions of each pool to the other daemon, which must accept them.
func (w daemonPair) exchange() {
	w.Helper()
	all := w.waiting()
	for i, d := range []daemon{w.ours, w.reference} {
		for id, p := range all[i] {
			if _, has := all[1-i][id]; !has {
				got := handOver(w.T, d, unhex(w.T, p.TxBlob))
				require.Equal(w, "OK", got.Status, got.Reason)
			}
		}
	}
	// The reference delays new transactions for a moment.
	until(w.T, func() bool {
		for _, p := range w.waiting()[0] {
			if !p.Relayed {
				return false
			}
		}
		return true
	})
	comparePools(w)
}

// grow has one daemon mine the waiting transactions, and the other accept the blocks.
func (w daemonPair) grow(theirs bool, blocks int) {
	w.Helper()
	from := w.node.Height()
	if theirs {
		mine(w.T, w.reference, blocks, at(w.T, nobody, 0, 0))
		feed(w.T, w.reference, w.node.Chain(), from)
	} else {
		_, err := w.node.Mine(deadline(w.T), blocks, at(w.T, nobody, 0, 0))
		require.NoError(w, err)
		w.follow(from)
	}
	require.Empty(w, w.waiting()[0], "all is mined")
	sameChain(w.T, w.reference, w.node.Chain(), from)
	comparePools(w)
}

// reorganise has one daemon replace its last blocks, and the other follow. The transactions of those blocks return to
// both pools.
func (w daemonPair) reorganise(theirs bool, blocks int) {
	w.Helper()
	from := w.node.Height() - uint64(blocks)
	if theirs {
		fork(w.T, w.reference, from, at(w.T, carol, 0, 0))
		feed(w.T, w.reference, w.node.Chain(), from)
	} else {
		_, err := w.node.Reorganise(deadline(w.T), blocks, at(w.T, carol, 0, 0))
		require.NoError(w, err)
		w.follow(from)
	}
	require.NotEmpty(w, w.waiting()[0])
	sameChain(w.T, w.reference, w.node.Chain(), from)
	comparePools(w)
}

// follow sends our blocks from index from on to the reference.
func (w daemonPair) follow(from uint64) {
	w.Helper()
	for h := from; h < w.node.Height(); h++ {
		var blob []byte
		w.node.Chain().View(func(v chain.View) { blob = v.Block(h).Blob })
		require.NoError(w, w.reference.JSON(deadline(w.T), "submit_block", []string{hex.EncodeToString(blob)}, nil), h)
	}
}
