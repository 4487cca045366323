//go:build !js && !wasip1

package coldset_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/coldset"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

var record = flag.Bool("record", false, "write what the real programs say to testdata")

// pair is a view-only wallet with a daemon and a cold wallet without, both the reference's, and the cipher of both.
type pair struct {
	t         *testing.T
	ctx       context.Context
	daemon    *peers.Daemon
	hot, cold *peers.WalletRPC
	keys      *keys.Keys
	box       *coldset.Cipher
	self      string
}

func newPair(t *testing.T) *pair {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	t.Cleanup(cancel)
	p := &pair{t: t, ctx: ctx, keys: testKeys(t, "glim cold set"), daemon: peers.NewDaemon(t, peers.Options{})}
	p.hot, p.cold = peers.NewWalletRPC(t, p.daemon, peers.Options{}), peers.NewWalletRPC(t, nil, peers.Options{})
	p.box = coldset.NewCipher(p.keys, 1)
	p.self = addressOf(p.keys, keys.Index{}).String()
	p.open(p.hot, "view-only", false)
	p.open(p.cold, "cold", true)
	require.NoError(t, p.daemon.Mine(ctx, 120, p.self))
	return p
}

func (p *pair) open(w *peers.WalletRPC, name string, whole bool) {
	view := p.keys.ViewSecret()
	request := map[string]any{
		"filename":       name,
		"address":        p.self,
		"viewkey":        hex.EncodeToString(view[:]),
		"password":       "",
		"restore_height": 0,
	}
	if spend, ok := p.keys.SpendSecret(); ok && whole {
		request["spendkey"] = hex.EncodeToString(spend[:])
	}
	require.NoError(p.t, w.JSON(p.ctx, "generate_from_keys", request, nil))
}

func (p *pair) call(w *peers.WalletRPC, method string, params map[string]any, out any) {
	p.t.Helper()
	require.NoError(p.t, w.JSON(p.ctx, method, params, out))
}

func (p *pair) refresh() { p.call(p.hot, "refresh", nil, nil) }

// exported returns the view-only wallet's outputs as the program exported them.
func (p *pair) exported() string {
	var answer struct {
		Hex string `json:"outputs_data_hex"`
	}
	p.call(p.hot, "export_outputs", map[string]any{"all": true}, &answer)
	return answer.Hex
}

// share exchanges outputs and key images between the two wallets.
func (p *pair) share() (outputs string, images []imageText) {
	outputs = p.exported()
	p.call(p.cold, "import_outputs", map[string]any{"outputs_data_hex": outputs}, nil)
	var answer struct {
		Offset uint32      `json:"offset"`
		Images []imageText `json:"signed_key_images"`
	}
	p.call(p.cold, "export_key_images", map[string]any{"all": true}, &answer)
	p.call(p.hot, "import_key_images", map[string]any{"offset": answer.Offset, "signed_key_images": answer.Images}, nil)
	return outputs, answer.Images
}

// transfer returns an unsigned set of the view-only wallet.
func (p *pair) transfer(to ...recipient) string {
	var answer struct {
		Unsigned string `json:"unsigned_txset"`
	}
	p.call(p.hot, "transfer", map[string]any{"destinations": to}, &answer)
	return answer.Unsigned
}

// submit passes the signed set to the view-only wallet, mines, and returns the transactions from the chain.
func (p *pair) submit(signed string) []*tx.Transaction {
	p.t.Helper()
	var answer struct {
		IDs []string `json:"tx_hash_list"`
	}
	p.call(p.hot, "submit_transfer", map[string]any{"tx_data_hex": signed}, &answer)
	return p.mined(answer.IDs...)
}

// mined mines until the transactions are in a block: a daemon delays new ones shortly, for privacy.
func (p *pair) mined(ids ...string) (txs []*tx.Transaction) {
	p.t.Helper()
	var answer struct {
		Txs []struct {
			Hex    string `json:"as_hex"`
			InPool bool   `json:"in_pool"`
		} `json:"txs"`
	}
	for waiting := true; waiting; {
		require.NoError(p.t, p.daemon.Mine(p.ctx, 1, p.self))
		require.NoError(p.t, p.daemon.Path(p.ctx, "/get_transactions", map[string]any{"txs_hashes": ids}, &answer))
		require.Len(p.t, answer.Txs, len(ids))
		waiting = false
		for _, x := range answer.Txs {
			waiting = waiting || x.InPool
		}
		p.refresh()
	}
	for _, x := range answer.Txs {
		parsed, err := tx.Parse(unhex(p.t, x.Hex))
		require.NoError(p.t, err)
		txs = append(txs, parsed)
	}
	return txs
}

func (p *pair) signer(images []xmr.KeyImage) *coldset.ColdSigner {
	return &coldset.ColdSigner{Network: xmr.Regtest, Keys: p.keys, Images: images, Ceiling: fee.CeilingFor(xmr.Regtest)}
}

func (p *pair) signed(s *coldset.SignedSet) string {
	message, err := p.box.EncodeSigned(rand.Reader, s)
	require.NoError(p.t, err)
	return hex.EncodeToString(message)
}

// inputs returns the wallet's outputs as our wallet would know them, with their positions in the list.
func (p *pair) inputs() ([]txbuild.Input, coldset.PositionLookup, *coldset.OutputSet) {
	set, err := p.box.DecodeOutputs(unhex(p.t, p.exported()))
	require.NoError(p.t, err)
	at := map[xmr.PublicKey]uint64{}
	var list []txbuild.Input
	for i, o := range set.Outputs {
		at[o.Key] = set.Offset + uint64(i)
		owned, err := o.Owned(p.keys, nil)
		require.NoError(p.t, err)
		list = append(list, txbuild.Input{
			// coinbase amounts are visible
			Index: o.Index, GlobalIndex: o.GlobalIndex, Amount: o.Amount, Mask: [32]byte{1}, Key: o.Key,
			Derivation: owned.Derivation, Address: owned.Address, RingCT: true,
		})
	}
	return list, func(k xmr.PublicKey) (uint64, bool) { n, ok := at[k]; return n, ok }, set
}

// unspent returns positions of n early unspent outputs.
func (p *pair) unspent(set *coldset.OutputSet, n int) (at []int) {
	p.t.Helper()
	for i := 0; i < 45 && len(at) < n; i++ {
		if !set.Outputs[i].Spent {
			at = append(at, i)
		}
	}
	require.Len(p.t, at, n)
	return at
}

// ring requests an output and its neighbours from the daemon.
func (p *pair) ring(in *txbuild.Input) decoy.Ring {
	first := in.GlobalIndex - min(in.GlobalIndex, 7)
	var request []map[string]uint64
	for i := range uint64(xmr.RingSize) {
		request = append(request, map[string]uint64{"amount": 0, "index": first + i})
	}
	var answer struct {
		Outs []struct {
			Key  xmr.PublicKey `json:"key"`
			Mask xmr.Hash      `json:"mask"`
		} `json:"outs"`
	}
	require.NoError(p.t, p.daemon.Path(p.ctx, "/get_outs", map[string]any{"outputs": request}, &answer))
	ring := decoy.Ring{Real: int(in.GlobalIndex - first)}
	for i, o := range answer.Outs {
		ring.Members = append(ring.Members, decoy.Member{Index: first + uint64(i), Key: o.Key, Commitment: o.Mask})
	}
	return ring
}

func (p *pair) rate() txbuild.Rate {
	var answer struct {
		Fees []uint64 `json:"fees"`
		Mask uint64   `json:"quantization_mask"`
	}
	require.NoError(p.t, p.daemon.JSON(p.ctx, "get_fee_estimate", nil, &answer))
	e, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), answer.Fees, answer.Mask)
	require.NoError(p.t, err)
	return txbuild.Rate{Fees: e, Priority: fee.Slow}
}

// TestRealWallets lets the reference's wallets play both roles, then ours either one. Every transaction is mined.
func TestRealWallets(t *testing.T) {
	p := newPair(t)
	p.refresh()
	var f fixtures
	f.Outputs, f.Images = p.share()

	payee := testKeys(t, "payee")
	integrated, err := addressOf(payee, keys.Index{}).WithPaymentID([8]byte{1, 2, 3, 4, 5, 6, 7, 8})
	require.NoError(t, err)
	sub := addressOf(payee, keys.Index{Major: 1, Minor: 2}).String()

	t.Run("reference to reference", func(t *testing.T) {
		f.Unsigned = p.transfer(recipient{integrated.String(), 3e12}, recipient{p.self, 1e12})
		p.call(p.cold, "describe_transfer", map[string]any{"unsigned_txset": f.Unsigned}, &f.Described)
		var answer struct {
			Signed string `json:"signed_txset"`
		}
		p.call(p.cold, "sign_transfer", map[string]any{"unsigned_txset": f.Unsigned}, &answer)
		f.Signed = answer.Signed
		p.submit(f.Signed)
		checkFixtures(t, &f, p.keys)
	})

	t.Run("glim signs", func(t *testing.T) { p.glimSigns(t, payee, integrated) })
	t.Run("reference signs", func(t *testing.T) { p.referenceSigns(t, payee, integrated) })
	t.Run("metadata", func(t *testing.T) {
		f.Metadata = p.compareMetadata(t, sub)
		p.relayOurs(t, payee)
	})

	if *record && !t.Failed() {
		b, err := json.MarshalIndent(&f, "", "\t")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("testdata/reference.json", append(b, '\n'), 0o644))
	}
}

// glimSigns signs transactions of the reference's view-only wallet and has it submit them.
func (p *pair) glimSigns(t *testing.T, payee *keys.Keys, integrated address.Address) {
	sub := addressOf(payee, keys.Index{Major: 1, Minor: 2}).String()
	for name, to := range map[string][]recipient{
		"standard":   {{addressOf(payee, keys.Index{}).String(), 1e12}},
		"subaddress": {{sub, 1e12}},
		"several":    {{sub, 1e12}, {addressOf(payee, keys.Index{}).String(), 2e12}, {p.self, 1e12}},
		"integrated": {{integrated.String(), 1e12}},
		"oneself":    {{p.self, 1e12}},
	} {
		t.Log(name)
		p.share()
		u, err := p.box.DecodeUnsigned(unhex(t, p.transfer(to...)))
		require.NoError(t, err)
		outputs, _, _ := p.inputs()
		images := make([]xmr.KeyImage, len(outputs))
		for i := range outputs {
			images[i], _, err = p.keys.KeyImage(
				outputs[i].Derivation, outputs[i].Index, outputs[i].Address, outputs[i].Key,
			)
			require.NoError(t, err)
		}
		signed, results, err := p.signer(images).Sign(rand.Reader, u)
		require.NoError(t, err)
		require.Len(t, results, 1)
		require.NoError(t, coldset.CheckSigned(p.keys, &u.Transactions[0], &signed.Transactions[0]))
		mined := p.submit(p.signed(signed))
		require.Equal(t, results[0].Blob, mined[0].Append(nil))
		var known struct {
			Transfers []struct {
				Spent bool `json:"spent"`
			}
		}
		p.call(p.hot, "incoming_transfers", map[string]any{"transfer_type": "unavailable"}, &known)
		require.NotEmpty(t, known.Transfers)
	}
}

// referenceSigns has the reference sign transactions of our view-only wallet, and submits them.
func (p *pair) referenceSigns(t *testing.T, payee *keys.Keys, integrated address.Address) {
	outputs, at, set := p.inputs()
	free := p.unspent(set, 5)
	for name, c := range map[string]struct {
		inputs []int
		to     []txbuild.Destination
		sweep  bool
	}{
		"two inputs": {
			free[:2], []txbuild.Destination{{Address: addressOf(payee, keys.Index{}), Amount: 1e12}}, false,
		},
		"several": {free[2:3], []txbuild.Destination{
			{Address: addressOf(payee, keys.Index{Minor: 3}), Amount: 1e12},
			{Address: addressOf(payee, keys.Index{}), Amount: 2e12}}, false},
		"integrated": {
			free[3:4], []txbuild.Destination{{Address: integrated, Amount: 1e12, Text: integrated.String()}}, false,
		},
		"everything": {free[4:5], []txbuild.Destination{{Address: addressOf(payee, keys.Index{})}}, true},
	} {
		t.Log(name)
		plan := txbuild.Plan{Destinations: c.to, Change: addressOf(p.keys, keys.Index{}), Fee: 1e10, Sweep: c.sweep}
		var rings []decoy.Ring
		for _, i := range c.inputs {
			plan.Inputs, rings = append(plan.Inputs, outputs[i]), append(rings, p.ring(&outputs[i]))
		}
		view, err := keys.ViewOnly(p.keys.ViewSecret(), p.keys.SpendPublic)
		require.NoError(t, err)
		plan, err = txbuild.Settle(rand.Reader, view, plan, rings, p.rate())
		require.NoError(t, err)
		one, err := coldset.NewConstruction(rand.Reader, view, plan, rings, at)
		require.NoError(t, err)
		draft, _, err := txbuild.Draft(rand.Reader, view, plan, rings)
		require.NoError(t, err)
		one.SetDraft(draft)
		box := coldset.NewCipher(view, 1)
		known := coldset.OutputSet{Paired: true} // nothing new
		if name == "several" {
			for i := range outputs {
				o, err := coldset.NewExportedOutput(view, &outputs[i])
				require.NoError(t, err)
				known.Outputs = append(known.Outputs, o)
			}
			if !peers.Require(t).Release.AtLeast(0, 18, 1, 0) {
				known = known.Legacy()
			}
			require.Equal(t, set.Outputs[3].TxKey, known.Outputs[3].TxKey)
		}
		message, err := box.EncodeUnsigned(rand.Reader, coldset.NewUnsignedSet([]coldset.Construction{one}, known))
		require.NoError(t, err)
		var described description
		p.call(
			p.cold, "describe_transfer", map[string]any{"unsigned_txset": hex.EncodeToString(message)}, &described,
		)
		require.Equal(t, plan.Fee, described.Desc[0].Fee)
		require.Len(t, described.Desc[0].Recipients, len(c.to))
		var answer struct {
			Signed string   `json:"signed_txset"`
			IDs    []string `json:"tx_hash_list"`
		}
		p.call(p.cold, "sign_transfer", map[string]any{"unsigned_txset": hex.EncodeToString(message)}, &answer)
		signed, err := box.DecodeSigned(unhex(t, answer.Signed))
		require.NoError(t, err)
		require.NoError(t, coldset.CheckSigned(view, &one, &signed.Transactions[0]))
		mined := p.submit(answer.Signed)
		require.Equal(t, signed.Transactions[0].Blob(), mined[0].Append(nil))
		require.Equal(t, plan.Fee, mined[0].RingCT.Fee)
	}
}

// compareMetadata parses and relays the metadata of a transaction that the reference made, and returns it.
func (p *pair) compareMetadata(t *testing.T, sub string) string {
	t.Helper()
	p.call(p.hot, "close_wallet", nil, nil)
	p.open(p.hot, "whole", true)
	p.refresh()
	var answer struct {
		Metadata string `json:"tx_metadata"`
		ID       string `json:"tx_hash"`
	}
	p.call(
		p.hot, "transfer",
		map[string]any{"destinations": []recipient{{sub, 1e12}}, "do_not_relay": true, "get_tx_metadata": true},
		&answer,
	)
	pending, err := coldset.ParsePendingTx(unhex(t, answer.Metadata))
	require.NoError(t, err)
	require.Equal(t, answer.Metadata, hex.EncodeToString(pending.Append(nil)))
	id, err := pending.ID()
	require.NoError(t, err)
	require.Equal(t, answer.ID, id.String())
	var sent struct {
		Status string `json:"status"`
	}
	require.NoError(
		t,
		p.daemon.Path(
			p.ctx, "/send_raw_transaction", map[string]any{"tx_as_hex": hex.EncodeToString(pending.Blob())}, &sent,
		),
	)
	require.Equal(t, "OK", sent.Status)
	p.mined(answer.ID)
	return answer.Metadata
}

// relayOurs has the reference relay a transaction that we made.
func (p *pair) relayOurs(t *testing.T, payee *keys.Keys) {
	t.Helper()
	outputs, at, set := p.inputs()
	free := p.unspent(set, 2)
	first, second := outputs[free[0]], outputs[free[1]]
	plan := txbuild.Plan{
		Inputs:       []txbuild.Input{first, second},
		Destinations: []txbuild.Destination{{Address: addressOf(payee, keys.Index{}), Amount: 1e12}},
		Change:       addressOf(p.keys, keys.Index{}), Fee: 1e10}
	rings := []decoy.Ring{p.ring(&first), p.ring(&second)}
	result, err := txbuild.Construct(rand.Reader, p.keys, plan, rings, p.rate())
	require.NoError(t, err)
	ours, err := coldset.NewPendingTx(rand.Reader, p.keys, result, plan.Change, at)
	require.NoError(t, err)
	var relayed struct {
		ID string `json:"tx_hash"`
	}
	p.call(p.hot, "relay_tx", map[string]any{"hex": hex.EncodeToString(ours.Append(nil))}, &relayed)
	require.Equal(t, result.ID.String(), relayed.ID)
	require.Equal(t, result.Blob, p.mined(relayed.ID)[0].Append(nil))
}
