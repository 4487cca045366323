package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// near is a lookahead small enough that tests reach its end.
var near = wallet.Lookahead{Major: 2, Minor: 4}

func owner(t testing.TB, name string) *keys.Keys {
	t.Helper()
	k, err := keys.FromSeed(chaintest.NewRandom(name).Bytes32())
	require.NoError(t, err)
	return k
}

func viewOnly(t testing.TB, k *keys.Keys) *keys.Keys {
	t.Helper()
	v, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	return v
}

func origin(k *keys.Keys) wallet.Identity {
	return wallet.Identity{Network: xmr.Regtest, Keys: k, Language: "English", RestoreHeight: 1}
}

// recorded is a wallet with the log of its changes.
type recorded struct {
	*wallet.Wallet
	t   testing.TB
	log [][]byte
}

func create(t testing.TB, k *keys.Keys, l wallet.Lookahead) *recorded {
	t.Helper()
	first, err := wallet.EncodeIdentity(origin(k), l)
	require.NoError(t, err)
	return &recorded{wallet.New(origin(k), l), t, [][]byte{first}}
}

// change logs c, then commits it.
func (r *recorded) change(c wallet.ChangeSet) {
	r.t.Helper()
	if c.Empty() {
		return
	}
	b, err := c.Encode()
	require.NoError(r.t, err)
	r.log = append(r.log, b)
	r.Commit(c)
}

// decided returns the result of a decision that must not fail.
func (r *recorded) decided(c wallet.ChangeSet, err error) wallet.ChangeSet {
	r.t.Helper()
	require.NoError(r.t, err)
	return c
}

// scan scans blocks and commits them in one change.
func (r *recorded) scan(blocks []syncer.Block, top uint64) []wallet.HostEvent {
	r.t.Helper()
	if len(blocks) == 0 {
		return nil
	}
	found, err := syncer.Scan(context.Background(), r.Keys().ViewSecret(), blocks, syncer.Workers{})
	require.NoError(r.t, err)
	var c wallet.ChangeSet
	var events []wallet.HostEvent
	require.NoError(r.t, supplied(r.t, r.Wallet, func() error {
		c, events, err = r.DecideBlocks(found, top)
		return err
	}))
	r.change(c)
	return events
}

// supplied calls decide until it has all candidates of wide transactions, and returns any other error.
func supplied(t testing.TB, w *wallet.Wallet, decide func() error) error {
	t.Helper()
	for {
		err := decide()
		var search *wallet.SearchError
		if !errors.As(err, &search) {
			return err
		}
		ours := func(list []scan.Candidate) []scan.Candidate { return search.Ours(w, list) }
		require.NoError(t, syncer.Search(context.Background(), w.Keys().ViewSecret(), search, ours, syncer.Workers{}))
	}
}

// follow scans the blocks of c that the wallet lacks, in batches of these sizes.
func (r *recorded) follow(c *chaintest.Chain, sizes ...int) (events []wallet.HostEvent) {
	r.t.Helper()
	from := r.Height()
	for _, b := range c.Batches(from, sizes...) {
		events = append(events, r.scan(b, c.Height()-1)...)
	}
	return events
}

func (r *recorded) detach(height uint64) {
	c, _ := r.DecideDetach(height, chaintest.StartTime)
	r.change(c)
}

// reloaded replays the wallet's log.
func (r *recorded) reloaded() *wallet.Wallet {
	r.t.Helper()
	w, err := wallet.Replay(r.log)
	require.NoError(r.t, err)
	return w
}

// compacted replays a snapshot of the wallet.
func (r *recorded) compacted() *recorded {
	r.t.Helper()
	log, err := r.Snapshot()
	require.NoError(r.t, err)
	w, err := wallet.Replay(log)
	require.NoError(r.t, err)
	return &recorded{w, r.t, log}
}

// reads returns the results of all reading methods of w at now.
func reads(w *wallet.Wallet, now uint64) []string {
	var out []string
	add := func(v ...any) { out = append(out, fmt.Sprintf("%+v", v)) }
	tip, begun := w.Tip()
	add("tip", tip, begun, w.Height(), w.LastReward(), w.History(), w.Accounts())
	for major := range w.Accounts() {
		n, err := w.Addresses(major)
		add("account", major, n, err)
		for _, strict := range []bool{false, true} {
			add("balance", strict, w.AccountBalance(major, strict, now), w.Balances(major, strict, now))
		}
		for minor := range n {
			i := keys.Index{Major: major, Minor: minor}
			add("address", i, w.Label(i), w.Address(i), w.UnspentOutputs(i))
		}
		add("spendable", w.Spendable(major, nil, w.Clock(now)))
	}
	for i := range w.Outputs() {
		o := &w.Outputs()[i]
		by, spent := w.SpentBy(o)
		add("output", *o, by, spent, w.IsSpent(o, true), w.IsSpent(o, false), w.IsFrozen(o), w.KnownRing(o.Image))
	}
	add("notes", w.Book(), w.Tags())
	add("payments", w.Payments())
	for _, s := range w.Spends() {
		add("spend", *s)
	}
	for _, s := range w.Unmined() {
		add("unmined", *s)
	}
	return out
}

// same requires that two wallets have the same stored state.
func same(t testing.TB, want, got *wallet.Wallet, why ...any) {
	t.Helper()
	require.Equal(t, want.Dump(true), got.Dump(true), why...)
	for _, now := range []uint64{chaintest.StartTime, chaintest.StartTime + 20_000, chaintest.StartTime + 1_000_000} {
		require.Equal(t, reads(want, now), reads(got, now), why...)
	}
	require.Equal(t, want.TableOf(), got.TableOf(), why...)
}

// sameMoney requires that two wallets agree on everything except the block IDs, which depend on how they were
// scanned.
func sameMoney(t testing.TB, want, got *wallet.Wallet, why ...any) {
	t.Helper()
	require.Equal(t, want.Dump(false), got.Dump(false), why...)
}

// setPool scans txs as the content of the pool.
func (r *recorded) setPool(now uint64, txs ...syncer.Tx) []wallet.HostEvent {
	r.t.Helper()
	found, err := syncer.ScanTxs(context.Background(), r.Keys().ViewSecret(), txs, syncer.Workers{})
	require.NoError(r.t, err)
	var pool []wallet.PoolTx
	var events []wallet.HostEvent
	require.NoError(r.t, supplied(r.t, r.Wallet, func() error {
		pool, events, err = r.DecidePool(found, now)
		return err
	}))
	r.change(r.DecideSightings(pool))
	r.SetPool(pool)
	return events
}
