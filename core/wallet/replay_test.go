package wallet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// randomChange makes one random change of a kind that the owner of a wallet or its chain can cause.
func randomChange(r *recorded, rnd *chaintest.Random, c **chaintest.Chain, l *chaintest.Activity, now *uint64) {
	*now += rnd.Uint64() % 400
	switch n := rnd.IntN(22); n {
	case 5, 6, 7, 14, 15, 16, 17, 18, 19:
		randomUserChange(r, rnd, n)
	case 8, 9, 10, 11:
		randomSpending(r, rnd, *c, *now, n)
	case 21:
		randomTakeover(r, rnd, *now)
	default:
		randomChainChange(r, rnd, c, l, *now, n)
	}
}

// randomChainChange changes the chain or the pool, or what the wallet knows of them.
func randomChainChange(
	r *recorded, rnd *chaintest.Random, c **chaintest.Chain, l *chaintest.Activity, now uint64, kind int,
) {
	switch kind {
	case 0, 1, 2, 3:
		(*c).GrowWith(l, 1+rnd.IntN(4))
		r.follow(*c, 1+rnd.IntN(5))
	case 4:
		at := 1 + rnd.Uint64()%(*c).Height()
		*c = (*c).Fork(fmt.Sprint(rnd.Uint64()), at)
		r.detach(at)
	case 12:
		var pool []syncer.Tx
		for range rnd.IntN(3) {
			t, _ := (*c).Tx(chaintest.Spec{Pay: []chaintest.Payment{{To: l.Owner, Amount: 5}}}, nil)
			pool = append(pool, t)
		}
		r.setPool(now, pool...)
	case 13:
		switch rnd.IntN(4) {
		case 0:
			r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
		case 1:
			r.change(r.DecideRescan(rnd.Uint64()%r.Height(), now))
		case 2:
			name := fmt.Sprint("receiver ", rnd.IntN(3))
			had, _ := r.DeliveredTo(name)
			r.change(r.DecideDelivered(name, had+rnd.Uint64()%(1+r.LastNotice()-had)))
		}
	case 20: // transactions become deep enough for pruning
		(*c).Grow(70)
		r.follow(*c, 100)
	}
}

// randomUserChange changes addresses or annotations.
func randomUserChange(r *recorded, rnd *chaintest.Random, kind int) {
	account := func() uint32 { return uint32(rnd.IntN(int(r.Accounts()))) }
	switch kind {
	case 5:
		change, _ := r.DecideAccount(fmt.Sprint("account ", rnd.IntN(100)))
		r.change(change)
	case 6:
		label := func() string { return fmt.Sprint("label\x00 ü ", rnd.IntN(100)) }
		change, _, err := r.DecideAddresses(account(), uint32(1+rnd.IntN(3)), label())
		require.NoError(r.t, err)
		r.change(change)
	case 7:
		i := keys.Index{Major: account()}
		change, err := r.DecideLabel(i, []string{"", "new", "\xff no text"}[rnd.IntN(3)])
		require.NoError(r.t, err)
		r.change(change)
	case 14:
		l := wallet.Lookahead{Major: uint32(1 + rnd.IntN(4)), Minor: uint32(1 + rnd.IntN(8))}
		r.change(r.decided(r.DecideLookahead(l)))
	case 15:
		text := []string{"", "a note", "\x00\xff", strings.Repeat("long ", 1000)}[rnd.IntN(4)]
		note := wallet.Note{TxID: xmr.Hash{byte(rnd.IntN(3))}, Text: text}
		r.change(wallet.ChangeSet{User: wallet.UserChange{Notes: []wallet.Note{note}}})
	case 16:
		attribute := wallet.Attribute{Key: fmt.Sprint(rnd.IntN(3)), Value: fmt.Sprint(rnd.IntN(9))}
		r.change(wallet.ChangeSet{User: wallet.UserChange{Attrs: []wallet.Attribute{attribute}}})
	case 17:
		b := wallet.BookChange{
			Kind:  wallet.BookKind(rnd.IntN(3)),
			Index: rnd.Uint64() % 4,
			Entry: wallet.BookEntry{Address: fmt.Sprint(rnd.IntN(99)), Description: "x"},
		}
		if b.Kind == wallet.BookAdd || b.Index < uint64(len(r.Book())) {
			r.change(r.decided(r.DecideBook(b)))
		}
	case 18:
		r.change(r.decided(r.DecideTags([]uint32{account()}, []string{"", "one", "two"}[rnd.IntN(3)])))
	case 19:
		if tags := r.Tags(); len(tags) > 0 {
			tag := tags[rnd.IntN(len(tags))].Tag
			r.change(r.decided(r.DecideTagDescription(tag, fmt.Sprint("text ", rnd.IntN(9)))))
		}
	}
}

// randomSpending freezes an output, sends a transaction or changes the state of one.
func randomSpending(r *recorded, rnd *chaintest.Random, c *chaintest.Chain, now uint64, kind int) {
	switch kind {
	case 8:
		if n := len(r.Outputs()); n > 0 {
			o := &r.Outputs()[rnd.IntN(n)]
			freeze := wallet.Freeze{Key: o.Key, Thaw: r.IsFrozen(o)}
			r.change(wallet.ChangeSet{User: wallet.UserChange{Freeze: []wallet.Freeze{freeze}}})
		}
	case 9:
		s, ok := randomSend(r, rnd, now)
		if !ok {
			return
		}
		change, err := r.DecideSend(s, now)
		require.NoError(r.t, err)
		r.change(change)
		if rnd.OneIn(2) { // it is mined
			pay := []chaintest.Payment{{To: r.Keys(), Amount: s.Change}}
			c.Add(chaintest.Spec{Spend: s.Images(), Fee: s.Fee, Pay: pay})
			c.Blocks[c.Height()-1].Txs[1].ID = s.TxID
		}
	case 10:
		if s := r.Unmined(); len(s) > 0 {
			r.change(r.DecideRefused(s[rnd.IntN(len(s))].TxID, "double spend"))
		}
	case 11:
		r.change(r.DecideSends(func(id xmr.Hash) bool { return id[0]%2 == 0 && rnd.OneIn(2) }, always, now))
	}
}

// randomTakeover takes over the cache of another program, which has changed it.
func randomTakeover(r *recorded, rnd *chaintest.Random, now uint64) {
	f := cacheContents()
	f.Digest[1] = byte(rnd.IntN(4))
	f.Labels[0] = append(f.Labels[0], make([]string, rnd.IntN(5))...)
	f.Labels[0][1], f.Notes[0].Text = fmt.Sprint(rnd.IntN(3)), fmt.Sprint(rnd.IntN(3))
	f.Attrs[0].Value, f.Tags[0] = fmt.Sprint(rnd.IntN(3)), []string{"", "one"}[rnd.IntN(2)]
	f.Book = f.Book[:rnd.IntN(len(f.Book)+1)]
	f.Sent[0].State = wallet.SendState(rnd.IntN(3))
	for i := range r.Outputs() {
		if rnd.OneIn(4) {
			f.Frozen = append(f.Frozen, r.Outputs()[i].Key)
		}
	}
	for _, sp := range r.Spends() {
		f.Sent = append(f.Sent, wallet.Sent{
			TxID: sp.TxID, State: wallet.SendMined, Spent: sp.Images, Account: sp.Account,
			Destinations: []wallet.Destination{{Address: "x", Amount: 1}},
		})
	}
	r.change(r.DecideTakeOver(f, now))
	if rnd.OneIn(2) {
		f := r.Contents()
		r.change(r.DecideShared(f, r.Fingerprint(f), rnd.Bytes32()))
	}
}

// randomSend returns a record of a new transaction; false if the wallet cannot spend anything.
func randomSend(r *recorded, rnd *chaintest.Random, now uint64) (wallet.Sent, bool) {
	account := uint32(rnd.IntN(int(r.Accounts())))
	inputs := r.Spendable(account, nil, r.Clock(now))
	if len(inputs) == 0 || !r.Keys().CanSpend() {
		return wallet.Sent{}, false
	}
	s := wallet.Sent{TxID: rnd.Bytes32(), Blob: []byte{1, 2, byte(rnd.Uint64())}, Account: account, Fee: 7, SentAt: now,
		Key: rnd.Bytes32(), Indices: []uint32{inputs[0].Address.Minor}}
	for _, in := range inputs[:1+rnd.IntN(min(2, len(inputs)))] {
		o, ok := r.OutputByKey(in.Key)
		require.True(r.t, ok)
		s.AmountIn += in.Amount
		indices := []uint64{in.GlobalIndex, in.GlobalIndex + 1 + uint64(in.Key[0])%9, 1 << 40}
		s.Rings = append(s.Rings, wallet.Ring{Image: o.Image, Indices: indices})
	}
	s.Change = s.AmountIn - min(s.AmountIn, s.Fee)
	if rnd.OneIn(2) {
		s.AdditionalKeys = []keys.Secret{rnd.Bytes32(), rnd.Bytes32()}
		s.Destinations = []wallet.Destination{
			{Address: r.Address(keys.Index{Major: account, Minor: 1}).String(), Amount: 3},
			{Address: "not an address", Amount: 1},
		}
	}
	return s, true
}

// TestReloadEqualsLive makes random changes and, in between, replays the log and a snapshot.
func TestReloadEqualsLive(t *testing.T) {
	for seed := range 8 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := chaintest.NewRandom(fmt.Sprint("reload ", seed))
			k := owner(t, "reload")
			if seed%4 == 3 {
				k = viewOnly(t, k)
			}
			r := create(t, k, near)
			l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4, Burn: true}
			c := chaintest.New(fmt.Sprint("reload ", seed), xmr.Regtest)
			if seed%2 == 1 {
				c.CarrotFrom = 12 // the next hard fork
			}
			now := uint64(chaintest.StartTime)
			var shadow *recorded // replayed from an earlier snapshot and given the same changes since
			for i := range 80 {
				before := len(r.log)
				randomChange(r, rnd, &c, l, &now)
				if shadow != nil {
					for _, b := range r.log[before:] {
						change, err := wallet.DecodeChange(b)
						require.NoError(t, err)
						shadow.change(change)
					}
				}
				if i%10 != 9 {
					continue
				}
				// The pool is not stored.
				live := r.Pool()
				r.SetPool(nil)
				same(t, r.Wallet, r.reloaded(), "log, change ", i)
				same(t, r.Wallet, r.compacted().Wallet, "snapshot, change ", i)
				same(t, r.compacted().Wallet, r.compacted().compacted().Wallet, "snapshot of a snapshot, change ", i)
				if shadow != nil {
					same(t, r.Wallet, shadow.Wallet, "changes after a snapshot, change ", i)
					same(t, r.Wallet, shadow.reloaded(), "log after a snapshot, change ", i)
				}
				if shadow == nil || i%20 == 9 {
					shadow = r.compacted()
				}
				r.SetPool(poolOf(live))
			}
			require.Greater(t, len(r.log), 20)
		})
	}
}

func poolOf(txs []*wallet.PoolTx) (out []wallet.PoolTx) {
	for _, p := range txs {
		out = append(out, *p)
	}
	return out
}

// TestLargeWallet replays a wallet with fifty thousand outputs and many sent transactions, from one large change and
// from a snapshot: a wallet of any size can be opened.
func TestLargeWallet(t *testing.T) {
	r := create(t, owner(t, "large"), wallet.Lookahead{Major: 1, Minor: 1})
	one := wallet.ChangeSet{}
	rnd := chaintest.NewRandom("large")
	for i := range 50_000 {
		h := uint64(i/10 + 1)
		id, image := rnd.Bytes32(), rnd.Bytes32()
		one.Chain.Outputs = append(one.Chain.Outputs, wallet.OwnedOutput{
			TxID: id, Key: id, Image: image, ImageKnown: true, GlobalIndex: uint64(i), Amount: 5, Height: h,
		})
		one.Chain.Payments = append(one.Chain.Payments, wallet.Payment{
			TxID: id, Amount: 5, Amounts: []uint64{5}, Height: h,
		})
		if i%3 == 0 {
			one.Chain.Spends = append(one.Chain.Spends, wallet.Spend{
				TxID: image, Height: h, Images: []xmr.KeyImage{image},
			})
		}
		if i%10 == 0 {
			one.Chain.Blocks = append(one.Chain.Blocks, wallet.BlockID{Height: h, Hash: id})
		}
	}
	for i := range 300 {
		one.User.Sent = append(one.User.Sent, wallet.Sent{
			TxID: xmr.Hash{byte(i), byte(i >> 8)}, Blob: make([]byte, 10_000),
		})
	}
	r.change(one)
	w := r.reloaded()
	require.Equal(t, r.Dump(true), w.Dump(true))
	records, err := r.Snapshot()
	require.NoError(t, err)
	for _, b := range records {
		require.Less(t, len(b), 1<<23, "far below the limit of a record")
	}
	w, err = wallet.Replay(records)
	require.NoError(t, err)
	require.Equal(t, r.Dump(true), w.Dump(true))
}
