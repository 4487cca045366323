package scenario

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// multisigTransfer is what a transfer of a multisig wallet answers.
type multisigTransfer struct {
	Set    string `json:"multisig_txset"`
	TxHash string `json:"tx_hash"`
	Fee    uint64 `json:"fee"`
	Weight uint64 `json:"weight"`
	Amount uint64 `json:"amount"`
	TxKey  string `json:"tx_key"`
}

type multisigSigned struct {
	Set string   `json:"tx_data_hex"`
	IDs []string `json:"tx_hash_list"`
}

type multisigBalance struct {
	Balance      uint64 `json:"balance"`
	Unlocked     uint64 `json:"unlocked_balance"`
	ImportNeeded bool   `json:"multisig_import_needed"`
}

// exported asks every signer for its info.
func exportedInfos(t *testing.T, group []signer) []string {
	t.Helper()
	infos := make([]string, len(group))
	for i, s := range group {
		infos[i] = call[struct{ Info string }](t, s, "export_multisig_info", nil).Info
	}
	return infos
}

// exchangeInfos has every signer import what the others export.
func exchangeInfos(t *testing.T, group []signer) {
	t.Helper()
	infos := exportedInfos(t, group)
	for i, s := range group {
		n := call[struct {
			N uint64 `json:"n_outputs"`
		}](t, s, "import_multisig_info", object{"info": without(infos, i)}).N
		require.NotZero(t, n)
	}
}

// fund mines blocks to the group's address and so many more that they can be spent.
func fund(t *testing.T, d *peers.Daemon, group []signer, address string, blocks int) {
	t.Helper()
	mine(t, d, blocks, address)
	mine(t, d, 60, at(t, 250, 0, 0))
	refreshGroup(t, group)
}

func refreshGroup(t *testing.T, group []signer) {
	t.Helper()
	for _, s := range group {
		refresh(t, s)
	}
}

// signedBy passes a set from signer to signer and returns it with the IDs that the last one answers.
func signedBy(t *testing.T, group []signer, set string, by ...int) multisigSigned {
	t.Helper()
	var got multisigSigned
	for n, i := range by {
		got = call[multisigSigned](t, group[i], "sign_multisig", object{"tx_data_hex": set})
		require.Equal(t, n == len(by)-1, len(got.IDs) > 0, "IDs come from the last signer alone")
		set = got.Set
	}
	return got
}

// submitted sends a set and returns its transactions.
func submitted(t *testing.T, s signer, set string) []string {
	t.Helper()
	return call[multisigSigned](t, s, "submit_multisig", object{"tx_data_hex": set}).IDs
}

// TestMultisigSpend has groups of glim's wallets and the reference's spend, each of them making, signing and submitting in turn.
func TestMultisigSpend(t *testing.T) {
	t.Parallel()
	d := newMonerod(t) // which judges the transactions
	reference := []*peers.WalletRPC{newReference(t, d), newReference(t, d)}
	payee := newGlim(t, d.URL, options{})
	restore(t, payee, "payee", 240)
	mine(t, d, 40, at(t, 250, 0, 0)) // to hide among
	n, paid := byte(60), uint64(0)
	for _, c := range []struct {
		threshold int
		who       string  // in order: g is ours, r the reference's
		turns     [][]int // who makes, who signs in order; the last entry submits
	}{
		{2, "gr", [][]int{{0, 1, 1}, {1, 0, 0}}},
		{2, "grg", [][]int{{0, 1, 2}, {1, 2, 1}, {2, 0, 0}}},
		{3, "rgr", [][]int{{0, 1, 2, 1}, {1, 0, 2, 2}}},
	} {
		t.Run(fmt.Sprintf("%d of %s", c.threshold, c.who), func(t *testing.T) {
			var group []signer
			theirs := 0
			for _, kind := range c.who {
				var r caller
				if kind == 'r' {
					r = reference[theirs]
					theirs++
				}
				group = append(group, newSigner(t, d, r, n))
				n++
			}
			address := setUpGroup(t, group, c.threshold)
			fund(t, d, group, address, len(c.turns)+1)
			for _, s := range group {
				require.True(t, call[multisigBalance](t, s, "get_balance", object{"account_index": 0}).ImportNeeded)
			}
			for _, turn := range c.turns {
				exchangeInfos(t, group)
				for _, s := range group {
					require.False(t, call[multisigBalance](t, s, "get_balance", object{"account_index": 0}).ImportNeeded)
				}
				maker, signers, submitter := turn[0], turn[1:len(turn)-1], turn[len(turn)-1]
				amount := uint64(coin + int(n))
				to := []destination{{at(t, 240, 0, 0), amount}}
				made := call[multisigTransfer](t, group[maker], "transfer", object{"destinations": to, "get_tx_key": true})
				require.NotEmpty(t, made.Set)
				require.Equal(t, amount, made.Amount)
				require.Empty(t, made.TxHash)
				require.NotEmpty(t, made.TxKey)
				for _, s := range group {
					about := call[described](t, s, "describe_transfer", object{"multisig_txset": made.Set})
					require.Len(t, about.Desc, 1)
				}
				done := signedBy(t, group, made.Set, signers...)
				require.Equal(t, done.IDs, submitted(t, group[submitter], done.Set))
				paid += amount
				mine(t, d, 10, at(t, 250, 0, 0))
				refreshGroup(t, group)
			}
			refresh(t, payee)
			require.Equal(t, paid, call[multisigBalance](t, payee, "get_balance", object{"account_index": 0}).Balance)
		})
	}
}
