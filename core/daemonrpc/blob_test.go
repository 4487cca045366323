package daemonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/xmr"
)

func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func TestBlobKeepsEveryByte(t *testing.T) {
	quoted := QuoteBlob(everyByte())
	back, err := UnquoteBlob(quoted)
	require.NoError(t, err)
	require.Equal(t, everyByte(), back)

	for _, bad := range []string{`"`, `"\`, `"\x"`, `"\u0100"`, `"\u00g0"`, `"a"b"`, `7`, `"\u00`} {
		_, err := UnquoteBlob(json.RawMessage(bad))
		require.ErrorIs(t, err, ErrBlob, bad)
	}
}

// TestBlobsThroughCall: packed members pass through server and client unchanged.
func TestBlobsThroughCall(t *testing.T) {
	var hashes []xmr.Hash
	for i := range 8 {
		hashes = append(hashes, xmr.Hash(everyByte()[32*i:32*i+32]))
	}
	entries := []BacklogEntry{{1, 2, 3}, {1 << 63, 0x2f225c0b0a, 7}}
	numbers := []uint64{0, 34, 92, 1 << 40, 11}
	r := rpc.NewRegistry()
	rpc.Handle(
		r, GetTransactionPoolHashesBin,
		func(context.Context, PayerOnly) (GetTransactionPoolHashesBinResponse, error) {
			return GetTransactionPoolHashesBinResponse{TxHashes: PackHashes(hashes)}, nil
		},
	)
	rpc.Handle(r, GetTxPoolBacklog, func(context.Context, PayerOnly) (GetTxPoolBacklogResponse, error) {
		return GetTxPoolBacklogResponse{Backlog: PackBacklog(entries)}, nil
	})
	rpc.Handle(
		r, GetOutputDistribution,
		func(_ context.Context, q GetOutputDistributionRequest) (GetOutputDistributionResponse, error) {
			return GetOutputDistributionResponse{Distributions: []Distribution{
				NewDistribution(0, 5, 9, numbers, q.Binary, q.Compress),
			}}, nil
		},
	)
	tr := r
	ctx := t.Context()

	h, err := rpc.Call(ctx, tr, GetTransactionPoolHashesBin, PayerOnly{})
	require.NoError(t, err)
	gotHashes, err := UnpackHashes(h.TxHashes)
	require.NoError(t, err)
	require.Equal(t, hashes, gotHashes)

	b, err := rpc.Call(ctx, tr, GetTxPoolBacklog, PayerOnly{})
	require.NoError(t, err)
	gotEntries, err := UnpackBacklog(b.Backlog)
	require.NoError(t, err)
	require.Equal(t, entries, gotEntries)

	for _, form := range []struct{ binary, compress bool }{{false, false}, {true, false}, {true, true}} {
		d, err := rpc.Call(
			ctx, tr, GetOutputDistribution,
			GetOutputDistributionRequest{Amounts: []uint64{0}, Binary: form.binary, Compress: form.compress},
		)
		require.NoError(t, err)
		got, err := d.Distributions[0].Numbers()
		require.NoError(t, err)
		require.Equal(t, numbers, got)
	}

	_, err = UnpackHashes(QuoteBlob(make([]byte, 33)))
	require.ErrorIs(t, err, ErrBlob)
	_, err = UnpackBacklog(QuoteBlob(make([]byte, 25)))
	require.ErrorIs(t, err, ErrBlob)
	_, err = Distribution{Binary: true, Distribution: QuoteBlob(make([]byte, 9))}.Numbers()
	require.ErrorIs(t, err, ErrBlob)
	_, err = ExpandNumbers([]byte{0x80})
	require.ErrorIs(t, err, ErrBlob)
}

func FuzzUnquoteBlob(f *testing.F) {
	f.Add([]byte(QuoteBlob(everyByte())))
	f.Add([]byte(`"\u00ff\u000b"`))
	f.Add([]byte(`"\u00`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := UnquoteBlob(b)
		if err != nil || len(b) == 0 || string(b) == "null" {
			return
		}
		again, err := UnquoteBlob(QuoteBlob(got))
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q reads as %q and then as %q, %v", b, got, again, err)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte(QuoteBlob(make([]byte, 64))))
	f.Add([]byte(`"\u0000"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if hashes, err := UnpackHashes(b); err == nil {
			again, err := UnpackHashes(PackHashes(hashes))
			if err != nil || len(again) != len(hashes) {
				t.Fatalf("%d hashes become %d, %v", len(hashes), len(again), err)
			}
		}
		if entries, err := UnpackBacklog(b); err == nil && 24*len(entries) > len(b) {
			t.Fatal("more out than in")
		}
	})
}

func FuzzExpandNumbers(f *testing.F) {
	f.Add(CompressNumbers([]uint64{0, 127, 128, 1<<64 - 1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := ExpandNumbers(b); err == nil && !bytes.Equal(CompressNumbers(n), b) {
			t.Fatal("two encodings of one list")
		}
	})
}
