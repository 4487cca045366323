package proof

import (
	"cmp"
	"crypto/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/crypto/edwards"
	"glim/core/internal/codec/base58"
	"glim/core/internal/codec/wire"
	"glim/core/internal/crypto/dleq"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

func TestReferenceReserves(t *testing.T) {
	w := load(t)
	subaddresses, gone := 0, uint64(0)
	for _, r := range w.Reserves {
		p, err := ParseReserve(r.Signature)
		require.NoError(t, err)
		require.Equal(t, r.Signature, p.Text())
		a := parse(t, r.Address)
		txs, spent := w.sources(t, p, r.SpentKeys)
		total, lost, err := p.Check(a, r.Message, txs, spent)
		require.NoError(t, err)
		require.Equal(t, r.Total, total)
		require.Equal(t, r.Spent, lost)
		subaddresses = max(subaddresses, len(p.names)-1)
		gone += lost

		refused := func(kind error, a address.Address, message string, txs []FetchedTx, spent []bool) {
			t.Helper()
			total, lost, err := p.Check(a, message, txs, spent)
			require.ErrorIs(t, err, kind)
			require.Zero(t, total+lost)
		}
		refused(ErrInvalid, a, "", txs, spent)
		refused(ErrMalformed, addressOf(person(t, 3), keys.Index{}), r.Message, txs, spent)
		refused(ErrInvalid, address.Address{Spend: a.Spend, View: a.Spend}, r.Message, txs, spent)
		refused(
			ErrAddress, address.Address{Kind: address.Subaddress, Spend: a.Spend, View: a.View}, r.Message, txs, spent,
		)
		refused(ErrTransaction, a, r.Message, txs[1:], spent)
		refused(ErrTransaction, a, r.Message, txs, spent[1:])
		for i := range txs {
			for name, c := range map[string]struct {
				want   error
				change func(*FetchedTx)
			}{
				"another transaction": {ErrTransaction, func(s *FetchedTx) {
					s.Tx = w.Txs[w.Payments[0].TxID].tx
					s.ID = id(t, w.Payments[0].TxID)
				}},
				"under its ID": {ErrTransaction, func(s *FetchedTx) { x := *s.Tx; x.UnlockTime++; s.Tx = &x }},
				"nothing":      {ErrTransaction, func(s *FetchedTx) { s.Tx = nil }},
				"in the pool":  {ErrUnconfirmed, func(s *FetchedTx) { s.Mined = false }},
			} {
				other := slices.Clone(txs)
				c.change(&other[i])
				if other[i].ID == txs[i].ID && other[i] == txs[i] {
					continue // the first payment itself
				}
				_, _, err := p.Check(a, r.Message, other, spent)
				require.ErrorIs(t, err, c.want, name)
			}
			// For a pruned transaction the caller vouches for the ID, and amounts still open their commitments.
			other := slices.Clone(txs)
			x := *other[i].Tx
			x.RingCT.Prunable = nil
			other[i].Tx = &x
			total, _, err := p.Check(a, r.Message, other, spent)
			require.NoError(t, err)
			require.Equal(t, r.Total, total)
			if x.RingCT.Type != tx.RingCTNull {
				x.RingCT.Commitments = slices.Clone(x.RingCT.Commitments)
				x.RingCT.Commitments[p.entries[i].output] = a.Spend
				refused(ErrInvalid, a, r.Message, other, spent)
			}
		}
	}
	require.NotZero(t, subaddresses)
	require.NotZero(t, gone)
}

// TestReserveTampering changes each field of each entry and address.
func TestReserveTampering(t *testing.T) {
	w := load(t)
	for _, r := range w.Reserves {
		a := parse(t, r.Address)
		txs, spent := w.sources(t, mustParse(t, r.Signature), nil)
		h := edwards.H().Encode()
		for name, change := range map[string]func(*Reserve){
			"version":    func(p *Reserve) { p.version = dleq.V1 },
			"output":     func(p *Reserve) { p.entries[0].output += 3 },
			"no output":  func(p *Reserve) { p.entries[0].output = 1 << 40 },
			"shared":     func(p *Reserve) { p.entries[0].shared = h },
			"key image":  func(p *Reserve) { p.entries[0].image = h },
			"received c": func(p *Reserve) { p.entries[0].received.C[0] ^= 1 },
			"received r": func(p *Reserve) { p.entries[0].received.R[0] ^= 1 },
			"held c":     func(p *Reserve) { p.entries[0].held.C[0] ^= 1 },
			"held r":     func(p *Reserve) { p.entries[0].held.R[0] ^= 1 },
			"name":       func(p *Reserve) { p.names[0].spend = h },
			"name c":     func(p *Reserve) { p.names[0].sig.C[0] ^= 1 },
			"name r":     func(p *Reserve) { p.names[0].sig.R[0] ^= 1 },
			"no names":   func(p *Reserve) { p.names = nil },
			"a name too many": func(p *Reserve) {
				p.names = append(p.names, signedName{spend: h, sig: p.names[0].sig})
			},
			"fewer outputs":    func(p *Reserve) { p.entries = p.entries[1:] },
			"id":               func(p *Reserve) { p.entries[0].txID[0] ^= 1 },
			"key image's sign": func(p *Reserve) { p.entries[0].image[31] ^= 0x80 },
			"small order": func(p *Reserve) { // what the equations alone might let through: see package ringsig
				minus, err := edwards.DecodePoint([32]byte{
					0: 0xec, 1: 0xff, 2: 0xff, 3: 0xff, 4: 0xff, 5: 0xff, 6: 0xff, 7: 0xff, 8: 0xff, 9: 0xff, 10: 0xff,
					11: 0xff, 12: 0xff, 13: 0xff, 14: 0xff, 15: 0xff, 16: 0xff, 17: 0xff, 18: 0xff, 19: 0xff, 20: 0xff,
					21: 0xff, 22: 0xff, 23: 0xff, 24: 0xff, 25: 0xff, 26: 0xff, 27: 0xff, 28: 0xff, 29: 0xff, 30: 0xff,
					31: 0x7f,
				})
				require.NoError(t, err)
				image, err := edwards.DecodePoint(p.entries[0].image)
				require.NoError(t, err)
				p.entries[0].image = image.Add(image, minus).Encode()
			},
		} {
			p := mustParse(t, r.Signature)
			change(p)
			q, err := ParseReserve(p.Text())
			require.NoError(t, err, name)
			total, _, err := q.Check(a, r.Message, txs[len(txs)-len(q.entries):], spent[:len(q.entries)])
			require.Error(t, err, name)
			require.Zero(t, total, name)
		}
		// Repeated claims.
		for name, change := range map[string]func(*Reserve){
			"output": func(p *Reserve) { e := p.entries[0]; e.image = h; p.entries = append(p.entries, e) },
			"image":  func(p *Reserve) { e := p.entries[0]; e.txID = xmr.Hash{}; p.entries = append(p.entries, e) },
			"name":   func(p *Reserve) { p.names = append(p.names, p.names[0]) },
		} {
			p := mustParse(t, r.Signature)
			change(p)
			_, err := ParseReserve(p.Text())
			require.ErrorIs(t, err, ErrMalformed, name)
		}
	}
}

// TestReserveOfForeignOutput: a foreign output cannot be claimed with an own address.
func TestReserveOfForeignOutput(t *testing.T) {
	w := load(t)
	k := person(t, 2)
	all := slices.Collect(func(yield func(Holding) bool) {
		for _, h := range w.owned(t, k) {
			if h.Address != (keys.Index{}) && !yield(h) {
				return
			}
		}
	})
	require.NotEmpty(t, all)
	x := w.Txs[all[0].TxID.String()].tx
	text, err := ProveReserve(rand.Reader, k, all[:1], []*tx.Transaction{x}, "")
	require.NoError(t, err)
	p := mustParse(t, text)
	require.Len(t, p.names, 2)
	p.names = p.names[:1] // the primary address's alone
	_, _, err = p.Check(addressOf(k, keys.Index{}), "", []FetchedTx{{all[0].TxID, x, true}}, []bool{false})
	require.ErrorIs(t, err, ErrInvalid)
}

func mustParse(t testing.TB, text string) *Reserve {
	p, err := ParseReserve(text)
	require.NoError(t, err)
	return p
}

func TestProveReserve(t *testing.T) {
	w := load(t)
	k := person(t, 2)
	var all []Holding
	var txs []*tx.Transaction
	var sum uint64
	for _, h := range w.owned(t, k) {
		all = append(all, h)
		sum += h.Amount
	}
	slices.SortFunc(all, func(a, b Holding) int { return cmp.Compare(a.Image.String(), b.Image.String()) })
	for _, h := range all {
		txs = append(txs, w.Txs[h.TxID.String()].tx)
	}
	for _, v := range []dleq.Version{dleq.V1, dleq.V2} {
		text, err := proveReserve(rand.Reader, v, k, all, txs, "mine")
		require.NoError(t, err)
		p := mustParse(t, text)
		require.Equal(t, v, p.version)
		from, spent := w.sources(t, p, []string{all[0].Image.String()})
		total, gone, err := p.Check(addressOf(k, keys.Index{}), "mine", from, spent)
		require.NoError(t, err)
		require.Equal(t, sum, total)
		require.Equal(t, all[0].Amount, gone)
		p.version = 3 - v
		_, _, err = p.Check(addressOf(k, keys.Index{}), "mine", from, spent)
		require.ErrorIs(t, err, ErrInvalid)
	}
	prove := func(k *keys.Keys, all []Holding, txs []*tx.Transaction) error {
		text, err := ProveReserve(rand.Reader, k, all, txs, "")
		require.Empty(t, text)
		return err
	}
	only, err := keys.ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	require.ErrorIs(t, prove(only, all, txs), ErrViewOnly)
	require.ErrorIs(t, prove(person(t, 3), all, txs), ErrSecret)
	require.ErrorIs(t, prove(k, nil, nil), ErrNotEnough)
	require.ErrorIs(t, prove(k, all, txs[1:]), ErrTransaction)
	require.ErrorIs(
		t, prove(k, append(slices.Clone(all), all[0]), append(slices.Clone(txs), txs[0])), ErrTransaction, "twice",
	)
	for name, c := range map[string]struct {
		want   error
		change func(*Holding)
	}{
		"output":     {ErrTransaction, func(h *Holding) { h.Index = 99 }},
		"key":        {ErrTransaction, func(h *Holding) { h.Key[0] ^= 1 }},
		"derivation": {ErrSecret, func(h *Holding) { h.Derivation[0] ^= 1 }},
		"image":      {ErrSecret, func(h *Holding) { h.Image[0] ^= 1 }},
	} {
		other := slices.Clone(all)
		c.change(&other[0])
		require.ErrorIs(t, prove(k, other, txs), c.want, name)
	}
	_, err = ProveReserve(strings.NewReader(""), k, all, txs, "")
	require.Error(t, err)
}

// TestReserveSignsNothingElse requests reserve proofs whose message would make the spend key sign the hash of a signed
// message, or the beginning of a transaction of version 1.
func TestReserveSignsNothingElse(t *testing.T) {
	w := load(t)
	k := person(t, 2)
	p := new(Reserve)
	var all []Holding
	var txs []*tx.Transaction
	for _, h := range w.owned(t, k) {
		all, txs = append(all, h), append(txs, w.Txs[h.TxID.String()].tx)
		p.entries = append(p.entries, reserveEntry{image: h.Image})
	}
	said := append([]byte("I owe you a hundred. "), k.SpendPublic[:]...)
	said = append(said, k.ViewPublic[:]...)
	for i := range all {
		said = append(said, all[i].Image[:]...)
	}
	message := slices.Concat(
		[]byte("MoneroMessageSignature\x00"), k.SpendPublic[:], k.ViewPublic[:], []byte{byte(SpendKey)},
		wire.AppendVarint(nil, uint64(len(said))), []byte("I owe you a hundred. "))
	require.Equal(t,
		messageHash(string(said), k.SpendPublic, k.ViewPublic, SpendKey),
		p.hash(k.SpendPublic, k.ViewPublic, string(message)),
		"the proof's signature would be the message's")
	for _, m := range []string{string(message), "\x01", "\x01\x00\x01\x02"} {
		text, err := ProveReserve(rand.Reader, k, all, txs, m)
		require.ErrorIs(t, err, ErrMessage)
		require.Empty(t, text)
	}
	for _, m := range []string{"", "MoneroMessageSignature", "1", "\x00\x01"} {
		_, err := ProveReserve(rand.Reader, k, all, txs, m)
		require.NoError(t, err)
	}
}

func TestSelectReserve(t *testing.T) {
	var all []Holding
	for i, amount := range []uint64{5, 30, 10, 20} {
		all = append(all, Holding{Amount: amount, OwnOutput: keys.OwnOutput{Address: keys.Index{Minor: uint32(i)}}})
	}
	all = append(all, Holding{Amount: 1000, OwnOutput: keys.OwnOutput{Address: keys.Index{Major: 1}}})
	for _, c := range []struct {
		amount uint64
		want   []uint64
	}{{1, []uint64{5}}, {5, []uint64{5}}, {6, []uint64{10}}, {11, []uint64{20}}, {20, []uint64{20}}, {21, []uint64{30}},
		{31, []uint64{30, 20}},
		{51, []uint64{30, 20, 10}}, {65, []uint64{30, 20, 10, 5}}} {
		got, err := SelectReserve(all, 0, c.amount)
		require.NoError(t, err)
		var amounts []uint64
		for _, h := range got {
			amounts = append(amounts, h.Amount)
		}
		require.Equal(t, c.want, amounts, c.amount)
	}
	_, err := SelectReserve(all, 0, 66)
	require.ErrorIs(t, err, ErrNotEnough)
	_, err = SelectReserve(all, 7, 1)
	require.ErrorIs(t, err, ErrNotEnough)
	_, err = SelectReserve(all, 0, 0)
	require.ErrorIs(t, err, ErrAmount)
	require.EqualValues(t, 5, all[0].Amount, "the argument stays as it is")
}

func TestParseReserve(t *testing.T) {
	for _, data := range [][]byte{
		{},
		{0},
		{0, 0, 0},
		{1},
		{0, 1},
		{0xff, 0xff, 0xff, 0xff, 0x0f},
		{0x80, 0},
		make([]byte, 300),
	} {
		_, err := ParseReserve(reserveV2 + base58.Encode(data))
		require.ErrorIs(t, err, ErrMalformed, "%x", data)
	}
	for _, text := range []string{
		"", "ReserveProof", "ReserveProofV3", reserveV2, reserveV2 + "0",
		"reserveProofV2" + base58.Encode([]byte{0, 0}),
	} {
		_, err := ParseReserve(text)
		require.ErrorIs(t, err, ErrMalformed, text)
	}
	good := load(t).Reserves[0].Signature
	data, err := base58.Decode(good[len(reserveV2):])
	require.NoError(t, err)
	// count, version of an entry, size of a pair, a signature
	for _, at := range []int{0, 1, len(data) - nameSize, len(data) - 1} {
		other := slices.Clone(data)
		other[at]++
		_, err := ParseReserve(reserveV2 + base58.Encode(other))
		if at == len(data)-1 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, ErrMalformed, at)
		}
	}
	for n := range data {
		_, err := ParseReserve(reserveV2 + base58.Encode(data[:n]))
		require.ErrorIs(t, err, ErrMalformed, n)
	}
	p := mustParse(t, reserveV2+base58.Encode([]byte{0, 0}))
	_, _, err = p.Check(addressOf(person(t, 1), keys.Index{}), "", nil, nil)
	require.ErrorIs(t, err, ErrMalformed)
}

func FuzzParseReserve(f *testing.F) {
	for _, r := range load(f).Reserves {
		f.Add(r.Signature)
	}
	f.Add(reserveV1 + base58.Encode([]byte{0, 0}))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseReserve(text)
		if err != nil {
			return
		}
		require.Equal(t, text, p.Text())
		require.Len(t, p.TxIDs(), len(p.KeyImages()))
	})
}
