package node

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// full is a store that returns an error if one is set.
type full struct{ err error }

func (*full) Load(func(key, value []byte) error) error { return nil }
func (f *full) Commit([]chain.Record, [][]byte) error  { return f.err }

// TestFullDisk checks that a change that cannot be stored is rejected without details, and not made.
func TestFullDisk(t *testing.T) {
	f := new(full)
	c := &clock{1_700_000_000}
	n, err := New(Config{
		Chain:        chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{}, Store: f},
		FreeSpace:    func() uint64 { return 12345 },
		DatabaseSize: func() uint64 { return 6789 },
	})
	require.NoError(t, err)
	r := &Regtest{n}
	_, err = r.Mine(t.Context(), 3, UnspendableAddress())
	require.NoError(t, err)
	blob := ask(t, n.Registry(), daemonrpc.GetBlockTemplate,
		daemonrpc.GetBlockTemplateRequest{WalletAddress: UnspendableAddress()}).BlockTemplateBlob

	f.err = errors.New("/home/alice/secret place: no space left on device")
	const says = "Internal error: cannot be stored"
	require.Equal(t, says, refused(t, n.Registry(), daemonrpc.SubmitBlock, []string{blob}).Message)
	_, err = r.Mine(t.Context(), 3, UnspendableAddress())
	require.ErrorContains(t, err, "cannot be stored")
	require.NotContains(t, err.Error(), "alice")
	require.EqualValues(t, 4, r.Height())
	require.Error(t, n.Close())
	f.err = nil
	ask(t, n.Registry(), daemonrpc.SubmitBlock, []string{blob})
	require.EqualValues(t, 5, r.Height())
	ask(t, n.Registry(), daemonrpc.SaveBlockchain, daemonrpc.None{})

	info := ask(t, n.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.EqualValues(t, 12345, info.FreeSpace)
	require.EqualValues(t, 6789, info.DatabaseSize)
	restricted := ask(t, n.Restricted(), daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.EqualValues(t, uint64(1<<64-1), restricted.FreeSpace)
	require.EqualValues(t, 5<<30, restricted.DatabaseSize)
}
