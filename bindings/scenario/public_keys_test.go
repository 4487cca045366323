package scenario

import (
	"crypto/rand"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/block"
	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// rewarder mines rewards to alice with unusual extras.
type rewarder struct {
	*testing.T
	d       *peers.Daemon
	k       *keys.Keys     // of alice
	torsion *edwards.Point // of order four
}

func (r *rewarder) point() xmr.PublicKey {
	s, err := edwards.RandomScalar(rand.Reader)
	require.NoError(r, err)
	return new(edwards.Point).ScalarBaseMult(s).Encode()
}

// turned returns a key plus torsion.
func (r *rewarder) turned(key xmr.PublicKey) xmr.PublicKey {
	p, err := edwards.DecodePoint(key)
	require.NoError(r, err)
	return p.Add(p, r.torsion).Encode()
}

// points returns n random keys.
func (r *rewarder) points(n int) (all []xmr.PublicKey) {
	for range n {
		all = append(all, r.point())
	}
	return all
}

// extraOf returns an extra with public keys and, unless nil, additional keys.
func extraOf(main, additional []xmr.PublicKey) (b []byte) {
	for _, key := range main {
		b = tx.AppendPublicKey(b, key)
	}
	if additional != nil {
		b = tx.AppendAdditionalKeys(b, additional)
	}
	return b
}

// reward mines a block with one output for each of by, the transaction public keys that the outputs are derived with.
// The outputs pay alice's first addresses in turn.
func (r *rewarder) reward(extra []byte, by ...xmr.PublicKey) {
	t, d, k := r.T, r.d, r.k
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

// TestPublicKeys mines rewards whose extra has public keys in every unusual form that the network accepts: many,
// repeated, not points, different only by torsion, a wrong number of additional keys, keys behind unknown bytes. Both
// wallets find the same outputs in the same order, and can spend them.
func TestPublicKeys(t *testing.T) {
	t.Parallel()
	d := newMonerod(t)
	theirs, ours := newReference(t, d), newGlim(t, d.URL, options{})
	restore(t, theirs, "alice", alice)
	restore(t, ours, "alice", alice)
	r := &rewarder{T: t, d: d}
	var err error
	r.k, err = keys.FromSeed(seedOf(alice))
	require.NoError(t, err)
	r.torsion, err = edwards.DecodePoint([32]byte{})
	require.NoError(t, err)
	r.mineAll()
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

// mineAll mines a reward of each kind.
func (r *rewarder) mineAll() {
	p, no := r.points(200), xmr.PublicKey{2}
	tagged := tx.AppendMergeMining(nil, tx.MergeMining{Depth: 1})
	r.reward(extraOf(p[:1], nil), p[0], p[0])
	r.reward(extraOf(p[1:4], nil), p[3], p[2], p[1], p[2]) // in another order than the outputs
	r.reward(extraOf([]xmr.PublicKey{p[4], p[5], p[4], p[5], p[4]}, nil), p[5], p[4], p[5])
	r.reward(extraOf([]xmr.PublicKey{no, p[6], no, r.turned(p[6]), r.turned(p[7])}, nil), p[6], no, p[7], p[6])
	r.reward(extraOf([]xmr.PublicKey{p[8], no}, nil), no, p[8])
	// Too few additional keys, and too many.
	r.reward(extraOf(p[9:11], p[11:13]), p[11], p[12], p[10], p[9])
	r.reward(extraOf(p[13:14], p[14:20]), p[14], p[13], p[16])
	// One additional key is of another output; one is not a point.
	r.reward(extraOf(p[20:22], p[22:25]), p[23], p[23], p[24], p[21])
	r.reward(extraOf(p[25:26], []xmr.PublicKey{p[26], p[27], no}), p[26], p[25], no)
	// The first of two fields of additional keys counts, even if it is empty.
	r.reward(append(extraOf(p[28:29], p[29:31]), extraOf(p[31:32], p[32:36])...), p[29], p[33], p[31])
	r.reward(append(extraOf(p[36:37], []xmr.PublicKey{}), extraOf(nil, p[37:40])...), p[36], p[38], p[36])
	// Without a main key no output is found.
	r.reward(extraOf(nil, p[40:43]), p[40], p[41], p[42])
	r.reward(append(tagged, extraOf(p[43:45], nil)...), p[44], p[43])
	r.reward(append(extraOf(p[45:46], nil), append([]byte{0xff}, extraOf(p[46:47], nil)...)...), p[45], p[46])
	r.reward(append([]byte{0xff}, extraOf(p[47:48], nil)...), p[47])
	r.reward(append(extraOf(p[48:49], nil), append(make([]byte, 300), extraOf(p[49:50], nil)...)...), p[48], p[49])
	// an encrypted payment ID
	r.reward(append(extraOf(p[50:51], nil),
		append([]byte{2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8}, extraOf(p[51:52], nil)...)...),
		p[51], p[50])
	r.reward(extraOf([]xmr.PublicKey{p[52], no}, nil), p[52])
	// for which no key fits
	r.reward(append(extraOf([]xmr.PublicKey{p[53], no}, nil), 2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8), p[53])
	var many []xmr.PublicKey
	for i := range 300 {
		many = append(many, p[60+(i*7)%140])
	}
	r.reward(extraOf(p[60:], r.points(10)), many...) // enough pairs for several batches
}
