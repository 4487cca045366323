package scenario

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// signer is one of a group: ours or the reference's wallet, open in a service of its own.
type signer struct {
	caller
	reference bool
}

// newSigner opens wallet n in a service of ours, or in the reference's.
func newSigner(t *testing.T, d *peers.Daemon, reference caller, n byte) signer {
	t.Helper()
	s := signer{reference, true}
	if reference == nil {
		s = signer{newGlim(t, d.URL, options{}), false}
	}
	restore(t, s, fmt.Sprint("signer-", n), n)
	return s
}

type multisigInfo struct {
	Info    string `json:"multisig_info"`
	Address string `json:"address"`
}

type multisigState struct {
	Multisig, Ready  bool
	Threshold, Total uint32
}

// without returns all texts but number i.
func without(texts []string, i int) []string { return slices.Delete(slices.Clone(texts), i, i+1) }

// prepared asks every signer for the first message.
func prepared(t *testing.T, group []signer) []string {
	t.Helper()
	texts := make([]string, len(group))
	for i, s := range group {
		texts[i] = call[multisigInfo](t, s, "prepare_multisig", object{"enable_multisig_experimental": true}).Info
	}
	return texts
}

// madeMultisig asks every signer to begin, and returns the messages of the second round.
func madeMultisig(t *testing.T, group []signer, threshold int) []string {
	t.Helper()
	first, next := prepared(t, group), make([]string, len(group))
	for i, s := range group {
		params := object{"multisig_info": without(first, i), "threshold": threshold, "password": ""}
		made := call[multisigInfo](t, s, "make_multisig", params)
		next[i] = made.Info
		if !s.reference {
			require.Equal(t, threshold == len(group), made.Address != "", "there is an address when the group's key is made")
		}
	}
	return next
}

// exchangedKeys takes every signer one round further.
func exchangedKeys(t *testing.T, group []signer, texts []string) (next, addresses []string) {
	t.Helper()
	next, addresses = make([]string, len(group)), make([]string, len(group))
	for i, s := range group {
		got := call[multisigInfo](t, s, "exchange_multisig_keys", object{"multisig_info": without(texts, i), "password": ""})
		next[i], addresses[i] = got.Info, got.Address
	}
	return next, addresses
}

// setUpGroup takes a group through all rounds and returns its address.
func setUpGroup(t *testing.T, group []signer, threshold int) string {
	t.Helper()
	texts := madeMultisig(t, group, threshold)
	var addresses []string
	for round := 2; round <= len(group)-threshold+2; round++ {
		for _, s := range group {
			require.Equal(t, multisigState{true, false, uint32(threshold), uint32(len(group))}, call[multisigState](t, s, "is_multisig", nil))
		}
		texts, addresses = exchangedKeys(t, group, texts)
	}
	for i, s := range group {
		require.Equal(t, multisigState{true, true, uint32(threshold), uint32(len(group))}, call[multisigState](t, s, "is_multisig", nil))
		require.NotEmpty(t, addresses[i])
		require.Equal(t, addresses[0], addresses[i])
		require.Equal(t, addresses[0], call[struct{ Address string }](t, s, "get_address", object{"account_index": 0}).Address)
		for _, kind := range []string{"view_key"} {
			require.Equal(t, call[object](t, group[0], "query_key", object{"key_type": kind}), call[object](t, s, "query_key", object{"key_type": kind}))
		}
	}
	return addresses[0]
}

// TestMultisigSetup sets up groups of glim's wallets and the reference's, mixed in every position: all come to one address.
func TestMultisigSetup(t *testing.T) {
	d := newDaemon(t)
	reference := []*peers.WalletRPC{newReference(t, d), newReference(t, d)}
	n := byte(1)
	for _, c := range []struct {
		threshold int
		who       string // in order: g is ours, r the reference's
	}{{2, "gr"}, {2, "grg"}, {3, "rgr"}, {3, "gggr"}, {3, "rggrg"}, {2, "gg"}, {3, "ggg"}, {2, "gggg"}} {
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
			setUpGroup(t, group, c.threshold)
		})
	}
}
