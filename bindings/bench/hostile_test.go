package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// TestHostileBodies: every operation is attacked, with bodies of about the requested size.
func TestHostileBodies(t *testing.T) {
	const size = 10_000
	w := &testbed{known: map[string]string{}}
	tried := map[string]bool{}
	calls, err := walletCalls(w)
	require.NoError(t, err)
	ofDaemon, err := daemonCalls(w)
	require.NoError(t, err)
	for _, a := range append(calls, ofDaemon...) {
		tried[a.place.name+" "+a.operation] = true
	}
	for _, m := range walletrpc.Methods() {
		require.True(t, tried["wallet-rpc "+m.Name], m.Name)
	}
	for _, op := range daemonOperations() {
		require.True(t, tried["daemon "+op.Name], op.Name)
		shapes := w.paramsShapes(op.Request, w.base(op.Request))
		if op.Wire == rpc.Binary {
			shapes = epeeShapes(op.Request, nil)
		}
		for _, s := range shapes {
			b := s.make(size)
			require.Less(t, len(b), 2*size, "%s: %s", op.Name, s.kind)
			valid := op.Wire == rpc.Binary || json.Valid(b)
			require.True(t, valid, "%s: %s", op.Name, s.kind)
		}
	}
}

// TestUnexpectedAnswers: a hostile answer keeps its other members, so that it is not refused before the hostile member
// is read.
func TestUnexpectedAnswers(t *testing.T) {
	w := &testbed{known: map[string]string{}}
	var binary, text *rpc.Operation
	for _, op := range daemonOperations() {
		switch op.Name {
		case daemonrpc.GetHashes.Name:
			binary = op
		case daemonrpc.GetFeeEstimate.Name:
			text = op
		}
	}
	honest, err := epee.Marshal(&daemonrpc.GetHashesResponse{
		Metered: daemonrpc.Metered{Common: daemonrpc.Common{Status: "OK"}}, StartHeight: 7, CurrentHeight: 9,
	})
	require.NoError(t, err)
	shapes, err := w.unexpectedAnswers(binary, honest)
	require.NoError(t, err)
	bent := 0
	for _, s := range shapes {
		if !strings.HasPrefix(s.kind, "m_block_ids: ") && !strings.HasPrefix(s.kind, "unknown: list of bytes") {
			continue
		}
		entries, err := epeeSplit(s.make(1000))
		require.NoError(t, err, s.kind)
		require.Contains(t, entries, "status")
		require.Contains(t, entries, "start_height")
		bent++
	}
	require.Greater(t, bent, 5)
	shapes, err = w.unexpectedAnswers(text, []byte(`{"id":"0","jsonrpc":"2.0","result":{"status":"OK","fee":3}}`))
	require.NoError(t, err)
	bent = 0
	for _, s := range shapes {
		var answer struct {
			Result struct {
				Status string            `json:"status"`
				Fees   []json.RawMessage `json:"fees"`
			} `json:"result"`
		}
		if strings.HasPrefix(s.kind, "fees: list of") {
			require.NoError(t, json.Unmarshal(s.make(1000), &answer))
			require.Equal(t, "OK", answer.Result.Status)
			require.Greater(t, len(answer.Result.Fees), 100)
			bent++
		}
	}
	require.Greater(t, bent, 3)
}
