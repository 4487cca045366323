package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"glim/bindings/peers"
	"glim/core/address"
	"glim/core/crypto/keccak"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/xmr"
)

// What the chain holds: as many coinbases as blocks, and transactions of two outputs.
const (
	wantBlocks   = 5000
	wantTxs      = 15300
	wantPayments = 200 // of them, to the wallet that is measured
	paymentEvery = wantTxs / wantPayments

	ripe        = 200 // blocks, before which rings have too few members to choose from
	roundBlocks = 20

	paymentAmount = uint64(1_000_000_000_000) // atomic units
)

// ourKeys are a wallet's that everybody knows: it holds money of a private chain alone.
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
	a := address.Address{Network: xmr.Regtest, Kind: address.Subaddress, Spend: spend, View: view}
	if i == (keys.Index{}) {
		a.Kind = address.Standard
	}
	return a
}

// paidAt spreads payments over addresses: half to account 0, the rest to three others.
func paidAt(n int) keys.Index {
	i := keys.Index{Minor: uint32(n / 2 % 10)}
	if n%2 == 1 {
		i.Major = 1 + uint32(n/2%3)
	}
	return i
}

// chain is what was made.
type chain struct {
	Blocks       int `json:"blocks"`
	Transactions int `json:"transactions"` // coinbases included
}

// makeChain returns the chain of d's folder, making what is missing of it. An attempt that was broken off is continued.
func makeChain(ctx context.Context, d *peers.Daemon, dir string, out io.Writer) (chain, error) {
	recipe := fmt.Sprintf("%d-%d-%d", wantBlocks, wantTxs, wantPayments)
	var info struct {
		Height  int    `json:"height"`
		TxCount int    `json:"tx_count"` // without coinbases
		Top     string `json:"top_block_hash"`
	}
	if err := d.JSON(ctx, "get_info", nil, &info); err != nil {
		return chain{}, err
	}
	var done struct {
		Recipe, Top string
		Chain       chain
	}
	mark := filepath.Join(dir, "chain-"+recipe+".json")
	if b, err := os.ReadFile(mark); err == nil && json.Unmarshal(b, &done) == nil && done.Top == info.Top {
		return done.Chain, nil
	}
	p, err := newPayer(d.URL, ourKeys("payer"))
	if err != nil {
		return chain{}, err
	}
	// What an earlier attempt left in the pool goes into a block, so that no output is spent twice.
	if err := d.Mine(ctx, 1, addressOf(p.keys(), keys.Index{}).String()); err != nil {
		return chain{}, err
	}
	began := time.Now()
	last := began
	for n := -1; ; {
		if err := p.refresh(ctx); err != nil {
			return chain{}, err
		}
		if err := d.JSON(ctx, "get_info", nil, &info); err != nil {
			return chain{}, err
		}
		if n < 0 {
			n = info.TxCount
		}
		if info.Height >= wantBlocks && n >= wantTxs {
			break
		}
		if time.Since(last) > 15*time.Second {
			last = time.Now()
			fmt.Fprintf(out, "making the chain: %d of %d blocks, %d of %d transactions, %s\n",
				info.Height, wantBlocks, n, wantTxs, time.Since(began).Round(time.Second))
		}
		count := (wantTxs - n + rounds(info.Height) - 1) / rounds(info.Height)
		if info.Height < ripe {
			count = 0
		}
		sent, err := p.round(ctx, d, n, count)
		if err != nil {
			return chain{}, err
		}
		n += sent
	}
	// The last payments are old enough to be spent after this.
	if err := d.Mine(ctx, 20, addressOf(p.keys(), keys.Index{}).String()); err != nil {
		return chain{}, err
	}
	if err := d.JSON(ctx, "get_info", nil, &info); err != nil {
		return chain{}, err
	}
	done.Recipe, done.Top = recipe, info.Top
	done.Chain = chain{info.Height, info.Height + info.TxCount}
	b, err := json.Marshal(done)
	if err != nil {
		return chain{}, err
	}
	fmt.Fprintf(out, "made a chain of %d blocks and %d transactions in %s\n", done.Chain.Blocks, done.Chain.Transactions, time.Since(began).Round(time.Second))
	return done.Chain, os.WriteFile(mark, b, 0o600)
}

// rounds is how many are left at a height, at least one.
func rounds(height int) int { return max((wantBlocks-height)/roundBlocks, 1) }

// round mines some blocks and meanwhile sends up to count transactions, the first of which is number n of the chain.
// It returns how many were sent.
func (p *payer) round(ctx context.Context, d *peers.Daemon, n, count int) (int, error) {
	inputs := p.spendable(count)
	var rings ringMaker
	if len(inputs) > 0 {
		var err error
		if rings, err = p.rings(ctx); err != nil {
			return 0, err
		}
	}
	var group sync.WaitGroup
	var mined error
	group.Go(func() { mined = d.Mine(ctx, roundBlocks, addressOf(p.keys(), keys.Index{}).String()) })
	errs := make([]error, 2)
	var next atomic.Int64
	for w := range errs {
		group.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(inputs) {
					return
				}
				errs[w] = p.pay(ctx, rings, inputs[i], n+i)
			}
		})
	}
	group.Wait()
	return len(inputs), errors.Join(append(errs, mined)...)
}
