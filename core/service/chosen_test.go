package service

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// outputsOf returns the outputs of an account that are not spent.
func outputsOf(t *testing.T, s *Service, account uint32) []walletrpc.IncomingTransfer {
	t.Helper()
	return do(t, s, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available", AccountIndex: account}).Transfers
}

// unlockedOf returns the outputs of account 0 that can be spent.
func unlockedOf(t *testing.T, s *Service) []walletrpc.IncomingTransfer {
	t.Helper()
	return slices.DeleteFunc(outputsOf(t, s, 0),
		func(o walletrpc.IncomingTransfer) bool { return !o.Unlocked || o.Frozen })
}

func imagesOf(list []walletrpc.IncomingTransfer) (images []string, sum uint64) {
	for _, o := range list {
		images = append(images, o.KeyImage)
		sum += o.Amount
	}
	return images, sum
}

// manyOutputs returns a service whose wallet has outputs of many sizes at two addresses, and its primary address.
func manyOutputs(t *testing.T, p testChain) (s *Service, at string) {
	t.Helper()
	s, at = p.funded()
	second := do(t, s, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1}).Address
	amount := uint64(xmr.Coin / 50)
	for range 2 {
		var to []walletrpc.Destination
		for i := range 14 {
			to = append(to, walletrpc.Destination{Amount: amount, Address: []string{at, second}[i%2]})
			amount += amount / 3
		}
		do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to})
		p.mine(11, s)
	}
	return s, at
}

// TestChosenOutputsOnly pays random amounts from random outputs. No transaction spends another output, and only outputs
// that do not suffice are refused. At the end the wallet has lost exactly the amounts and the fees.
func TestChosenOutputsOnly(t *testing.T) {
	p := newTestChain(t)
	s, _ := manyOutputs(t, p)
	const mostFee = xmr.Coin / 20 // of one payment
	r := rand.New(rand.NewPCG(1, 2))
	before, lost := balances(t, s).Balance, uint64(0)
	paid, tooSmall := 0, 0
	for n := range 60 {
		all := unlockedOf(t, s)
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		chosen, sum := imagesOf(all[:1+r.IntN(min(len(all), 9))])
		amount := 1 + r.Uint64N(sum+sum/5)
		relay := n%6 == 0
		to := []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: amount}}
		var got walletrpc.SplitResponse
		var err error
		switch n % 3 {
		case 0:
			got, err = rpc.Call(t.Context(), s.Registry(), walletrpc.TransferSplit, walletrpc.TransferSplitRequest{
				Destinations: to, KeyImages: chosen, DoNotRelay: !relay})
		case 1:
			var one walletrpc.TransferResponse
			one, err = rpc.Call(t.Context(), s.Registry(), walletrpc.Transfer, walletrpc.TransferRequest{
				Destinations: to, KeyImages: append(chosen, strings.ToUpper(chosen[0])), DoNotRelay: true})
			got.AmountList, got.FeeList = []uint64{one.Amount}, []uint64{one.Fee}
			got.SpentKeyImagesList = []walletrpc.KeyImageList{one.SpentKeyImages}
		case 2:
			amount = 0
			got, err = rpc.Call(t.Context(), s.Registry(), walletrpc.SweepAll, walletrpc.SweepAllRequest{
				Address: to[0].Address, Outputs: 1, KeyImages: chosen, DoNotRelay: true})
		}
		if err != nil {
			var refusal *rpc.Error
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, walletrpc.CodeNotEnoughMoney, refusal.Code, refusal.Message)
			require.Contains(t, refusal.Message, "key_images: the chosen outputs hold "+xmr.FormatAmount(sum)+" XMR")
			require.Greater(t, amount+mostFee, sum)
			tooSmall++
			continue
		}
		paid++
		spent := 0
		for i := range got.FeeList {
			require.LessOrEqual(t, got.FeeList[i], uint64(mostFee))
			spent += len(got.SpentKeyImagesList[i].KeyImages)
			require.Subset(t, chosen, got.SpentKeyImagesList[i].KeyImages)
			if relay {
				lost += got.AmountList[i] + got.FeeList[i]
			}
		}
		if amount == 0 {
			require.Equal(t, len(chosen), spent, "a sweep spends them all")
			fees, _ := xmr.Sum(got.FeeList...)
			swept, _ := xmr.Sum(got.AmountList...)
			require.Equal(t, sum, swept+fees)
		} else {
			require.Equal(t, amount, got.AmountList[0])
			require.LessOrEqual(t, amount+got.FeeList[0], sum)
		}
	}
	require.Greater(t, paid, 20)
	require.NotZero(t, tooSmall)
	require.NotZero(t, lost)
	p.mine(11, s)
	require.Equal(t, before-lost, balances(t, s).Balance)
	require.Equal(t, before-lost, balances(t, s).UnlockedBalance)
}

// TestChosenOutputsRefused: an output that cannot be spent is reported with its reason, and nothing is sent.
func TestChosenOutputsRefused(t *testing.T) {
	p := newTestChain(t)
	s, at := manyOutputs(t, p)
	other := do(t, s, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{}).Address
	do(t, s, walletrpc.Transfer, split1(other, xmr.Coin))
	p.mine(10, s)
	pay := split1(node.UnspendableAddress(), xmr.Coin/100)
	all := unlockedOf(t, s)
	require.Greater(t, len(all), 10)
	expect := func(code int, text string, images ...string) {
		t.Helper()
		pay := pay
		pay.KeyImages = images
		got := refused(t, s, walletrpc.Transfer, pay)
		require.Equal(t, code, got.Code, got.Message)
		require.Contains(t, got.Message, "key_images: ")
		require.Contains(t, got.Message, text)
		divided := walletrpc.TransferSplitRequest{Destinations: pay.Destinations, KeyImages: images,
			SubaddrIndices: pay.SubaddrIndices}
		require.Equal(t, got, refused(t, s, walletrpc.TransferSplit, divided))
		sweep := walletrpc.SweepAllRequest{Address: at, Outputs: 1, KeyImages: images,
			SubaddrIndices: pay.SubaddrIndices}
		require.Equal(t, got, refused(t, s, walletrpc.SweepAll, sweep))
	}
	const generic = walletrpc.CodeGenericTransfer
	good := all[0].KeyImage
	expect(walletrpc.CodeWrongKeyImage, "entry 1 is not a key image", good, "x")
	expect(walletrpc.CodeWrongKeyImage, "entry 0 is not a key image", "")
	unknown := strings.Repeat("ab", 32)
	expect(generic, "no output has the key image "+unknown, good, unknown)
	near := good[:62] + "00" // outputs are looked up by the beginning
	expect(generic, "no output has the key image "+near, near)

	frozen := all[1].KeyImage
	do(t, s, walletrpc.Freeze, walletrpc.KeyImageRequest{KeyImage: frozen})
	expect(generic, "key image "+frozen+" is frozen", good, frozen)
	do(t, s, walletrpc.Thaw, walletrpc.KeyImageRequest{KeyImage: frozen})

	expect(generic, "belongs to account 1, not to account 0", good, outputsOf(t, s, 1)[0].KeyImage)
	elsewhere := slices.IndexFunc(all, func(o walletrpc.IncomingTransfer) bool { return o.SubaddrIndex.Minor == 1 })
	pay.SubaddrIndices = []uint32{0}
	expect(generic, "belongs to address 1 of the account, which subaddr_indices", all[elsewhere].KeyImage)
	pay.SubaddrIndices = nil

	// Spent: by a transaction in the pool, then in a block. Its change is locked.
	spending := pay
	spending.KeyImages = []string{good}
	require.Equal(t, spending.KeyImages, do(t, s, walletrpc.Transfer, spending).SpentKeyImages.KeyImages)
	expect(generic, "is spent by a transaction that is not in a block yet", good)
	p.mine(1, s)
	expect(generic, "key image "+good+" is spent", good)
	locked := slices.DeleteFunc(outputsOf(t, s, 0), func(o walletrpc.IncomingTransfer) bool { return o.Unlocked })
	require.Len(t, locked, 1)
	expect(walletrpc.CodeNotEnoughUnlockedMoney, "is locked for 9 more blocks", all[2].KeyImage, locked[0].KeyImage)

	// Not enough, although the account has more.
	pay.Destinations[0].Amount = all[2].Amount
	pay.KeyImages = []string{all[2].KeyImage}
	got := refused(t, s, walletrpc.Transfer, pay)
	require.Equal(t, walletrpc.CodeNotEnoughMoney, got.Code)
	held := xmr.FormatAmount(all[2].Amount)
	require.Equal(t, "key_images: the chosen outputs hold "+held+" XMR, which is not enough for the payment of "+held+
		" XMR and its fee", got.Message)
	pay.SubtractFeeFromOutputs = []uint32{0}
	require.Equal(t, pay.KeyImages, do(t, s, walletrpc.Transfer, pay).SpentKeyImages.KeyImages)
}

func split1(to string, amount uint64) walletrpc.TransferRequest {
	return walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Address: to, Amount: amount}}}
}

// refusing is a transport to a daemon that refuses the next transactions.
type refusing struct {
	rpc.Transport
	refusals int
}

func (r *refusing) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if r.refusals > 0 && strings.Contains(path, "send_raw_transaction") {
		r.refusals--
		return []byte(`{"status":"Failed","reason":"fee too low","fee_too_low":true}`), nil
	}
	return r.Transport.Post(ctx, path, body)
}

// TestChosenOutputsPayOnce: with an idempotency key, a repeated request returns the first transaction although its
// outputs are spent, replaces a failed one from the same outputs, and is refused for other outputs.
func TestChosenOutputsPayOnce(t *testing.T) {
	p := newTestChain(t)
	daemon := &refusing{Transport: p.transport}
	p.transport = daemon
	s, _ := manyOutputs(t, p)
	all := unlockedOf(t, s)
	slices.SortFunc(all, func(a, b walletrpc.IncomingTransfer) int { return int(int64(b.Amount) - int64(a.Amount)) })
	chosen, sum := imagesOf(all[:4])
	others, _ := imagesOf(all[4:])
	order := walletrpc.TransferSplitRequest{
		Destinations:   []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: sum - sum/4}},
		IdempotencyKey: "order", KeyImages: chosen,
	}
	daemon.refusals = 1
	require.Contains(t, refused(t, s, walletrpc.TransferSplit, order).Message, "fee too low")
	wrong := order
	wrong.KeyImages = others
	require.Equal(t, ErrIdempotencyKeyReused.Message, refused(t, s, walletrpc.TransferSplit, wrong).Message)

	daemon.refusals = 1 // of the first transaction; the second request makes another one
	first := do(t, s, walletrpc.TransferSplit, order)
	require.Zero(t, daemon.refusals)
	require.Subset(t, chosen, first.SpentKeyImagesList[0].KeyImages)
	require.Equal(t, first.TxHashList, do(t, s, walletrpc.TransferSplit, order).TxHashList)
	p.mine(1, s)
	require.Equal(t, first.TxHashList, do(t, s, walletrpc.TransferSplit, order).TxHashList)
	require.Equal(t, ErrIdempotencyKeyReused.Message, refused(t, s, walletrpc.TransferSplit, wrong).Message)
	order.KeyImages = nil
	require.Equal(t, first.TxHashList, do(t, s, walletrpc.TransferSplit, order).TxHashList)

	sweep := walletrpc.SweepAllRequest{Address: node.UnspendableAddress(), Outputs: 1, IdempotencyKey: "sweep",
		KeyImages: others[:3], DoNotRelay: true}
	draft := do(t, s, walletrpc.SweepAll, sweep)
	require.ElementsMatch(t, sweep.KeyImages, draft.SpentKeyImagesList[0].KeyImages)
	sweep.DoNotRelay = false
	swept := do(t, s, walletrpc.SweepAll, sweep)
	require.Len(t, swept.TxHashList, 1)
	require.ElementsMatch(t, sweep.KeyImages, swept.SpentKeyImagesList[0].KeyImages)
	sweep.KeyImages = others[1:4]
	require.Equal(t, ErrIdempotencyKeyReused.Message, refused(t, s, walletrpc.SweepAll, sweep).Message)
}

// TestChosenOutputsViewOnly: a view-only wallet chooses among the outputs whose key images it has imported.
func TestChosenOutputsViewOnly(t *testing.T) {
	p := newTestChain(t)
	hot, at := manyOutputs(t, p)
	s := p.serve(newFolder(), nil)
	do(t, s, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "v", Address: at, ViewKey: key(t, hot, "view_key")})
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	chosen := unlockedOf(t, hot)[5:7]
	images, sum := imagesOf(chosen)
	pay := split1(node.UnspendableAddress(), sum/2)
	pay.KeyImages = images
	got := refused(t, s, walletrpc.Transfer, pay)
	require.Contains(t, got.Message, "lacks some key images: import them")

	list := do(t, hot, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true})
	do(t, s, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest{SignedKeyImages: list.SignedKeyImages})
	set := do(t, s, walletrpc.Transfer, pay).UnsignedTxSet
	spends := do(t, hot, walletrpc.DescribeTransfer, walletrpc.DescribeTransferRequest{UnsignedTxSet: set})
	requireSources(t, spends, chosen)
}

// requireSources checks that a set of transactions spends only outputs of a list.
func requireSources(t *testing.T, set walletrpc.DescribeTransferResponse, chosen []walletrpc.IncomingTransfer) {
	t.Helper()
	require.NotEmpty(t, set.Desc)
	for _, one := range set.Desc {
		require.NotEmpty(t, one.Sources)
		for _, from := range one.Sources {
			require.True(t, slices.ContainsFunc(chosen,
				func(o walletrpc.IncomingTransfer) bool { return o.PubKey == from.PubKey }))
		}
	}
}

// TestChosenOutputsMultisig: signers of a group choose outputs after they have exchanged their infos.
func TestChosenOutputsMultisig(t *testing.T) {
	g := newCosigners(t, 2, 2, 3)
	pay := split1(node.UnspendableAddress(), xmr.Coin)
	pay.KeyImages = []string{strings.Repeat("ab", 32)}
	require.Contains(t, refused(t, g.s[0], walletrpc.Transfer, pay).Message, "the infos of the other signers")
	g.share()
	chosen := unlockedOf(t, g.s[0])[1:2]
	pay.KeyImages, _ = imagesOf(chosen)
	set := do(t, g.s[0], walletrpc.Transfer, pay).MultisigTxSet
	requireSources(t, do(t, g.s[1], walletrpc.DescribeTransfer,
		walletrpc.DescribeTransferRequest{MultisigTxSet: set}), chosen)
	signed, err := g.sign(1, set)
	require.NoError(t, err)
	g.finish(1, signed.TxDataHex)
	for _, s := range g.s {
		require.False(t, slices.ContainsFunc(outputsOf(t, s, 0),
			func(o walletrpc.IncomingTransfer) bool { return o.PubKey == chosen[0].PubKey }), "it is spent")
	}
}
