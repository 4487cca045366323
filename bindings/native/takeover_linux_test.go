package native

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
)

const caches = "../../core/walletcache/testdata/"

// copied copies the reference's files to a folder as NAME and NAME.keys.
func copied(t *testing.T, cache, keys, to string) {
	t.Helper()
	for from, name := range map[string]string{cache: to, keys: to + ".keys"} {
		b, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, b, 0o600))
	}
}

// TestImportsWalletsOfReleases opens wallets written by releases of monero-wallet-rpc. Without a daemon, glim must
// return the same data as these releases for everything that is not on the chain.
func TestImportsWalletsOfReleases(t *testing.T) {
	local := []string{
		"get_account_tags", "get_tx_notes", "get_attribute", "get_address_book", "get_tx_key", "get_address",
	}
	for _, name := range []string{
		"0.18.0.0-shop", "0.18.0.0-watch", "0.18.0.0-group", "0.18.5.1-shop", "0.18.5.1-watch", "0.18.5.1-group",
	} {
		dir := t.TempDir()
		copied(t, caches+name, caches+name+".keys", filepath.Join(dir, "w"))
		s := onDisk(t, dir)
		require.NoError(t, openAt(s, "w", "p ä"), name)
		require.Equal(t, "cache", takenOver(t, s).From)
		var said []struct {
			Method         string
			Params, Result json.RawMessage
		}
		b, err := os.ReadFile(caches + name + ".json")
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &said))
		asked := 0
		for _, a := range said {
			if !slices.Contains(local, a.Method) {
				continue
			}
			asked++
			body, err := json.Marshal(map[string]any{
				"jsonrpc": "2.0", "id": "0", "method": a.Method, "params": a.Params,
			})
			require.NoError(t, err)
			answer, err := s.Serve(t.Context(), "/json_rpc", body, rpc.Options{})
			require.NoError(t, err)
			var got struct{ Result json.RawMessage }
			require.NoError(t, json.Unmarshal(answer, &got))
			if string(a.Result) == "null" {
				require.Empty(t, got.Result, "%s: %s is refused", name, a.Method)
				continue
			}
			require.JSONEq(t, unused(a.Result), unused(got.Result), "%s: %s %s", name, a.Method, a.Params)
		}
		require.Greater(t, asked, 2, name)
	}
}

// unused removes the used flags of addresses, which depend on the chain, and a member that is always empty.
func unused(answer json.RawMessage) string {
	answer = bytes.ReplaceAll(answer, []byte(`,"payment_id":""`), nil)
	return string(bytes.ReplaceAll(answer, []byte(`"used":true`), []byte(`"used":false`)))
}

func takenOver(t *testing.T, s *service.Service) walletrpc.GetTakeoverResponse {
	t.Helper()
	return must(t, s, walletrpc.GetTakeover, walletrpc.Empty{})
}

// TestTakesOverOldReleases opens wallets with Boost caches of earlier releases. Two of them do not name their account,
// and no later release accepts them either.
func TestTakesOverOldReleases(t *testing.T) {
	opened := func(name string) (*service.Service, error) {
		dir := t.TempDir()
		copied(t, caches+name, caches+name+".keys", filepath.Join(dir, "w"))
		s := onDisk(t, dir)
		return s, openAt(s, "w", "abctesting123")
	}
	for _, name := range []string{"javascript-0.2.14", "javascript-0.4.6"} {
		_, err := opened(name)
		require.ErrorContains(t, err, "another wallet")
		require.ErrorContains(t, err, "--without-cache")
	}
	s, err := opened("javascript-0.5.11")
	require.NoError(t, err)
	report := takenOver(t, s)
	require.Equal(t, []uint64{3, 6, 5, 2, 2, 3}, []uint64{
		report.Accounts, report.Addresses, report.Labels, report.Notes, report.Attributes, report.AddressBook,
	})
	accounts := must(t, s, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{}).SubaddressAccounts
	require.Equal(t, "second", accounts[1].Label)
	require.Equal(t, "third", accounts[2].Label)
	require.Len(t, must(t, s, walletrpc.GetAddressBook, walletrpc.GetAddressBookRequest{}).Entries, 3)
}
