package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/core/service"
	"glim/core/walletfile"
)

// shared starts glim in the folder with the reference's files next to its wallets.
func (h *sharedFolder) shared() *glim {
	return h.glim(options{files: func(d native.WalletDir) service.Files { return native.SharedDir{WalletDir: d} }})
}

// TestReferenceOpensFolder uses a wallet that glim made with both programs in turn, without an export. Each changes the
// password once, and nothing that either of them stored is lost.
func TestReferenceOpensFolder(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	require.NoError(t, os.MkdirAll(h.wallets(), 0o700))
	ours := h.shared()
	do(t, ours, "restore_deterministic_wallet",
		object{"filename": "w", "password": "first", "seed": seed(t, alice)})
	require.Empty(t, takeoverOf(t, ours).From)
	at := func(name string) string { return filepath.Join(h.wallets(), name) }
	for _, name := range []string{"w", "w.keys"} {
		require.NoError(t, os.Remove(at(name)))
		do(t, ours, "store", nil)
		require.FileExists(t, at(name))
	}
	refresh(t, ours)
	balance := ledger(t, ours)
	do(t, ours, "set_attribute", object{"key": "ours", "value": "kept"})
	do(t, ours, "close_wallet", nil)
	before := files(t, h.wallets(), "w.glim")

	reference := h.reference()
	do(t, reference, "open_wallet", object{"filename": "w", "password": "first"})
	refresh(t, reference)
	require.Equal(t, balance.Balance, ledger(t, reference).Balance)
	do(t, reference, "create_address", object{"account_index": 0, "label": "theirs"})
	require.Equal(t, "Failed to open wallet : monero-wallet-rpc has it open",
		refusal(t, ours, "open_wallet", object{"filename": "w", "password": "first"}).Message)
	require.Contains(t, refusal(t, ours, "create_wallet",
		object{"filename": "w", "password": "", "language": "English"}).Message, "Already exists")
	require.NoError(t, reference.Stop())
	require.Equal(t, before, files(t, h.wallets(), "w.glim"))

	label := func(c caller) string {
		return call[struct{ Addresses []struct{ Label string } }](t, c, "get_address",
			object{"account_index": 0, "address_index": []uint32{1}}).Addresses[0].Label
	}
	do(t, ours, "open_wallet", object{"filename": "w", "password": "first"})
	require.Equal(t, "theirs", label(ours))
	require.Equal(t, "kept", call[struct{ Value string }](t, ours, "get_attribute", object{"key": "ours"}).Value)
	reference = h.reference()
	do(t, reference, "create_wallet", object{"filename": "other", "password": "", "language": "English"})
	why := "opened by another wallet program"
	if !peers.Require(t).Release.AtLeast(0, 18, 4) { // 0.18.0.0 gives no reason
		why = "Failed to open wallet"
	}
	require.ErrorContains(t,
		reference.JSON(deadline(t), "open_wallet", object{"filename": "w", "password": "first"}, nil), why)
	require.NoError(t, reference.Stop())
	do(t, ours, "change_wallet_password", object{"old_password": "first", "new_password": "second"})
	do(t, ours, "close_wallet", nil)

	reference = h.reference()
	require.Error(t, reference.JSON(deadline(t), "open_wallet", object{"filename": "w", "password": "first"}, nil))
	do(t, reference, "open_wallet", object{"filename": "w", "password": "second"})
	require.Equal(t, "theirs", label(reference))
	require.NoError(t, reference.Stop())
	do(t, ours, "open_wallet", object{"filename": "w", "password": "second"})
	require.Equal(t, "theirs", label(ours))
	require.Equal(t, balance, ledger(t, ours))
}

// TestRemovedFilesMakeRoom removes the reference's files of a closed wallet, as programs do that delete a wallet. A
// wallet of the same name can then be made, and the earlier one still opens under its new name.
func TestRemovedFilesMakeRoom(t *testing.T) {
	t.Parallel()
	h := &sharedFolder{t: t, d: newDaemon(t), dir: t.TempDir()}
	require.NoError(t, os.MkdirAll(h.wallets(), 0o700))
	ours := h.shared()
	params := object{"filename": "w", "password": "", "seed": seed(t, alice)}
	do(t, ours, "restore_deterministic_wallet", params)
	do(t, ours, "set_attribute", object{"key": "a", "value": "kept"})
	do(t, ours, "change_wallet_password", object{"old_password": "", "new_password": "p"})
	do(t, ours, "close_wallet", nil)
	require.Equal(t, -1, refusal(t, ours, "open_wallet", object{"filename": "w", "password": ""}).Code)
	require.Contains(t, refusal(t, ours, "restore_deterministic_wallet", params).Message, "lready exists")
	for _, name := range []string{"w", "w.keys"} {
		require.NoError(t, os.Remove(filepath.Join(h.wallets(), name)))
	}
	do(t, ours, "restore_deterministic_wallet", params)
	do(t, ours, "open_wallet", object{"filename": "w.removed-1", "password": "p"})
	require.Equal(t, "kept", call[struct{ Value string }](t, ours, "get_attribute", object{"key": "a"}).Value)
	do(t, ours, "open_wallet", object{"filename": "w", "password": ""})
}

// TestReferenceSyncsInBackground sets up background sync in glim. The reference then opens the files for it, and its
// main wallet knows of it. Both end with the same balance, and glim removes the files when background sync ends.
func TestReferenceSyncsInBackground(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	require.NoError(t, os.MkdirAll(h.wallets(), 0o700))
	at := func(name string) string { return filepath.Join(h.wallets(), name) }
	ours := h.glim(options{})
	do(t, ours, "restore_deterministic_wallet",
		object{"filename": "w", "password": "own", "seed": seed(t, alice)})
	custom := object{
		"background_sync_type": "custom-background-password", "wallet_password": "own",
		"background_cache_password": "watch",
	}
	do(t, ours, "setup_background_sync", custom)
	refresh(t, ours)
	balance := ledger(t, ours)
	for _, name := range []string{"w.background", "w.background.keys"} {
		require.NoError(t, os.Remove(at(name)))
		do(t, ours, "store", nil)
		require.FileExists(t, at(name))
	}
	do(t, ours, "close_wallet", nil)
	for _, name := range []string{"w.background", "w.background.keys"} {
		require.NoError(t, os.Remove(at(name)))
		do(t, ours, "open_wallet", object{"filename": "w", "password": "own"})
		require.FileExists(t, at(name))
		do(t, ours, "close_wallet", nil)
	}

	if !peers.Require(t).Release.AtLeast(0, 18, 4) { // the first release with background sync
		reference := h.reference()
		do(t, reference, "open_wallet", object{"filename": "w", "password": "own"})
		return
	}
	reference := h.reference()
	require.Error(t,
		reference.JSON(deadline(t), "open_wallet", object{"filename": "w.background", "password": "own"}, nil))
	do(t, reference, "open_wallet", object{"filename": "w.background", "password": "watch"})
	refresh(t, reference)
	require.Equal(t, balance.Balance, ledger(t, reference).Balance)
	require.Equal(t, peers.Error{
		Code:    -1,
		Message: "background wallet w.background is already opened by another wallet program",
	}, func() peers.Error {
		do(t, ours, "open_wallet", object{"filename": "w", "password": "own"})
		return refusal(t, ours, "setup_background_sync", custom)
	}())
	do(t, ours, "close_wallet", nil)
	do(t, reference, "close_wallet", nil)
	do(t, reference, "open_wallet", object{"filename": "w", "password": "own"})
	do(t, reference, "start_background_sync", nil)
	refresh(t, reference)
	do(t, reference, "stop_background_sync", object{"wallet_password": "own"})
	require.Equal(t, balance.Balance, ledger(t, reference).Balance)
	require.NoError(t, reference.Stop())

	do(t, ours, "open_wallet", object{"filename": "w.background", "password": "watch"})
	require.Equal(t, balance.Balance, ledger(t, ours).Balance)
	do(t, ours, "open_wallet", object{"filename": "w", "password": "own"})
	do(t, ours, "setup_background_sync", object{"background_sync_type": "off", "wallet_password": "own"})
	do(t, ours, "close_wallet", nil)
	for _, name := range []string{"w.background", "w.background.keys", "w.background.glim"} {
		require.NoFileExists(t, at(name))
	}
	reference = h.reference()
	do(t, reference, "open_wallet", object{"filename": "w", "password": "own"})
	require.Error(t, reference.JSON(deadline(t), "start_background_sync", nil, nil), "it is off")
	require.Equal(t, balance.Balance, ledger(t, reference).Balance)
}

// TestProgramsAlternate uses one wallet with both programs in turn, four rounds each. In each round the program
// receives a payment, sends one, sets a label and changes the password, and finds what the other has left.
func TestProgramsAlternate(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	require.NoError(t, os.MkdirAll(h.wallets(), 0o700))
	ours := h.glim(options{})
	password := "0"
	do(t, ours, "restore_deterministic_wallet",
		object{"filename": "w", "password": password, "seed": seed(t, alice)})
	do(t, ours, "set_attribute", object{"key": "ours", "value": "kept"})
	do(t, ours, "close_wallet", nil)
	payer := newGlim(t, d.URL, options{})
	restore(t, payer, "payer", bob)
	refresh(t, payer)
	var sent []string
	for round := range 8 {
		var c caller = ours
		theirs := round%2 == 1
		var reference *peers.WalletRPC
		if theirs {
			reference = h.reference()
			c = reference
		}
		do(t, c, "open_wallet", object{"filename": "w", "password": password})
		pay(t, payer, []destination{{at(t, alice, 0, 0), coin}}, nil)
		mine(t, d, 12, at(t, nobody, 0, 0))
		refresh(t, payer, c)
		before := ledger(t, c)
		sent = append(sent, pay(t, c, []destination{{at(t, dave, 0, 0), coin / 2}}, nil).TxHash)
		mine(t, d, 12, at(t, nobody, 0, 0))
		refresh(t, payer, c)
		require.Less(t, ledger(t, c).Balance, before.Balance)
		do(t, c, "label_account", object{"account_index": 0, "label": "round " + password})
		next := password + "+"
		do(t, c, "change_wallet_password", object{"old_password": password, "new_password": next})
		require.Error(t, c.JSON(deadline(t), "change_wallet_password",
			object{"old_password": password, "new_password": next}, nil))
		password = next
		if theirs {
			require.NoError(t, reference.Stop())
			continue
		}
		if round > 0 {
			require.Equal(t, "kept",
				call[struct{ Value string }](t, ours, "get_attribute", object{"key": "ours"}).Value)
			for i, id := range sent[:round] {
				got := call[struct {
					TxKey string `json:"tx_key"`
				}](t, ours, "get_tx_key", object{"txid": id})
				require.NotEmpty(t, got, "payment %d", i)
			}
		}
		do(t, ours, "close_wallet", nil)
	}
	require.Error(t, ours.JSON(deadline(t), "open_wallet", object{"filename": "w", "password": "0"}, nil))
	do(t, ours, "open_wallet", object{"filename": "w", "password": password})
	refresh(t, ours)
	fresh := newGlim(t, d.URL, options{})
	restore(t, fresh, "fresh", alice)
	refresh(t, fresh)
	require.Equal(t, ledger(t, fresh).Balance, ledger(t, ours).Balance)
	require.Equal(t, "round 0+++++++", call[struct {
		SubaddressAccounts []struct{ Label string } `json:"subaddress_accounts"`
	}](t, ours, "get_accounts", nil).SubaddressAccounts[0].Label)
}

// TestReferenceOpensSigners: the keys file of a signer made in glim has each round of the key exchange, and the
// reference continues with the wallet.
func TestReferenceOpensSigners(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	require.NoError(t, os.MkdirAll(h.wallets(), 0o700))
	first := h.glim(options{lookahead: closeBy, connections: 1})
	do(t, first, "restore_deterministic_wallet", object{"filename": "signer", "password": "", "seed": seed(t, 70)})
	group := []signer{{first, false}, newSigner(t, d, nil, 71), newSigner(t, d, nil, 72)}
	rounds := func() uint32 {
		t.Helper()
		file, err := os.ReadFile(filepath.Join(h.wallets(), "signer.keys"))
		require.NoError(t, err)
		found, err := walletfile.Open(file, nil, walletfile.Rounds)
		require.NoError(t, err)
		if found.Multisig == nil {
			return 0
		}
		return uint32(found.Multisig.Data().Round)
	}
	texts := madeMultisig(t, group, 2)
	require.EqualValues(t, 1, rounds())
	var addresses []string
	for round := uint32(2); round <= 3; round++ {
		texts, addresses = exchangedKeys(t, group, texts)
		require.EqualValues(t, round, rounds())
	}
	do(t, first, "close_wallet", nil)
	reference := h.reference()
	open(t, reference, "signer")
	require.Equal(t, multisigState{true, true, 2, 3}, call[multisigState](t, reference, "is_multisig", nil))
	require.Equal(t, addresses[0], call[struct {
		Address string
	}](t, reference, "get_address", object{"account_index": 0}).Address)
	do(t, reference, "change_wallet_password", object{"old_password": "", "new_password": "theirs"})
	require.NoError(t, reference.Stop())
	do(t, first, "open_wallet", object{"filename": "signer", "password": "theirs"})
	require.Equal(t, multisigState{true, true, 2, 3}, call[multisigState](t, first, "is_multisig", nil))
}
