package service

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// crossFork has the open wallet read blocks of the next hard fork, with payments to it, after its last one. The
// wallet's daemon does not know them.
func crossFork(t *testing.T, s *Service, k *keys.Keys) {
	t.Helper()
	o, err := s.current()
	require.NoError(t, err)
	var height uint64
	o.View(func(w *wallet.Wallet) { height = w.Height() })
	c := chaintest.New("service", xmr.Regtest)
	c.Grow(int(height) - 1)
	c.CarrotFrom = height
	c.Mine(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 600}}})
	id := [8]byte{1, 2, 3}
	c.Add(
		chaintest.Spec{Pay: []chaintest.Payment{{To: k, At: keys.Index{Minor: 1}, Amount: 11}, {Amount: 1}}},
		chaintest.Spec{PaymentID: &id, Pay: []chaintest.Payment{{To: k, Amount: 12}, {Amount: 1}}},
	)
	scanned, err := syncer.Scan(t.Context(), o.Keys().ViewSecret(), c.Blocks[height:], syncer.Workers{})
	require.NoError(t, err)
	require.NoError(t, o.ChangeRetrying(t.Context(),
		func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideBlocks(scanned, c.Height()-1)
		}))
}

// ownKeys returns the keys of the open wallet.
func ownKeys(t *testing.T, s *Service) *keys.Keys {
	t.Helper()
	o, err := s.current()
	require.NoError(t, err)
	return o.Keys()
}

// TestAfterTheFork: a wallet shows payments of the next hard fork like others, refuses everything that it cannot do
// with them with a clear error, and loses nothing by that, also when it is closed and opened.
func TestAfterTheFork(t *testing.T) {
	p := newTestChain(t)
	s, at := p.funded()
	before := balances(t, s).Balance
	crossFork(t, s, ownKeys(t, s))
	require.Equal(t, before+623, balances(t, s).Balance)
	transfers := do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true})
	byAmount := map[uint64]walletrpc.TransferEntry{}
	for _, x := range transfers.In {
		byAmount[x.Amount] = x
	}
	require.Equal(t, "block", byAmount[600].Type)
	require.Equal(t, uint32(1), byAmount[11].SubaddrIndex.Minor)
	require.Equal(t, "0102030000000000", byAmount[12].PaymentID)

	text := wallet.ErrForked.Error()
	to := []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: 5}}
	require.Contains(t, refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to}).Message, text)
	require.Contains(t,
		refused(t, s, walletrpc.TransferSplit, walletrpc.TransferSplitRequest{
			Destinations: to, IdempotencyKey: "k",
		}).Message, text)
	require.Contains(t,
		refused(t, s, walletrpc.SweepAll, walletrpc.SweepAllRequest{Address: at, Outputs: 1}).Message, text)
	require.Contains(t,
		refused(t, s, walletrpc.SweepSingle, walletrpc.SweepSingleRequest{
			Address: at, Outputs: 1, KeyImage: byImage(t, s, 11),
		}).Message, text)
	unmined := do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pending: true, Failed: true})
	require.Empty(t, append(unmined.Failed, unmined.Pending...))

	requireNextForms(t, s)
	require.Equal(t, before+623, balances(t, s).Balance)
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	o, err := s.current()
	require.NoError(t, err)
	o.View(func(w *wallet.Wallet) { require.ErrorIs(t, w.CheckFork(), wallet.ErrForked) })
	require.Equal(t, before+623, balances(t, s).Balance)

	// The daemon has other blocks: after a reorganisation to before the fork, the wallet pays again.
	p.mine(3, s)
	require.Less(t, balances(t, s).Balance, before+623)
	do(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to})
}

// byImage returns the key image of the output of that amount.
func byImage(t *testing.T, s *Service, amount uint64) string {
	t.Helper()
	for _, o := range outputsOf(t, s, 0) {
		if o.Amount == amount {
			return o.KeyImage
		}
	}
	require.Fail(t, "no such output")
	return ""
}

// requireNextForms requires that outputs of the fork and their key images are exchanged in a form of their own, and
// those from before it in that of today.
func requireNextForms(t *testing.T, s *Service) {
	t.Helper()
	images := do(t, s, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true}).SignedKeyImages
	require.Len(t, images[0].Signature, 2*64)
	require.Len(t, images[len(images)-1].Signature, 2*97)
	for count, magic := range map[uint32]string{1: "Monero output export\x04", 100_000: "glim outputs\x01"} {
		require.True(t, strings.HasPrefix(do(t, s, walletrpc.ExportOutputs,
			walletrpc.ExportOutputsRequest{All: true, Count: count}).OutputsDataHex, hex.EncodeToString([]byte(magic))))
	}
}

// TestViewOnlyAfterTheFork: a view-only wallet receives the same, and imports key images of these outputs with proofs
// only.
func TestViewOnlyAfterTheFork(t *testing.T) {
	p := newTestChain(t)
	hot, at := p.funded()
	view := p.serve(newFolder(), nil)
	do(t, view, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "v", Address: at, ViewKey: key(t, hot, "view_key")})
	do(t, view, walletrpc.Refresh, walletrpc.RefreshRequest{})
	before := balances(t, view).Balance
	old := do(t, hot, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true}).SignedKeyImages
	crossFork(t, view, ownKeys(t, hot))
	require.Equal(t, before+623, balances(t, view).Balance)
	more := append(old[:len(old):len(old)], old[0])
	require.Equal(t, walletrpc.CodeWrongSignature, refused(t, view, walletrpc.ImportKeyImages,
		walletrpc.ImportKeyImagesRequest{SignedKeyImages: more}).Code)
	do(t, view, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest{SignedKeyImages: old})
	do(t, view, walletrpc.ExportOutputs, walletrpc.ExportOutputsRequest{Count: 100_000})
	require.Equal(t, before+623, balances(t, view).Balance)
}

// TestMultisigAfterTheFork: the signers of a group receive outputs of the fork, and do not exchange infos about them.
func TestMultisigAfterTheFork(t *testing.T) {
	g := newCosigners(t, 2, 2, 3)
	info := g.export(1)
	before := balances(t, g.s[0]).Balance
	crossFork(t, g.s[0], ownKeys(t, g.s[0]))
	require.Equal(t, before+623, balances(t, g.s[0]).Balance)
	text := errCarrotSigner.(*rpc.Error).Message
	require.Equal(t, text, refused(t, g.s[0], walletrpc.ExportMultisigInfo, walletrpc.Empty{}).Message)
	// Those from before it are exchanged as ever.
	do(t, g.s[0], walletrpc.ImportMultisigInfo, walletrpc.ImportMultisigInfoRequest{Info: []string{info}})
}
