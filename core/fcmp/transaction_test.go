package fcmp

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
)

// stored are the numbers of inputs of the transactions that the beta verifies in its own tests.
// Source: tests/data/fcmp_pp_verify_inputs_{1,2,4,8,128}in.bin of github.com/j-berman/monero, branch
// prep-v0.19.0.0-beta.2.1; their form is that of tests/unit_tests/unit_tests_utils.cpp, SerializableFcmpPpVerify.
var stored = []int{1, 2, 4, 8, 128}

// storedTransaction returns a transaction of testdata.
func storedTransaction(t testing.TB, inputs int) Transaction {
	b, err := os.ReadFile("testdata/verify-inputs-" + strconv.Itoa(inputs) + ".bin")
	require.NoError(t, err)
	length := func() int {
		n, read := binary.Uvarint(b)
		require.Positive(t, read)
		b = b[read:]
		return int(n)
	}
	field := func(n int) []byte {
		require.GreaterOrEqual(t, len(b), n)
		f := b[:n]
		b = b[n:]
		return f
	}
	var tx Transaction
	tx.Message = [32]byte(field(32))
	tx.Root.Layers = int(field(1)[0])
	tx.Proof = field(length())
	tx.Root.Hash = [32]byte(field(32))
	for _, list := range []*[][32]byte{&tx.PseudoOuts, &tx.KeyImages} {
		for range length() {
			*list = append(*list, [32]byte(field(32)))
		}
		require.Len(t, *list, inputs)
	}
	require.Empty(t, b)
	return tx
}

// copied returns a copy that shares nothing with tx.
func (tx Transaction) copied() Transaction {
	tx.KeyImages = append([][32]byte{}, tx.KeyImages...)
	tx.PseudoOuts = append([][32]byte{}, tx.PseudoOuts...)
	tx.Proof = bytes.Clone(tx.Proof)
	return tx
}

func verifyTransactions(list ...Transaction) error {
	return VerifyTransactions(rand.Reader, carrot.Plain, list)
}

// TestStoredTransactions verifies all proofs of the beta's own tests, alone and together.
func TestStoredTransactions(t *testing.T) {
	var all []Transaction
	for _, n := range stored {
		tx := storedTransaction(t, n)
		require.NoError(t, verifyTransactions(tx), n)
		if n <= 8 {
			all = append(all, tx)
		}
	}
	require.NoError(t, verifyTransactions(all...))
	require.NoError(t, verifyTransactions())
	wrong := all[2].copied()
	wrong.Message[5] ^= 1
	all[2] = wrong
	require.ErrorIs(t, verifyTransactions(all...), ErrProof)
}

// TestAlteredTransactionByte changes bytes of every part of a transaction's proofs, and what they are about.
func TestAlteredTransactionByte(t *testing.T) {
	right := storedTransaction(t, 2)
	try := func(change func(*Transaction)) {
		t.Helper()
		tx := right.copied()
		change(&tx)
		require.Error(t, verifyTransactions(tx))
	}
	for at := 0; at < 2*inputSize; at += 17 {
		try(func(tx *Transaction) { tx.Proof[at] ^= 1 << (at % 8) })
	}
	for at := 2 * inputSize; at < len(right.Proof); at += 301 {
		try(func(tx *Transaction) { tx.Proof[at] ^= 1 << (at % 8) })
	}
	for i := range 2 {
		for at := 0; at < 32; at += 31 {
			try(func(tx *Transaction) { tx.KeyImages[i][at] ^= 4 })
			try(func(tx *Transaction) { tx.PseudoOuts[i][at] ^= 4 })
		}
	}
	try(func(tx *Transaction) { tx.Message[31] ^= 1 })
	try(func(tx *Transaction) { tx.Root.Hash[3] ^= 1 })
	try(func(tx *Transaction) { tx.Root = storedTransaction(t, 128).Root; tx.Root.Hash[0] ^= 1 })
	try(func(tx *Transaction) { tx.KeyImages[0], tx.KeyImages[1] = tx.KeyImages[1], tx.KeyImages[0] })
	try(func(tx *Transaction) { tx.PseudoOuts[0], tx.PseudoOuts[1] = tx.PseudoOuts[1], tx.PseudoOuts[0] })

	// Other inputs of the same tree with their valid spend proofs. The first two are those of this transaction.
	four := storedTransaction(t, 4)
	require.Equal(t, four.KeyImages[:2], right.KeyImages)
	replace := func(from int) func(*Transaction) {
		return func(tx *Transaction) {
			copy(tx.Proof[:2*inputSize], four.Proof[from*inputSize:])
			copy(tx.KeyImages, four.KeyImages[from:])
			copy(tx.PseudoOuts, four.PseudoOuts[from:])
		}
	}
	tx := right.copied()
	replace(0)(&tx)
	require.NoError(t, verifyTransactions(tx))
	try(replace(2))
}

// TestTransactionForm gives proofs of every wrong length, and numbers of inputs that are not allowed or do not fit.
func TestTransactionForm(t *testing.T) {
	right := storedTransaction(t, 1)
	for _, n := range []int{0, 1, inputSize, len(right.Proof) - 32, len(right.Proof) - 1, len(right.Proof) + 1} {
		tx := right.copied()
		tx.Proof = append(tx.Proof, 0)[:n]
		require.ErrorIs(t, verifyTransactions(tx), ErrProofSize, n)
	}
	tx := right.copied()
	tx.PseudoOuts = nil
	require.ErrorIs(t, verifyTransactions(tx), ErrInputs)
	tx = right.copied()
	tx.KeyImages, tx.PseudoOuts = nil, nil
	require.ErrorIs(t, verifyTransactions(tx), ErrLimits)
	tx.KeyImages, tx.PseudoOuts = make([][32]byte, 129), make([][32]byte, 129)
	require.ErrorIs(t, verifyTransactions(tx), ErrLimits)
	for _, layers := range []int{-1, 0, 13} {
		tx = right.copied()
		tx.Root.Layers = layers
		require.ErrorIs(t, verifyTransactions(tx), ErrLimits, layers)
	}
	tx = right.copied()
	tx.Root.Layers++
	require.ErrorIs(t, verifyTransactions(tx), ErrProofSize)
	require.Zero(t, ProofSize(0, 1))
}

// FuzzVerifyTransactions verifies arbitrary proofs of small transactions.
func FuzzVerifyTransactions(f *testing.F) {
	right := storedTransaction(f, 1)
	f.Add(right.Proof, right.KeyImages[0][:], uint8(right.Root.Layers))
	f.Add([]byte{}, make([]byte, 32), uint8(0))
	f.Fuzz(func(t *testing.T, proof, image []byte, layers uint8) {
		if len(image) != 32 {
			return
		}
		tx := right.copied()
		tx.Proof = proof
		tx.KeyImages[0] = [32]byte(image)
		tx.Root = curvetree.Root{Layers: int(layers), Hash: right.Root.Hash}
		same := bytes.Equal(proof, right.Proof) && tx.KeyImages[0] == right.KeyImages[0] && tx.Root == right.Root
		require.Equal(t, same, verifyTransactions(tx) == nil)
	})
}
