package service

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// on enables multisig.
var on = walletrpc.PrepareMultisigRequest{EnableMultisigExperimental: true}

// newWalletService makes a service with its own wallet in dir.
func newWalletService(t *testing.T, dir *folder, password string) *Service {
	t.Helper()
	s := onChain(t, dir)
	do(t, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "w", Password: password, Language: "English"})
	return s
}

// killed returns a service on a copy of dir, as if the process had been killed now, and that copy.
func killed(t *testing.T, dir *folder, password string) (*Service, *folder) {
	t.Helper()
	left := newFolder()
	for name, f := range dir.files {
		left.files[name] = &memoryFile{&journal.Memory{Content: slices.Clone(f.Content)}, left, false}
	}
	s := onChain(t, left)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: password})
	return s, left
}

func except(all []string, but int) []string { return slices.Delete(slices.Clone(all), but, but+1) }

// infos returns the first message of every signer.
func infos(t *testing.T, group []*Service) []string {
	t.Helper()
	out := make([]string, len(group))
	for i, s := range group {
		out[i] = do(t, s, walletrpc.PrepareMultisig, on).MultisigInfo
	}
	return out
}

func status(t *testing.T, s *Service) walletrpc.IsMultisigResponse {
	t.Helper()
	return do(t, s, walletrpc.IsMultisig, empty{})
}

func TestMultisigIsOff(t *testing.T) {
	s := newWalletService(t, newFolder(), "")
	prepare := walletrpc.PrepareMultisigRequest{}
	begin := walletrpc.MakeMultisigRequest{MultisigInfo: []string{"x"}, Threshold: 2}
	require.Equal(t, *errMultisigOff, refused(t, s, walletrpc.PrepareMultisig, prepare))
	require.Equal(t, -48, refused(t, s, walletrpc.MakeMultisig, begin).Code)
	require.Equal(t, *errNotMultisig,
		refused(t, s, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{}))
	require.Equal(t, *errNotMultisig, refused(t, s, walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{}))
	require.Zero(t, status(t, s))
	do(t, s, walletrpc.PrepareMultisig, on)
	// It stays enabled.
	first := do(t, s, walletrpc.PrepareMultisig, prepare).MultisigInfo
	require.True(t, strings.HasPrefix(first, "MultisigxV2R1"))
	require.Equal(t, -1, refused(t, s, walletrpc.MakeMultisig, begin).Code)
	require.Zero(t, status(t, s))

	// A wallet that cannot spend cannot sign.
	view := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}).Key
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	do(t, s, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "view", Address: at, ViewKey: view})
	require.Equal(t, *errMultisigWatchOnly, refused(t, s, walletrpc.PrepareMultisig, on))
	require.Equal(t, *errMultisigWatchOnly, refused(t, s, walletrpc.MakeMultisig, begin))
}

// TestMultisigKilledBetweenSteps sets up 2 of 3 with a signer whose process is killed after every response, before
// the client receives it. The signer continues where it was, and all get the same address.
func TestMultisigKilledBetweenSteps(t *testing.T) {
	dir := newFolder()
	killedSigner := newWalletService(t, dir, "p")
	others := []*Service{newWalletService(t, newFolder(), ""),
		newWalletService(t, newFolder(), "")}
	first := infos(t, append([]*Service{killedSigner}, others...))
	killedSigner, dir = killed(t, dir, "p")

	sent := make([]string, 3)
	begin := walletrpc.MakeMultisigRequest{MultisigInfo: first[1:], Threshold: 2, Password: "p"}
	require.Equal(t, walletrpc.CodeInvalidPassword, refused(t, killedSigner, walletrpc.MakeMultisig,
		walletrpc.MakeMultisigRequest{MultisigInfo: first[1:], Threshold: 2, Password: "q"}).Code)
	made := do(t, killedSigner, walletrpc.MakeMultisig, begin)
	require.Empty(t, made.Address)
	for i, s := range others {
		sent[i+1] = do(t, s, walletrpc.MakeMultisig,
			walletrpc.MakeMultisigRequest{MultisigInfo: except(first, i+1), Threshold: 2}).MultisigInfo
	}
	again := walletrpc.ExchangeMultisigKeysRequest{ForceUpdateUseWithCaution: true}
	killedSigner, dir = killed(t, dir, "p")
	require.Equal(t, walletrpc.IsMultisigResponse{Multisig: true, Threshold: 2, Total: 3}, status(t, killedSigner))
	require.Equal(t, -28, refused(t, killedSigner, walletrpc.MakeMultisig, begin).Code)
	require.Equal(t, -28, refused(t, killedSigner, walletrpc.PrepareMultisig, on).Code)
	require.Equal(t, *errNotFinalized,
		refused(t, killedSigner, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}))
	require.Equal(t, *errNotFinalized, refused(t, killedSigner, walletrpc.GetAddress, walletrpc.GetAddressRequest{}))
	require.Equal(t, *errTooFewInfos,
		refused(t, killedSigner, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{}))
	sent[0] = do(t, killedSigner, walletrpc.ExchangeMultisigKeys, again).MultisigInfo
	require.NotEmpty(t, sent[0])

	for round := 2; round <= 3; round++ {
		next := make([]string, 3)
		if round == 2 {
			require.Equal(t, -1, refused(t, killedSigner, walletrpc.FinalizeMultisig,
				walletrpc.FinalizeMultisigRequest{MultisigInfo: sent[1:]}).Code)
		}
		answer := do(t, killedSigner, walletrpc.ExchangeMultisigKeys,
			walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: sent[1:], Password: "p"})
		for i, s := range others {
			got := do(t, s, walletrpc.ExchangeMultisigKeys,
				walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: except(sent, i+1)})
			require.Equal(t, round == 3, got.Address != "")
			next[i+1] = got.MultisigInfo
		}
		killedSigner, dir = killed(t, dir, "p")
		require.Equal(t, walletrpc.IsMultisigResponse{
			Multisig: true, KexIsDone: round > 1, Ready: round == 3, Threshold: 2, Total: 3},
			status(t, killedSigner))
		if round == 2 {
			// The messages of one round are invalid in the next.
			require.Equal(t, -1, refused(t, killedSigner, walletrpc.ExchangeMultisigKeys,
				walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: sent[1:]}).Code)
		}
		once := do(t, killedSigner, walletrpc.ExchangeMultisigKeys, again)
		require.Equal(t, answer.Address, once.Address)
		next[0] = once.MultisigInfo
		sent = next
	}
	at := do(t, killedSigner, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	for _, s := range others {
		require.Equal(t, at, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
	}
	require.Equal(t, *errExchangeDone, refused(t, killedSigner, walletrpc.ExchangeMultisigKeys,
		walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: sent[1:]}))
	require.Equal(t, *errExchangeDone,
		refused(t, killedSigner, walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{MultisigInfo: sent[1:]}))
	requireSignerRestores(t, killedSigner, dir, at)
}

// requireSignerRestores checks that the seed restores the signer, though not with an offset or while multisig is
// disabled, and that its keys file contains the same account.
func requireSignerRestores(t *testing.T, killedSigner *Service, dir *folder, at string) {
	t.Helper()
	seed := do(t, killedSigner, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key
	req := walletrpc.RestoreDeterministicWalletRequest{Filename: "back", Seed: seed}
	require.Equal(t, -1, refused(t, killedSigner, walletrpc.RestoreDeterministicWallet, req).Code)
	req.EnableMultisigExperimental, req.SeedOffset = true, "x"
	require.Equal(t, -1, refused(t, killedSigner, walletrpc.RestoreDeterministicWallet, req).Code)
	req.SeedOffset, req.Seed = "", seed[2:]
	require.Equal(t, -1, refused(t, killedSigner, walletrpc.RestoreDeterministicWallet, req).Code)
	req.Seed = seed
	restored := do(t, killedSigner, walletrpc.RestoreDeterministicWallet, req)
	require.Equal(t, at, restored.Address)
	require.Empty(t, restored.Seed)
	require.Equal(t, seed, do(t, killedSigner, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key)
	require.Equal(t, walletrpc.IsMultisigResponse{Multisig: true, KexIsDone: true, Ready: true, Threshold: 2, Total: 3},
		status(t, killedSigner))
	require.NoError(t, killedSigner.view(func(w *wallet.Wallet) error { _, err := multisigReady(w); return err }))

	do(t, killedSigner, walletrpc.ExportKeysFile, walletrpc.ExportKeysFileRequest{Filename: "out", Password: "p"})
	exported, err := walletfile.Open(dir.files["out"].Content, []byte("p"), walletfile.Rounds)
	require.NoError(t, err)
	again1, err := exported.Multisig.Seed()
	require.NoError(t, err)
	require.Equal(t, seed, again1)
	require.True(t, exported.EnableMultisig)
}

// TestMultisigSetupWithoutOneSigner removes one signer of 2 of 3 before the last rounds. The others continue only with
// force_update_use_with_caution.
func TestMultisigSetupWithoutOneSigner(t *testing.T) {
	var group []*Service
	for range 3 {
		group = append(group, newWalletService(t, newFolder(), ""))
	}
	first, sent := infos(t, group), make([]string, 3)
	for i, s := range group {
		sent[i] = do(t, s, walletrpc.MakeMultisig,
			walletrpc.MakeMultisigRequest{MultisigInfo: except(first, i), Threshold: 2}).MultisigInfo
	}
	group = group[:2]
	at := make([]string, 2)
	for range 2 {
		next := make([]string, 3)
		for i, s := range group {
			req := walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: sent[1-i : 2-i]}
			require.Equal(t, *errTooFewInfos, refused(t, s, walletrpc.ExchangeMultisigKeys, req))
			req.ForceUpdateUseWithCaution = true
			got := do(t, s, walletrpc.ExchangeMultisigKeys, req)
			next[i], at[i] = got.MultisigInfo, got.Address
		}
		sent = next
	}
	require.NotEmpty(t, at[0])
	require.Equal(t, at[0], at[1])
}

// TestFinalizeMultisig completes 2 of 2 with finalize_multisig, an older name of the last round.
func TestFinalizeMultisig(t *testing.T) {
	group := []*Service{newWalletService(t, newFolder(), ""),
		newWalletService(t, newFolder(), "")}
	first := infos(t, group)
	sent, at := make([]string, 2), ""
	for i, s := range group {
		made := do(t, s, walletrpc.MakeMultisig,
			walletrpc.MakeMultisigRequest{MultisigInfo: except(first, i), Threshold: 2})
		require.NotEmpty(t, made.Address)
		require.True(t, at == "" || at == made.Address)
		sent[i], at = made.MultisigInfo, made.Address
	}
	require.Equal(t, *errTooFewInfos,
		refused(t, group[0], walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{}))
	require.Equal(t, -1, refused(t, group[0], walletrpc.FinalizeMultisig,
		walletrpc.FinalizeMultisigRequest{MultisigInfo: sent[:1]}).Code)
	for i, s := range group {
		require.False(t, status(t, s).Ready)
		got := do(t, s, walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{MultisigInfo: except(sent, i)})
		require.Equal(t, at, got.Address)
		require.True(t, status(t, s).Ready)
	}
}

// TestWalletWithOutputsCannotBecomeMultisig checks that a wallet with unspent outputs, or with background sync, cannot
// become multisig.
func TestWalletWithOutputsCannotBecomeMultisig(t *testing.T) {
	s := newWalletService(t, newFolder(), "")
	other := newWalletService(t, newFolder(), "")
	first := infos(t, []*Service{s, other})
	begin := walletrpc.MakeMultisigRequest{MultisigInfo: first[1:], Threshold: 2}
	require.NoError(t, s.change(func(*wallet.Wallet) (wallet.ChangeSet, error) {
		return wallet.ChangeSet{Chain: wallet.ChainChange{
			Outputs: []wallet.OwnedOutput{{TxID: xmr.Hash{1}, Key: xmr.PublicKey{1}, Image: xmr.KeyImage{1},
				ImageKnown: true, Amount: 1, Height: 1}},
			Blocks: []wallet.BlockID{{Height: 1, Hash: xmr.Hash{1}}},
		}}, nil
	}))
	require.Equal(t, *errHasMoney.(*rpc.Error), refused(t, s, walletrpc.MakeMultisig, begin))
	require.NoError(t, s.change(func(*wallet.Wallet) (wallet.ChangeSet, error) {
		return wallet.ChangeSet{Chain: wallet.ChainChange{
			Spends: []wallet.Spend{{TxID: xmr.Hash{2}, Height: 2, AmountIn: 1, Images: []xmr.KeyImage{{1}}}},
			Blocks: []wallet.BlockID{{Height: 2, Hash: xmr.Hash{2}}},
		}}, nil
	}))
	do(t, s, walletrpc.SetupBackgroundSync,
		walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "reuse-wallet-password"})
	require.Equal(t, -1, refused(t, s, walletrpc.MakeMultisig, begin).Code)
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	require.Equal(t, -52, refused(t, s, walletrpc.MakeMultisig, begin).Code)
	do(t, s, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{})
	do(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "off"})
	do(t, s, walletrpc.MakeMultisig, begin)
	require.Equal(t, rpc.Error{Code: -1, Message: "Multisig wallet cannot enable background sync"},
		refused(t, s, walletrpc.SetupBackgroundSync,
			walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "reuse-wallet-password"}))
}

// TestMultisigRefusesOtherOperations calls operations that a multisig wallet cannot perform, because no signer has the
// complete spend key. Operations with the view key work.
func TestMultisigRefusesOtherOperations(t *testing.T) {
	group := []*Service{newWalletService(t, newFolder(), ""),
		newWalletService(t, newFolder(), "")}
	first := infos(t, group)
	sent := make([]string, 2)
	for i, s := range group {
		sent[i] = do(t, s, walletrpc.MakeMultisig,
			walletrpc.MakeMultisigRequest{MultisigInfo: except(first, i), Threshold: 2}).MultisigInfo
	}
	for i, s := range group {
		do(t, s, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: except(sent, i)})
	}
	s := group[0]
	require.Contains(t, refused(t, s, walletrpc.Sign, walletrpc.SignRequest{Data: "x"}).Message, "multisig")
	require.Contains(t, refused(t, s, walletrpc.GetSpendProof,
		walletrpc.GetSpendProofRequest{TxID: fmt.Sprintf("%064x", 1)}).Message, "multisig")
	require.Equal(t, -1, refused(t, s, walletrpc.GetReserveProof, walletrpc.GetReserveProofRequest{All: true}).Code)
	require.Equal(t, -39, refused(t, s, walletrpc.SignTransfer,
		walletrpc.SignTransferRequest{UnsignedTxSet: "00"}).Code)
	require.Empty(t, do(t, s, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{}).SignedKeyImages)
	spend := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"}).Key
	require.NotEqual(t, spend, do(t, group[1], walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"}).Key)
	require.Equal(t, do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}),
		do(t, group[1], walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}))
	// All signers share the view key, so it can sign.
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	signature := do(t, s, walletrpc.Sign, walletrpc.SignRequest{Data: "x", SignatureType: "view"}).Signature
	require.True(t, do(t, group[1], walletrpc.Verify,
		walletrpc.VerifyRequest{Data: "x", Address: at, Signature: signature}).Good)
}
