package scenario

import (
	"crypto/rand"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestPublicKeys mines rewards whose extra names public keys in every odd way there is, which the network takes: many, repeated, no points,
// apart by torsion alone, additional ones of the wrong number, keys behind bytes that mean nothing. Both wallets find the same outputs
// in the same order, and what they found can be spent.
func TestPublicKeys(t *testing.T) {
	t.Parallel()
	d := newMonerod(t)
	theirs, ours := newReference(t, d), newGlim(t, d.URL, options{})
	restore(t, theirs, "alice", alice)
	restore(t, ours, "alice", alice)
	k, err := keys.FromSeed(seedOf(alice))
	require.NoError(t, err)

	point := func() xmr.PublicKey {
		s, err := edwards.RandomScalar(rand.Reader)
		require.NoError(t, err)
		return new(edwards.Point).ScalarBaseMult(s).Encode()
	}
	torsion, err := edwards.DecodePoint([32]byte{})
	require.NoError(t, err)
	turned := func(key xmr.PublicKey) xmr.PublicKey {
		p, err := edwards.DecodePoint(key)
		require.NoError(t, err)
		return p.Add(p, torsion).Encode()
	}
	list := func(n int) (all []xmr.PublicKey) {
		for range n {
			all = append(all, point())
		}
		return all
	}
	extra := func(main, additional []xmr.PublicKey) (b []byte) {
		for _, key := range main {
			b = tx.AppendPublicKey(b, key)
		}
		if additional != nil {
			b = tx.AppendAdditionalKeys(b, additional)
		}
		return b
	}
	// reward mines a block with an output to alice for each of by, the public keys that the outputs are paid by: to her first addresses in turn.
	reward := func(extra []byte, by ...xmr.PublicKey) {
		t.Helper()
		template := call[struct {
			Blob string `json:"blocktemplate_blob"`
		}](t, d, "get_block_template", object{"wallet_address": at(t, nobody, 0, 0), "reserve_size": 0})
		raw, err := hex.DecodeString(template.Blob)
		require.NoError(t, err)
		b, err := block.Parse(raw)
		require.NoError(t, err)
		left := b.MinerTx.Outputs[0].Amount
		b.MinerTx.Outputs = nil
		for i, key := range by {
			derivation, err := edwards.Derive(k.ViewScalar(), key)
			if err != nil {
				derivation = edwards.Derivation{1} // the neutral element
			}
			spend, _ := k.Address(keys.Index{Minor: uint32(i % 3)})
			out := tx.Output{Amount: coin / 100 * uint64(1+i%7), Tagged: true, ViewTag: derivation.ViewTag(uint64(i))}
			if i == len(by)-1 {
				out.Amount = left
			}
			left -= out.Amount
			out.Key, err = derivation.PublicKey(uint64(i), spend)
			require.NoError(t, err)
			b.MinerTx.Outputs = append(b.MinerTx.Outputs, out)
		}
		b.MinerTx.Extra = extra
		require.True(t, submit(t, d, b))
	}

	p, no := list(200), xmr.PublicKey{2}
	tagged := tx.AppendMergeMining(nil, tx.MergeMining{Depth: 1})
	reward(extra(p[:1], nil), p[0], p[0])
	reward(extra(p[1:4], nil), p[3], p[2], p[1], p[2]) // not in the order of the outputs
	reward(extra([]xmr.PublicKey{p[4], p[5], p[4], p[5], p[4]}, nil), p[5], p[4], p[5])
	reward(extra([]xmr.PublicKey{no, p[6], no, turned(p[6]), turned(p[7])}, nil), p[6], no, p[7], p[6])
	reward(extra([]xmr.PublicKey{p[8], no}, nil), no, p[8])
	reward(extra(p[9:11], p[11:13]), p[11], p[12], p[10], p[9])                                      // too few additional keys
	reward(extra(p[13:14], p[14:20]), p[14], p[13], p[16])                                           // too many
	reward(extra(p[20:22], p[22:25]), p[23], p[23], p[24], p[21])                                    // one is another output's
	reward(extra(p[25:26], []xmr.PublicKey{p[26], p[27], no}), p[26], p[25], no)                     // one is no point
	reward(append(extra(p[28:29], p[29:31]), extra(p[31:32], p[32:36])...), p[29], p[33], p[31])     // of two such fields the first counts
	reward(append(extra(p[36:37], []xmr.PublicKey{}), extra(nil, p[37:40])...), p[36], p[38], p[36]) // also when it is empty
	reward(extra(nil, p[40:43]), p[40], p[41], p[42])                                                // additional ones alone pay nobody
	reward(append(tagged, extra(p[43:45], nil)...), p[44], p[43])
	reward(append(extra(p[45:46], nil), append([]byte{0xff}, extra(p[46:47], nil)...)...), p[45], p[46])
	reward(append([]byte{0xff}, extra(p[47:48], nil)...), p[47])
	reward(append(extra(p[48:49], nil), append(make([]byte, 300), extra(p[49:50], nil)...)...), p[48], p[49])
	reward(append(extra(p[50:51], nil), append([]byte{2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8}, extra(p[51:52], nil)...)...), p[51], p[50]) // an encrypted payment ID
	reward(extra([]xmr.PublicKey{p[52], no}, nil), p[52])
	reward(append(extra([]xmr.PublicKey{p[53], no}, nil), 2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8), p[53]) // which no key opens
	var many []xmr.PublicKey
	for i := range 300 {
		many = append(many, p[60+(i*7)%140])
	}
	reward(extra(p[60:], list(10)), many...) // as many pairs as take several parts
	require.NoError(t, d.Mine(deadline(t), xmr.CoinbaseUnlock, at(t, nobody, 0, 0)))

	refresh(t, theirs, ours)
	compareAll(t, theirs, ours, 1)
	found := call[struct {
		Transfers []struct {
			Index uint64 `json:"global_index"`
		} `json:"transfers"`
	}](t, ours, "incoming_transfers", object{"transfer_type": "all"})
	require.Greater(t, len(found.Transfers), 330)

	do(t, ours, "sweep_all", object{"address": at(t, bob, 0, 0), "subaddr_indices_all": true})
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, theirs, ours)
	compareAll(t, theirs, ours, 1)
	spent := call[struct {
		Balance uint64 `json:"balance"`
	}](t, ours, "get_balance", object{"account_index": 0})
	require.Zero(t, spent.Balance)
}
