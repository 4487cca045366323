package service

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/daemonrpc"
	"glim/core/polyseed"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// serveHeaders makes a daemon serve the timestamps of a chain, each up to an hour off, like those of miners.
func serveHeaders(r *rpc.Registry, c *chaintest.Chain, asked *int) {
	rpc.Handle(r, daemonrpc.GetBlockHeaderByHeight, func(
		_ context.Context, req daemonrpc.GetBlockHeaderByHeightRequest,
	) (resp daemonrpc.BlockHeaderResponse, err error) {
		*asked++
		b := c.Blocks[req.Height]
		resp.Status = daemonrpc.StatusOK
		resp.BlockHeader.Height = req.Height
		resp.BlockHeader.Hash, resp.BlockHeader.PrevHash = b.Hash.String(), b.Prev.String()
		resp.BlockHeader.Timestamp = b.Timestamp + uint64(b.Hash[0])*28 - 3600
		return resp, nil
	})
}

// startWith sets another default daemon.
func startWith(s *Service, d DaemonConfig) {
	s.shared.disconnect(s.conn)
	s.initial = d
	s.conn = s.connectDefault()
}

// TestRestoreByDate checks that scanning begins before the date, and not much before it.
func TestRestoreByDate(t *testing.T) {
	chain := chaintest.New("dates", xmr.Regtest)
	chain.Grow(3000) // four days
	asked := 0
	s := onChain(t, newFolder())
	reconfigure(s, func(c *Config) { c.Now = func() uint64 { return 1 << 40 } })
	daemon := fakeDaemon(chain)
	serveHeaders(daemon, chain, &asked)
	reconfigure(s, func(c *Config) { c.Connect = func(DaemonConfig) (rpc.Transport, error) { return daemon, nil } })
	startWith(s, DaemonConfig{Address: "there"})

	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "English"})
	words := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key
	height := func(h uint64, date string) uint64 {
		t.Helper()
		do(t, s, walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
			Seed: words, RestoreHeight: h, RestoreDate: json.RawMessage(date)})
		var got uint64
		s.wallet.View(func(w *wallet.Wallet) { got = w.Identity().RestoreHeight })
		return got
	}
	for n := uint64(0); n < 3000; n += 97 {
		at := chain.Blocks[n].Timestamp
		asked = 0
		for _, date := range []string{fmt.Sprint(at), fmt.Sprintf("%q", fmt.Sprint(at))} {
			got := height(0, date)
			require.LessOrEqual(t, got, n)
			require.LessOrEqual(t, n, got+2*720, "a day, and the tolerance of timestamps")
		}
		require.LessOrEqual(t, asked, 2*12, "a binary search")
	}
	// 2020-09-14 is the second day of the chain, which began at 12:26 on the 13th.
	require.EqualValues(t, 0, height(0, `"2020-09-14"`))
	day := height(0, `"2020-09-16"`)
	require.InDelta(t, 720+350, day, 80)
	require.EqualValues(t, 5, height(5, `"2020-09-16"`), "the earlier one counts")
	require.Equal(t, day, height(2999, `"2020-09-16"`))
	require.EqualValues(t, 7, height(7, ""))
	require.EqualValues(t, 3000, height(0, `"2100-01-01"`), "the chain's last block")
	for _, wrong := range []string{`"yesterday"`, `"2020-13-01"`, `"1969-12-31"`, `-1`, `1.5`, `{}`, `[]`, `true`} {
		require.Equal(t, rpc.Error{Code: -1, Message: "restore_date is neither YYYY-MM-DD nor seconds since 1970"},
			refused(t, s, walletrpc.RestoreDeterministicWallet,
				walletrpc.RestoreDeterministicWalletRequest{Seed: words, RestoreDate: json.RawMessage(wrong)}), wrong)
	}

	// The same for a view-only wallet.
	do(t, s, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Address:     do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address,
		ViewKey:     do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}).Key,
		RestoreDate: json.RawMessage(`"2020-09-16"`)})
	s.wallet.View(func(w *wallet.Wallet) { require.Equal(t, day, w.Identity().RestoreHeight) })

	// Without a daemon, a table of days decides; a Polyseed contains its own date.
	startWith(s, DaemonConfig{})
	reconfigure(s, func(c *Config) { c.Network = xmr.Mainnet })
	require.Equal(t, wallet.HeightAt(xmr.Mainnet, 1600214400), height(0, `"2020-09-16"`))
	reconfigure(s, func(c *Config) { c.Now = func() uint64 { return 1600214400 } })
	require.Equal(t, wallet.HeightAt(xmr.Mainnet, 1600214400), height(0, `"2100-01-01"`), "no payments in the future")
	reconfigure(s, func(c *Config) { c.Now = func() uint64 { return 1700000000 } })
	words = "raven tail swear infant grief assist regular lamp duck valid someone little harsh puppy airport language"
	seed, _, err := polyseed.Languages{polyseed.English()}.Decode(words)
	require.NoError(t, err)
	require.Equal(t, wallet.HeightAt(xmr.Mainnet, seed.Birthday()), height(0, ""))
	require.EqualValues(t, 12, height(12, ""))
}

func FuzzParseDate(f *testing.F) {
	f.Add([]byte(`"2020-09-16"`))
	f.Add([]byte(`1600214400`))
	f.Fuzz(func(t *testing.T, b []byte) {
		seconds, ok, err := parseDate(b)
		require.False(t, ok && err != nil)
		require.Less(t, seconds, uint64(1<<63))
	})
}
