package daemon

import (
	"context"

	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// Output is a RingCT output as a possible ring member. Its commitment is a canonical point; its key may be none, for whoever mines a
// block may give its reward any key, and a daemon that says so tells the truth. Whose they are is unproven: a lying daemon can hand out
// outputs that do not exist, so that a ring made of them has one candidate, or points of small order. A ring must hold the caller's
// own output as the caller knows it.
type Output struct {
	Index      uint64 // global
	Key        xmr.PublicKey
	Commitment xmr.PublicKey
	Unlocked   bool   // may be spent, says the daemon
	Height     uint64 // index of its block
	TxID       xmr.Hash
}

// Outputs asks for RingCT outputs by global index, in the order of indices.
func (c *Client) Outputs(ctx context.Context, indices []uint64) ([]Output, error) {
	return c.OutputsOf(ctx, 0, indices)
}

// OutputsOf is Outputs for those of an amount in the clear, of before RingCT, in atomic units; 0 is RingCT.
func (c *Client) OutputsOf(ctx context.Context, amount uint64, indices []uint64) ([]Output, error) {
	out := make([]Output, 0, len(indices))
	for len(indices) > 0 {
		n := min(len(indices), askOutputs)
		q := daemonrpc.GetOutsBinRequest{Outputs: make([]daemonrpc.OutputRef, n), GetTxID: true}
		for i, index := range indices[:n] {
			q.Outputs[i] = daemonrpc.OutputRef{Amount: amount, Index: index}
		}
		r, err := call(ctx, c, daemonrpc.GetOutsBin, q)
		if err != nil {
			return nil, err
		}
		if len(r.Outs) != n {
			return nil, lie("%d outputs for %d", len(r.Outs), n)
		}
		for i, o := range r.Outs {
			if o.Height >= maxHeight {
				return nil, lie("output %d at height %d", indices[i], o.Height)
			}
			if _, err := edwards.DecodePoint(o.Mask); err != nil {
				return nil, lie("commitment of output %d: %w", indices[i], err)
			}
			out = append(out, Output{indices[i], o.Key, o.Mask, o.Unlocked, o.Height, o.TxID})
		}
		indices = indices[n:]
	}
	return out, nil
}

// OutputIndices asks for the global index of each output of a mined transaction. The caller knows how many there are.
func (c *Client) OutputIndices(ctx context.Context, id xmr.Hash) ([]uint64, error) {
	r, err := call(ctx, c, daemonrpc.GetOutputIndices, daemonrpc.GetOutputIndicesRequest{TxID: id})
	if err != nil {
		return nil, err
	}
	for _, i := range r.OIndexes {
		if i > maxIndex {
			return nil, lie("output index %d", i)
		}
	}
	return r.OIndexes, nil
}

// Distribution asks how many RingCT outputs the chain had after each block from index from to index to, both included;
// to 0 is the top. cumulative[i] belongs to block start+i, where start is from or the first block that could have
// some. The numbers never fall, their count is right; beyond that they are unproven: a lying daemon can bend them so
// that decoys come from outputs it likes.
func (c *Client) Distribution(ctx context.Context, from, to uint64) (start uint64, cumulative []uint64, err error) {
	if to == 0 {
		h, err := call(ctx, c, daemonrpc.GetHeight, daemonrpc.None{})
		if err != nil {
			return 0, nil, err
		}
		if h.Height == 0 || h.Height > maxHeight {
			return 0, nil, lie("a chain of %d blocks", h.Height)
		}
		to = h.Height - 1
	}
	r, err := call(ctx, c, daemonrpc.GetOutputDistributionBin, daemonrpc.GetOutputDistributionRequest{
		Amounts: []uint64{0}, FromHeight: from, ToHeight: to, Cumulative: true, Binary: true, Compress: true})
	if err != nil {
		return 0, nil, err
	}
	if len(r.Distributions) != 1 || r.Distributions[0].Amount != 0 {
		return 0, nil, lie("distributions of other amounts")
	}
	d := r.Distributions[0]
	n := d.Count()
	if d.StartHeight < from || d.StartHeight > to || uint64(n) != to-d.StartHeight+1 {
		return 0, nil, lie("a distribution of %d blocks from %d for %d to %d", n, d.StartHeight, from, to)
	}
	// A block has an output at least, so that few of many numbers have one byte.
	if d.Compress && n > 1<<20 && n > len(d.CompressedData)/2 {
		return 0, nil, lie("a distribution of %d blocks in %d bytes", n, len(d.CompressedData))
	}
	if cumulative, err = d.Numbers(); err != nil {
		return 0, nil, lie("distribution: %w", err)
	}
	before := d.Base
	for i, n := range cumulative {
		if n < before || n > maxIndex {
			return 0, nil, lie("the number of outputs falls from %d to %d at block %d", before, n, d.StartHeight+uint64(i))
		}
		before = n
	}
	return d.StartHeight, cumulative, nil
}
