package fcmptx

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/carrot"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// random is a source of bytes that a seed determines.
type random struct{ *rand.ChaCha8 }

func newRandom(seed byte) random { return random{rand.NewChaCha8([32]byte{seed})} }

func (r random) bytes32() (out [32]byte) {
	_, _ = r.Read(out[:])
	return out
}

func (r random) list(n int) [][32]byte {
	out := make([][32]byte, n)
	for i := range out {
		out[i] = r.bytes32()
	}
	return out
}

func (r random) wallet(t testing.TB) *carrot.Master {
	m, err := carrot.NewMaster(carrot.Default, r.bytes32())
	require.NoError(t, err)
	return m
}

// payment pays amount to address i of m.
func (r random) payment(t testing.TB, m *carrot.Master, i keys.Index, amount uint64) carrot.Payment {
	anchor, err := carrot.RandomAnchor(r)
	require.NoError(t, err)
	return carrot.Payment{To: m.Address(xmr.Mainnet, i), Amount: amount, Anchor: anchor}
}

// transaction pays amounts 1, 2, … to addresses of payee, with change of 1000 for payer. Its proofs are random bytes.
func (r random) transaction(t testing.TB, payer, payee *carrot.Master, inputs, outputs int, layers uint8) *Transaction {
	images := make([]xmr.KeyImage, inputs)
	for i := range images {
		images[i] = r.bytes32()
	}
	change := carrot.SelfSend{Spend: payer.SpendKey(keys.Index{}), Amount: 1000, Type: carrot.ChangeEnote}
	if outputs > 2 {
		ephemeral, err := carrot.RandomEphemeral(r)
		require.NoError(t, err)
		change.Ephemeral = ephemeral
	}
	var payments []carrot.Payment
	for i := range outputs - 1 {
		payments = append(payments, r.payment(t, payee, keys.Index{Minor: uint32(i)}, uint64(i)+1))
	}
	list, id, err := carrot.Default.NewOutputs(payments, []carrot.SelfSend{change}, payer, images[0], [8]byte{1, 2})
	require.NoError(t, err)
	var enotes []carrot.Enote
	for _, o := range list {
		enotes = append(enotes, o.Enote)
	}
	out := New(enotes, images, 12_345_678, id)
	out.Proofs = r.proofs(inputs, outputs, layers)
	return out
}

func (r random) proofs(inputs, outputs int, layers uint8) *Proofs {
	rounds := 6
	for n := 1; n < outputs; n *= 2 {
		rounds++
	}
	p := &Proofs{
		ReferenceBlock: 3_500_000, Layers: layers, Blob: make([]byte, ProofSize(inputs, layers)),
		PseudoOuts: r.list(inputs),
	}
	p.Range = tx.BulletproofPlus{A: r.bytes32(), A1: r.bytes32(), B: r.bytes32(), R1: r.bytes32()}
	p.Range.L, p.Range.R = r.list(rounds), r.list(rounds)
	_, _ = r.Read(p.Blob)
	return p
}

// block has a coinbase that pays a miner, and transactions.
func (r random) block(t testing.TB, miner *carrot.Master, transactions int) *block.Block {
	payments := []carrot.Payment{r.payment(t, miner, keys.Index{}, 600_000_000_000)}
	list, err := carrot.Default.NewCoinbaseEnotes(payments, 3_500_001)
	require.NoError(t, err)
	coinbase, err := NewCoinbase([]carrot.CoinbaseEnote{*list[0]}, 3_500_001, []byte("extra nonce"))
	require.NoError(t, err)
	b := &block.Block{
		Major: 17, Minor: 17, Timestamp: 1_800_000_000, Prev: r.bytes32(), Nonce: 7, MinerTx: *coinbase,
		Tree: &block.Tree{Layers: 7, Root: r.bytes32()},
	}
	for range transactions {
		b.TxHashes = append(b.TxHashes, r.bytes32())
	}
	return b
}
