package compact

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/fcmptx"
	"glim/core/tx"
	"glim/core/xmr"
)

// makeCarrot returns a transaction of the next hard fork, with one ephemeral key or one for each output.
func makeCarrot(r *source, inputs, outputs int, each bool, amount uint64) *tx.Transaction {
	t := &tx.Transaction{Version: 2, RingCT: tx.RingCT{Type: tx.RingCTFCMP, Fee: 9_000_001}}
	for range inputs {
		t.Inputs = append(t.Inputs, tx.Input{KeyImage: r.key()})
	}
	for range outputs {
		tag, anchor, hidden := r.key(), r.key(), r.key()
		t.Outputs = append(t.Outputs, tx.Output{Key: r.key(), Amount: amount})
		t.Carrot = append(t.Carrot, tx.Carrot{ViewTag: [3]byte(tag[:3]), Anchor: [16]byte(anchor[:16])})
		e := tx.EcdhInfo{}
		copy(e.Amount[:8], hidden[:])
		t.RingCT.Ecdh, t.RingCT.Commitments = append(t.RingCT.Ecdh, e), append(t.RingCT.Commitments, r.key())
	}
	if each {
		keys := make([]xmr.PublicKey, outputs)
		for i := range keys {
			keys[i] = r.key()
		}
		t.Extra = tx.AppendAdditionalKeys(nil, keys)
	} else {
		t.Extra = tx.AppendPublicKey(nil, r.key())
	}
	t.Extra = tx.AppendEncryptedPaymentID(t.Extra, [8]byte{7})
	return t
}

// makeCarrotBlock returns a block of the next hard fork with every form of its transactions, and one with rings.
func makeCarrotBlock(t testing.TB, r *source) *made {
	m := makeBlock(t, r, []shape{usual})
	m.block.Major, m.block.Minor = block.TreeVersion, block.TreeVersion
	m.block.Tree = &block.Tree{Layers: 3, Root: r.key()}
	coinbase := &m.block.MinerTx
	coinbase.Outputs = []tx.Output{{Amount: 600_000_000_000, Key: r.key()}}
	coinbase.Carrot = []tx.Carrot{{ViewTag: [3]byte{1, 2, 3}, Anchor: [16]byte{4}}}
	next := m.indices[1][len(m.indices[1])-1] + 1
	for _, x := range []*tx.Transaction{
		makeCarrot(r, 1, 2, false, 0), makeCarrot(r, 128, 16, true, 0), makeCarrot(r, 2, 2, false, 5),
	} {
		list := make([]uint64, len(x.Outputs))
		for i := range list {
			list[i], next = next, next+1
		}
		m.txs, m.block.TxHashes = append(m.txs, x), append(m.block.TxHashes, r.key())
		m.indices = append(m.indices, list)
	}
	var err error
	m.id, err = m.block.Hash()
	require.NoError(t, err)
	return m
}

// TestCarrotRoundTrip makes a compact block of the next hard fork. It has what Carrot's derivations need: the first key
// image, ephemeral keys, tags, anchors, encrypted amounts and commitments.
func TestCarrotRoundTrip(t *testing.T) {
	m := makeCarrotBlock(t, &source{})
	b := m.append(t)
	got, err := Parse(nil, b)
	require.NoError(t, err)
	id, err := got.SetPrev(m.block.Prev)
	require.NoError(t, err)
	require.Equal(t, m.id, id)
	require.Equal(t, m.indices, got.Indices)
	require.Equal(t, m.block.Append(nil), got.Block.Append(nil))
	for i, x := range m.txs[1:] {
		y := got.Txs[1+i]
		require.Equal(t, x.Carrot, y.Carrot)
		require.Equal(t, x.Extra, y.Extra)
		require.Equal(t, x.RingCT.Type, y.RingCT.Type)
		require.Equal(t, x.RingCT.Fee, y.RingCT.Fee)
		require.Equal(t, x.RingCT.Commitments, y.RingCT.Commitments)
		require.Equal(t, x.RingCT.Ecdh, append([]tx.EcdhInfo(nil), y.RingCT.Ecdh...))
		require.Equal(t, x.Outputs, append([]tx.Output(nil), y.Outputs...))
		require.Equal(t, fcmptx.AppendEphemeral(nil, x), fcmptx.AppendEphemeral(nil, y))
		require.Equal(t, x.Inputs[0], y.Inputs[0])
		for k := range x.Inputs[1:] {
			whole, short := &x.Inputs[1+k], &y.Inputs[1+k]
			require.True(t, short.ShortKeyImage)
			require.Equal(t, whole.KeyImage[:tx.ShortKeyImageSize], short.KeyImage[:tx.ShortKeyImageSize])
		}
		require.True(t, MatchesTransaction(id, y, x))
		other := *x
		other.RingCT.Commitments = append([][32]byte{{1}}, x.RingCT.Commitments[1:]...)
		require.False(t, MatchesTransaction(id, y, &other))
	}
	again, err := Append(nil, got.Block, id, got.Txs, got.Indices)
	require.NoError(t, err)
	require.Equal(t, b, again)
	for n := range b {
		_, err := Parse(nil, b[:n])
		require.ErrorIs(t, err, ErrFormat)
	}
}

// TestCarrotWrongParts: Append and Parse refuse what the next hard fork does not allow.
func TestCarrotWrongParts(t *testing.T) {
	for name, spoil := range map[string]func(*made){
		"no tree":         func(m *made) { m.block.Tree = nil },
		"an old block":    func(m *made) { m.block.Major = block.TreeVersion - 1 },
		"no anchors":      func(m *made) { m.txs[1].Carrot = m.txs[1].Carrot[:1] },
		"another type":    func(m *made) { m.txs[1].RingCT.Type = tx.RingCTBulletproofPlus },
		"no commitments":  func(m *made) { m.txs[1].RingCT.Commitments = nil },
		"no amounts":      func(m *made) { m.txs[1].RingCT.Ecdh = nil },
		"no inputs":       func(m *made) { m.txs[1].Inputs = nil },
		"too many inputs": func(m *made) { m.txs[2].Inputs = append(m.txs[2].Inputs, tx.Input{}) },
		"short key image": func(m *made) { m.txs[1].Inputs[0].ShortKeyImage = true },
		"a coinbase":      func(m *made) { m.txs[2].Inputs[1].Coinbase = true },
	} {
		m := makeCarrotBlock(t, &source{})
		spoil(m)
		_, err := Append(nil, m.block, m.id, m.txs, m.indices)
		require.ErrorIs(t, err, ErrFormat, name)
	}
	m := makeCarrotBlock(t, &source{})
	m.block.Tree.Layers = block.MaxLayers + 1
	_, err := Parse(nil, m.append(t))
	require.ErrorIs(t, err, ErrFormat)
}
