package daemonrpc

import (
	_ "embed"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/rpc"
)

//go:embed testdata/operations.txt
var operationsList string

// Every operation of the reference has a Method with its wire, names and restriction, and there is no other.
func TestParity(t *testing.T) {
	wires := map[string]rpc.Wire{"jsonrpc": rpc.JSONRPC, "path": rpc.Path, "binary": rpc.Binary}
	type key struct {
		path bool
		name string
	}
	ours := map[key]*rpc.Operation{}
	for _, op := range Operations() {
		ours[key{op.Wire != rpc.JSONRPC, op.Name}] = op
	}
	names := map[rpc.Wire]int{}
	for line := range strings.Lines(operationsList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		wire, ok := wires[f[0]]
		require.True(t, ok, line)
		k := key{wire != rpc.JSONRPC, f[2]}
		op := ours[k]
		require.NotNil(t, op, "no Method for %s", f[2])
		require.Equal(t, wire, op.Wire, f[2])
		require.Equal(t, f[1] == "restricted", op.Restricted, f[2])
		require.ElementsMatch(t, f[3:], op.Aliases, f[2])
		names[wire] += len(f) - 2
		delete(ours, k)
	}
	require.Empty(t, ours, "Methods the reference does not have")
	require.Equal(t, 46, names[rpc.JSONRPC])
	require.Equal(t, 42, names[rpc.Path]+names[rpc.Binary])
}

// The types of every operation encode and decode on its wire.
func TestTypesEncode(t *testing.T) {
	for _, op := range Operations() {
		for _, typ := range []reflect.Type{op.Request, op.Response} {
			v := reflect.New(typ)
			if op.Wire == rpc.Binary {
				b, err := epee.Marshal(v.Interface())
				require.NoError(t, err, "%s %s", op.Name, typ)
				require.NoError(t, epee.Unmarshal(b, v.Interface()), "%s %s", op.Name, typ)
				continue
			}
			b, err := rpc.Encode(v.Interface())
			require.NoError(t, err, "%s %s", op.Name, typ)
			require.NoError(t, rpc.Bind(b, v.Interface()), "%s %s", op.Name, typ)
		}
	}
}

func TestDefaults(t *testing.T) {
	var send SendRawTransactionRequest
	require.NoError(t, rpc.Bind([]byte(`{"tx_as_hex":"00"}`), &send))
	require.True(t, send.DoSanityChecks)
	var outs GetOutsBinRequest
	empty, err := epee.Marshal(&struct{}{})
	require.NoError(t, err)
	require.NoError(t, epee.Unmarshal(empty, &outs))
	require.True(t, outs.GetTxID)
	var dist GetOutputDistributionRequest
	require.NoError(t, epee.Unmarshal(empty, &dist))
	require.True(t, dist.Binary)
	b, err := epee.Marshal(&GetOutputDistributionRequest{})
	require.NoError(t, err)
	require.NoError(t, epee.Unmarshal(b, &dist))
	require.False(t, dist.Binary, "false must not be left out where true is the default")
}
