package wallet_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// cacheContents returns the contents of another program's cache.
func cacheContents() *wallet.CacheContents {
	return &wallet.CacheContents{
		Digest: [32]byte{1}, Height: 77, First: 5,
		Labels: [][]string{{"Primary account", "one", "", "three"}, {"shop"}},
		Tags:   []string{"till", ""}, Described: []wallet.Attribute{{Key: "till", Value: "what is in it"}},
		Notes: []wallet.Note{{TxID: xmr.Hash{1}, Text: "a note"}},
		Attrs: []wallet.Attribute{{Key: "key", Value: "value"}},
		Book: []wallet.BookEntry{
			{Address: "a", Description: "first"},
			{Address: "b"},
			{Address: "a", Description: "again"},
		},
		Sent: []wallet.Sent{
			{
				TxID:     xmr.Hash{2},
				State:    wallet.SendPending,
				AmountIn: 9,
				Fee:      1,
				SentAt:   chaintest.StartTime,
				Spent:    []xmr.KeyImage{{2}},
			},
			{
				TxID:         xmr.Hash{3},
				State:        wallet.SendMined,
				Destinations: []wallet.Destination{{Address: "other", Amount: 7}},
				Spent:        []xmr.KeyImage{{3}},
			},
			{TxID: xmr.Hash{4}, State: wallet.SendFailed, Spent: []xmr.KeyImage{{4}}},
		},
		TxKeys: []wallet.TxKey{
			{TxID: xmr.Hash{3}, Key: keys.Secret{3}, Additional: []keys.Secret{{1}, {2}}},
			{TxID: xmr.Hash{9}, Key: keys.Secret{9}},
		},
		Frozen: []xmr.PublicKey{{7}}, Left: []string{"something"},
	}
}

// TestTakeOver takes over a cache with every kind of entry into a new wallet.
func TestTakeOver(t *testing.T) {
	r := create(t, owner(t, "take over"), near)
	r.change(r.DecideTakeOver(cacheContents(), 5))
	require.EqualValues(t, 2, r.Accounts())
	require.Equal(t, []string{"Primary account", "one", "", "three"}, labels(r.Wallet, 0))
	require.Equal(t, []string{"shop"}, labels(r.Wallet, 1))
	c, first, err := r.DecideAddresses(0, 1, "")
	require.NoError(t, err)
	require.EqualValues(t, 4, first, "no address is issued twice")
	require.Len(t, c.User.Labels, 1)
	at, ours := r.IndexOf(r.Address(keys.Index{Minor: 6}).Spend)
	require.True(t, ours, "the lookahead starts after the last address")
	require.Equal(t, keys.Index{Minor: 6}, at)

	require.Equal(t, []wallet.TagInfo{{Tag: "till", Description: "what is in it", Accounts: []uint32{0}}}, r.Tags())
	require.Equal(t, "a note", r.Note(xmr.Hash{1}))
	value, _ := r.Attribute("key")
	require.Equal(t, "value", value)
	require.Equal(t, cacheContents().Book, r.Book())
	k, ok := r.TxSecret(xmr.Hash{3})
	require.True(t, ok)
	require.Equal(t, cacheContents().TxKeys[0], k)
	k, ok = r.TxSecret(xmr.Hash{9})
	require.True(t, ok)
	require.Equal(t, keys.Secret{9}, k.Key)
	_, ok = r.TxSecret(xmr.Hash{2})
	require.False(t, ok, "the transaction has no key")

	unmined := r.Unmined()
	require.Len(t, unmined, 2, "a mined transaction is not pending")
	require.False(t, slices.ContainsFunc(unmined, func(s *wallet.Sent) bool { return s.TxID == xmr.Hash{3} }))
	s, _ := r.SentTx(xmr.Hash{3})
	require.Equal(t, cacheContents().Sent[1].Destinations, s.Destinations)
	require.True(t, r.IsFrozen(&wallet.OwnedOutput{Key: xmr.PublicKey{7}}),
		"an output can be frozen before it is found")

	report := r.Takeover()
	require.EqualValues(t, []uint64{2, 5, 4, 3, 1, 1, 1, 3, 2, 1, 2, 1}, []uint64{
		report.Accounts, report.Addresses, report.NewAddresses, report.Labels, report.Tags, report.Notes,
		report.Attributes, report.Book, report.TxKeys, report.Sent, report.Unmined, report.Frozen,
	})
	require.Equal(t, []string{"something"}, report.Left)
	require.Empty(t, report.Aside)
	same(t, r.Wallet, r.reloaded())
	same(t, r.Wallet, r.compacted().Wallet)

	before := r.Dump(true)
	r.change(r.DecideTakeOver(cacheContents(), 5))
	require.Zero(t, r.Takeover().Changed, "the same file changes nothing")
	r.Takeover().Changed, r.Takeover().NewAddresses = report.Changed, report.NewAddresses
	require.Equal(t, before, r.Dump(true))
}

func labels(w *wallet.Wallet, account uint32) (out []string) {
	n, _ := w.Addresses(account)
	for i := range n {
		out = append(out, w.Label(keys.Index{Major: account, Minor: i}))
	}
	return out
}

// TestTakeOverAgain changes both the wallet and the file. An entry that one side changed has that side's value; if
// both changed it, the file's value wins and the wallet's is reported. Nothing that only the wallet has is lost.
func TestTakeOverAgain(t *testing.T) {
	r := create(t, owner(t, "again"), near)
	r.change(r.DecideTakeOver(cacheContents(), 5))
	label := func(minor uint32, text string) { r.change(r.decided(r.DecideLabel(keys.Index{Minor: minor}, text))) }
	note := func(id byte, text string) {
		r.change(wallet.ChangeSet{User: wallet.UserChange{Notes: []wallet.Note{{TxID: xmr.Hash{id}, Text: text}}}})
	}
	label(1, "ours")
	label(2, "ours too")
	note(1, "changed here")
	note(2, "made here")
	c, _, err := r.DecideAddresses(0, 2, "made here") // 4 and 5
	r.change(r.decided(c, err))
	r.change(r.decided(r.DecideBook(wallet.BookChange{Entry: wallet.BookEntry{Address: "ours"}})))
	freeze := []wallet.Freeze{{Key: xmr.PublicKey{7}, Thaw: true}, {Key: xmr.PublicKey{8}}}
	r.change(wallet.ChangeSet{User: wallet.UserChange{Freeze: freeze}})

	r.change(r.DecideTakeOver(changedContents(), 6))
	requireMerged(t, r)
	same(t, r.Wallet, r.reloaded())

	// The first version of the file again: entries that only the second version had were deleted there.
	r.change(r.DecideTakeOver(cacheContents(), 7))
	accountLabels := []string{"Primary account", "ours", "", "three", "an address of theirs", "made here"}
	require.Equal(t, accountLabels, labels(r.Wallet, 0))
	require.Empty(t, r.Note(xmr.Hash{3}))
	require.Equal(t, []wallet.BookEntry{
		{Address: "a", Description: "first"},
		{Address: "ours"},
		{Address: "b"},
		{Address: "a", Description: "again"},
	}, r.Book())
	require.EqualValues(t, 3, r.Accounts(), "no address is removed")
}

// changedContents is cacheContents after the other program changed it.
func changedContents() *wallet.CacheContents {
	f := cacheContents()
	f.Digest = [32]byte{2}
	f.Labels[0] = []string{"Primary account", "one", "theirs", "", "an address of theirs"}
	f.Labels = append(f.Labels, []string{"third", "with an address"})
	f.Tags = []string{"", "till"}
	f.Described[0].Value = "another text"
	f.Notes = []wallet.Note{{TxID: xmr.Hash{3}, Text: "of theirs"}}
	f.Attrs = append(f.Attrs, wallet.Attribute{Key: "empty"})
	f.Book = []wallet.BookEntry{{Address: "a", Description: "first, changed"}, {Address: "c"}}
	f.Frozen = []xmr.PublicKey{{7}, {9}}
	f.TxKeys = append(f.TxKeys, wallet.TxKey{TxID: xmr.Hash{2}, Key: keys.Secret{2}})
	return f
}

// requireMerged checks the result of taking over changedContents into the changed wallet of TestTakeOverAgain.
func requireMerged(t *testing.T, r *recorded) {
	t.Helper()
	accountLabels := []string{"Primary account", "ours", "theirs", "", "an address of theirs", "made here"}
	require.Equal(t, accountLabels, labels(r.Wallet, 0))
	require.Equal(t, []string{"third", "with an address"}, labels(r.Wallet, 2))
	require.Equal(t, []wallet.TagInfo{{Tag: "till", Description: "another text", Accounts: []uint32{1}}}, r.Tags())
	require.Equal(t, "changed here", r.Note(xmr.Hash{1}),
		"the other program deleted it, but it was changed here as well")
	require.Equal(t, "made here", r.Note(xmr.Hash{2}))
	require.Equal(t, "of theirs", r.Note(xmr.Hash{3}))
	_, had := r.Attribute("empty")
	require.True(t, had)
	book := []wallet.BookEntry{{Address: "a", Description: "first, changed"}, {Address: "ours"}, {Address: "c"}}
	require.Equal(t, book, r.Book())
	for key, frozen := range map[byte]bool{7: false, 8: true, 9: true} {
		require.Equal(t, frozen, r.IsFrozen(&wallet.OwnedOutput{Key: xmr.PublicKey{key}}), key)
	}
	k, _ := r.TxSecret(xmr.Hash{2})
	require.Equal(t, keys.Secret{2}, k.Key)
	require.Equal(t, []wallet.Aside{
		{Kind: "label", Name: "0/2", Text: "ours too"},
		{Kind: "label", Name: "0/4", Text: "made here"},
	}, r.Takeover().Aside)
}

// TestTakeOverOfAWalletInUse takes over a file into a wallet with its own texts: these stay, and the texts of the file
// are reported.
func TestTakeOverOfAWalletInUse(t *testing.T) {
	r := create(t, owner(t, "in use"), near)
	c, _, err := r.DecideAddresses(0, 1, "mine")
	r.change(r.decided(c, err))
	f := cacheContents()
	f.First = 0
	r.change(r.DecideTakeOver(f, 5))
	require.Equal(t, []string{"Primary account", "mine", "", "three"}, labels(r.Wallet, 0))
	require.Equal(t, []wallet.Aside{{Kind: "label", Name: "0/1", Text: "one"}}, r.Takeover().Aside)
	require.Len(t, r.Takeover().Left, 2, "the wallet does not scan blocks before its restore height")
	require.Len(t, f.Left, 1)
}

// TestTakenOverIsFound scans the chain after taking over a file: sent transactions occur once, with their destinations,
// and frozen outputs are frozen.
func TestTakenOverIsFound(t *testing.T) {
	k := owner(t, "found")
	c := chaintest.New("found", xmr.Regtest)
	l := &chaintest.Activity{Owner: k, Accounts: 2, Subaddresses: 4}
	c.GrowWith(l, 60)
	before := create(t, k, near)
	before.follow(c, 100)
	require.NotEmpty(t, before.Spends())
	require.NotEmpty(t, before.Outputs())
	f := &wallet.CacheContents{Digest: [32]byte{1}, Labels: [][]string{{""}}}
	for _, sp := range before.Spends() {
		f.Sent = append(f.Sent, wallet.Sent{
			TxID:         sp.TxID,
			State:        wallet.SendMined,
			Spent:        sp.Images,
			Change:       1,
			Account:      sp.Account,
			Indices:      sp.Indices,
			Destinations: []wallet.Destination{{Address: "other", Amount: 1}},
		})
	}
	last := before.Outputs()[len(before.Outputs())-1]
	f.Frozen = append(f.Frozen, last.Key)

	r := create(t, k, near)
	r.change(r.DecideTakeOver(f, 5))
	require.Zero(t, r.AccountBalance(0, false, chaintest.StartTime).Total)
	require.Empty(t, r.Unmined())
	r.change(r.DecideSends(func(xmr.Hash) bool { return false }, func(xmr.Hash) bool { return true }, 1<<40))
	r.follow(c, 7)
	require.Empty(t, r.Unmined())
	require.Equal(t, before.Spends(), r.Spends())
	o, ok := r.OutputByKey(last.Key)
	require.True(t, ok)
	require.True(t, r.IsFrozen(o))
	for _, sp := range r.Spends() {
		s, ok := r.SentTx(sp.TxID)
		require.True(t, ok)
		require.Len(t, s.Destinations, 1)
	}
	same(t, r.Wallet, r.reloaded())

	// A reorganisation removes some from the chain: they are pending again.
	r.detach(r.Spends()[len(r.Spends())-1].Height)
	require.NotEmpty(t, r.Unmined())
	same(t, r.Wallet, r.reloaded())
	r.change(wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}})
	r.follow(c, 9)
	require.Empty(t, r.Unmined())
	require.Equal(t, before.Spends(), r.Spends())
	same(t, r.Wallet, r.reloaded())
}

// TestTakeOverReadsAgain takes over addresses beyond the lookahead: the wallet scans its blocks again for payments to
// them. Addresses within the lookahead cause no rescan.
func TestTakeOverReadsAgain(t *testing.T) {
	o := owner(t, "reads again")
	c := chaintest.New("reads again", xmr.Regtest)
	far := keys.Index{Minor: near.Minor + 90}
	c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: o, At: far, Amount: 5}}})
	c.Grow(3)
	r := create(t, o, near)
	r.follow(c, 9)
	require.Zero(t, r.AccountBalance(0, false, 0).Total)

	inView := &wallet.CacheContents{Digest: [32]byte{1}, Labels: [][]string{make([]string, near.Minor)}}
	r.change(r.DecideTakeOver(inView, 5))
	require.False(t, r.Takeover().Reread)
	require.EqualValues(t, c.Height(), r.Height())

	beyond := &wallet.CacheContents{Digest: [32]byte{2}, Labels: [][]string{make([]string, far.Minor+1)}}
	r.change(r.DecideTakeOver(beyond, 6))
	require.True(t, r.Takeover().Reread)
	r.follow(c, 9)
	require.EqualValues(t, 5, r.AccountBalance(0, false, 0).Total)
}

// TestTakeOverInParts takes over a file with more entries than fit into one record, and stops between the parts:
// after taking it over again, every entry occurs once.
func TestTakeOverInParts(t *testing.T) {
	o := owner(t, "parts")
	f := cacheContents()
	f.Lookahead = wallet.Lookahead{Major: near.Major, Minor: near.Minor + 1}
	f.Labels = append(f.Labels, nil, []string{"after an account without addresses"})
	for i := range 9000 {
		id := xmr.Hash{1, byte(i), byte(i >> 8), 1}
		f.Labels[1] = append(f.Labels[1], "")
		f.Sent = append(f.Sent, wallet.Sent{
			TxID: id, State: wallet.SendMined, Destinations: []wallet.Destination{{Address: "x", Amount: uint64(i)}},
		})
		f.TxKeys = append(f.TxKeys, wallet.TxKey{TxID: id, Key: keys.Secret{1}})
		f.Notes = append(f.Notes, wallet.Note{TxID: id, Text: "note"})
	}
	whole := create(t, o, near)
	for _, part := range f.TakeOver(whole.Wallet, 5) {
		whole.change(part)
	}
	n, err := whole.Addresses(1)
	require.NoError(t, err)
	require.EqualValues(t, 9001, n)
	require.EqualValues(t, 4, whole.Accounts())
	require.Equal(t, "after an account without addresses", whole.Label(keys.Index{Major: 3}))
	require.Greater(t, len(whole.log), 6)
	require.Equal(t, f.Lookahead, whole.Lookahead())
	want := whole.Dump(true)
	require.Equal(t, want, whole.reloaded().Dump(true))
	require.Equal(t, want, whole.compacted().Dump(true))
	for stop := range len(whole.log) - 1 {
		r := create(t, o, near)
		for _, part := range f.TakeOver(r.Wallet, 5)[:stop] {
			r.change(part)
		}
		r = &recorded{r.reloaded(), t, r.log}
		require.Nil(t, r.Takeover(), "the takeover is incomplete")
		for _, part := range f.TakeOver(r.Wallet, 5) {
			r.change(part)
		}
		r.Takeover().Changed, r.Takeover().NewAddresses = whole.Takeover().Changed, whole.Takeover().NewAddresses
		require.Equal(t, want, r.Dump(true), stop)
	}
}
