package service

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/coldset"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// imagesWorld has a view-only wallet, its signer without chain, and a wallet with the spend key that pays, on a chain
// that has passed the fork, with rewards from both sides of it.
type imagesWorld struct {
	*coldPair
	hot, other party
}

func newImagesWorld(t *testing.T, seed, tier string) *imagesWorld {
	t.Helper()
	p := &imagesWorld{coldPair: newColdPair(t, seed, tier)}
	hot := p.serve(newFolder(), nil)
	req := walletrpc.GenerateFromKeysRequest{Filename: "hot"}
	if seed == "carrot" {
		req.MasterSecret = key(t, p.cold.Service, "master_secret")
	} else {
		req.Address, req.ViewKey = p.view.at, key(t, p.cold.Service, "view_key")
		req.SpendKey = key(t, p.cold.Service, "spend_key")
	}
	do(t, hot, walletrpc.GenerateFromKeys, req)
	do(t, hot, walletrpc.Refresh, walletrpc.RefreshRequest{})
	p.hot, p.other = party{hot, t, p.view.at}, p.party("other")
	return p
}

// spend pays others with the key images of two outputs, from before and after the fork.
func (p *imagesWorld) spend() walletrpc.TransferResponse {
	p.t.Helper()
	req := walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Address: p.other.at}}}
	for _, o := range do(p.t, p.hot.Service, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
		if o.BlockHeight == 19 || o.BlockHeight == 20 {
			req.KeyImages = append(req.KeyImages, o.KeyImage)
			req.Destinations[0].Amount = o.Amount + 1e12
		}
	}
	require.Len(p.t, req.KeyImages, 2)
	paid := do(p.t, p.hot.Service, walletrpc.Transfer, req)
	p.mine(1, p.hot.Service, p.view.Service)
	return paid
}

// outputs has the signer import the outputs of the view-only wallet, and returns the message.
func (p *imagesWorld) outputs(all bool) string {
	p.t.Helper()
	set := do(p.t, p.view.Service, walletrpc.ExportOutputs,
		walletrpc.ExportOutputsRequest{All: all, Count: 1000}).OutputsDataHex
	do(p.t, p.cold.Service, walletrpc.ImportOutputs, walletrpc.ImportOutputsRequest{OutputsDataHex: set})
	return set
}

// TestKeyImagesAfterTheFork: a view-only wallet learns from its signer which outputs of the fork are spent: its
// balance, its transfers and what is available become those of the wallet that pays. It pays on, and stays right after
// it was opened again.
func TestKeyImagesAfterTheFork(t *testing.T) {
	for name, keys := range map[string][2]string{"today": {}, "view-received": {"carrot", "view-received"}} {
		t.Run(name, func(t *testing.T) {
			p := newImagesWorld(t, keys[0], keys[1])
			paid := p.spend()
			want, _ := p.hot.balance()
			got, _ := p.view.balance()
			require.Less(t, want, got)
			require.Empty(t, p.view.transfers().Out)

			// The signer has no chain. It learns the outputs, and returns their key images with proofs.
			p.outputs(true)
			images := do(t, p.cold.Service, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true})
			p.requireForms(images.SignedKeyImages, keys[0] == "carrot")
			told := do(t, p.view.Service, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest(images))
			// Change made with Carrot's keys is hidden from the tier view-received.
			hidden := uint64(0)
			if keys[0] == "carrot" {
				hidden = p.hiddenChange(paid)
			}
			require.Equal(t, want-hidden, told.Unspent)
			p.requireRight(paid, want-hidden)
			require.True(t, slices.ContainsFunc(
				do(t, p.view.Service, walletrpc.GetEvents, walletrpc.GetEventsRequest{Limit: 1000}).Events,
				func(e walletrpc.Event) bool { return e.Direction == "out" && e.TxID == paid.TxHash },
			), "the spend is an event")
			do(t, p.view.Service, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
			do(t, p.view.Service, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "view"})
			do(t, p.view.Service, walletrpc.Refresh, walletrpc.RefreshRequest{})
			p.requireRight(paid, want-hidden)

			// Later outputs and key images pass as files, and only those that are new.
			_, err := p.chain.Mine(t.Context(), 1, p.view.at)
			require.NoError(t, err)
			p.mine(60, p.view.Service, p.hot.Service)
			do(t, p.cold.Service, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
			do(t, p.cold.Service, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "cold"})
			p.outputs(false)
			file := do(t, p.cold.Service, walletrpc.ExportKeyImagesData, walletrpc.ExportKeyImagesDataRequest{})
			do(t, p.view.Service, walletrpc.ImportKeyImagesData,
				walletrpc.ImportKeyImagesDataRequest(file))
			want, _ = p.hot.balance()
			p.requireRight(paid, want-hidden)

			// The wallet with the spend key proves the same key images, and its spends are seen without another import.
			again := do(t, p.hot.Service, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true})
			require.GreaterOrEqual(t, len(again.SignedKeyImages), 6)
			single := do(t, p.hot.Service, walletrpc.SweepSingle, walletrpc.SweepSingleRequest{
				Address: p.other.at, Outputs: 1, KeyImage: p.image(21)})
			p.mine(1, p.hot.Service, p.view.Service)
			want, _ = p.hot.balance()
			got, _ = p.view.balance()
			require.Equal(t, want-hidden, got)
			require.Contains(t, []string{p.view.transfers().Out[0].TxID, p.view.transfers().Out[1].TxID}, single.TxHash)
			if keys[0] == "" {
				p.payCold()
			}
		})
	}
}

// payCold has the view-only wallet pay with what is left, and its signer sign.
func (p *imagesWorld) payCold() {
	p.t.Helper()
	p.mine(10, p.view.Service)
	unsigned := do(p.t, p.view.Service, walletrpc.SweepAll,
		walletrpc.SweepAllRequest{Address: p.other.at, Outputs: 1}).UnsignedTxSet
	signed := do(p.t, p.cold.Service, walletrpc.SignTransfer,
		walletrpc.SignTransferRequest{UnsignedTxSet: unsigned}).SignedTxSet
	do(p.t, p.view.Service, walletrpc.SubmitTransfer, walletrpc.SubmitTransferRequest{TxDataHex: signed})
	p.mine(1, p.view.Service, p.hot.Service)
	left, _ := p.hot.balance()
	require.Zero(p.t, left)
	left, _ = p.view.balance()
	require.Zero(p.t, left)
}

// image returns the key image of the reward of a block.
func (p *imagesWorld) image(height uint64) string {
	p.t.Helper()
	for _, o := range do(p.t, p.hot.Service, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
		if o.BlockHeight == height {
			return o.KeyImage
		}
	}
	require.Fail(p.t, "no such output")
	return ""
}

// hiddenChange returns the change of a payment.
func (p *imagesWorld) hiddenChange(paid walletrpc.TransferResponse) uint64 {
	p.t.Helper()
	for _, o := range do(p.t, p.hot.Service, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers {
		if o.TxHash == paid.TxHash {
			return o.Amount
		}
	}
	require.Fail(p.t, "no change")
	return 0
}

// requireForms requires signatures of today for outputs from before the fork, with today's keys, and proofs of the
// fork otherwise.
func (p *imagesWorld) requireForms(list []walletrpc.SignedKeyImage, proofs bool) {
	p.t.Helper()
	for i, image := range list {
		if length := len(image.Signature); i < 2 && !proofs {
			require.Equal(p.t, 2*64, length)
		} else {
			require.Equal(p.t, 2*97, length)
			require.Equal(p.t, "01", image.Signature[:2])
		}
	}
}

// requireRight requires that the view-only wallet has the balance, and shows a payment.
func (p *imagesWorld) requireRight(paid walletrpc.TransferResponse, want uint64) {
	p.t.Helper()
	got, _ := p.view.balance()
	require.Equal(p.t, want, got)
	out := p.view.transfers().Out
	require.Len(p.t, out, 1)
	require.Equal(p.t, paid.TxHash, out[0].TxID)
	require.Equal(p.t, paid.Fee, out[0].Fee)
	for _, o := range do(p.t, p.view.Service, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
		require.NotContains(p.t, paid.SpentKeyImages.KeyImages, o.KeyImage)
	}
}

// TestKeyImagesRefused: messages with outputs and key images of the fork that are altered, cut off, swapped, or of
// another wallet are refused, and change nothing.
func TestKeyImagesRefused(t *testing.T) {
	p := newImagesWorld(t, "", "")
	p.spend() // and so has change, which is no coinbase
	set := p.outputs(true)
	p.requireOwnOutputs(set)
	data := do(t, p.cold.Service, walletrpc.ExportKeyImagesData, walletrpc.ExportKeyImagesDataRequest{All: true})
	list := do(t, p.cold.Service, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true})
	before, _ := p.view.balance()
	outputs := func(s *Service, set string) string {
		t.Helper()
		return refused(t, s, walletrpc.ImportOutputs, walletrpc.ImportOutputsRequest{OutputsDataHex: set}).Message
	}
	file := func(s *Service, set string) string {
		t.Helper()
		return refused(t, s, walletrpc.ImportKeyImagesData,
			walletrpc.ImportKeyImagesDataRequest{KeyImagesDataHex: set}).Message
	}
	require.Contains(t, outputs(p.hot.Service, set), "Hot wallets cannot import outputs")
	require.Contains(t, outputs(p.other.Service, set), "Failed to decrypt outputs")
	require.Contains(t, file(p.other.Service, data.KeyImagesDataHex), "Failed to decrypt key images")
	require.Contains(t, outputs(p.cold.Service, data.KeyImagesDataHex), "Bad magic from outputs")
	require.Contains(t, file(p.view.Service, set), "Bad magic from key images")
	for i, message := range []string{set, data.KeyImagesDataHex} {
		b, err := hex.DecodeString(message)
		require.NoError(t, err)
		for at := 0; at < len(b); at += 29 {
			b[at] ^= 1
			if i == 0 {
				outputs(p.cold.Service, hex.EncodeToString(b))
			} else {
				file(p.view.Service, hex.EncodeToString(b))
			}
			b[at] ^= 1
		}
		for _, n := range []int{16, 17, len(b) / 2, len(b) - 1} {
			if cut := hex.EncodeToString(b[:n]); i == 0 {
				outputs(p.cold.Service, cut)
			} else {
				file(p.view.Service, cut)
			}
		}
	}
	images := func(list []walletrpc.SignedKeyImage) int {
		t.Helper()
		return refused(t, p.view.Service, walletrpc.ImportKeyImages,
			walletrpc.ImportKeyImagesRequest{SignedKeyImages: list}).Code
	}
	good := list.SignedKeyImages
	require.Len(t, good, 6)
	altered := func(change func(l []walletrpc.SignedKeyImage)) []walletrpc.SignedKeyImage {
		l := append([]walletrpc.SignedKeyImage{}, good...)
		change(l)
		return l
	}
	require.Equal(t, walletrpc.CodeWrongSignature, images(altered(func(l []walletrpc.SignedKeyImage) {
		l[3], l[4] = l[4], l[3]
	})), "swapped")
	require.Equal(t, walletrpc.CodeWrongSignature, images(altered(func(l []walletrpc.SignedKeyImage) {
		l[3].KeyImage = l[4].KeyImage
	})), "another key image")
	require.Equal(t, walletrpc.CodeWrongSignature, images(altered(func(l []walletrpc.SignedKeyImage) {
		l[3].Signature = l[0].Signature
	})), "a signature of today")
	require.Equal(t, walletrpc.CodeWrongSignature, images(altered(func(l []walletrpc.SignedKeyImage) {
		l[0].Signature = l[3].Signature
	})), "a proof of the fork for an output from before it")
	require.Equal(t, walletrpc.CodeWrongSignature, images(altered(func(l []walletrpc.SignedKeyImage) {
		l[3].Signature = "02" + l[3].Signature[2:]
	})), "another version")
	require.Equal(t, walletrpc.CodeWrongSignature, images(altered(func(l []walletrpc.SignedKeyImage) {
		l[3].Signature = l[3].Signature[:192]
	})), "cut off")
	require.Equal(t, walletrpc.CodeUnknown, images(append(altered(func([]walletrpc.SignedKeyImage) {}), good[0])))
	after, _ := p.view.balance()
	require.Equal(t, before, after)
	wants := do(t, p.view.Service, walletrpc.ExportOutputs, walletrpc.ExportOutputsRequest{Count: 1000})
	do(t, p.cold.Service, walletrpc.ImportOutputs,
		walletrpc.ImportOutputsRequest(wants))
	require.Len(t, do(t, p.cold.Service, walletrpc.ExportKeyImages,
		walletrpc.ExportKeyImagesRequest{}).SignedKeyImages, 6, "no key image was accepted")
}

// requireOwnOutputs requires that the signer refuses outputs that its keys do not open as the message says, made by
// someone with the view key, and makes no key image of them.
func (p *imagesWorld) requireOwnOutputs(message string) {
	t := p.t
	t.Helper()
	o, err := p.cold.current()
	require.NoError(t, err)
	b, err := hex.DecodeString(message)
	require.NoError(t, err)
	foreign, err := hex.DecodeString(p.foreignKey())
	require.NoError(t, err)
	for name, change := range map[string]func(l *coldset.ExportedOutput){
		"key":        func(l *coldset.ExportedOutput) { l.Key = xmr.PublicKey(foreign) },
		"no point":   func(l *coldset.ExportedOutput) { l.Key = xmr.PublicKey{2} },
		"amount":     func(l *coldset.ExportedOutput) { l.Amount++ },
		"secret":     func(l *coldset.ExportedOutput) { l.Carrot.Secret[0] ^= 1 },
		"address":    func(l *coldset.ExportedOutput) { l.Address.Minor++ },
		"coinbase":   func(l *coldset.ExportedOutput) { l.Carrot.Coinbase = !l.Carrot.Coinbase },
		"mask":       func(l *coldset.ExportedOutput) { l.Carrot.Mask[0] ^= 1 },
		"large mask": func(l *coldset.ExportedOutput) { l.Carrot.Mask = [32]byte(bytes.Repeat([]byte{0xff}, 32)) },
	} {
		for _, n := range []int{2, 5} { // a reward and change
			set, err := o.messages().DecodeNextOutputs(b)
			require.NoError(t, err)
			l := &set.Outputs[n]
			require.True(t, l.Carrot != nil && l.Carrot.Coinbase == (n == 2))
			if change(l); n == 2 && strings.HasSuffix(name, "mask") {
				continue // a reward has none
			}
			altered, err := o.messages().EncodeNextOutputs(rand.Reader, set)
			require.NoError(t, err)
			require.Contains(t, refused(t, p.cold.Service, walletrpc.ImportOutputs, walletrpc.ImportOutputsRequest{
				OutputsDataHex: hex.EncodeToString(altered)}).Message, "Failed to import outputs", name)
		}
	}
	set, err := o.messages().DecodeNextOutputs(b)
	require.NoError(t, err)
	set.Outputs[3] = set.Outputs[2]
	twice, err := o.messages().EncodeNextOutputs(rand.Reader, set)
	require.NoError(t, err)
	require.Contains(t, refused(t, p.cold.Service, walletrpc.ImportOutputs, walletrpc.ImportOutputsRequest{
		OutputsDataHex: hex.EncodeToString(twice)}).Message, "contains one twice")
}

// foreignKey returns the key of an output of another wallet.
func (p *imagesWorld) foreignKey() string {
	p.t.Helper()
	do(p.t, p.other.Service, walletrpc.Refresh, walletrpc.RefreshRequest{})
	return do(p.t, p.other.Service, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers[0].PubKey
}
