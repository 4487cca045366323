package nextfork

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/fcmptx"
	"glim/core/tx"
	"glim/core/xmr"
)

// stored are the proofs of a transaction that the beta verifies in its own tests, with the tree that they are about.
type stored struct {
	message    xmr.Hash
	tree       block.Tree
	proof      []byte
	pseudoOuts [][32]byte
	images     [][32]byte
}

// readStored returns the proofs of a transaction with a number of inputs. Source and form of the files: package fcmp,
// storedTransaction.
func readStored(t testing.TB, inputs int) (s stored) {
	b, err := os.ReadFile("../fcmp/testdata/verify-inputs-" + strconv.Itoa(inputs) + ".bin")
	require.NoError(t, err)
	field := func(n int) []byte {
		require.GreaterOrEqual(t, len(b), n)
		f := b[:n]
		b = b[n:]
		return f
	}
	length := func() int {
		n, read := binary.Uvarint(b)
		require.Positive(t, read)
		b = b[read:]
		return int(n)
	}
	s.message = xmr.Hash(field(32))
	s.tree.Layers = field(1)[0]
	s.proof = field(length())
	s.tree.Root = [32]byte(field(32))
	for _, list := range []*[][32]byte{&s.pseudoOuts, &s.images} {
		for range length() {
			*list = append(*list, [32]byte(field(32)))
		}
	}
	require.Empty(t, b)
	return s
}

// spent returns what a chain verifies of the proofs.
func (s *stored) spent() chain.Spent {
	t := &chain.Tx{Tx: new(tx.Transaction), Membership: &chain.Membership{
		Layers: s.tree.Layers, Message: s.message, Proof: s.proof, Amounts: &tx.Prunable{PseudoOuts: s.pseudoOuts},
	}}
	for _, image := range s.images {
		t.Tx.Inputs = append(t.Tx.Inputs, tx.Input{KeyImage: image})
	}
	return chain.Spent{Tx: t, Tree: s.tree}
}

// TestStoredProofs: the verifier accepts the proofs of the beta together, and refuses any change. A source of random
// bytes that fails says nothing about the proofs.
func TestStoredProofs(t *testing.T) {
	one, two, four := readStored(t, 1), readStored(t, 2), readStored(t, 4)
	require.NoError(t, Fork{}.CheckMemberships(rand.Reader, []chain.Spent{one.spent(), two.spent(), four.spent()}))
	require.NoError(t, Fork{}.CheckMemberships(rand.Reader, nil))
	for name, change := range map[string]func(*chain.Spent){
		"message":       func(s *chain.Spent) { s.Tx.Membership.Message[0] ^= 1 },
		"root":          func(s *chain.Spent) { s.Tree.Root = four.tree.Root; s.Tree.Root[0] ^= 4 },
		"layers":        func(s *chain.Spent) { s.Tree.Layers-- },
		"key image":     func(s *chain.Spent) { s.Tx.Tx.Inputs[0].KeyImage = four.images[3] },
		"pseudo-output": func(s *chain.Spent) { s.Tx.Membership.Amounts.PseudoOuts[0] = four.pseudoOuts[3] },
		"proof":         func(s *chain.Spent) { s.Tx.Membership.Proof[900] ^= 1 },
		"no proof":      func(s *chain.Spent) { s.Tx.Membership.Proof = nil },
	} {
		again, right := readStored(t, 2), readStored(t, 1)
		wrong := again.spent()
		change(&wrong)
		err := Fork{}.CheckMemberships(rand.Reader, []chain.Spent{right.spent(), wrong})
		require.ErrorIs(t, err, consensus.ErrInput, name)
	}
	broken := errors.New("no entropy")
	err := Fork{}.CheckMemberships(failing{broken}, []chain.Spent{one.spent()})
	require.ErrorIs(t, err, broken)
	require.NotErrorIs(t, err, consensus.ErrInput)
	err = Fork{}.CheckMemberships(nil, []chain.Spent{one.spent()})
	require.Error(t, err)
	require.NotErrorIs(t, err, consensus.ErrInput)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// fixedTree is a tree with a given root, whatever its outputs are.
type fixedTree struct {
	chain.Tree
	root block.Tree
}

func (f fixedTree) Grow([]chain.TreeOutput) chain.Tree { return f }

func (f fixedTree) Root() (layers uint8, root [32]byte) { return f.root.Layers, f.root.Root }

// reenacted is a Fork whose trees have the root of stored proofs. It verifies these for transactions that have the
// proof and the key image of the stored one: the rest of the stored transaction is not known.
type reenacted struct {
	Fork
	stored
}

func (r *reenacted) NewTree() chain.Tree { return fixedTree{root: r.tree} }

func (r *reenacted) CheckMemberships(random io.Reader, list []chain.Spent) error {
	replaced := make([]chain.Spent, len(list))
	for i, s := range list {
		t, m, amounts := *s.Tx, *s.Tx.Membership, *s.Tx.Membership.Amounts
		m.Message, amounts.PseudoOuts = r.message, r.pseudoOuts
		m.Amounts, t.Membership = &amounts, &m
		replaced[i] = chain.Spent{Tx: &t, Tree: s.Tree}
	}
	return r.Fork.CheckMemberships(random, replaced)
}

// TestReenacted: a chain whose tree has the root of the beta's proofs accepts them once, in the pool and in a block,
// and refuses them when they are altered.
func TestReenacted(t *testing.T) {
	r := &reenacted{stored: readStored(t, 1)}
	w := newWorld(t, 5, 8, func(o *chain.Options) { o.Next, o.Random = r, rand.Reader })
	w.mine(20, nil)
	spend := func(seed uint64) *fcmptx.Transaction {
		s := w.spend(seed, 1)
		require.Equal(t, r.tree.Layers, s.Proofs.Layers)
		s.Proofs.Blob, s.Inputs[0].KeyImage = append([]byte(nil), r.proof...), r.images[0]
		return s
	}
	altered := spend(1)
	altered.Proofs.Blob[len(altered.Proofs.Blob)-100] ^= 1
	_, err := w.AddTx(blob(altered), false)
	require.ErrorIs(t, err, consensus.ErrInput)
	other := spend(1)
	other.Inputs[0].KeyImage = edwards.Base().Encode()
	_, err = w.AddTx(blob(other), false)
	require.ErrorIs(t, err, consensus.ErrInput)

	valid, again := spend(2), spend(3)
	_, err = w.AddTx(blob(valid), false)
	require.NoError(t, err)
	w.mine(1, nil)
	mined, _ := w.where(idOf(w, valid))
	require.True(t, mined)
	_, err = w.AddTx(blob(again), false)
	require.ErrorIs(t, err, consensus.ErrDoubleSpend)

	// The next chain gets it with its block only.
	_, err = w.PopBlocks(1)
	require.NoError(t, err)
	require.NoError(t, w.FlushPool())
	b := w.holding(again)
	_, err = w.AddBlock(b.Append(nil), blob(again))
	require.NoError(t, err)
	mined, _ = w.where(idOf(w, again))
	require.True(t, mined)
}

// FuzzReadTx reads arbitrary bytes as a transaction and gives them to a chain: nothing panics, the parts of the bytes
// are those of the transaction, and proofs that are not verified are not accepted.
func FuzzReadTx(f *testing.F) {
	w := newWorld(f, 5, 8, judged)
	w.mine(70, nil)
	valid := w.spend(1, 2)
	f.Add(blob(valid))
	valid.Proofs.Blob[0] ^= 1
	f.Add(blob(valid))
	f.Add([]byte{2, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		read, pruned, err := Fork{}.ReadTx(b)
		if err != nil {
			return
		}
		base, err := format.ParsePruned(b[:pruned])
		require.NoError(t, err)
		require.Equal(t, len(base.Inputs), len(read.Tx.Inputs))
		require.Equal(t, read.ID, format.PrunedHash(base, readHash(t, b)))
		id, err := w.AddTx(b, true)
		if err == nil {
			require.Equal(t, read.ID, id)
			require.NoError(t, w.FlushPool(id))
		}
	})
}

// readHash returns the hash of a transaction's proofs.
func readHash(t *testing.T, b []byte) xmr.Hash {
	whole, err := format.Parse(b)
	require.NoError(t, err)
	return whole.PrunableHash()
}
