package gateway

import (
	"context"
	"slices"
	"strconv"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
)

const (
	// rangeOutputs is the number of outputs that are requested and cached together, so that a daemon learns only the
	// range of a requested output.
	rangeOutputs = 20
	maxOutputs   = 5000 // in one request. Source: src/rpc/core_rpc_server.cpp, MAX_RESTRICTED_GLOBAL_FAKE_OUTS_COUNT
	endSeconds   = 300  // lifetime of cached ranges with outputs that are locked or above the segments
)

// outputs handles get_outs.bin for RingCT outputs. It requests fixed ranges of outputs, which are the same for all
// clients. ok is false if the request must be passed to a daemon.
func (g *Gateway) outputs(ctx context.Context, body []byte) (answer []byte, ok bool, err error) {
	q := daemonrpc.GetOutsBinRequest{GetTxID: true}
	if epee.Unmarshal(body, &q) != nil || len(q.Outputs) == 0 || len(q.Outputs) > maxOutputs {
		return nil, false, nil
	}
	var firsts []uint64
	for _, o := range q.Outputs {
		if o.Amount != 0 || o.Index > maxIndexOut {
			return nil, false, nil
		}
		firsts = append(firsts, o.Index/rangeOutputs*rangeOutputs)
	}
	end, err := g.tip(ctx, 0)
	if err != nil {
		return nil, false, err
	}
	id, stays, err := g.settled(ctx, end)
	if err != nil {
		return nil, false, err
	}
	slices.Sort(firsts)
	known := map[uint64][]daemonrpc.OutKeyBin{}
	var missing []uint64
	for _, first := range slices.Compact(firsts) {
		for _, name := range []string{g.rangeName(first, id), g.rangeName(first, end.id.String())} {
			var r daemonrpc.GetOutsBinResponse
			if b, found := g.recall(ctx, name); found && epee.Unmarshal(b, &r) == nil && len(r.Outs) == rangeOutputs {
				known[first] = r.Outs
				break
			}
		}
		if known[first] == nil {
			missing = append(missing, first)
		}
	}
	for part := range slices.Chunk(missing, maxOutputs/rangeOutputs) {
		outs, sure, err := g.ranges(ctx, part)
		if err != nil || outs == nil {
			return nil, false, err
		}
		for i, first := range part {
			list := outs[i*rangeOutputs : (i+1)*rangeOutputs]
			known[first] = list
			if !sure {
				continue
			}
			name, seconds := g.rangeName(first, id), uint64(maxKeep)
			if slices.ContainsFunc(list, func(o daemonrpc.OutKeyBin) bool { return !o.Unlocked || o.Height >= stays }) {
				name, seconds = g.rangeName(first, end.id.String()), endSeconds
			}
			if b, err := epee.Marshal(&daemonrpc.GetOutsBinResponse{Outs: list}); err == nil {
				g.keep(ctx, name, b, seconds)
			}
		}
	}
	var r daemonrpc.GetOutsBinResponse
	r.Status = daemonrpc.StatusOK
	for _, o := range q.Outputs {
		out := known[o.Index/rangeOutputs*rangeOutputs][o.Index%rangeOutputs]
		if !q.GetTxID {
			clear(out.TxID[:])
		}
		r.Outs = append(r.Outs, out)
	}
	answer, err = epee.Marshal(&r)
	return answer, true, err
}

func (g *Gateway) rangeName(first uint64, id string) string {
	return "outputs-1-" + g.c.Network + "-" + strconv.FormatUint(first, 10) + "-" + id
}

// ranges requests complete ranges of outputs. It returns nil outputs if the daemon refuses, because some do not exist.
// sure reports that the outputs may be cached for long; see agreed.
func (g *Gateway) ranges(ctx context.Context, firsts []uint64) (outs []daemonrpc.OutKeyBin, sure bool, err error) {
	q := daemonrpc.GetOutsBinRequest{GetTxID: true}
	for _, first := range firsts {
		for i := range uint64(rangeOutputs) {
			q.Outputs = append(q.Outputs, daemonrpc.OutputRef{Index: first + i})
		}
	}
	body, err := epee.Marshal(&q)
	if err != nil {
		return nil, false, err
	}
	read := func(b []byte) (r daemonrpc.GetOutsBinResponse, err error) {
		if err = epee.Unmarshal(b, &r); err == nil && r.Status == daemonrpc.StatusOK && len(r.Outs) != len(q.Outputs) {
			err = wrong("get_outs.bin returns %d outputs instead of %d", len(r.Outs), len(q.Outputs))
		}
		return r, err
	}
	b, sure, err := g.agreed(ctx, "/get_outs.bin", body, func(b []byte) (string, error) {
		r, err := read(b)
		if err != nil || r.Status != daemonrpc.StatusOK {
			return "", err
		}
		same, err := epee.Marshal(&daemonrpc.GetOutsBinResponse{Outs: r.Outs})
		return digest(string(same)), err
	})
	if err != nil {
		return nil, false, err
	}
	r, err := read(b)
	if err != nil || r.Status != daemonrpc.StatusOK {
		return nil, false, err
	}
	return r.Outs, sure, nil
}
