package scenario

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestReferenceOpensSeedsOfOtherWallets restores seeds of a hardware wallet and of MyMonero. monero-wallet-rpc opens
// the exported files and gets the same keys and, for the hardware wallet, the same 25 words. For MyMonero neither
// program has words. Without seed_type both refuse such seeds with the same code.
func TestReferenceOpensSeedsOfOtherWallets(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	dir := t.TempDir()
	reference := peers.NewWalletRPC(t, nil, peers.Options{Dir: dir})
	do(t, reference, "auto_refresh", object{"enable": false})
	ours := newGlim(t, "", options{dir: filepath.Join(dir, "wallets")})
	type key struct{ Key string }
	type restored struct{ Seed string }
	type addresses struct{ Address string }
	keysOf := func(c caller) (list []string) {
		for _, kind := range []string{"view_key", "spend_key"} {
			list = append(list, call[key](t, c, "query_key", object{"key_type": kind}).Key)
		}
		return append(list, call[addresses](t, c, "get_address", object{"account_index": 0}).Address)
	}
	const failed = "Electrum-style word list failed verification"
	for kind, words := range map[string]string{
		"trezor":   "alcohol woman abuse must during monitor noble actual mixed trade anger aisle",
		"mymonero": "foxes selfish humid nexus juvenile dodge pepper ember biscuit elapse jazz vibrate biscuit",
	} {
		plain := object{"filename": "none", "seed": words}
		require.Equal(t, peers.Error{Code: -1, Message: failed},
			refusal(t, reference, "restore_deterministic_wallet", plain))
		e := refusal(t, ours, "restore_deterministic_wallet", plain)
		require.Equal(t, -1, e.Code)
		require.Contains(t, e.Message, failed+": the words are a seed of another wallet: set seed_type to "+kind)

		got := call[restored](t, ours, "restore_deterministic_wallet",
			object{"filename": "own " + kind, "password": "own", "seed": words, "seed_type": kind})
		own := keysOf(ours)
		do(t, ours, "export_keys_file", object{"filename": kind, "password": "p"})
		do(t, reference, "open_wallet", object{"filename": kind, "password": "p"})
		require.Equal(t, own, keysOf(reference))
		if kind == "mymonero" {
			require.Equal(t, refusal(t, reference, "query_key", object{"key_type": "mnemonic"}),
				refusal(t, ours, "query_key", object{"key_type": "mnemonic"}))
			require.Empty(t, got.Seed)
			continue
		}
		require.Equal(t, got.Seed, call[key](t, reference, "query_key", object{"key_type": "mnemonic"}).Key)
	}
}
