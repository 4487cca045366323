//go:build !js && !wasip1

package proof

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
	"glim/core/internal/codec/base58"
	"glim/core/internal/crypto/dleq"
	"glim/core/internal/crypto/schnorr"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

var record = flag.Bool("record", false, "write what the real programs prove to testdata")

// live is a chain with two wallets, of person 1 and of person 2.
type live struct {
	*testing.T
	world
	ctx    context.Context
	daemon *peers.Daemon
	wallet [3]*peers.WalletRPC
	keys   [3]*keys.Keys
}

func newLive(t *testing.T) *live {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	t.Cleanup(cancel)
	l := &live{T: t, ctx: ctx, daemon: peers.NewDaemon(t, peers.Options{}), world: world{Txs: map[string]*fact{}}}
	for n := 1; n <= 2; n++ {
		l.wallet[n], l.keys[n] = peers.NewWalletRPC(t, l.daemon, peers.Options{}), person(t, byte(n))
		spend, _ := l.keys[n].SpendSecret()
		view := l.keys[n].ViewSecret()
		l.ask(n, "generate_from_keys", map[string]any{"filename": "w", "password": "", "restore_height": 0,
			"address":  l.address(n, keys.Index{}),
			"spendkey": hex.EncodeToString(spend[:]),
			"viewkey":  hex.EncodeToString(view[:]),
		}, nil)
		l.ask(n, "create_account", nil, nil)
		l.ask(n, "create_address", map[string]any{"account_index": 0, "count": 2}, nil)
		l.ask(n, "create_address", map[string]any{"account_index": 1, "count": 1}, nil)
	}
	return l
}

func (l *live) ask(n int, method string, in, out any) {
	l.Helper()
	require.NoError(l, l.wallet[n].JSON(l.ctx, method, in, out))
}

func (l *live) address(n int, i keys.Index) string { return addressOf(l.keys[n], i).String() }

func (l *live) mine(blocks int) {
	l.Helper()
	require.NoError(l, l.daemon.Mine(l.ctx, blocks, l.address(1, keys.Index{Major: 0, Minor: 0})))
	for n := 1; n <= 2; n++ {
		l.ask(n, "refresh", nil, nil)
	}
}

// send pays amount to each address and returns the transaction's ID.
func (l *live) send(n int, amount uint64, to ...string) string {
	l.Helper()
	var destinations []any
	for _, a := range to {
		destinations = append(destinations, map[string]any{"amount": amount, "address": a})
	}
	var sent struct {
		TxHash string `json:"tx_hash"`
		TxKey  string `json:"tx_key"`
	}
	l.ask(n, "transfer", map[string]any{"destinations": destinations, "get_tx_key": true}, &sent)
	l.fetch(sent.TxHash)
	l.Txs[sent.TxHash].TxKey = sent.TxKey
	return sent.TxHash
}

// fetch adds a transaction, with its rings, to the world.
func (l *live) fetch(id string) {
	l.Helper()
	if l.Txs[id] != nil {
		return
	}
	var r struct {
		Txs []struct {
			AsHex       string `json:"as_hex"`
			PrunedAsHex string `json:"pruned_as_hex"` // all there is of a coinbase
		} `json:"txs"`
	}
	require.NoError(l, l.daemon.Path(l.ctx, "/get_transactions", map[string]any{"txs_hashes": []string{id}}, &r))
	require.Len(l, r.Txs, 1)
	f := &fact{Blob: cmp.Or(r.Txs[0].AsHex, r.Txs[0].PrunedAsHex)}
	f.parse(l, id)
	for _, in := range f.tx.Inputs {
		if in.Coinbase {
			continue
		}
		var refs []any
		for _, o := range tx.AbsoluteOffsets(in.KeyOffsets) {
			refs = append(refs, map[string]any{"amount": in.Amount, "index": o})
		}
		var outs struct {
			Outs []struct {
				Key xmr.PublicKey `json:"key"`
			} `json:"outs"`
		}
		require.NoError(l, l.daemon.Path(l.ctx, "/get_outs", map[string]any{"outputs": refs}, &outs))
		var ring []xmr.PublicKey
		for _, o := range outs.Outs {
			ring = append(ring, o.Key)
		}
		f.Rings = append(f.Rings, ring)
	}
	l.Txs[id] = f
}

func (l *live) proof(n int, method string, in any) string {
	l.Helper()
	var out struct {
		Signature string `json:"signature"`
	}
	l.ask(n, method, in, &out)
	require.NotEmpty(l, out.Signature)
	return out.Signature
}

// verdict is the result of the reference's checks.
type verdict struct {
	Good     bool   `json:"good"`
	Received uint64 `json:"received"`
	Total    uint64 `json:"total"`
	Spent    uint64 `json:"spent"`
	Version  uint   `json:"version"`
	Old      bool   `json:"old"`
	Kind     string `json:"signature_type"`
}

func (l *live) check(method string, in any) (v verdict) {
	l.Helper()
	l.ask(2, method, in, &v)
	return v
}

// refused reports whether the reference returns an error or a bad signature.
func (l *live) refused(method string, in any) bool {
	var v verdict
	return l.wallet[2].JSON(l.ctx, method, in, &v) != nil || !v.Good
}

const greeting = "Grüße, 世界 – proven"

// TestRealPrograms checks all proofs of the reference's wallets, and has the reference check ours.
func TestRealPrograms(t *testing.T) {
	l := newLive(t)
	l.mine(110)
	integrated, err := parse(t, l.address(2, zero)).WithPaymentID([8]byte{1, 2, 3})
	require.NoError(t, err)
	pay := func(n int, amount uint64, text string, to int, at ...keys.Index) (out []paid) {
		var addresses []string
		for _, i := range at {
			addresses = append(addresses, l.address(to, i))
		}
		if text != "" {
			addresses = []string{text}
		}
		txid := l.send(n, amount, addresses...)
		for i := range at {
			address := l.address(to, at[i])
			if text != "" {
				address = text
			}
			out = append(out, paid{txid, to, at[i], address})
		}
		return out
	}
	all := slices.Concat(
		pay(1, 3*coin, "", 2, zero),
		pay(1, 5*coin/2, "", 2, sub),
		pay(1, coin, "", 2, zero, sub, account, sub2),
		pay(1, 7*coin, integrated.String(), 2, zero),
		pay(1, 4*coin, "", 1, account, account),
		pay(1, 9*coin, "", 1, sub),
	)
	l.mine(10)
	all = append(all, pay(2, 12*coin, "", 1, zero)...) // takes more than one input
	l.mine(1)

	t.Run("payments", func(t *testing.T) { l.comparePayments(t, all) })
	t.Run("spends", func(t *testing.T) { l.compareSpends(t, all) })
	t.Run("messages", l.compareMessages)
	t.Run("reserves", l.compareReserves)
	if *record && !t.Failed() {
		l.save()
	}
}

const coin = uint64(xmr.Coin)

// Addresses of the payments.
var (
	zero    = keys.Index{}
	sub     = keys.Index{Major: 0, Minor: 1}
	sub2    = keys.Index{Major: 0, Minor: 2}
	account = keys.Index{Major: 1, Minor: 1}
)

// paid is a payment: its transaction, recipient, and address as index and text.
type paid struct {
	txid string
	to   int
	at   keys.Index
	text string
}

// comparePayments checks the reference's payment proofs, and has it check ours.
func (l *live) comparePayments(t *testing.T, all []paid) {
	for _, p := range all {
		f, sender := l.Txs[p.txid], 3-p.to
		foreign := sender
		if p.to == 1 && !strings.HasPrefix(p.text, "4") || p.to == 1 && p.at != zero {
			foreign, sender = 0, 1 // to oneself: the reference makes the recipient's proof only
		}
		a := parse(t, p.text)
		request := map[string]any{"txid": p.txid, "address": p.text, "message": greeting}
		makers := []int{p.to}
		if foreign != 0 {
			makers = append(makers, foreign)
		}
		want := uint64(0)
		for _, maker := range makers {
			text := l.proof(maker, "get_tx_proof", request)
			v := l.check(
				"check_tx_proof",
				map[string]any{"txid": p.txid, "address": p.text, "message": greeting, "signature": text},
			)
			require.True(t, v.Good)
			got, err := CheckPayment(id(t, p.txid), f.tx, a, greeting, text)
			require.NoError(t, err)
			require.Equal(t, Payment{v.Received, maker != p.to, dleq.V2}, got)
			want = v.Received
			l.Payments = append(l.Payments, payment{p.txid, p.text, greeting, text, v.Received})
		}
		require.NotZero(t, want)

		secret := l.compareTxKey(t, p, sender, want)
		l.compareOurProofs(t, all, p, secret, want)
	}
}

// compareTxKey compares the transaction key of p, and the amount that it proves, with want. It returns the key.
func (l *live) compareTxKey(t *testing.T, p paid, sender int, want uint64) TxKey {
	t.Helper()
	f, a := l.Txs[p.txid], parse(t, p.text)
	var key struct {
		TxKey string `json:"tx_key"`
	}
	l.ask(sender, "get_tx_key", map[string]any{"txid": p.txid}, &key)
	require.Equal(t, f.TxKey, key.TxKey)
	secret, err := ParseTxKey(key.TxKey)
	require.NoError(t, err)
	require.Equal(t, key.TxKey, secret.Text())
	for text, want := range map[string]uint64{key.TxKey: want, strings.Repeat("0", len(key.TxKey)): 0} {
		v := l.check("check_tx_key", map[string]any{"txid": p.txid, "tx_key": text, "address": p.text})
		require.Equal(t, want, v.Received)
		k, err := ParseTxKey(text)
		require.NoError(t, err)
		got, err := ReceivedByKey(f.tx, k, a)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	return secret
}

// compareOurProofs has the reference check our proofs of p, in both versions.
func (l *live) compareOurProofs(t *testing.T, all []paid, p paid, secret TxKey, want uint64) {
	t.Helper()
	f, a, k := l.Txs[p.txid], parse(t, p.text), l.keys[p.to]
	request := map[string]any{"txid": p.txid, "address": p.text, "message": greeting}
	view, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	in, err := ProveReceived(rand.Reader, id(t, p.txid), f.tx, view, p.at, greeting)
	require.NoError(t, err)
	out, err := ProveSent(rand.Reader, id(t, p.txid), f.tx, secret, a, greeting)
	require.NoError(t, err)
	texts := []string{
		in, out, oldSent(t, id(t, p.txid), f.tx, secret, a), oldReceived(t, id(t, p.txid), f.tx, k, a),
	}
	for _, text := range texts {
		request["signature"] = text
		v := l.check("check_tx_proof", request)
		require.True(t, v.Good)
		require.Equal(t, want, v.Received)
		got, err := CheckPayment(id(t, p.txid), f.tx, a, greeting, text)
		require.NoError(t, err)
		require.Equal(t, want, got.Amount)
		l.refuseChanged(t, all, p, request, text)
	}
}

// refuseChanged checks that both programs refuse a proof for another message, transaction or address, or of another
// version.
func (l *live) refuseChanged(t *testing.T, all []paid, p paid, request map[string]any, text string) {
	t.Helper()
	for what, change := range map[string]string{
		"message": "Hi", "txid": all[0].txid, "address": l.address(3-p.to, sub),
		"signature": strings.NewReplacer("V1", "V2", "V2", "V1").Replace(text),
	} {
		if request[what] == change {
			change = all[len(all)-1].txid
		}
		wrong := maps.Clone(request)
		wrong[what] = change
		require.True(t, l.refused("check_tx_proof", wrong), what)
		f := l.Txs[wrong["txid"].(string)]
		_, err := CheckPayment(
			id(t, wrong["txid"].(string)), f.tx, parse(t, wrong["address"].(string)),
			wrong["message"].(string), wrong["signature"].(string),
		)
		require.Error(t, err, what)
	}
}

// compareSpends checks the reference's spend proofs, and has it check ours.
func (l *live) compareSpends(t *testing.T, all []paid) {
	for _, p := range []struct {
		txid  string
		maker int
	}{{all[0].txid, 1}, {all[2].txid, 1}, {all[len(all)-1].txid, 2}} {
		f := l.Txs[p.txid]
		// The transactions of the spent outputs.
		l.fetchAll(p.maker)
		text := l.proof(p.maker, "get_spend_proof", map[string]any{"txid": p.txid, "message": greeting})
		require.NoError(t, CheckSpend(id(t, p.txid), f.tx, f.Rings, greeting, text))
		l.Spends = append(l.Spends, spend{p.txid, greeting, text})
		ours, err := ProveSpend(
			rand.Reader, id(t, p.txid), f.tx, l.keys[p.maker], f.Rings, l.spent(t, l.keys[p.maker], f.tx), greeting,
		)
		require.NoError(t, err)
		request := map[string]any{"txid": p.txid, "message": greeting, "signature": ours}
		require.True(t, l.check("check_spend_proof", request).Good)
		request["message"] = "Hi"
		require.True(t, l.refused("check_spend_proof", request))
	}
	require.Greater(t, len(l.Txs[all[len(all)-1].txid].tx.Inputs), 1)
}

// compareMessages checks the reference's signed messages, and has it check ours.
func (l *live) compareMessages(t *testing.T) {
	for _, i := range []keys.Index{zero, sub, account} {
		for _, kind := range []KeyKind{SpendKey, ViewKey} {
			a := l.address(1, i)
			text := l.proof(
				1, "sign",
				map[string]any{
					"data":           greeting,
					"account_index":  i.Major,
					"address_index":  i.Minor,
					"signature_type": kind.String(),
				},
			)
			got, err := VerifyMessage(greeting, parse(t, a), text)
			require.NoError(t, err)
			require.Equal(t, Signed{2, false, kind}, got)
			l.Messages = append(l.Messages, message{greeting, a, i, kind.String(), text})

			ours, err := SignMessage(rand.Reader, l.keys[1], i, kind, greeting)
			require.NoError(t, err)
			v := l.check("verify", map[string]any{"data": greeting, "address": a, "signature": ours})
			require.Equal(t, verdict{Good: true, Version: 2, Kind: kind.String()}, v)
			v = l.check(
				"verify",
				map[string]any{
					"data":      greeting,
					"address":   a,
					"signature": oldMessage(t, l.keys[1], i, kind, greeting),
				},
			)
			require.Equal(t, verdict{Good: true, Version: 1, Old: true, Kind: kind.String()}, v)
			require.True(t, l.refused("verify", map[string]any{"data": "Hi", "address": a, "signature": ours}))
		}
	}
}

// fetchAll adds every transaction that paid person n.
func (l *live) fetchAll(n int) {
	l.Helper()
	for account := range 2 {
		var r struct {
			Transfers []struct {
				TxHash string `json:"tx_hash"`
			} `json:"transfers"`
		}
		l.ask(n, "incoming_transfers", map[string]any{"transfer_type": "all", "account_index": account}, &r)
		for _, x := range r.Transfers {
			l.fetch(x.TxHash)
		}
	}
}

// unspent returns the unspent outputs of person n.
func (l *live) unspent(n int) (out []Holding) {
	used := map[xmr.KeyImage]bool{}
	for _, f := range l.Txs {
		for i := range f.tx.Inputs {
			used[f.tx.Inputs[i].KeyImage] = true
		}
	}
	for image, h := range l.owned(l, l.keys[n]) {
		if !used[image] {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Holding) int { return cmp.Compare(a.Image.String(), b.Image.String()) })
	return out
}

// save writes the world without transactions that no proof needs.
func (l *live) save() {
	small := world{Txs: map[string]*fact{}, Payments: l.Payments, Spends: l.Spends, Messages: l.Messages}
	for _, r := range l.Reserves {
		if len(r.Signature) < 20_000 {
			small.Reserves = append(small.Reserves, r)
		}
	}
	keep := func(id string) { small.Txs[id] = l.Txs[id] }
	for _, p := range small.Payments {
		keep(p.TxID)
	}
	for _, s := range small.Spends {
		keep(s.TxID)
		for n := 1; n <= 2; n++ {
			all := l.owned(l, l.keys[n])
			for _, in := range l.Txs[s.TxID].tx.Inputs {
				if h, ok := all[in.KeyImage]; ok {
					keep(h.TxID.String())
				}
			}
		}
	}
	for _, r := range small.Reserves {
		p, err := ParseReserve(r.Signature)
		require.NoError(l, err)
		for _, id := range p.TxIDs() {
			keep(id.String())
		}
	}
	b, err := json.MarshalIndent(small, "", " ")
	require.NoError(l, err)
	require.NoError(l, os.WriteFile("testdata/reference.json", append(b, '\n'), 0o644))
}

// oldSent makes a version 1 proof, which the reference only reads.
func oldSent(t testing.TB, id xmr.Hash, x *tx.Transaction, k TxKey, a address.Address) string {
	secrets, err := k.scalars()
	require.NoError(t, err)
	text := sentV1
	for _, s := range secrets {
		st := dleq.Statement{Base: base(a), Other: a.View, Public: new(edwards.Point).ScalarBaseMult(s).Encode()}
		if st.Base != nil {
			st.Public, err = times(s, a.Spend)
			require.NoError(t, err)
		}
		text += oldLink(t, id, st, s)
	}
	return text
}

func oldReceived(t testing.TB, id xmr.Hash, x *tx.Transaction, k *keys.Keys, a address.Address) string {
	public, err := publicKeys(id, x)
	require.NoError(t, err)
	text := receivedV1
	for _, r := range public {
		text += oldLink(t, id, dleq.Statement{Base: base(a), Other: r, Public: a.View}, k.ViewScalar())
	}
	return text
}

func oldLink(t testing.TB, id xmr.Hash, st dleq.Statement, s *edwards.Scalar) string {
	var err error
	st.Shared, err = times(s, st.Other)
	require.NoError(t, err)
	p, err := dleq.Prove(rand.Reader, dleq.V1, bound(id, greeting), st, s)
	require.NoError(t, err)
	return base58.Encode(st.Shared[:]) + encodeSignature(p.C, p.R)
}

// oldMessage makes a version 1 signature.
func oldMessage(t testing.TB, k *keys.Keys, i keys.Index, kind KeyKind, data string) string {
	secret, view, ok := k.AddressSecrets(i)
	require.True(t, ok)
	public, viewPublic := k.Address(i)
	if kind == ViewKey {
		public, secret = viewPublic, view
	}
	sig, err := schnorr.Sign(rand.Reader, keccak.Sum256([]byte(data)), public, secret)
	require.NoError(t, err)
	return messageV1 + encodeSignature(sig.C, sig.R)
}
