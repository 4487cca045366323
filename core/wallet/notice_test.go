package wallet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// news returns the notices after a number in short form: kind, direction, amount, block.
func (r *recorded) news(after uint64) (out []string) {
	r.t.Helper()
	list, ok := r.Notices(after, wallet.KeptNotices)
	require.True(r.t, ok)
	for _, n := range list {
		kind := map[wallet.NoticeKind]string{wallet.NoticePool: "pool", wallet.NoticeConfirmed: "confirmed",
			wallet.NoticeUnlocked: "unlocked", wallet.NoticeReorganised: "reorganised"}[n.Kind]
		direction := "in"
		if n.Out {
			direction = "out"
		}
		out = append(out, fmt.Sprintf("%s %s %d at %d", kind, direction, n.Amount, n.Height))
	}
	return out
}

// TestNoticesOfOneTransfer follows a payment through the pool, a block, a reorganisation and the end of its lock.
func TestNoticesOfOneTransfer(t *testing.T) {
	k := owner(t, "notices")
	c := chaintest.New("notices", xmr.Regtest)
	c.Grow(4)
	r := create(t, k, near)
	r.follow(c, 2)
	paid, made := c.Tx(chaintest.Spec{
		Pay: []chaintest.Payment{{To: k, At: keys.Index{Minor: 1}, Amount: 5}}, Fee: 3,
	}, nil)
	for range 3 {
		r.setPool(1000, paid)
		r.SetPool(nil) // as after a restart
	}
	require.Equal(t, []string{"pool in 5 at 0"}, r.news(0))
	list, _ := r.Notices(0, 1)
	require.Equal(
		t,
		wallet.Notice{
			Kind: wallet.NoticePool, TxID: made[0].TxID, Address: keys.Index{Minor: 1}, Amount: 5, Fee: 3,
			Timestamp: 1000,
		},
		list[0],
	)

	base := c.Fork("fork", c.Height())
	c.Include(paid)
	at := c.Height() - 1
	r.follow(c, 1)
	c.Grow(8)
	r.follow(c, 3)
	require.Equal(t, []string{fmt.Sprintf("confirmed in 5 at %d", at)}, r.news(1))
	r.setPool(2000, paid)
	require.EqualValues(t, 2, r.LastNotice(), "a daemon still shows it in its pool")
	c.Grow(1)
	r.follow(c, 1)
	require.Equal(t, []string{fmt.Sprintf("unlocked in 5 at %d", at)}, r.news(2))
	require.Equal(t, uint64(5), r.AccountBalance(0, true, 0).Unlocked)

	// Later blocks are replaced: it is locked again for a while, which is not reported.
	r.detach(at + 3)
	require.Zero(t, r.AccountBalance(0, true, 0).Unlocked)
	short := c.Fork("short", at+3)
	short.Grow(12)
	r.follow(short, 1)
	require.EqualValues(t, 3, r.LastNotice())

	r.detach(at)
	require.Equal(t, []string{fmt.Sprintf("reorganised in 5 at %d", at)}, r.news(3))
	r.setPool(3000, paid)
	base.Grow(2)
	base.Include(paid)
	base.Grow(9)
	r.follow(base, 100)
	require.Equal(t,
		[]string{"pool in 5 at 0", fmt.Sprintf("confirmed in 5 at %d", at+2), fmt.Sprintf("unlocked in 5 at %d", at+2)},
		r.news(4))
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)

	// Spending: change is not reported as a transfer.
	image := made[0].Image
	before := r.LastNotice()
	base.Add(chaintest.Spec{
		Spend: []xmr.KeyImage{image}, Fee: 1, Pay: []chaintest.Payment{{Amount: 2}, {To: k, Amount: 2}},
	})
	r.follow(base, 1)
	require.Equal(t, []string{fmt.Sprintf("confirmed out 2 at %d", base.Height()-1)}, r.news(before))
	base.Grow(9)
	r.follow(base, 4)
	require.Len(t, r.news(before), 2)
}

// TestNoticesOfLocks checks coinbase outputs and unlock times by height and by date: each is reported with the block
// from which the wallet may spend.
func TestNoticesOfLocks(t *testing.T) {
	k := owner(t, "locks")
	for name, spec := range map[string]chaintest.Spec{
		"usual":             {},
		"to a block":        {UnlockTime: 40},
		"to a block passed": {UnlockTime: 3},
		"to a date":         {UnlockTime: chaintest.StartTime + 40*xmr.TargetSeconds},
		"to a date passed":  {UnlockTime: chaintest.StartTime},
	} {
		t.Run(name, func(t *testing.T) {
			c := chaintest.New("locks", xmr.Regtest)
			spec.Pay = []chaintest.Payment{{To: k, Amount: 5}}
			c.Add(spec)
			r := create(t, k, near)
			r.follow(c, 1)
			for r.LastNotice() < 2 {
				now := c.Blocks[c.Height()-1].Timestamp
				require.Zero(t, r.AccountBalance(0, true, now).Unlocked, "block %d", c.Height())
				require.Less(t, c.Height(), uint64(100))
				c.Grow(1)
				r.follow(c, 1)
			}
			require.Equal(t, uint64(5), r.AccountBalance(0, true, c.Blocks[c.Height()-1].Timestamp).Unlocked)
			same(t, r.Wallet, r.compacted().Wallet)
		})
	}
	c := chaintest.New("reward", xmr.Regtest)
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 9}}, UnlockTime: c.Height() + xmr.CoinbaseUnlock})
	r := create(t, k, near)
	r.follow(c, 1)
	c.Grow(xmr.CoinbaseUnlock - 2)
	r.follow(c, 7)
	require.EqualValues(t, 1, r.LastNotice())
	c.Grow(1)
	r.follow(c, 1)
	require.EqualValues(t, 2, r.LastNotice())
}

// ledger is the state of a client that reads only notices.
type ledger map[string]string

func ledgerKey(n *wallet.Notice) string { return fmt.Sprint(n.TxID, n.Out, n.Address) }

// read adds notices, and requires that each is consistent with the earlier ones.
func (l ledger) read(t testing.TB, list []wallet.Notice) {
	t.Helper()
	for i := range list {
		n := &list[i]
		k := ledgerKey(n)
		at := fmt.Sprint(n.Height, " ", n.Amount)
		switch n.Kind {
		case wallet.NoticeConfirmed:
			require.Empty(t, l[k], "confirmed twice")
			l[k] = at
		case wallet.NoticeUnlocked:
			require.Equal(t, at, l[k], "unlocked once, with height and amount of its confirmation")
			l[k] = at + " unlocked"
		case wallet.NoticeReorganised:
			require.Contains(t, []string{at, at + " unlocked"}, l[k], "reorganised without an entry")
			delete(l, k)
		}
	}
}

// TestNoticesAreComplete checks that a client that reads only notices knows all transfers of the wallet, whatever
// happens to the wallet and its chain.
func TestNoticesAreComplete(t *testing.T) {
	for seed := range 6 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := chaintest.NewRandom(fmt.Sprint("ledger ", seed))
			k := owner(t, "ledger")
			r := existing(t, k, 2, 4)
			l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4}
			c := chaintest.New(fmt.Sprint("ledger ", seed), xmr.Regtest)
			known, cursor, highest, compared := ledger{}, uint64(0), uint64(0), 0
			for range 60 {
				switch rnd.IntN(8) {
				case 0:
					at := c.Height() - min(c.Height()-1, rnd.Uint64()%15)
					c = c.Fork(fmt.Sprint(rnd.Uint64()), at)
					if at < r.Height() {
						r.detach(at)
					}
				case 1:
					r.change(r.DecideRescan(rnd.Uint64()%r.Height(), chaintest.StartTime))
				case 2:
					r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
				case 3:
					r = r.compacted()
				default:
					c.GrowWith(l, 1+rnd.IntN(6))
				}
				if rnd.OneIn(3) {
					continue // several changes before the next blocks
				}
				for _, b := range c.Batches(r.Height(), 1+rnd.IntN(9)) {
					r.scan(b, c.Height()-1)
					if rnd.OneIn(6) {
						break
					}
				}
				list, ok := r.Notices(cursor, wallet.KeptNotices)
				require.True(t, ok)
				cursor += uint64(len(list))
				known.read(t, list)
				// During a rescan, a transfer is known to be lost only when the scan has reached its height.
				if highest = max(highest, r.Height()); r.Height() != c.Height() || r.Height() < highest {
					continue
				}
				compared++
				held := map[string]bool{}
				for i := range r.Payments() {
					p := &r.Payments()[i]
					n := wallet.Notice{TxID: p.TxID, Address: p.Address}
					held[ledgerKey(&n)] = true
					require.Contains(t, known[ledgerKey(&n)], fmt.Sprint(p.Height, " ", p.Amount))
					if r.Clock(0).Unlocked(p.UnlockTime, p.Height) {
						require.Contains(t, known[ledgerKey(&n)], "unlocked")
					}
				}
				for _, s := range r.Spends() {
					n := wallet.Notice{TxID: s.TxID, Out: true, Address: keys.Index{Major: s.Account}}
					held[ledgerKey(&n)] = true
					require.NotEmpty(t, known[ledgerKey(&n)])
				}
				require.Len(t, known, len(held))
			}
			require.Greater(t, cursor, uint64(40))
			require.Greater(t, compared, 5)
		})
	}
}

// TestRescanReportsOnlyNewTransfers scans the chain again, also with more addresses: only new transfers are reported.
func TestRescanReportsOnlyNewTransfers(t *testing.T) {
	k := owner(t, "again")
	c, _ := livelyChain(t, "again", k, 40)
	c.Grow(12)
	r := existing(t, k, 2, 3)
	r.follow(c, 9)
	before := r.LastNotice()
	require.Greater(t, before, uint64(20))
	for range 2 {
		r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
		r = r.compacted()
		r.follow(c, 7)
		r.change(r.DecideRescan(17, 0))
		r.follow(c, 1)
		require.Equal(t, before, r.LastNotice())
	}
	same(t, r.Wallet, r.reloaded())

	// A payment beyond the lookahead, which then grows.
	far := keys.Index{Minor: 30}
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: far, Amount: 77}}})
	at := c.Height() - 1
	c.Grow(10)
	r.follow(c, 100)
	before = r.LastNotice()
	r.change(r.decided(r.DecideLookahead(wallet.Lookahead{Major: 2, Minor: 40})))
	r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
	r.follow(c, 5)
	require.Equal(t, []string{fmt.Sprintf("confirmed in 77 at %d", at), fmt.Sprintf("unlocked in 77 at %d", at)},
		r.news(before))

	// Scanned individually, with DecideScan.
	other := existing(t, k, 2, 3)
	other.follow(c, 10)
	before = other.LastNotice()
	other.change(other.decided(other.DecideLookahead(wallet.Lookahead{Major: 2, Minor: 40})))
	other.scanTx(chaintest.NewRandom("again"), mined(t, k, c), c.Blocks[at].Txs[1].ID)
	require.Equal(t, []string{fmt.Sprintf("confirmed in 77 at %d", at), fmt.Sprintf("unlocked in 77 at %d", at)},
		other.news(before))
	same(t, other.Wallet, other.reloaded())
}

// TestNoticesKept checks that the last notices are kept with their numbers, and that a reader of dropped
// ones learns that they are missing.
func TestNoticesKept(t *testing.T) {
	r := create(t, owner(t, "kept"), wallet.Lookahead{Major: 1, Minor: 1})
	const more = 1000
	for n := 0; n < wallet.KeptNotices+more; n += 2048 {
		var c wallet.ChangeSet
		for i := n; i < min(n+2048, wallet.KeptNotices+more); i++ {
			c.Notices.Add = append(c.Notices.Add, wallet.Notice{
				Kind: wallet.NoticeConfirmed, TxID: xmr.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, Amount: uint64(i),
			})
		}
		r.change(c)
	}
	for _, w := range []*wallet.Wallet{r.Wallet, r.reloaded(), r.compacted().Wallet, r.compacted().reloaded()} {
		require.EqualValues(t, wallet.KeptNotices+more, w.LastNotice())
		_, ok := w.Notices(more-1, 10)
		require.False(t, ok)
		_, ok = w.Notices(w.LastNotice()+1, 10)
		require.False(t, ok, "a number of another wallet")
		list, ok := w.Notices(more, 10)
		require.True(t, ok)
		require.Len(t, list, 10)
		require.EqualValues(t, more, list[0].Amount)
		list, ok = w.Notices(w.LastNotice(), 10)
		require.True(t, ok)
		require.Empty(t, list)
		require.Equal(t, r.Dump(true), w.Dump(true))
	}
}

// TestLogWithoutNotices replays a log of a version without notices: only new transfers are reported.
func TestLogWithoutNotices(t *testing.T) {
	k := owner(t, "old log")
	c, _ := livelyChain(t, "old log", k, 30)
	r := existing(t, k, 2, 3)
	r.follow(c, 4)
	old := &recorded{wallet.New(origin(k), near), t, r.log[:1:1]}
	for _, b := range r.log[1:] {
		change, err := wallet.DecodeChange(b)
		require.NoError(t, err)
		change.Notices, change.Chain.Time = wallet.NoticeChange{}, 0
		if !change.Empty() {
			old.change(change)
		}
	}
	old.Wallet = old.reloaded()
	sameMoney(t, r.Wallet, old.Wallet)
	require.Zero(t, old.LastNotice())
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}}})
	old.follow(c, 1)
	require.Contains(t, old.news(0), fmt.Sprintf("confirmed in 5 at %d", c.Height()-1))
	old.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
	last := old.LastNotice()
	old.follow(c, 6)
	require.Equal(t, last, old.LastNotice())
	same(t, old.Wallet, old.compacted().Wallet)
}

// TestNoticesWithoutTheSpendKey checks that notice numbers continue through background syncing. What cannot be known
// without the spend key, such as change, is reported when the key is restored.
func TestNoticesWithoutTheSpendKey(t *testing.T) {
	k := owner(t, "away")
	for seed := range 4 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := chaintest.NewRandom(fmt.Sprint("away ", seed))
			c, l := livelyChain(t, fmt.Sprint("away ", seed), k, 30)
			l.Burn = false
			r := existing(t, k, 2, 3)
			known, cursor := ledger{}, uint64(0)
			read := func(r *recorded) {
				t.Helper()
				list, ok := r.Notices(cursor, wallet.KeptNotices)
				require.True(t, ok, "no client must start over")
				cursor += uint64(len(list))
				known.read(t, list)
			}
			for round := range 4 {
				r.follow(c, 5)
				r.change(r.DecideDelivered("receiver", r.LastNotice()))
				read(r)
				a := backgroundOf(t, r, rnd.OneIn(2))
				if round > 0 { // nothing happens in the first round
					if rnd.OneIn(2) {
						at := c.Height() - 1 - rnd.Uint64()%8
						c = c.Fork(fmt.Sprint(rnd.Uint64()), at)
						a.detach(at)
					}
					c.GrowWith(l, 15)
					paid, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}}}, nil)
					a.setPool(1000, paid)
					a.follow(c, 1+rnd.IntN(9))
					a.change(a.DecideDelivered("receiver", a.LastNotice()))
					read(a)
				} else {
					paid, _ := c.Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}}}, nil)
					a.setPool(1000, paid)
					read(a)
				}
				at, _ := a.DeliveredTo("receiver")
				takeBack(t, r, a.compacted())
				same(t, r.Wallet, r.reloaded())
				same(t, r.Wallet, r.compacted().Wallet)
				read(r)
				had, _ := r.DeliveredTo("receiver")
				require.Equal(t, at, had)
				require.Equal(t, cursor, r.LastNotice())
				held := map[string]string{}
				for i := range r.Payments() {
					p := &r.Payments()[i]
					n := wallet.Notice{TxID: p.TxID, Address: p.Address}
					held[ledgerKey(&n)] = fmt.Sprint(p.Height, " ", p.Amount)
				}
				for _, s := range r.Spends() {
					n := wallet.Notice{TxID: s.TxID, Out: true, Address: keys.Index{Major: s.Account}}
					// In test chains, transactions can create money.
					held[ledgerKey(&n)] = fmt.Sprint(s.Height, " ", s.AmountIn-min(s.AmountIn, s.Fee+s.Change))
				}
				reported := map[string]string{}
				for key, state := range known {
					reported[key] = strings.TrimSuffix(state, " unlocked")
				}
				require.Equal(t, held, reported)
				for i := range r.Payments() {
					p := &r.Payments()[i]
					n := wallet.Notice{TxID: p.TxID, Address: p.Address}
					if r.Clock(0).Unlocked(p.UnlockTime, p.Height) {
						require.Contains(t, known[ledgerKey(&n)], "unlocked")
					}
				}
			}
			require.NotEmpty(t, r.Spends())
		})
	}
}

// TestNoticesOfUnrelatedBackground checks that a wallet that is not continued by the background wallet reports what it
// takes over as new; if it takes nothing over, readers of the background wallet's notices must start over.
func TestNoticesOfUnrelatedBackground(t *testing.T) {
	k := owner(t, "own way")
	c, _ := livelyChain(t, "own way", k, 60)
	for _, alone := range []int{0, 5, 20} {
		r := existing(t, k, 2, 3)
		r.scan(c.Blocks[1:20], c.Height()-1)
		a := backgroundOf(t, r, true)
		r.scan(c.Blocks[20:20+alone], c.Height()-1)
		known, cursor := ledger{}, uint64(0)
		read := func() {
			t.Helper()
			list, ok := r.Notices(cursor, wallet.KeptNotices)
			require.True(t, ok)
			cursor += uint64(len(list))
			known.read(t, list)
		}
		read()
		a.follow(c, 9)
		takeBack(t, r, a)
		require.Equal(t, c.Height(), r.Height())
		read()
		require.Len(t, known, len(r.Payments())+len(r.Spends()))
		for i := range r.Payments() {
			p := &r.Payments()[i]
			n := wallet.Notice{TxID: p.TxID, Address: p.Address}
			if r.Clock(0).Unlocked(p.UnlockTime, p.Height) {
				require.Contains(t, known[ledgerKey(&n)], "unlocked")
			}
		}
		same(t, r.Wallet, r.reloaded())
	}

	r := existing(t, k, 2, 3)
	r.scan(c.Blocks[1:20], c.Height()-1)
	a := backgroundOf(t, r, true)
	a.follow(c, 9)
	before := r.LastNotice()
	require.Greater(t, a.LastNotice(), before)
	r.change(r.decided(r.DecideLookahead(wallet.Lookahead{Major: 2, Minor: 9})))
	takeBack(t, r, a)
	require.EqualValues(t, 20, r.Height())
	require.Greater(t, r.LastNotice(), a.LastNotice())
	for _, cursor := range []uint64{0, before, a.LastNotice()} {
		_, ok := r.Notices(cursor, 1)
		require.False(t, ok)
	}
	r.follow(c, 9)
	list, ok := r.Notices(a.LastNotice()+1, wallet.KeptNotices)
	require.True(t, ok)
	require.NotEmpty(t, list)
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)
}

// TestNoticesRoundTrip checks that notices are returned unchanged, for all values of their fields and any starting
// number.
func TestNoticesRoundTrip(t *testing.T) {
	rnd := chaintest.NewRandom("come back")
	number := func() uint64 { return rnd.Uint64() >> (rnd.Uint64() % 65) }
	list := []wallet.Notice{
		{},
		{
			Kind: 255, Out: true, Coinbase: true, TxID: xmr.Hash{31: 255}, PaymentID: xmr.Hash{31: 1},
			Address: keys.Index{Major: 1<<32 - 1, Minor: 1<<32 - 1}, Amount: 1<<64 - 1, Fee: 1<<64 - 1,
			Height: 1<<64 - 1, Timestamp: 1<<64 - 1, UnlockTime: 1<<64 - 1,
		},
	}
	for range 1000 {
		n := wallet.Notice{
			Kind: wallet.NoticeKind(rnd.IntN(5)), Out: rnd.OneIn(2), Coinbase: rnd.OneIn(2), TxID: rnd.Bytes32(),
			Address: keys.Index{Major: uint32(number()), Minor: uint32(number())}, Amount: number(),
			Fee: number(), Height: number(), Timestamp: number(), UnlockTime: number(),
		}
		if rnd.OneIn(2) {
			n.PaymentID = rnd.Bytes32()
		}
		list = append(list, n)
	}
	w := wallet.New(origin(owner(t, "come back")), wallet.Lookahead{Major: 1, Minor: 1})
	for at := 0; at < len(list); {
		n := min(1+rnd.IntN(200), len(list)-at)
		w.Commit(wallet.ChangeSet{Notices: wallet.NoticeChange{Add: list[at : at+n]}})
		at += n
	}
	for from := range len(list) {
		got, ok := w.Notices(uint64(from), 1+from%300)
		require.True(t, ok)
		require.Equal(t, list[from:min(len(list), from+1+from%300)], got)
	}
}
