package compact

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// source is a deterministic source of random bytes.
type source struct{ n uint64 }

func (s *source) key() [32]byte {
	s.n++
	return sha256.Sum256(fmt.Append(nil, s.n))
}

func (s *source) upTo(n uint64) uint64 {
	k := s.key()
	return uint64(k[0])<<16%n | uint64(k[1])%n&1 | uint64(k[2])%min(n, 256)
}

// shape describes a kind of transaction.
type shape struct {
	version         uint64
	kind            tx.RingCTType
	inputs, outputs int
	keys            int // number of transaction keys in extra
	additional      int
	id              byte // 1: payment ID, 2: encrypted payment ID
	unlock, amount  uint64
	untagged        bool
	fee             uint64
}

func (s shape) make(r *source) *tx.Transaction {
	t := &tx.Transaction{Version: s.version, UnlockTime: s.unlock}
	for range s.inputs {
		in := tx.Input{Amount: s.amount, KeyImage: r.key()}
		for range 16 {
			in.KeyOffsets = append(in.KeyOffsets, 100_000+r.upTo(1<<16)) // as on mainnet: three bytes
		}
		t.Inputs = append(t.Inputs, in)
	}
	for o := range s.outputs {
		out := tx.Output{Amount: s.amount, Key: r.key(), Tagged: !s.untagged}
		if out.Tagged {
			out.ViewTag = byte(7 * o)
		}
		t.Outputs = append(t.Outputs, out)
	}
	for range s.keys {
		t.Extra = tx.AppendPublicKey(t.Extra, r.key())
	}
	if s.additional > 0 {
		t.Extra = tx.AppendAdditionalKeys(t.Extra, make([]xmr.PublicKey, s.additional))
	}
	switch s.id {
	case 1:
		t.Extra = tx.AppendPaymentID(t.Extra, r.key())
	case 2:
		k := r.key()
		t.Extra = tx.AppendEncryptedPaymentID(t.Extra, [8]byte(k[:]))
	}
	if s.version == 2 {
		t.RingCT = tx.RingCT{Type: s.kind, Fee: s.fee}
		for range s.outputs {
			e := tx.EcdhInfo{Amount: r.key()}
			if s.kind >= tx.RingCTBulletproof2 {
				clear(e.Amount[8:])
			} else {
				e.Mask = r.key()
			}
			t.RingCT.Ecdh = append(t.RingCT.Ecdh, e)
			t.RingCT.Commitments = append(t.RingCT.Commitments, r.key())
		}
		if s.kind == tx.RingCTSimple {
			for range s.inputs {
				t.RingCT.PseudoOuts = append(t.RingCT.PseudoOuts, r.key())
			}
		}
	}
	return t
}

var usual = shape{version: 2, kind: tx.RingCTBulletproofPlus, inputs: 2, outputs: 2, keys: 1, id: 2, fee: 30_700_000}

func shapes() []shape {
	list := []shape{usual}
	vary := func(change func(*shape)) {
		s := usual
		change(&s)
		list = append(list, s)
	}
	vary(func(s *shape) { s.inputs, s.id = 1, 0 })
	vary(func(s *shape) { s.unlock = 123 })
	vary(func(s *shape) { s.keys, s.id = 0, 0 })
	vary(func(s *shape) { s.keys, s.additional = 3, 2 })
	vary(func(s *shape) { s.additional, s.outputs = 16, 16 })
	vary(func(s *shape) { s.id = 1 })
	vary(func(s *shape) { s.untagged, s.fee = true, 1 })
	vary(func(s *shape) { s.outputs = 0 })
	for kind := tx.RingCTFull; kind <= tx.RingCTCLSAG; kind++ {
		vary(func(s *shape) { s.kind = kind })
	}
	vary(func(s *shape) { s.version, s.kind, s.fee, s.amount, s.untagged = 1, 0, 0, 5_000_000, true })
	return list
}

type made struct {
	block   *block.Block
	id      xmr.Hash
	txs     []*tx.Transaction
	indices [][]uint64
}

func (m *made) append(t testing.TB) []byte {
	b, err := Append(nil, m.block, m.id, m.txs, m.indices)
	require.NoError(t, err)
	return b
}

func makeBlock(t testing.TB, r *source, list []shape) *made {
	m := &made{block: &block.Block{Major: 16, Minor: 16, Timestamp: 1_700_000_000, Prev: r.key(), Nonce: 77}}
	m.block.MinerTx = tx.Transaction{
		Version: 2, UnlockTime: 3_000_060, Inputs: []tx.Input{{Coinbase: true, Height: 3_000_000}},
		Outputs: []tx.Output{{Amount: 600_000_000_000, Key: r.key(), Tagged: true, ViewTag: 9}},
		Extra:   tx.AppendPublicKey(nil, r.key()),
	}
	next := uint64(120_000_000)
	number := func(x *tx.Transaction) {
		list := make([]uint64, len(x.Outputs))
		for i := range list {
			if list[i] = next; x.Version == 1 {
				list[i] = 1000 - uint64(i)
				continue
			}
			next++
		}
		m.indices = append(m.indices, list)
	}
	number(&m.block.MinerTx)
	for _, s := range list {
		x := s.make(r)
		number(x)
		m.txs, m.block.TxHashes = append(m.txs, x), append(m.block.TxHashes, r.key())
	}
	var err error
	m.id, err = m.block.Hash()
	require.NoError(t, err)
	return m
}

// TestRoundTrip makes compact blocks of all kinds of transactions: the data for wallets is preserved, and the block's
// ID is right.
func TestRoundTrip(t *testing.T) {
	all := shapes()
	for n := range len(all) {
		m := makeBlock(t, &source{n: uint64(1000 * n)}, all[n:])
		b := m.append(t)
		got, err := Parse(nil, b)
		require.NoError(t, err)
		id, err := got.SetPrev(m.block.Prev)
		require.NoError(t, err)
		require.Equal(t, m.id, id)
		require.Equal(t, m.indices, got.Indices)
		require.Equal(t, m.block.TxHashes, got.Block.TxHashes)
		require.Equal(t, m.block.Append(nil), got.Block.Append(nil))
		for i, x := range m.txs {
			y := got.Txs[i]
			require.Equal(t, x.Version, y.Version)
			require.Equal(t, x.UnlockTime, y.UnlockTime)
			require.Equal(t, slices.Clone(x.Outputs), append([]tx.Output(nil), y.Outputs...))
			require.Equal(t, x.RingCT.Type, y.RingCT.Type)
			require.Equal(t, x.RingCT.Fee, y.RingCT.Fee)
			require.Equal(t, append([]tx.EcdhInfo(nil), x.RingCT.Ecdh...), append([]tx.EcdhInfo(nil), y.RingCT.Ecdh...))
			want, _ := tx.ParseExtra(x.Extra)
			have, whole := tx.ParseExtra(y.Extra)
			require.True(t, whole)
			require.Equal(t, want, have)
			require.Len(t, y.Inputs, len(x.Inputs))
			for k := range x.Inputs {
				require.Equal(t, x.Inputs[k].Amount, y.Inputs[k].Amount)
				want := x.Inputs[k].KeyImage[:tx.ShortKeyImageSize]
				require.Equal(t, want, y.Inputs[k].KeyImage[:tx.ShortKeyImageSize])
				require.True(t, y.Inputs[k].ShortKeyImage)
			}
			for o, c := range x.RingCT.Commitments {
				require.True(t, y.RingCT.Commits(o, c))
				c[0]++
				require.False(t, y.RingCT.Commits(o, c))
			}
			require.False(t, y.RingCT.Commits(len(x.Outputs), [32]byte{}))
		}
		again, err := Append(nil, got.Block, id, got.Txs, got.Indices)
		require.NoError(t, err)
		require.Equal(t, b, again, "a compact block makes itself")

		// With another previous block the ID differs, and so do the digests of commitments.
		_, err = got.SetPrev(xmr.Hash{1})
		require.NoError(t, err)
		for i, x := range m.txs {
			for o, c := range x.RingCT.Commitments {
				require.False(t, got.Txs[i].RingCT.Commits(o, c))
			}
		}
	}
}

// TestExtraOfAnyKind: unknown and malformed fields of extra are dropped, and do not affect the fields before them.
func TestExtraOfAnyKind(t *testing.T) {
	m := makeBlock(t, &source{}, []shape{usual, usual})
	m.txs[0].Extra = append(m.txs[0].Extra, 0xde, 3, 1, 2, 3)
	m.txs[1].Extra = append(m.txs[1].Extra, 0xff, 3, 1, 2, 3)
	got, err := Parse(nil, m.append(t))
	require.NoError(t, err)
	for i := range m.txs {
		want, _ := tx.ParseExtra(m.txs[i].Extra)
		have, _ := tx.ParseExtra(got.Txs[i].Extra)
		require.Equal(t, want, have)
	}
}

// TestWrongParts: Append refuses arguments that do not match.
func TestWrongParts(t *testing.T) {
	for _, spoil := range []func(*made){
		func(m *made) { m.txs = m.txs[1:] },
		func(m *made) { m.indices = m.indices[1:] },
		func(m *made) { m.indices[0] = nil },
		func(m *made) { m.indices[1] = m.indices[1][1:] },
		func(m *made) { m.txs[0].Inputs[0].Coinbase = true },
		func(m *made) { m.txs[0] = &m.block.MinerTx },
		func(m *made) { m.txs[0].RingCT.Commitments = nil },
		func(m *made) { m.txs[0].RingCT.Ecdh = nil },
	} {
		m := makeBlock(t, &source{}, []shape{usual})
		spoil(m)
		_, err := Append(nil, m.block, m.id, m.txs, m.indices)
		require.ErrorIs(t, err, ErrFormat)
	}
}

// TestCut: Parse refuses truncated blocks and trailing bytes.
func TestCut(t *testing.T) {
	b := makeBlock(t, &source{}, shapes()).append(t)
	for n := range b {
		_, err := Parse(nil, b[:n])
		require.ErrorIs(t, err, ErrFormat)
	}
	_, err := Parse(nil, append(b, 0))
	require.ErrorIs(t, err, ErrFormat)
}

// TestUnknownIndexForm: a coinbase whose indices have an unknown form is refused. The bytes are a finding of FuzzParse.
func TestUnknownIndexForm(t *testing.T) {
	zeros := strings.Repeat("0", 33)
	_, err := Parse(nil, []byte("0000000\x020\x01\xff0\x010\x03"+zeros+"!"+zeros+"\x0000"))
	require.ErrorIs(t, err, ErrFormat)
}

// FuzzParse: a parsed block is serialized to the same bytes.
func FuzzParse(f *testing.F) {
	all := shapes()
	for n := range all {
		f.Add(makeBlock(f, &source{n: uint64(n)}, all[n:n+1]).append(f))
	}
	f.Add(makeBlock(f, &source{}, all).append(f))
	f.Add(makeCarrotBlock(f, &source{}).append(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := Parse(nil, b)
		if err != nil {
			return
		}
		id, err := got.SetPrev(xmr.Hash{1})
		if err != nil {
			return
		}
		again, err := Append(nil, got.Block, id, got.Txs, got.Indices)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(b) {
			t.Fatalf("written differently: %x", again)
		}
	})
}
