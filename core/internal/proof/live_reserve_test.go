//go:build !js && !wasip1

package proof

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/dleq"
	"glim/core/tx"
)

// everything as the account of a reserveRequest requests a proof of the whole wallet.
const everything = ^uint32(0)

type reserveRequest struct {
	person  int
	account uint32
	amount  uint64
}

// compareReserves checks the reference's reserve proofs, and has it check ours.
func (l *live) compareReserves(t *testing.T) {
	l.fetchAll(1)
	l.fetchAll(2)
	requests := []reserveRequest{
		{1, everything, 0},
		{2, everything, 0},
		{1, 1, 1},
		{1, 1, 4 * coin},
		{1, 1, 5 * coin},
		{2, 0, 3 * coin},
		{2, 0, coin / 3},
		{1, 0, 100 * coin},
	}
	for _, q := range requests {
		a := l.address(q.person, zero)
		params := map[string]any{
			"all": q.account == everything, "account_index": q.account, "amount": q.amount, "message": greeting,
		}
		if q.account == everything {
			params = map[string]any{"all": true, "message": greeting}
		}
		text := l.proof(q.person, "get_reserve_proof", params)
		v := l.check("check_reserve_proof", map[string]any{"address": a, "message": greeting, "signature": text})
		require.True(t, v.Good)
		require.Zero(t, v.Spent)
		p, err := ParseReserve(text)
		require.NoError(t, err)
		require.Equal(t, text, p.Text())
		txs, spent := l.sources(t, p, nil)
		total, gone, err := p.Check(parse(t, a), greeting, txs, spent)
		require.NoError(t, err)
		require.Equal(t, v.Total, total)
		require.Zero(t, gone)
		l.Reserves = append(l.Reserves, reserve{a, greeting, text, nil, v.Total, 0})

		l.compareOurReserves(t, q, a, v.Total, len(p.KeyImages()))
	}
	l.compareSpentReserves(t)
}

// compareOurReserves has the reference check our proof for q by the owner of a, which shows want with that many key
// images.
func (l *live) compareOurReserves(t *testing.T, q reserveRequest, a string, want uint64, images int) {
	t.Helper()
	mine := l.unspent(q.person)
	if q.account != everything {
		var err error
		mine, err = SelectReserve(mine, q.account, q.amount)
		require.NoError(t, err)
	}
	var sum uint64
	var from []*tx.Transaction
	for _, h := range mine {
		sum += h.Amount
		from = append(from, l.Txs[h.TxID.String()].tx)
	}
	require.Equal(t, want, sum, "the same outputs, or as large ones")
	require.Len(t, mine, images)
	for _, version := range []dleq.Version{dleq.V2, dleq.V1} {
		ours, err := proveReserve(rand.Reader, version, l.keys[q.person], mine, from, greeting)
		require.NoError(t, err)
		check := map[string]any{"address": a, "message": greeting, "signature": ours}
		require.Equal(t, verdict{Good: true, Total: sum}, l.check("check_reserve_proof", check))
		check["message"] = "Hi"
		require.True(t, l.refused("check_reserve_proof", check))
		otherVersion := strings.NewReplacer("V1", "V2", "V2", "V1").Replace(ours)
		check["message"], check["signature"] = greeting, otherVersion
		require.True(t, l.refused("check_reserve_proof", check))
	}
}

// compareSpentReserves spends proven outputs and compares the results of both programs again.
func (l *live) compareSpentReserves(t *testing.T) {
	t.Helper()
	var swept struct {
		TxHashList []string `json:"tx_hash_list"`
	}
	l.mine(10)
	l.ask(2, "sweep_all", map[string]any{"address": l.address(2, zero), "account_index": 0}, &swept)
	require.NotEmpty(t, swept.TxHashList)
	l.mine(1)
	for i := range l.Reserves {
		r := &l.Reserves[i]
		v := l.check(
			"check_reserve_proof",
			map[string]any{"address": r.Address, "message": greeting, "signature": r.Signature},
		)
		p, err := ParseReserve(r.Signature)
		require.NoError(t, err)
		var status struct {
			SpentStatus []int `json:"spent_status"`
		}
		var asked []string
		for _, image := range p.KeyImages() {
			asked = append(asked, image.String())
		}
		require.NoError(
			t, l.daemon.Path(l.ctx, "/is_key_image_spent", map[string]any{"key_images": asked}, &status),
		)
		for n, s := range status.SpentStatus {
			if s != 0 {
				r.SpentKeys = append(r.SpentKeys, asked[n])
			}
		}
		txs, spent := l.sources(t, p, r.SpentKeys)
		total, gone, err := p.Check(parse(t, r.Address), greeting, txs, spent)
		require.NoError(t, err)
		require.Equal(t, v.Total, total)
		require.Equal(t, v.Spent, gone)
		r.Total, r.Spent = v.Total, v.Spent
	}
	require.NotZero(t, l.Reserves[1].Spent)
}
