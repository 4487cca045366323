package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"glim/bindings/internal/chainfile"
	"glim/core/address"
	"glim/core/block"
	"glim/core/chain"
	"glim/core/chaintest"
	"glim/core/consensus"
	"glim/core/crypto/keccak"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/tx"
	"glim/core/xmr"
)

// ourKeys returns the keys of a wallet on a private chain. They are public.
func ourKeys(name string) *keys.Keys {
	k, err := keys.FromSeed(keccak.Sum256([]byte("glim bench " + name)))
	if err != nil {
		panic("unreachable: the two names used give keys")
	}
	return k
}

func words(k *keys.Keys) (string, error) {
	spend, _ := k.SpendSecret()
	return mnemonic.Encode(spend, mnemonic.English())
}

func addressOf(k *keys.Keys, i keys.Index) address.Address {
	spend, view := k.Address(i)
	return address.At(xmr.Regtest, i, spend, view)
}

// recipe describes a forged chain: foreign transactions with one or two inputs and two outputs, evenly spread, with
// payments to the measured wallet among them.
type recipe struct {
	Blocks   int // without the first
	Txs      int // besides coinbases
	Payments int // to accounts 0 to 3, except one to loneAccount
	Swept    int // to account sweptAccount
}

// standardRecipe is the measured chain.
var standardRecipe = recipe{Blocks: 5000, Txs: 35_000, Payments: 200, Swept: 95}

const (
	paymentAmount = uint64(1_000_000_000_000) // atomic units
	sweptAccount  = 4
	loneAccount   = 5          // has a single output, so that services cannot use two
	forgedFee     = 30_720_000 // atomic units
	forgery       = 2          // version: changes when the same recipe gives another chain
)

// paidAt spreads payments over addresses: half to account 0, the rest to three others.
func paidAt(n int) keys.Index {
	i := keys.Index{Minor: uint32(n / 2 % 10)}
	if n%2 == 1 {
		i.Major = 1 + uint32(n/2%3)
	}
	return i
}

// forged is a forged chain.
type forged struct {
	Dir                  string // of a daemon that keeps it
	Blocks, Transactions int    // the first block and coinbases included
	Payments             int
}

// forge returns the chain of a recipe, in a folder below dir, where it is kept for the next run. The chain is
// deterministic. Everything that wallets read is as on a real chain, including payments and key images; proofs, which
// they do not verify, have the right size. A daemon accepts the chain because it does not verify its stored blocks
// again.
func forge(r recipe, dir string, out io.Writer) (forged, error) {
	made := forged{Blocks: r.Blocks + 1, Transactions: r.Blocks + 1 + r.Txs, Payments: r.Payments + r.Swept,
		Dir: filepath.Join(dir, fmt.Sprintf("forged-%d-%d-%d-%d-%d", forgery, r.Blocks, r.Txs, r.Payments, r.Swept))}
	mark := filepath.Join(made.Dir, "whole.json")
	if b, err := os.ReadFile(mark); err == nil && json.Unmarshal(b, new(recipe)) == nil {
		return made, nil
	}
	began := time.Now()
	if err := os.RemoveAll(made.Dir); err != nil {
		return made, err
	}
	// The path of a private chain below the folder that package peers gives to a daemon.
	file, err := chainfile.Open(filepath.Join(made.Dir, "chain", "fake"), true)
	if err != nil {
		return made, err
	}
	defer file.Close()
	if err := r.write(file); err != nil {
		return made, err
	}
	if err := file.Close(); err != nil {
		return made, err
	}
	fmt.Fprintf(out, "made a chain of %d blocks and %d transactions in %s\n", made.Blocks, made.Transactions,
		time.Since(began).Round(time.Second))
	b, err := json.Marshal(r)
	if err != nil {
		return made, err
	}
	return made, os.WriteFile(mark, b, 0o600)
}

// write stores the chain of r.
func (r recipe) write(to chain.Store) error {
	// This records the network of the chain.
	if _, err := chain.New(chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Store: to}); err != nil {
		return err
	}
	f := forger{
		recipe: r, chain: chaintest.New("glim bench", xmr.Regtest), measured: ourKeys("measured"),
		prev: xmr.Regtest.GenesisHash(),
	}
	var records []chain.Record
	for height := 1; height <= r.Blocks; height++ {
		b, err := f.next(uint64(height))
		if err != nil {
			return err
		}
		if records = append(records, b.Record()); height%1000 == 0 || height == r.Blocks {
			if err := to.Commit(records, nil); err != nil {
				return err
			}
			records = records[:0]
		}
	}
	return nil
}

// forger makes one block after the other.
type forger struct {
	recipe
	chain    *chaintest.Chain
	measured *keys.Keys
	prev     xmr.Hash
	txs      int // so far
	paid     int // of the transactions so far
}

func (f *forger) next(height uint64) (*chain.Block, error) {
	var specs []chaintest.Spec
	for f.txs*f.Blocks < f.Txs*int(height) {
		f.txs++
		specs = append(specs, f.spec())
	}
	f.chain.Add(specs...)
	f.chain.Made[height] = nil // its outputs are not spent
	from := &f.chain.Blocks[height]
	b := &block.Block{Major: 16, Minor: 16, Timestamp: from.Timestamp, Prev: f.prev, MinerTx: *from.Txs[0].Tx}
	made := &chain.Block{Block: b, Height: height, Difficulty: consensus.Difficulty{Lo: 1}}
	for i := range specs {
		t := from.Txs[1+i].Tx
		f.prove(t)
		id, err := t.Hash()
		if err != nil {
			return nil, err
		}
		b.TxHashes = append(b.TxHashes, id)
		made.Txs = append(made.Txs, &chain.Tx{ID: id, Blob: t.Append(nil)})
	}
	made.Blob = b.Append(nil)
	var err error
	f.prev, err = b.Hash()
	return made, err
}

// spec describes the next transaction. All look alike to other wallets.
func (f *forger) spec() chaintest.Spec {
	random := f.chain.Random
	id := random.Bytes32()
	s := chaintest.Spec{
		Pay: make([]chaintest.Payment, 2), Fee: forgedFee,
		ExtraSuffix: tx.AppendEncryptedPaymentID(nil, [8]byte(id[:])),
	}
	for range 1 + random.IntN(2) {
		s.Spend = append(s.Spend, random.Point())
	}
	// The last payment is not in the last blocks, where it would still be locked.
	if all := f.Payments + f.Swept; f.paid < all && f.txs*(all+1)/f.Txs > f.paid {
		at := paidAt(f.paid)
		switch {
		case f.paid*f.Swept/all != (f.paid+1)*f.Swept/all:
			at = keys.Index{Major: sweptAccount}
		case f.paid == 0:
			at = keys.Index{Major: loneAccount}
		}
		f.paid++
		s.Pay[0] = chaintest.Payment{To: f.measured, At: at, Amount: paymentAmount}
	}
	return s
}

// prove fills proofs and signatures with random bytes.
func (f *forger) prove(t *tx.Transaction) {
	random := f.chain.Random
	list := func(n int) [][32]byte {
		out := make([][32]byte, n)
		for i := range out {
			out[i] = random.Bytes32()
		}
		return out
	}
	ranges := tx.BulletproofPlus{A: random.Bytes32(), A1: random.Bytes32(), B: random.Bytes32(),
		R1: random.Bytes32(), S1: random.Bytes32(), D1: random.Bytes32(), L: list(7), R: list(7)}
	p := &tx.Prunable{BulletproofsPlus: []tx.BulletproofPlus{ranges}, PseudoOuts: list(len(t.Inputs))}
	for i := range t.Inputs {
		p.CLSAGs = append(p.CLSAGs, tx.CLSAG{
			S: list(len(t.Inputs[i].KeyOffsets)), C1: random.Bytes32(), D: random.Bytes32(),
		})
	}
	t.RingCT.Prunable = p
}
