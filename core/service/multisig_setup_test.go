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

// on is the request that takes the risk.
var on = walletrpc.PrepareMultisigRequest{EnableMultisigExperimental: true}

// joiner makes a service with a wallet of its own in dir.
func joiner(t *testing.T, dir *folder, password string) *Service {
	t.Helper()
	s := onChain(t, dir)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: password, Language: "English"})
	return s
}

// killed returns a service that finds what s would leave behind if its process ended now.
func killed(t *testing.T, dir *folder, password string) (*Service, *folder) {
	t.Helper()
	left := &folder{files: map[string]*shelf{}}
	for name, f := range dir.files {
		left.files[name] = &shelf{&journal.Memory{Content: slices.Clone(f.Content)}, left, false}
	}
	s := onChain(t, left)
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: password})
	return s, left
}

func texts(all []string, but int) []string { return slices.Delete(slices.Clone(all), but, but+1) }

// infos asks every signer for the first message.
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
	s := joiner(t, &folder{files: map[string]*shelf{}}, "")
	prepare := walletrpc.PrepareMultisigRequest{}
	make := walletrpc.MakeMultisigRequest{MultisigInfo: []string{"x"}, Threshold: 2}
	require.Equal(t, *errMultisigOff, refused(t, s, walletrpc.PrepareMultisig, prepare))
	require.Equal(t, -48, refused(t, s, walletrpc.MakeMultisig, make).Code)
	require.Equal(t, *errNotMultisig, refused(t, s, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{}))
	require.Equal(t, *errNotMultisig, refused(t, s, walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{}))
	require.Zero(t, status(t, s))
	do(t, s, walletrpc.PrepareMultisig, on)
	// It is on from then on.
	first := do(t, s, walletrpc.PrepareMultisig, prepare).MultisigInfo
	require.True(t, strings.HasPrefix(first, "MultisigxV2R1"))
	require.Equal(t, -1, refused(t, s, walletrpc.MakeMultisig, make).Code)
	require.Zero(t, status(t, s))

	// Who cannot spend cannot sign.
	view := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}).Key
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	do(t, s, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{Filename: "view", Address: at, ViewKey: view})
	require.Equal(t, *errMultisigWatchOnly, refused(t, s, walletrpc.PrepareMultisig, on))
	require.Equal(t, *errMultisigWatchOnly, refused(t, s, walletrpc.MakeMultisig, make))
}

// TestMultisigKilledBetweenSteps sets up 2 of 3 with a signer whose process is killed after every answer, and before it came to the
// one who asked: he goes on where he was, and all come to one address.
func TestMultisigKilledBetweenSteps(t *testing.T) {
	dir := &folder{files: map[string]*shelf{}}
	mortal := joiner(t, dir, "p")
	others := []*Service{joiner(t, &folder{files: map[string]*shelf{}}, ""), joiner(t, &folder{files: map[string]*shelf{}}, "")}
	first := infos(t, append([]*Service{mortal}, others...))
	mortal, dir = killed(t, dir, "p")

	said := make([]string, 3)
	begin := walletrpc.MakeMultisigRequest{MultisigInfo: first[1:], Threshold: 2, Password: "p"}
	require.Equal(t, walletrpc.CodeInvalidPassword, refused(t, mortal, walletrpc.MakeMultisig,
		walletrpc.MakeMultisigRequest{MultisigInfo: first[1:], Threshold: 2, Password: "q"}).Code)
	made := do(t, mortal, walletrpc.MakeMultisig, begin)
	require.Empty(t, made.Address)
	for i, s := range others {
		said[i+1] = do(t, s, walletrpc.MakeMultisig, walletrpc.MakeMultisigRequest{MultisigInfo: texts(first, i+1), Threshold: 2}).MultisigInfo
	}
	again := walletrpc.ExchangeMultisigKeysRequest{ForceUpdateUseWithCaution: true}
	mortal, dir = killed(t, dir, "p")
	require.Equal(t, walletrpc.IsMultisigResponse{Multisig: true, Threshold: 2, Total: 3}, status(t, mortal))
	require.Equal(t, -28, refused(t, mortal, walletrpc.MakeMultisig, begin).Code)
	require.Equal(t, -28, refused(t, mortal, walletrpc.PrepareMultisig, on).Code)
	require.Equal(t, *errNotFinalized, refused(t, mortal, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}))
	require.Equal(t, *errNotFinalized, refused(t, mortal, walletrpc.GetAddress, walletrpc.GetAddressRequest{}))
	require.Equal(t, *errTooFewInfos, refused(t, mortal, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{}))
	said[0] = do(t, mortal, walletrpc.ExchangeMultisigKeys, again).MultisigInfo
	require.NotEmpty(t, said[0])

	for round := 2; round <= 3; round++ {
		next := make([]string, 3)
		if round == 2 {
			require.Equal(t, -1, refused(t, mortal, walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{MultisigInfo: said[1:]}).Code)
		}
		answer := do(t, mortal, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: said[1:], Password: "p"})
		for i, s := range others {
			got := do(t, s, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: texts(said, i+1)})
			require.Equal(t, round == 3, got.Address != "")
			next[i+1] = got.MultisigInfo
		}
		mortal, dir = killed(t, dir, "p")
		require.Equal(t, walletrpc.IsMultisigResponse{Multisig: true, Ready: round == 3, Threshold: 2, Total: 3}, status(t, mortal))
		if round == 2 {
			// The messages of a round that is over are no messages of the next.
			require.Equal(t, -1, refused(t, mortal, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: said[1:]}).Code)
		}
		once := do(t, mortal, walletrpc.ExchangeMultisigKeys, again)
		require.Equal(t, answer.Address, once.Address)
		next[0] = once.MultisigInfo
		said = next
	}
	at := do(t, mortal, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	for _, s := range others {
		require.Equal(t, at, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
	}
	require.Equal(t, *errFinalized, refused(t, mortal, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: said[1:]}))
	require.Equal(t, *errFinalized, refused(t, mortal, walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{MultisigInfo: said[1:]}))

	// The seed brings the signer back; without the risk taken, or with an offset, it is none.
	seed := do(t, mortal, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key
	req := walletrpc.RestoreDeterministicWalletRequest{Filename: "back", Seed: seed}
	require.Equal(t, -1, refused(t, mortal, walletrpc.RestoreDeterministicWallet, req).Code)
	req.EnableMultisigExperimental, req.SeedOffset = true, "x"
	require.Equal(t, -1, refused(t, mortal, walletrpc.RestoreDeterministicWallet, req).Code)
	req.SeedOffset, req.Seed = "", seed[2:]
	require.Equal(t, -1, refused(t, mortal, walletrpc.RestoreDeterministicWallet, req).Code)
	req.Seed = seed
	restored := do(t, mortal, walletrpc.RestoreDeterministicWallet, req)
	require.Equal(t, at, restored.Address)
	require.Empty(t, restored.Seed)
	require.Equal(t, seed, do(t, mortal, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Key)
	require.Equal(t, walletrpc.IsMultisigResponse{Multisig: true, Ready: true, Threshold: 2, Total: 3}, status(t, mortal))
	require.NoError(t, mortal.view(func(w *wallet.Wallet) error { _, err := multisigReady(w); return err }))

	// So does its file of keys.
	do(t, mortal, walletrpc.ExportKeysFile, walletrpc.ExportKeysFileRequest{Filename: "out", Password: "p"})
	exported, err := walletfile.Open(dir.files["out"].Content, []byte("p"), walletfile.Rounds)
	require.NoError(t, err)
	again1, err := exported.Multisig.Seed()
	require.NoError(t, err)
	require.Equal(t, seed, again1)
	require.True(t, exported.EnableMultisig)
}

// TestMultisigWithoutOne: of 2 of 3 one signer is gone before the last rounds; the others go on when they are told to.
func TestMultisigWithoutOne(t *testing.T) {
	var group []*Service
	for range 3 {
		group = append(group, joiner(t, &folder{files: map[string]*shelf{}}, ""))
	}
	first, said := infos(t, group), make([]string, 3)
	for i, s := range group {
		said[i] = do(t, s, walletrpc.MakeMultisig, walletrpc.MakeMultisigRequest{MultisigInfo: texts(first, i), Threshold: 2}).MultisigInfo
	}
	group = group[:2]
	at := make([]string, 2)
	for range 2 {
		next := make([]string, 3)
		for i, s := range group {
			req := walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: said[1-i : 2-i]}
			require.Equal(t, *errTooFewInfos, refused(t, s, walletrpc.ExchangeMultisigKeys, req))
			req.ForceUpdateUseWithCaution = true
			got := do(t, s, walletrpc.ExchangeMultisigKeys, req)
			next[i], at[i] = got.MultisigInfo, got.Address
		}
		said = next
	}
	require.NotEmpty(t, at[0])
	require.Equal(t, at[0], at[1])
}

// TestFinalizeMultisig is the last round of 2 of 2 by its older name.
func TestFinalizeMultisig(t *testing.T) {
	group := []*Service{joiner(t, &folder{files: map[string]*shelf{}}, ""), joiner(t, &folder{files: map[string]*shelf{}}, "")}
	first := infos(t, group)
	said, at := make([]string, 2), ""
	for i, s := range group {
		made := do(t, s, walletrpc.MakeMultisig, walletrpc.MakeMultisigRequest{MultisigInfo: texts(first, i), Threshold: 2})
		require.NotEmpty(t, made.Address)
		require.True(t, at == "" || at == made.Address)
		said[i], at = made.MultisigInfo, made.Address
	}
	require.Equal(t, *errTooFewInfos, refused(t, group[0], walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{}))
	require.Equal(t, -1, refused(t, group[0], walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{MultisigInfo: said[:1]}).Code)
	for i, s := range group {
		require.False(t, status(t, s).Ready)
		got := do(t, s, walletrpc.FinalizeMultisig, walletrpc.FinalizeMultisigRequest{MultisigInfo: texts(said, i)})
		require.Equal(t, at, got.Address)
		require.True(t, status(t, s).Ready)
	}
}

// TestMultisigTakesNoMoneyAway: a wallet that holds money stays what it is, and one set up for going on without its spend key too.
func TestMultisigTakesNoMoneyAway(t *testing.T) {
	s := joiner(t, &folder{files: map[string]*shelf{}}, "")
	other := joiner(t, &folder{files: map[string]*shelf{}}, "")
	first := infos(t, []*Service{s, other})
	begin := walletrpc.MakeMultisigRequest{MultisigInfo: first[1:], Threshold: 2}
	require.NoError(t, s.change(func(*wallet.Wallet) (wallet.ChangeSet, error) {
		return wallet.ChangeSet{Chain: wallet.ChainChange{
			Outputs: []wallet.Output{{TxID: xmr.Hash{1}, Key: xmr.PublicKey{1}, Image: xmr.KeyImage{1}, ImageKnown: true, Amount: 1, Height: 1}},
			Blocks:  []wallet.BlockID{{Height: 1, Hash: xmr.Hash{1}}},
		}}, nil
	}))
	require.Equal(t, *errHasMoney.(*rpc.Error), refused(t, s, walletrpc.MakeMultisig, begin))
	require.NoError(t, s.change(func(*wallet.Wallet) (wallet.ChangeSet, error) {
		return wallet.ChangeSet{Chain: wallet.ChainChange{
			Spends: []wallet.Spend{{TxID: xmr.Hash{2}, Height: 2, AmountIn: 1, Images: []xmr.KeyImage{{1}}}},
			Blocks: []wallet.BlockID{{Height: 2, Hash: xmr.Hash{2}}},
		}}, nil
	}))
	do(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "reuse-wallet-password"})
	require.Equal(t, -1, refused(t, s, walletrpc.MakeMultisig, begin).Code)
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	require.Equal(t, -52, refused(t, s, walletrpc.MakeMultisig, begin).Code)
	do(t, s, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{})
	do(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "off"})
	do(t, s, walletrpc.MakeMultisig, begin)
	require.Equal(t, rpc.Error{Code: -1, Message: "Multisig wallet cannot enable background sync"},
		refused(t, s, walletrpc.SetupBackgroundSync, walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "reuse-wallet-password"}))
}

// TestMultisigKeepsTheRestSafe asks a group's wallet for what it cannot do: each time it says so, and no key is used for it.
func TestMultisigKeepsTheRestSafe(t *testing.T) {
	group := []*Service{joiner(t, &folder{files: map[string]*shelf{}}, ""), joiner(t, &folder{files: map[string]*shelf{}}, "")}
	first := infos(t, group)
	said := make([]string, 2)
	for i, s := range group {
		said[i] = do(t, s, walletrpc.MakeMultisig, walletrpc.MakeMultisigRequest{MultisigInfo: texts(first, i), Threshold: 2}).MultisigInfo
	}
	for i, s := range group {
		do(t, s, walletrpc.ExchangeMultisigKeys, walletrpc.ExchangeMultisigKeysRequest{MultisigInfo: texts(said, i)})
	}
	s := group[0]
	require.Contains(t, refused(t, s, walletrpc.Sign, walletrpc.SignRequest{Data: "x"}).Message, "multisig")
	require.Contains(t, refused(t, s, walletrpc.GetSpendProof, walletrpc.GetSpendProofRequest{TxID: fmt.Sprintf("%064x", 1)}).Message, "multisig")
	require.Equal(t, -1, refused(t, s, walletrpc.GetReserveProof, walletrpc.GetReserveProofRequest{All: true}).Code)
	require.Equal(t, -39, refused(t, s, walletrpc.SignTransfer, walletrpc.SignTransferRequest{UnsignedTxSet: "00"}).Code)
	require.Empty(t, do(t, s, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{}).SignedKeyImages)
	spend := do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"}).Key
	require.NotEqual(t, spend, do(t, group[1], walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"}).Key)
	require.Equal(t, do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}),
		do(t, group[1], walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"}))
	// The view key is everybody's: what it signs, it signs.
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	signature := do(t, s, walletrpc.Sign, walletrpc.SignRequest{Data: "x", SignatureType: "view"}).Signature
	require.True(t, do(t, group[1], walletrpc.Verify, walletrpc.VerifyRequest{Data: "x", Address: at, Signature: signature}).Good)
}
