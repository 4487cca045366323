package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/keys"
	"glim/core/mnemonic"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/signer"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// testVault is a vault in this process. It records its messages, and can be killed or made unreachable.
type testVault struct {
	host signer.Host

	mu       sync.Mutex
	server   *signer.Server
	away     bool
	messages [][]byte
}

func newTestVault(h signer.Host) *testVault {
	h.Random = rand.Reader
	return &testVault{host: h, server: signer.New(h)}
}

var errAway = errors.New("away")

func (v *testVault) post(ctx context.Context, request []byte) ([]byte, error) {
	v.mu.Lock()
	server, away := v.server, v.away
	v.messages = append(v.messages, slices.Clone(request))
	v.mu.Unlock()
	if away {
		return nil, errAway
	}
	answer := server.Serve(ctx, request)
	v.mu.Lock()
	v.messages = append(v.messages, slices.Clone(answer))
	v.mu.Unlock()
	return answer, nil
}

func (v *testVault) kill() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.server = signer.New(v.host)
}

// sentInPlain reports whether a secret, in hexadecimal, was in any message.
func (v *testVault) sentInPlain(t *testing.T, text string) bool {
	t.Helper()
	secret, err := hex.DecodeString(text)
	require.NoError(t, err)
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.ContainsFunc(v.messages, func(b []byte) bool {
		return bytes.Contains(b, secret[:16]) || bytes.Contains(b, secret[16:]) || bytes.Contains(b, []byte(text[:32]))
	})
}

// testChain is a chain for several services.
type testChain struct {
	t         *testing.T
	chain     *node.Regtest
	transport rpc.Transport // to the chain
	paths     func(name string, k *keys.Keys) session.Paths
}

func newTestChain(t *testing.T) testChain {
	t.Helper()
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	require.NoError(t, err)
	t.Cleanup(func() { _ = chain.Close() })
	return testChain{t: t, chain: chain, transport: chain.Registry()}
}

func (p testChain) serve(dir *folder, vault signer.Transport) *Service {
	p.t.Helper()
	return p.timed(dir, vault, func() uint64 { return uint64(time.Now().Unix()) }, p.transport)
}

// funded returns a service with a wallet that has money to spend, and the wallet's address.
func (p testChain) funded() (s *Service, at string) {
	p.t.Helper()
	s = p.serve(newFolder(), nil)
	do(p.t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	at = do(p.t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err := p.chain.Mine(p.t.Context(), 20, at)
	require.NoError(p.t, err)
	require.NoError(p.t, p.chain.Fund(p.t.Context(), 100, node.UnspendableAddress()))
	p.mine(1, s)
	return s, at
}

// timed is serve with a clock and a transport.
func (p testChain) timed(dir *folder, vault signer.Transport, now func() uint64, transport rpc.Transport) *Service {
	p.t.Helper()
	s, err := New(Config{
		Vault: vault, Paths: p.paths, Network: xmr.Regtest, Files: dir, Random: rand.Reader, Now: now,
		Workers: 1, KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 3, Minor: 3},
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(DaemonConfig) (rpc.Transport, error) { return transport, nil },
	}, DaemonConfig{Address: "here", Trusted: true})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = s.Close() })
	return s
}

// mine mines n blocks and has the services read them.
func (p testChain) mine(n int, all ...*Service) {
	p.t.Helper()
	_, err := p.chain.Mine(p.t.Context(), n, node.UnspendableAddress())
	require.NoError(p.t, err)
	for _, s := range all {
		do(p.t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	}
}

func newFolder() *folder { return &folder{files: map[string]*memoryFile{}} }

func key(t *testing.T, s *Service, kind string) string {
	t.Helper()
	return do(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: kind}).Key
}

func balances(t *testing.T, s *Service) walletrpc.GetBalanceResponse {
	t.Helper()
	return do(t, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{AllAccounts: true})
}

// requireSameWallet compares the state of one wallet in two services.
func requireSameWallet(t *testing.T, a, b *Service) {
	t.Helper()
	require.Equal(t, balances(t, a), balances(t, b))
	require.Equal(t, do(t, a, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{}),
		do(t, b, walletrpc.GetAccounts, walletrpc.GetAccountsRequest{}))
	all := walletrpc.IncomingTransfersRequest{TransferType: "all"}
	require.Equal(t, do(t, a, walletrpc.IncomingTransfers, all), do(t, b, walletrpc.IncomingTransfers, all))
	in := walletrpc.GetTransfersRequest{In: true}
	require.Equal(t, do(t, a, walletrpc.GetTransfers, in), do(t, b, walletrpc.GetTransfers, in))
	images := walletrpc.ExportKeyImagesRequest{All: true}
	one, two := do(t, a, walletrpc.ExportKeyImages, images), do(t, b, walletrpc.ExportKeyImages, images)
	require.Len(t, one.SignedKeyImages, len(two.SignedKeyImages))
	for i := range one.SignedKeyImages {
		require.Equal(t, one.SignedKeyImages[i].KeyImage, two.SignedKeyImages[i].KeyImage)
	}
	for _, kind := range []string{"view_key", "mnemonic", "spend_key"} {
		require.Equal(t, key(t, a, kind), key(t, b, kind))
	}
}

// TestVaultEqualsOwnKey uses one wallet in two services: with the spend key in its file, and with a vault. Each spends,
// and both have the same state; each makes proofs, and the other accepts them.
func TestVaultEqualsOwnKey(t *testing.T) {
	p := newTestChain(t)
	v := newTestVault(signer.Host{})
	dir := newFolder()
	sealed, own, other := p.serve(dir, v.post), p.serve(newFolder(), nil), p.serve(newFolder(), nil)
	do(t, sealed, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "w", Password: "a", Language: "English"})
	do(t, other, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "other", Language: "English"})
	at := do(t, sealed, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	theirs := do(t, other, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err := p.chain.Mine(t.Context(), 6, at)
	require.NoError(t, err)
	require.NoError(t, p.chain.Fund(t.Context(), 20, node.UnspendableAddress()))
	p.mine(1, sealed, other)
	require.Len(t, do(t, sealed, walletrpc.IncomingTransfers,
		walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers, 6)

	sub := do(t, sealed, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{})
	paid := do(t, sealed, walletrpc.Transfer,
		walletrpc.TransferRequest{GetTxKey: true, GetTxMetadata: true, Destinations: []walletrpc.Destination{
			{Address: theirs, Amount: xmr.Coin}, {Address: sub.Address, Amount: 2 * xmr.Coin}}})
	single := do(t, sealed, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "available"})
	one := slices.IndexFunc(single.Transfers, func(x walletrpc.IncomingTransfer) bool { return !x.Spent })
	do(t, sealed, walletrpc.SweepSingle,
		walletrpc.SweepSingleRequest{Address: theirs, KeyImage: single.Transfers[one].KeyImage, Outputs: 1})
	p.mine(11, sealed, other)
	require.Equal(t, paid.TxKey, do(t, sealed, walletrpc.GetTxKey, walletrpc.GetTxKeyRequest{TxID: paid.TxHash}).TxKey)

	// No message so far contains the key; query_key requests it explicitly.
	nothing := slices.Clone(v.messages)
	words, spend := key(t, sealed, "mnemonic"), key(t, sealed, "spend_key")
	require.True(t, v.sentInPlain(t, spend))
	v.mu.Lock()
	v.messages = nothing
	v.mu.Unlock()
	require.False(t, v.sentInPlain(t, spend))
	raw, err := hex.DecodeString(spend)
	require.NoError(t, err)
	require.False(t, bytes.Contains(dir.files["w"].Content, raw[:16]))

	do(t, own, walletrpc.RestoreDeterministicWallet,
		walletrpc.RestoreDeterministicWalletRequest{Filename: "w", Seed: words})
	do(t, own, walletrpc.CreateAccount, walletrpc.CreateAccountRequest{})
	p.mine(1, sealed, own, other)
	requireSameWallet(t, sealed, own)

	// Both spend, and both sweep.
	do(t, own, walletrpc.TransferSplit, split(theirs, xmr.Coin))
	p.mine(11, sealed, own, other)
	requireSameWallet(t, sealed, own)
	do(t, sealed, walletrpc.SweepAll,
		walletrpc.SweepAllRequest{Address: theirs, AccountIndex: sub.AccountIndex, Outputs: 1})
	do(t, sealed, walletrpc.TransferSplit, split(theirs, 3*xmr.Coin))
	p.mine(11, sealed, own, other)
	requireSameWallet(t, sealed, own)
	out := walletrpc.GetTransfersRequest{Out: true}
	require.Len(t, do(t, sealed, walletrpc.GetTransfers, out).Out, len(do(t, own, walletrpc.GetTransfers, out).Out))

	proveAndCheck(t, sealed, own, paid.TxHash, at, theirs)
	proveAndCheck(t, own, sealed, paid.TxHash, at, theirs)
	rest := balances(t, sealed).UnlockedBalance
	require.NotZero(t, rest)
}

func split(to string, amount uint64) walletrpc.TransferSplitRequest {
	return walletrpc.TransferSplitRequest{Destinations: []walletrpc.Destination{{Address: to, Amount: amount}}}
}

// proveAndCheck has one service make proofs and the other check them.
func proveAndCheck(t *testing.T, prover, checker *Service, id, at, theirs string) {
	t.Helper()
	spent := do(t, prover, walletrpc.GetSpendProof, walletrpc.GetSpendProofRequest{TxID: id, Message: "m"}).Signature
	require.True(t, do(t, checker, walletrpc.CheckSpendProof,
		walletrpc.CheckSpendProofRequest{TxID: id, Message: "m", Signature: spent}).Good)
	held := do(t, prover, walletrpc.GetReserveProof,
		walletrpc.GetReserveProofRequest{All: true, Message: "m"}).Signature
	reserve := do(t, checker, walletrpc.CheckReserveProof,
		walletrpc.CheckReserveProofRequest{Address: at, Message: "m", Signature: held})
	require.True(t, reserve.Good)
	require.Equal(t, balances(t, prover).Balance, reserve.Total)
	for _, kind := range []string{"spend", "view"} {
		signature := do(t, prover, walletrpc.Sign, walletrpc.SignRequest{Data: "text", SignatureType: kind}).Signature
		require.True(t, do(t, checker, walletrpc.Verify,
			walletrpc.VerifyRequest{Data: "text", Address: at, Signature: signature}).Good)
	}
}

// TestVaultWalletLifecycle opens and closes a wallet, kills the vault, changes passwords, runs background sync, and
// moves a spend key from a wallet's file to the vault.
func TestVaultWalletLifecycle(t *testing.T) {
	p := newTestChain(t)
	v := newTestVault(signer.Host{})
	dir := newFolder()
	s := p.serve(dir, v.post)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Password: "a", Language: "English"})
	words := key(t, s, "mnemonic")
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err := p.chain.Mine(t.Context(), 3, at)
	require.NoError(t, err)
	require.NoError(t, p.chain.Fund(t.Context(), 20, node.UnspendableAddress()))

	// While the vault is unreachable, scanning stops where it needs the key, and continues afterwards. After a kill
	// the wallet is opened again.
	v.away = true
	require.Contains(t, refused(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{}).Message, "does not answer")
	require.Zero(t, balances(t, s).Balance)
	v.away = false
	p.mine(1, s)
	balance := balances(t, s)
	require.NotZero(t, balance.Balance)
	v.kill()
	pay := walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Address: at, Amount: xmr.Coin}}}
	require.Contains(t, refused(t, s, walletrpc.Transfer, pay).Message, "open it again")
	require.Contains(t, refused(t, s, walletrpc.OpenWallet,
		walletrpc.OpenWalletRequest{Filename: "w", Password: "b"}).Message, "Invalid password")
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "a"})
	do(t, s, walletrpc.Transfer, pay)
	p.mine(11, s)

	require.Equal(t, walletrpc.CodeInvalidPassword, refused(t, s, walletrpc.ChangeWalletPassword,
		walletrpc.ChangeWalletPasswordRequest{OldPassword: "b", NewPassword: "c"}).Code)
	do(t, s, walletrpc.ChangeWalletPassword, walletrpc.ChangeWalletPasswordRequest{OldPassword: "a", NewPassword: "b"})
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	refused(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "a"})
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "b"})
	require.Equal(t, words, key(t, s, "mnemonic"))

	// Start and stop background sync.
	do(t, s, walletrpc.SetupBackgroundSync,
		walletrpc.SetupBackgroundSyncRequest{BackgroundSyncType: "reuse-wallet-password", WalletPassword: "b"})
	do(t, s, walletrpc.StartBackgroundSync, empty{})
	before := len(v.messages)
	_, err = p.chain.Mine(t.Context(), 2, at)
	require.NoError(t, err)
	p.mine(1, s)
	require.Equal(t, before, len(v.messages), "no message to the vault")
	require.Equal(t, walletrpc.CodeIsBackgroundSyncing, refused(t, s, walletrpc.Transfer, pay).Code)
	require.Equal(t, walletrpc.CodeInvalidPassword,
		refused(t, s, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{WalletPassword: "a"}).Code)
	do(t, s, walletrpc.StopBackgroundSync, walletrpc.StopBackgroundSyncRequest{WalletPassword: "b", Seed: words})
	do(t, s, walletrpc.Transfer, pay)
	p.mine(11, s)
	want := balances(t, s)

	// A host without a vault also opens the file; one with a vault moves the key to it when the password changes.
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	plain := p.serve(dir, nil)
	do(t, plain, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w", Password: "b"})
	require.Equal(t, want, balances(t, plain))
	do(t, plain, walletrpc.Transfer, pay)
	require.Equal(t, words, key(t, plain, "mnemonic"))
	do(t, plain, walletrpc.ExportKeysFile, walletrpc.ExportKeysFileRequest{Filename: "theirs", Password: "k"})
	do(t, plain, walletrpc.RestoreDeterministicWallet,
		walletrpc.RestoreDeterministicWalletRequest{Filename: "file", Password: "f", Seed: words})
	do(t, plain, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "file", Password: "f"})
	require.False(t, s.wallet.UsesSigner())
	p.mine(11, s)
	do(t, s, walletrpc.ChangeWalletPassword, walletrpc.ChangeWalletPasswordRequest{OldPassword: "f", NewPassword: "g"})
	require.True(t, s.wallet.UsesSigner())
	require.True(t, s.wallet.Keys().External())
	require.Equal(t, words, key(t, s, "mnemonic"))
	do(t, s, walletrpc.Transfer, pay)
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	do(t, s, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "file", Password: "g"})
	require.Equal(t, at, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
}

// requireImagesData checks that key images as data are refused if they are not whole, or belong to another wallet, and
// that they count the outputs otherwise.
func requireImagesData(t *testing.T, hot *Service, data string) {
	t.Helper()
	imports := func(text string) rpc.Error {
		return refused(t, hot, walletrpc.ImportKeyImagesData,
			walletrpc.ImportKeyImagesDataRequest{KeyImagesDataHex: text})
	}
	require.Equal(t, walletrpc.CodeBadHex, imports("x").Code)
	require.Equal(t, unknownError("Bad magic from key images"), imports(""))
	require.Equal(t, unknownError("Bad magic from key images"), imports(strings.Repeat("ab", 300)))
	require.Equal(t, unknownError("Bad magic from key images"), imports(data[:40]))
	raw, err := hex.DecodeString(data)
	require.NoError(t, err)
	for _, at := range []int{30, len(raw) / 2, len(raw) - 1} {
		changed := slices.Clone(raw)
		changed[at] ^= 1
		e := imports(hex.EncodeToString(changed))
		require.Equal(t, walletrpc.CodeUnknown, e.Code)
		require.Contains(t, e.Message, "Failed to decrypt key images")
	}
	require.Equal(t, walletrpc.ImportKeyImagesResponse{},
		do(t, hot, walletrpc.ImportKeyImages, walletrpc.ImportKeyImagesRequest{}))
	got := do(t, hot, walletrpc.ImportKeyImagesData, walletrpc.ImportKeyImagesDataRequest{KeyImagesDataHex: data})
	require.NotZero(t, got.Unspent)
	require.Zero(t, got.Spent)
}

// TestVaultSignsForOthers signs for a view-only wallet with a cold wallet whose key is in a vault. It also restores a
// wallet from keys.
func TestVaultSignsForOthers(t *testing.T) {
	p := newTestChain(t)
	v := newTestVault(signer.Host{})
	cold, hot := p.serve(newFolder(), v.post), p.serve(newFolder(), nil)
	do(t, cold, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "w", SeedType: "polyseed", Language: "English"})
	words := key(t, cold, "mnemonic")
	require.Len(t, strings.Fields(words), 16)
	at := do(t, cold, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	do(t, hot, walletrpc.GenerateFromKeys,
		walletrpc.GenerateFromKeysRequest{Filename: "w", Address: at, ViewKey: key(t, cold, "view_key")})
	_, err := p.chain.Mine(t.Context(), 3, at)
	require.NoError(t, err)
	require.NoError(t, p.chain.Fund(t.Context(), 20, node.UnspendableAddress()))
	p.mine(1, hot)
	do(t, cold, walletrpc.ImportOutputs, walletrpc.ImportOutputsRequest{
		OutputsDataHex: do(t, hot, walletrpc.ExportOutputs,
			walletrpc.ExportOutputsRequest{All: true, Count: 100}).OutputsDataHex})
	images := do(t, cold, walletrpc.ExportKeyImages, walletrpc.ExportKeyImagesRequest{All: true})
	require.Len(t, images.SignedKeyImages, 3)
	data := do(t, cold, walletrpc.ExportKeyImagesData, walletrpc.ExportKeyImagesDataRequest{All: true})
	requireImagesData(t, hot, data.KeyImagesDataHex)
	list := walletrpc.ImportKeyImagesRequest{SignedKeyImages: images.SignedKeyImages}
	require.Equal(t, do(t, hot, walletrpc.ImportKeyImages, list),
		do(t, hot, walletrpc.ImportKeyImagesData, walletrpc.ImportKeyImagesDataRequest(data)))
	pay := []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: xmr.Coin}}
	unsigned := do(t, hot, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: pay})
	signed := do(t, cold, walletrpc.SignTransfer, walletrpc.SignTransferRequest{UnsignedTxSet: unsigned.UnsignedTxSet})
	require.Len(t, do(t, hot, walletrpc.SubmitTransfer,
		walletrpc.SubmitTransferRequest{TxDataHex: signed.SignedTxSet}).TxHashList, 1)
	p.mine(11, hot)
	require.Len(t, do(t, hot, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Out: true}).Out, 1)

	spend := key(t, cold, "spend_key")
	do(t, cold, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{Filename: "k", Address: at,
		ViewKey: key(t, cold, "view_key"), SpendKey: spend})
	require.True(t, cold.wallet.Keys().External())
	require.Equal(t, "Failed to get seed.", refused(t, cold, walletrpc.QueryKey,
		walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Message, "no language was named")
	require.Equal(t, spend, key(t, cold, "spend_key"))
	do(t, cold, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "w"})
	require.Equal(t, words, key(t, cold, "mnemonic"))
}

// TestVaultTickets makes, restores and opens wallets whose password and seed never reach the service.
func TestVaultTickets(t *testing.T) {
	p := newTestChain(t)
	v := newTestVault(signer.Host{TicketsOnly: true})
	dir := newFolder()
	s := p.serve(dir, v.post)
	admit := func(password string) string {
		ticket, err := v.server.Admit([]byte(password))
		require.NoError(t, err)
		return ticket
	}
	k, err := keys.FromSeed([32]byte{4, 5, 6})
	require.NoError(t, err)
	seed, err := v.server.AdmitWallet(k, nil)
	require.NoError(t, err)
	restore := walletrpc.RestoreDeterministicWalletRequest{Filename: "w", Seed: seed, Password: "chosen here"}
	require.Contains(t, refused(t, s, walletrpc.RestoreDeterministicWallet, restore).Message, "not a ticket")
	require.Nil(t, dir.files["w"].Content)
	restore.Filename, restore.Password = "v", admit("secret password")
	restored := do(t, s, walletrpc.RestoreDeterministicWallet, restore)
	require.Empty(t, restored.Seed)
	require.Equal(t, restored.Address, do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address)
	require.Equal(t, k.SpendPublic, s.wallet.Keys().SpendPublic)
	spend, _ := k.SpendSecret()
	require.False(t, v.sentInPlain(t, hex.EncodeToString(spend[:])))
	require.False(t, slices.ContainsFunc(v.messages,
		func(b []byte) bool { return bytes.Contains(b, []byte("secret password")) }))
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})

	// Polyseeds and keys are also passed as tickets; only the vault sees the password of a view-only wallet.
	polyseed, err := s.config.seeds().Polyseed("English")
	require.NoError(t, err)
	seed, err = v.server.AdmitWallet(polyseed.Keys, []byte(polyseed.Words))
	require.NoError(t, err)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "p", Password: admit("secret password"),
		SeedType: seed, Language: "English"})
	require.Equal(t, string(polyseed.Words), key(t, s, "mnemonic"))
	require.Equal(t, "English", key(t, s, "seed_language"))
	view := k.ViewSecret()
	from := walletrpc.GenerateFromKeysRequest{Filename: "k", Address: restored.Address,
		ViewKey: hex.EncodeToString(view[:]), Password: admit("secret password")}
	from.SpendKey, err = v.server.AdmitWallet(k, nil)
	require.NoError(t, err)
	require.Equal(t, restored.Address, do(t, s, walletrpc.GenerateFromKeys, from).Address)
	from.Filename, from.SpendKey = "watching", ""
	do(t, s, walletrpc.GenerateFromKeys, from)
	change := walletrpc.ChangeWalletPasswordRequest{OldPassword: admit("wrong"), NewPassword: admit("another password")}
	require.Equal(t, walletrpc.CodeInvalidPassword, refused(t, s, walletrpc.ChangeWalletPassword, change).Code)
	change.OldPassword = admit("secret password")
	do(t, s, walletrpc.ChangeWalletPassword, change)
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	open := walletrpc.OpenWalletRequest{Filename: "watching", Password: change.OldPassword}
	require.Contains(t, refused(t, s, walletrpc.OpenWallet, open).Message, "Invalid password")
	open.Password = change.NewPassword
	do(t, s, walletrpc.OpenWallet, open)
	require.Equal(t, walletrpc.CodeWatchOnly,
		refused(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"}).Code)
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	require.False(t, slices.ContainsFunc(v.messages, func(b []byte) bool {
		return bytes.Contains(b, []byte("secret password")) || bytes.Contains(b, []byte("another password"))
	}))

	// Without a vault, the password itself opens them.
	plain := p.serve(dir, nil)
	do(t, plain, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "watching", Password: "another password"})
	do(t, plain, walletrpc.OpenWallet, walletrpc.OpenWalletRequest{Filename: "v", Password: "secret password"})
	want, err := mnemonic.Encode(spend, mnemonic.English())
	require.NoError(t, err)
	require.Equal(t, want, key(t, plain, "mnemonic"))
	requirePlainWallet(t, s, plain, admit)
}

// requirePlainWallet checks that a ticket opens a wallet with its key in its file only after the password was changed
// to that of a ticket.
func requirePlainWallet(t *testing.T, s, plain *Service, admit func(password string) string) {
	t.Helper()
	do(t, plain, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Filename: "plain", Password: "secret password", Language: "English"})
	do(t, plain, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	open := walletrpc.OpenWalletRequest{Filename: "plain", Password: admit("secret password")}
	require.Contains(t, refused(t, s, walletrpc.OpenWallet, open).Message, "under the password itself")
	open.Password = "secret password"
	do(t, s, walletrpc.OpenWallet, open)
	do(t, s, walletrpc.ChangeWalletPassword,
		walletrpc.ChangeWalletPasswordRequest{OldPassword: "secret password", NewPassword: admit("secret password")})
	do(t, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	open.Password = admit("secret password")
	do(t, s, walletrpc.OpenWallet, open)
}

// TestSecretUnderAPassphrase encrypts seeds of both kinds with a passphrase. They restore the wallet with that
// passphrase, and another wallet with a different one.
func TestSecretUnderAPassphrase(t *testing.T) {
	s := newTestChain(t).serve(newFolder(), nil).config.seeds()
	k, err := keys.FromSeed([32]byte{7, 8, 9})
	require.NoError(t, err)
	polyseed, err := s.Polyseed("English")
	require.NoError(t, err)
	for _, o := range []wallet.Identity{{Keys: k, Language: "English"}, polyseed} {
		plain, err := s.Secret(o, "mnemonic", "")
		require.NoError(t, err)
		hidden, err := s.Secret(o, "mnemonic", "pass phrase")
		require.NoError(t, err)
		require.NotEqual(t, plain, hidden)
		for _, given := range [][2]string{{plain, ""}, {hidden, "pass phrase"}} {
			found, err := s.Restore(GivenSeed{Words: given[0], Passphrase: given[1]})
			require.NoError(t, err)
			require.Equal(t, o.Keys.SpendPublic, found.Origin.Keys.SpendPublic)
		}
		found, err := s.Restore(GivenSeed{Words: hidden, Passphrase: "phrase"})
		require.NoError(t, err)
		require.NotEqual(t, o.Keys.SpendPublic, found.Origin.Keys.SpendPublic)
	}
	_, err = s.Secret(polyseed, "mnemonic", "pässword")
	require.Error(t, err, "only ASCII is encoded the same everywhere")
}

// TestVaultRefuses checks that nothing is sent if the owner declines, and that the wallet is unchanged.
func TestVaultRefuses(t *testing.T) {
	p := newTestChain(t)
	var asked []signer.ConsentRequest
	v := newTestVault(signer.Host{Consent: func(_ context.Context, a signer.ConsentRequest) error {
		asked = append(asked, a)
		return errors.New("not today")
	}})
	s := p.serve(newFolder(), v.post)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "English"})
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err := p.chain.Mine(t.Context(), 3, at)
	require.NoError(t, err)
	require.NoError(t, p.chain.Fund(t.Context(), 20, node.UnspendableAddress()))
	p.mine(1, s)
	require.Empty(t, asked, "scanning does not ask the owner")
	before := balances(t, s)
	pay := walletrpc.TransferRequest{Destinations: []walletrpc.Destination{{Address: node.UnspendableAddress(),
		Amount: xmr.Coin}}}
	require.Contains(t, refused(t, s, walletrpc.Transfer, pay).Message, "not today")
	require.Len(t, asked, 1)
	require.Equal(t, node.UnspendableAddress(), asked[0].Destinations[0].Text)
	require.EqualValues(t, xmr.Coin, asked[0].Destinations[0].Amount)
	refused(t, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"})
	refused(t, s, walletrpc.Sign, walletrpc.SignRequest{Data: "text"})
	require.Len(t, asked, 3)
	require.Equal(t, before, balances(t, s))
}
