package walletpaths

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/fcmpbuild"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/treecache"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestFollow: nothing is read or stored before the fork. After it, the tree has the paths of all outputs that may be
// spent, those from before the fork included, while the chain grows, is reorganised, and crosses the fork again.
func TestFollow(t *testing.T) {
	w := newWorld(t)
	w.open(w.keys)
	w.mine(fork-1, nil)
	asked, _ := w.refresh(lean{full{w}})
	require.Zero(t, asked)
	require.False(t, w.paths.Current(0))
	require.ErrorIs(t, w.paths.Use(w.Session.View, nil), ErrBehind)
	require.Zero(t, w.store.saves)

	w.mine(15, nil)
	_, sent := w.refresh(lean{full{w}})
	require.GreaterOrEqual(t, sent, fork+15, "all blocks, beginning with the genesis block")
	w.requirePaths()
	require.NotZero(t, w.store.saves)

	// The wallet and the tree have the same full blocks from now on, requested once.
	compact := w.compact
	w.mine(3, nil)
	asked, sent = w.refresh(lean{full{w}})
	require.Equal(t, []int{1, 4}, []int{asked, sent}, "one block is known")
	require.Equal(t, compact, w.compact)
	w.requirePaths()

	w.branch(fork+12, 7)
	w.refresh(lean{full{w}})
	w.requirePaths()
	w.branch(fork-5, 30)
	w.refresh(lean{full{w}})
	w.requirePaths()
	w.branch(fork-3, 31)
	w.refresh(full{w})
	w.requirePaths()
	require.NoError(t, w.Session.Close())
	require.ErrorIs(t, w.paths.Use(w.Session.View, nil), ErrClosed)
	require.False(t, w.paths.Current(0))
}

// TestStored: what is stored is used again. If it is lost, damaged, old or of another wallet, blocks are read again.
func TestStored(t *testing.T) {
	w := newWorld(t)
	w.open(w.keys)
	w.mine(fork+12, nil)
	w.refresh(full{w})
	reopen := func() int {
		t.Helper()
		require.NoError(t, w.Session.Close())
		w.open(w.keys)
		_, sent := w.refresh(full{w})
		w.requirePaths()
		return sent
	}
	require.Equal(t, 1, reopen(), "the wallet's last block")
	require.NoError(t, w.Session.Close())
	old := slices.Clone(w.store.content)
	w.open(w.keys)
	w.mine(5, nil)
	w.refresh(full{w})
	require.NoError(t, w.Session.Close())

	for _, damage := range []func(b []byte) []byte{
		func([]byte) []byte { return nil },
		func([]byte) []byte { return []byte{} },
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func(b []byte) []byte { b[3] ^= 1; return b },
		func(b []byte) []byte { return b[:len(b)-1] },
		func([]byte) []byte {
			other, err := keys.FromSeed([32]byte{8})
			require.NoError(t, err)
			p := New(carrot.Default, other, nil, rand.Reader)
			p.reset(100)
			sealed, err := p.seal()
			require.NoError(t, err)
			return sealed
		},
	} {
		w.store.content = damage(slices.Clone(w.store.content))
		w.open(w.keys)
		_, sent := w.refresh(full{w})
		require.Greater(t, sent, fork+12)
		w.requirePaths()
		require.NoError(t, w.Session.Close())
	}

	w.store.content = old
	w.open(w.keys)
	_, sent := w.refresh(full{w})
	require.Less(t, sent, 20)
	w.requirePaths()

	w.store.err = errors.New("disk full")
	require.ErrorIs(t, w.rescan(), w.store.err)
	require.ErrorIs(t, w.Session.Close(), w.store.err)
	w.store.err = nil

	// A branch from below the trees that are kept: the tree begins anew.
	w.open(w.keys)
	w.refresh(full{w})
	w.paths.reset(1)
	w.refresh(full{w})
	w.branch(fork+3, 30)
	w.refresh(full{w})
	w.requirePaths()
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", w.paths, w.paths, w.paths), "own")
}

// TestLateOutput: if the wallet finds an output in a block that the tree has already, blocks are read again. After
// rescan_bc, all are.
func TestLateOutput(t *testing.T) {
	w := newWorld(t)
	w.open(w.keys)
	w.mine(fork+12, nil)
	w.refresh(full{w})
	for at, o := range w.paths.own {
		w.paths.cache.Unregister(o)
		delete(w.paths.own, at)
		break
	}
	require.ErrorIs(t, w.paths.Use(w.Session.View, nil), ErrBehind)
	w.refresh(full{w})
	w.requirePaths()

	require.NoError(t, w.rescan())
	_, sent := w.refresh(full{w})
	require.Greater(t, sent, 2*fork, "for the wallet and for the tree")
	w.requirePaths()
}

// TestLie: a daemon whose blocks contradict their headers is noticed, before and after the fork, and costs no more than
// reading blocks again.
func TestLie(t *testing.T) {
	w := newWorld(t)
	w.open(w.keys)
	w.mine(fork-20, nil)
	w.to = nobody()
	w.mine(40, nil)
	lieAt := func(height uint64) func(b *syncer.Block) {
		return func(b *syncer.Block) {
			if b.Height == height {
				lie := *b.Txs[0].Tx
				lie.UnlockTime = 0 // the output enters the tree too early
				b.Txs[0].Tx = &lie
			}
		}
	}
	lied := func(from syncer.Source) int {
		t.Helper()
		before := w.sent
		_, err := w.Session.Refresh(t.Context(), from, 0)
		require.ErrorIs(t, err, ErrTree)
		require.ErrorIs(t, err, treecache.ErrRoot)
		return w.sent - before
	}
	w.alter = lieAt(30)
	lied(lean{full{w}})
	lied(lean{full{w}})
	lied(lean{full{w}})
	require.Less(t, lied(lean{full{w}}), 60, "not from the first block on")
	w.alter = nil
	require.NoError(t, w.rescan())
	w.refresh(full{w})
	w.requirePaths()

	height, err := full{w}.Height(t.Context())
	require.NoError(t, err)
	w.mine(3, nil)
	w.alter = lieAt(height)
	lied(full{w})
	w.alter = nil
	_, sent := w.refresh(full{w})
	require.Less(t, sent, 40)
	w.requirePaths()
}

// TestEnds: Follow ends for sources that repeat themselves, fail or are cancelled.
func TestEnds(t *testing.T) {
	w := newWorld(t)
	w.open(w.keys)
	w.mine(fork+12, nil)
	w.refresh(full{w})
	require.NoError(t, w.Session.Close())
	w.store.content = nil
	w.open(w.keys)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, w.paths.Follow(ctx, w.Session.View, failing{full{w}}), context.Canceled)
	w.refresh(full{w})
	w.requirePaths()
	require.NoError(t, w.paths.Follow(ctx, w.Session.View, failing{full{w}}), "it has all blocks")

	l := limit{}
	blocks := []syncer.Block{{Height: 4}}
	require.NoError(t, l.check(known, blocks))
	require.ErrorIs(t, l.check(known, blocks), syncer.ErrChain)
	for range maxForks {
		require.NoError(t, l.check(detached, blocks))
	}
	require.ErrorIs(t, l.check(detached, blocks), syncer.ErrChain)
}

// failing returns the error of the context.
type failing struct{ full }

func (f failing) Height(ctx context.Context) (uint64, error) { return 0, ctx.Err() }

// TestViewReceived: a wallet that can neither pay nor prepare payments for a signer has no tree.
func TestViewReceived(t *testing.T) {
	w := newWorld(t)
	master, err := carrot.NewMasterAccount(carrot.Default, keys.Secret{5})
	require.NoError(t, err)
	tier := master.ViewReceived()
	a, err := carrot.NewViewReceivedAccount(carrot.Default, tier.ViewSecret(), tier.AddressSecret(),
		master.SpendKey(keys.Index{}))
	require.NoError(t, err)
	k, err := a.Keys()
	require.NoError(t, err)
	w.open(k)
	w.mine(fork+12, nil)
	w.refresh(full{w})
	require.False(t, w.paths.Current(0))
	require.Zero(t, w.store.saves)
}

// TestViewOnly: a view-only wallet has the tree, and finishes what its signer has signed. What it knows of its outputs
// counts, and not the signed set.
func TestViewOnly(t *testing.T) {
	w := newWorld(t)
	k, err := keys.ViewOnly(w.keys.ViewSecret(), w.keys.SpendPublic)
	require.NoError(t, err)
	w.open(k)
	w.mine(3, nil)
	w.to = nobody()
	w.mine(fork+9, nil)
	w.refresh(full{w})
	w.requirePaths()
	var o wallet.OwnedOutput
	w.Session.View(func(s *wallet.Wallet) { o = s.Outputs()[0] })
	require.False(t, o.ImageKnown)
	request := w.request(&o)
	set, prepared, err := w.paths.Prepare(w.Session.View, k, request)
	require.NoError(t, err)
	unsigned, err := fcmpbuild.ParseUnsignedSet(set)
	require.NoError(t, err)
	spender, forget, err := fcmpbuild.SpenderOf(w.keys)
	require.NoError(t, err)
	defer forget()
	one, _, err := unsigned.Transactions[0].Sign(rand.Reader, spender, request.Network)
	require.NoError(t, err)
	complete := func() (wallet.Sent, []wallet.KnownImage, error) {
		signed := (&fcmpbuild.SignedSet{Transactions: []fcmpbuild.Signed{*one}}).Append(nil, unsigned.Network)
		return w.paths.Complete(t.Context(), w.Session.View, k, signed, nil)
	}
	sent, images, err := complete()
	require.NoError(t, err)
	require.Equal(t, []uint64{prepared.Fee, prepared.Change, prepared.Weight, prepared.AmountIn},
		[]uint64{sent.Fee, sent.Change, sent.Weight, sent.AmountIn})
	require.Equal(t, request.Plan.Destinations[0].Address.String(), sent.Destinations[0].Address)
	require.Equal(t, []wallet.KnownImage{{Key: o.Key, Image: sent.Spent[0], Proved: true}}, images)

	one.Inputs[0].Received.Amount++
	_, _, err = complete()
	require.NoError(t, err, "the wallet knows the amount")
	one.Inputs[0].Received.Key[0] ^= 1
	_, _, err = complete()
	require.ErrorIs(t, err, wallet.ErrInputs)
	one.Inputs[0].Received.Key[0] ^= 1
	one.Images[0] = xmr.KeyImage{1}
	_, _, err = complete()
	require.ErrorIs(t, err, fcmpbuild.ErrSigned)
	_, _, err = w.paths.Complete(t.Context(), w.Session.View, k, set, nil)
	require.ErrorIs(t, err, fcmpbuild.ErrSet)
	o.Key[0] ^= 1
	request.Plan.Inputs[0].Key = o.Key
	_, _, err = w.paths.Prepare(w.Session.View, k, request)
	require.ErrorIs(t, err, wallet.ErrInputs)
}

// TestPay: the tree suffices to pay, with an output from before the fork. When no reorganisation reaches the spend, the
// output is no longer kept.
func TestPay(t *testing.T) {
	w := newWorld(t)
	w.open(w.keys)
	require.NoError(t, w.Session.Change(func(s *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return s.DecideMaxReorgDepth(6), nil, nil
	}))
	w.mine(3, nil)
	w.to = nobody()
	w.mine(fork+9, nil)
	w.refresh(lean{full{w}})
	w.requirePaths()

	var o wallet.OwnedOutput
	w.Session.View(func(s *wallet.Wallet) { o = s.Outputs()[0] })
	request := w.request(&o)
	var shares []int
	request.Progress = func(percent int) { shares = append(shares, percent) }
	made, err := w.paths.Build(t.Context(), w.Session.View, w.keys, request)
	require.NoError(t, err)
	require.IsNonDecreasing(t, shares)
	require.Greater(t, len(shares), 8)
	id, err := w.AddTx(made.Blob, false)
	require.NoError(t, err)
	require.Equal(t, id, made.TxID)
	seen, err := w.paths.Inspect(made.Blob)
	require.NoError(t, err)
	require.Equal(t, wallet.Sent{
		TxID: id, Blob: made.Blob, Weight: made.Weight, Fee: request.Plan.Fee, Spent: []xmr.KeyImage{o.Image},
	}, seen)
	require.Equal(t, o.Amount, made.AmountIn)
	require.Equal(t, o.Amount-1e12-made.Fee, made.Change)
	_, err = w.paths.Inspect(made.Blob[1:])
	require.Error(t, err)
	w.mine(1, nil)
	w.refresh(full{w})
	w.Session.View(func(s *wallet.Wallet) {
		at, spent := s.SpentAt(&o)
		require.True(t, spent)
		require.Equal(t, s.Height()-1, at)
	})
	w.requirePaths()
	leaf, err := outputOf(&o)
	require.NoError(t, err)
	require.True(t, w.paths.cache.Has(leaf))
	w.mine(8, nil)
	w.refresh(full{w})
	require.False(t, w.paths.cache.Has(leaf))

	// The stored tree no longer has it either; an older one is cleaned when it is loaded.
	w.paths.cache.Register(leaf)
	w.paths.saved = -1
	require.NoError(t, w.Session.Close())
	w.open(w.keys)
	w.refresh(full{w})
	require.False(t, w.paths.cache.Has(leaf))
}

// request returns a request to pay 1e12 with o.
func (w *world) request(o *wallet.OwnedOutput) session.NextRequest {
	r := session.NextRequest{Network: xmr.Testnet, Plan: txbuild.Plan{
		Inputs: []txbuild.Input{o.Input()}, Destinations: []txbuild.Destination{{Address: nobody(), Amount: 1e12}},
	}}
	w.Chain.View(func(v chain.View) {
		levels, err := v.Fees(0)
		require.NoError(w, err)
		r.PerByte = levels[0]
	})
	var err error
	r.Plan.Fee, err = fee.FromWeight(r.PerByte, w.paths.Weight(1, 2), fee.Quantum)
	require.NoError(w, err)
	return r
}

// TestBuildRefuses: nothing is built without the path of each output, the whole tree, the spend key, or on a public
// chain, nor with another fee than that of the plan.
func TestBuildRefuses(t *testing.T) {
	w := newWorld(t)
	w.open(w.keys)
	w.mine(fork+4, nil)
	w.refresh(full{w})
	var first, last wallet.OwnedOutput
	w.Session.View(func(s *wallet.Wallet) {
		list := s.Outputs()
		first, last = list[0], list[len(list)-1]
	})
	request := w.request(&first)
	refuses := func(want error, k *keys.Keys, r session.NextRequest) {
		t.Helper()
		_, err := w.paths.Build(t.Context(), w.Session.View, k, r)
		require.ErrorIs(t, err, want)
	}
	refuses(ErrPath, w.keys, w.request(&last)) // it is locked
	other := request
	other.Plan.Inputs = []txbuild.Input{{Key: xmr.PublicKey{1}}}
	refuses(wallet.ErrInputs, w.keys, other)
	view, err := keys.ViewOnly(w.keys.ViewSecret(), w.keys.SpendPublic)
	require.NoError(t, err)
	refuses(carrot.ErrKey, view, request)
	poor := request
	poor.Plan.Destinations = []txbuild.Destination{{Address: nobody(), Amount: first.Amount}}
	refuses(txbuild.ErrNotEnough, w.keys, poor)
	poor = request
	poor.Plan.Fee += fee.Quantum
	refuses(txbuild.ErrMismatch, w.keys, poor)
	high := request
	high.Network, high.PerByte = xmr.Mainnet, 100*request.PerByte
	high.Plan.Fee, err = fee.FromWeight(high.PerByte, w.paths.Weight(1, 2), fee.Quantum)
	require.NoError(t, err)
	_, err = w.paths.Build(t.Context(), w.Session.View, w.keys, high)
	var tooHigh *fee.TooHighError
	require.ErrorAs(t, err, &tooHigh)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.paths.Build(ctx, w.Session.View, w.keys, request)
	require.ErrorIs(t, err, context.Canceled)

	w.paths.public = 10
	refuses(ErrPublic, w.keys, request)
	require.NoError(t, w.paths.Forget())
	w.refresh(full{w})
	w.paths.public = publicHeight
	refuses(ErrBehind, w.keys, request)
	w.refresh(full{w})
	_, err = w.paths.Build(t.Context(), w.Session.View, w.keys, request)
	require.NoError(t, err)
}

// FuzzInspect: any bytes are refused with an error, or a transaction.
func FuzzInspect(f *testing.F) {
	p := new(Paths)
	f.Add([]byte{2, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := p.Inspect(b); err == nil {
			require.Equal(t, b, s.Blob)
			require.NotEmpty(t, s.Spent)
		}
	})
}

// FuzzDecode: any bytes are refused with an error, or decoded to what is encoded again.
func FuzzDecode(f *testing.F) {
	k, err := keys.FromSeed([32]byte{7})
	if err != nil {
		f.Fatal(err)
	}
	empty := New(carrot.Default, k, nil, rand.Reader)
	empty.reset(100)
	f.Add([]byte{0, 0, 0})
	f.Add(append([]byte{0, 0, 0}, empty.cache.Append(nil)...))
	f.Add(append([]byte{1, 5, 1}, make([]byte, 32)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := New(carrot.Default, k, nil, rand.Reader)
		if p.decode(b) == nil {
			_, err := p.seal()
			require.NoError(t, err)
		}
	})
}
