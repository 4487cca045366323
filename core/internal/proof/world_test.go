package proof

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// world has a chain's transactions and the reference wallets' proofs about them; testdata/README.md names the programs.
type world struct {
	Txs      map[string]*fact `json:"txs"`
	Payments []payment        `json:"payments"`
	Spends   []spend          `json:"spends"`
	Reserves []reserve        `json:"reserves"`
	Messages []message        `json:"messages"`
}

// fact is a transaction with its data.
type fact struct {
	Blob  string            `json:"blob"`
	TxKey string            `json:"tx_key,omitempty"`
	Rings [][]xmr.PublicKey `json:"rings,omitempty"`

	tx *tx.Transaction
}

type payment struct {
	TxID      string `json:"txid"`
	Address   string `json:"address"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
	Received  uint64 `json:"received"`
}

type spend struct {
	TxID      string `json:"txid"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

type reserve struct {
	Address   string   `json:"address"`
	Message   string   `json:"message"`
	Signature string   `json:"signature"`
	SpentKeys []string `json:"spent_keys"` // key images the chain has
	Total     uint64   `json:"total"`
	Spent     uint64   `json:"spent"`
}

type message struct {
	Data      string     `json:"data"`
	Address   string     `json:"address"`
	Index     keys.Index `json:"index"`
	Kind      string     `json:"signature_type"`
	Signature string     `json:"signature"`
}

func load(t testing.TB) *world {
	b, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	var w world
	require.NoError(t, json.Unmarshal(b, &w))
	for id, f := range w.Txs {
		f.parse(t, id)
	}
	return &w
}

func (f *fact) parse(t testing.TB, id string) {
	b, err := hex.DecodeString(f.Blob)
	require.NoError(t, err)
	var got xmr.Hash
	f.tx, got, err = tx.ParseWithHash(b)
	require.NoError(t, err)
	require.Equal(t, id, got.String())
}

// person returns the keys of one of the two wallets: 1 pays, 2 receives.
func person(t testing.TB, n byte) *keys.Keys {
	k, err := keys.FromSeed([32]byte{n})
	require.NoError(t, err)
	return k
}

func addressOf(k *keys.Keys, i keys.Index) address.Address {
	a := address.Address{}
	a.Spend, a.View = k.Address(i)
	if i != (keys.Index{}) {
		a.Kind = address.Subaddress
	}
	return a
}

func parse(t testing.TB, s string) address.Address {
	a, err := address.Parse(s)
	require.NoError(t, err)
	return a
}

func id(t testing.TB, s string) xmr.Hash {
	h, err := xmr.ParseHash(s)
	require.NoError(t, err)
	return h
}

// owned returns the outputs that k received, by key image.
func (w *world) owned(t testing.TB, k *keys.Keys) map[xmr.KeyImage]Holding {
	addresses := map[xmr.PublicKey]keys.Index{}
	for major := range uint32(3) {
		for minor, s := range k.SpendKeys(major, 0, 20) {
			addresses[s] = keys.Index{Major: major, Minor: uint32(minor)}
		}
	}
	job := scan.Job{View: k.ViewSecret()}
	for h, f := range w.Txs {
		job.Txs = append(job.Txs, scan.Tx{ID: id(t, h), Tx: f.tx})
	}
	r, err := scan.Run(job)
	require.NoError(t, err)
	out := map[xmr.KeyImage]Holding{}
	for _, f := range r.Found {
		for _, c := range f.Candidates {
			i, ok := addresses[c.SpendKey]
			if !ok {
				continue
			}
			at := job.Txs[f.Tx]
			h := Holding{
				OwnOutput: keys.OwnOutput{
					Derivation: c.Derivation,
					Index:      uint64(c.Output),
					Address:    i,
					Key:        at.Tx.Outputs[c.Output].Key,
				},
				TxID: at.ID,
			}
			h.Amount, _, ok = scan.Amount(at.Tx, c.Output, c.Derivation)
			require.True(t, ok)
			h.Image, ok, err = k.KeyImage(h.Derivation, h.Index, i, h.Key)
			require.NoError(t, err)
			require.True(t, ok)
			out[h.Image] = h
		}
	}
	return out
}

// spent returns k's outputs that a transaction spends, by input.
func (w *world) spent(t testing.TB, k *keys.Keys, in *tx.Transaction) (out []keys.OwnOutput) {
	all := w.owned(t, k)
	for i := range in.Inputs {
		h, ok := all[in.Inputs[i].KeyImage]
		require.True(t, ok)
		out = append(out, h.OwnOutput)
	}
	return out
}

// sources returns the arguments of Check for a proof.
func (w *world) sources(t testing.TB, p *Reserve, spentKeys []string) (txs []FetchedTx, spent []bool) {
	for _, h := range p.TxIDs() {
		f := w.Txs[h.String()]
		require.NotNil(t, f, h)
		txs = append(txs, FetchedTx{h, f.tx, true})
	}
	for _, i := range p.KeyImages() {
		spent = append(spent, slices.Contains(spentKeys, i.String()))
	}
	return txs, spent
}

// pruned returns x without its proofs, so that changes do not change a computable ID.
func pruned(x *tx.Transaction) *tx.Transaction {
	p := *x
	p.RingCT.Prunable = nil
	return &p
}

func (w *world) otherThan(x *tx.Transaction) *tx.Transaction {
	for _, f := range w.Txs {
		if f.tx != x {
			return f.tx
		}
	}
	return nil
}

// recipient returns the owner and index of a.
func (w *world) recipient(t testing.TB, a address.Address) (*keys.Keys, keys.Index) {
	for n := byte(1); n <= 2; n++ {
		k := person(t, n)
		for major := range uint32(2) {
			if minor := slices.Index(k.SpendKeys(major, 0, 20), a.Spend); minor >= 0 {
				return k, keys.Index{Major: major, Minor: uint32(minor)}
			}
		}
	}
	require.Fail(t, "nobody's address")
	return nil, keys.Index{}
}

func one() *edwards.Scalar { return edwards.ScalarFromUint64(1) }
