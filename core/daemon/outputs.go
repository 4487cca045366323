package daemon

import (
	"context"

	"glim/core/crypto/edwards"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// RingMember is a RingCT output that can be used as a ring member. Its commitment is a canonical point. Its key may be
// no point, because a miner can use any bytes as the key of a reward. It is not proven that the output exists: a
// malicious daemon can return outputs that do not, which leaves a ring with one candidate, or points of small order. A
// ring must contain the caller's own output as stored by the caller.
type RingMember struct {
	Index      uint64 // global
	Key        xmr.PublicKey
	Commitment xmr.PublicKey
	Unlocked   bool   // may be spent, says the daemon
	Height     uint64 // index of its block
	TxID       xmr.Hash
}

// Outputs requests RingCT outputs by global index and returns them in the order of indices.
func (c *Client) Outputs(ctx context.Context, indices []uint64) ([]RingMember, error) {
	return c.OutputsOf(ctx, 0, indices)
}

// OutputsOf is Outputs for outputs of a cleartext amount in atomic units, from before RingCT; 0 means RingCT.
func (c *Client) OutputsOf(ctx context.Context, amount uint64, indices []uint64) ([]RingMember, error) {
	out := make([]RingMember, 0, len(indices))
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
			return nil, invalid("%d outputs for %d", len(r.Outs), n)
		}
		for i, o := range r.Outs {
			if o.Height >= maxHeight {
				return nil, invalid("output %d at height %d", indices[i], o.Height)
			}
			if _, err := edwards.DecodePoint(o.Mask); err != nil {
				return nil, invalid("commitment of output %d: %w", indices[i], err)
			}
			out = append(out, RingMember{indices[i], o.Key, o.Mask, o.Unlocked, o.Height, o.TxID})
		}
		indices = indices[n:]
	}
	return out, nil
}

// OutputIndices requests the global index of each output of a mined transaction. The caller checks their number.
func (c *Client) OutputIndices(ctx context.Context, id xmr.Hash) ([]uint64, error) {
	r, err := call(ctx, c, daemonrpc.GetOutputIndices, daemonrpc.GetOutputIndicesRequest{TxID: id})
	if err != nil {
		return nil, err
	}
	for _, i := range r.OIndexes {
		if i > maxIndex {
			return nil, invalid("output index %d", i)
		}
	}
	return r.OIndexes, nil
}

// Distribution requests the cumulative number of RingCT outputs after each of the blocks with the indices from … to;
// to 0 means the top. cumulative[i] belongs to block start+i, where start is from or the first block that
// can contain RingCT outputs. Only the length of the list and its order are checked: a malicious daemon can change the
// numbers so that decoys are selected from outputs of its choice.
func (c *Client) Distribution(ctx context.Context, from, to uint64) (start uint64, cumulative []uint64, err error) {
	if to == 0 {
		h, err := call(ctx, c, daemonrpc.GetHeight, daemonrpc.None{})
		if err != nil {
			return 0, nil, err
		}
		if h.Height == 0 || h.Height > maxHeight {
			return 0, nil, invalid("a chain of %d blocks", h.Height)
		}
		to = h.Height - 1
	}
	r, err := call(ctx, c, daemonrpc.GetOutputDistributionBin, daemonrpc.GetOutputDistributionRequest{
		Amounts: []uint64{0}, FromHeight: from, ToHeight: to, Cumulative: true, Binary: true, Compress: true})
	if err != nil {
		return 0, nil, err
	}
	if len(r.Distributions) != 1 || r.Distributions[0].Amount != 0 {
		return 0, nil, invalid("distributions of other amounts")
	}
	d := r.Distributions[0]
	n := d.Count()
	if d.StartHeight < from || d.StartHeight > to || uint64(n) != to-d.StartHeight+1 {
		return 0, nil, invalid("a distribution of %d blocks from %d for %d to %d", n, d.StartHeight, from, to)
	}
	// Each block has at least one output, so few of the numbers fit into one byte.
	if d.Compress && n > 1<<20 && n > len(d.CompressedData)/2 {
		return 0, nil, invalid("a distribution of %d blocks in %d bytes", n, len(d.CompressedData))
	}
	if cumulative, err = d.Numbers(); err != nil {
		return 0, nil, invalid("distribution: %w", err)
	}
	before := d.Base
	for i, n := range cumulative {
		if n < before || n > maxIndex {
			return 0, nil, invalid(
				"the number of outputs falls from %d to %d at block %d", before, n, d.StartHeight+uint64(i),
			)
		}
		before = n
	}
	return d.StartHeight, cumulative, nil
}
