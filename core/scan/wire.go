package scan

import (
	"errors"
	"math"

	"glim/core/crypto/edwards"
	"glim/core/internal/codec/wire"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// ErrWire reports bytes that do not encode a job, or a result of the given job.
var ErrWire = errors.New("scan: malformed")

// Limits of decoding, which equal the limits of jobs that are sent to workers.
const (
	maxTxs     = jobTxs
	maxOutputs = partOutputs
	maxExtra   = 2 * 33 * partOutputs // one public key in a part of that many outputs, with one more for each
)

// Encode serialises j for another worker: the view key, and each transaction's extra, output keys and view tags. The
// result contains the secret view key.
func (j *Job) Encode() []byte {
	size := 40
	for i := range j.Txs {
		size += 20 + len(j.Txs[i].Tx.Extra) + 34*len(j.Txs[i].Tx.Outputs)
	}
	b := append(make([]byte, 0, size), j.View[:]...)
	b = wire.AppendVarint(b, uint64(len(j.Txs)))
	for i := range j.Txs {
		t := j.Txs[i].Tx
		if t.Carrot != nil {
			b = appendCarrot(append(b, 1), t)
			continue
		}
		b = wire.AppendVarint(append(b, 0), uint64(j.Txs[i].First))
		b = wire.AppendVarint(b, uint64(len(t.Extra)))
		b = append(b, t.Extra...)
		b = wire.AppendVarint(b, uint64(len(t.Outputs)))
		for o := range t.Outputs {
			out := &t.Outputs[o]
			tagged := byte(0)
			if out.Tagged {
				tagged = 1
			}
			b = append(append(b, out.Key[:]...), tagged, out.ViewTag)
		}
	}
	return b
}

// DecodeJob reads what Encode wrote. The transactions contain only the fields that scanning needs, and alias b. It
// returns ErrWire for invalid bytes.
func DecodeJob(b []byte) (Job, error) {
	r := wire.NewReader(b)
	j := Job{View: r.Bytes32()}
	n := r.Count(maxTxs, 4)
	j.Txs = make([]Tx, n)
	txs := make([]tx.Transaction, n)
	for i := range j.Txs {
		j.Txs[i].Tx = &txs[i]
		switch r.Byte() {
		case 0:
		case 1:
			decodeCarrot(r, &txs[i])
			continue
		default:
			r.Fail(ErrWire)
		}
		first := r.Varint()
		if first > math.MaxInt32 {
			r.Fail(ErrWire)
		}
		j.Txs[i].First = int(first)
		txs[i].Extra = r.Bytes(r.Count(maxExtra, 1))
		txs[i].Outputs = make([]tx.Output, r.Count(maxOutputs, 34))
		for o := range txs[i].Outputs {
			out := &txs[i].Outputs[o]
			out.Key = r.Bytes32()
			tagged := r.Byte()
			if tagged > 1 {
				r.Fail(ErrWire)
			}
			out.Tagged, out.ViewTag = tagged == 1, r.Byte()
		}
	}
	if err := r.Close(); err != nil {
		return Job{}, smallfmt.Errorf("%w: job: %w", ErrWire, err)
	}
	return j, nil
}

// Encode serialises r for DecodeResult.
func (r *Result) Encode() []byte {
	b := wire.AppendVarint(nil, uint64(len(r.Found)))
	for i := range r.Found {
		f := &r.Found[i]
		b = wire.AppendVarint(b, uint64(f.Tx))
		b = append(b, f.Main[:]...)
		b = wire.AppendVarint(b, uint64(len(f.Candidates)))
		for _, c := range f.Candidates {
			b = wire.AppendVarint(wire.AppendVarint(b, uint64(c.Key)), uint64(c.Output))
			b = append(append(b, c.SpendKey[:]...), c.Derivation[:]...)
		}
	}
	return b
}

// DecodeResult reads what Encode wrote for the job with txs, and checks that the transactions and outputs exist. It
// returns ErrWire for invalid bytes.
func DecodeResult(b []byte, txs []Tx) (Result, error) {
	r := wire.NewReader(b)
	var out Result
	if n := r.Count(len(txs), 34); n > 0 {
		out.Found = make([]Found, n)
	}
	last := -1
	for i := range out.Found {
		f := &out.Found[i]
		at := r.Varint()
		if r.Err() != nil {
			break
		}
		if at >= uint64(len(txs)) || int(at) <= last {
			r.Fail(ErrWire)
			break
		}
		f.Tx, last = int(at), int(at)
		f.Main = edwards.Derivation(r.Bytes32())
		if n := r.Count(math.MaxInt32, 66); n > 0 { // limited by the bytes left
			f.Candidates = make([]Candidate, n)
		}
		for c := range f.Candidates {
			key, o, first := r.Varint(), r.Varint(), uint64(txs[at].First)
			if key > math.MaxInt32 || o < first || o-first >= uint64(len(txs[at].Tx.Outputs)) {
				r.Fail(ErrWire)
				break
			}
			f.Candidates[c] = Candidate{int(key), int(o), xmr.PublicKey(r.Bytes32()), edwards.Derivation(r.Bytes32())}
		}
	}
	if err := r.Close(); err != nil {
		return Result{}, smallfmt.Errorf("%w: result: %w", ErrWire, err)
	}
	return out, nil
}
