package native_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/xmr"
)

// TestRealDaemon uses a real daemon with a login, plain and encrypted.
func TestRealDaemon(t *testing.T) {
	d := peers.NewDaemon(t, peers.Options{RPCLogin: "user:pass word", Args: []string{"--rpc-ssl", "autodetect"}})
	address := strings.TrimPrefix(d.URL, "http://")
	for _, ssl := range []native.SSL{{}, {Mode: native.SSLDisabled}, {Mode: native.SSLEnabled, AllowAnyCert: true}} {
		tr, err := native.NewTransport(native.TransportOptions{
			Address: address, Login: digest.NewLogin("user", "pass word"), SSL: ssl,
		})
		require.NoError(t, err)
		t.Cleanup(tr.Close)
		for range 3 {
			info, err := rpc.Call(t.Context(), tr, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
			require.NoError(t, err)
			require.Equal(t, "fakechain", info.NetType)
			// Without a known hash the daemon would count a failure, and close the connection after three.
			hashes, err := rpc.Call(t.Context(), tr, daemonrpc.GetHashes,
				daemonrpc.GetHashesRequest{BlockIDs: []xmr.Hash{xmr.Regtest.GenesisHash()}})
			require.NoError(t, err)
			require.True(t, hashes.OK())
		}
		require.Equal(t, ssl.Mode != native.SSLDisabled, tr.Encrypted())
		_, err = tr.Post(t.Context(), "/nothing", nil)
		require.ErrorIs(t, err, native.ErrNoPath)

		wrong, err := native.NewTransport(native.TransportOptions{
			Address: address, Login: digest.NewLogin("user", "guess"), SSL: ssl,
		})
		require.NoError(t, err)
		t.Cleanup(wrong.Close)
		_, err = rpc.Call(t.Context(), wrong, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
		require.ErrorIs(t, err, native.ErrUnlogged)
	}
}
