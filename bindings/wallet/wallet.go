package wallet

import (
	"context"
	"errors"
	"sync"

	"glim/core/address"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// Wallet is an open wallet. Manager.Open, Create and Restore return one.
type Wallet struct {
	m         *Manager
	name      string
	slot      *slot
	warning   string
	tasks     tasks
	closeOnce func() error
}

func newWallet(m *Manager, name string, s *slot) *Wallet {
	w := &Wallet{m: m, name: name, slot: s}
	w.tasks.begin()
	w.closeOnce = sync.OnceValue(w.end)
	return w
}

// settle applies the settings that the engine keeps for each wallet.
func (w *Wallet) settle(ctx context.Context) error {
	_, reason, err := call(ctx, w, walletrpc.AutoRefresh, w.m.config.period())
	return failed("open", err, reason)
}

// Close ends the calls that are in progress, waits for them, and closes the wallet's file. These calls and all later
// ones fail with ErrClosed, and iterators end with it. Unconfirmed previews are discarded; they have not spent
// anything. Further calls return the same result. The error is that of the file system; whatever methods have reported
// before is stored nevertheless.
func (w *Wallet) Close() error { return w.closeOnce() }

func (w *Wallet) end() error {
	w.m.closing(w.slot)
	w.tasks.end()
	w.tasks.group.Wait()
	err := w.shut()
	w.m.release(w.name, w.slot)
	return err
}

// shut closes the wallet in the engine.
func (w *Wallet) shut() error {
	_, reason, err := call(context.Background(), w, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{})
	if err = failed("close", err, reason); errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}

// callOpen calls an operation while the wallet is open.
func callOpen[Req, Resp any](
	ctx context.Context, w *Wallet, op string, m rpc.Method[Req, Resp], req Req,
) (Resp, error) {
	return run(ctx, op, &w.tasks, func(ctx context.Context) (Resp, error) {
		resp, reason, err := call(ctx, w, m, req)
		return resp, failed(op, err, reason)
	}, nil)
}

// Name returns the wallet's name.
func (w *Wallet) Name() string { return w.name }

// Warning returns what Open has noticed about the wallet's file: that its end is missing, or that it is an older copy.
// It is empty if the file is in order.
func (w *Wallet) Warning() string { return w.warning }

// String returns "wallet " and the wallet's name.
func (w *Wallet) String() string { return "wallet " + w.name }

// Seed returns the wallet's seed words. Anyone with the words can spend the wallet's money. With a passphrase, Seed
// returns different words, which restore this wallet only together with the passphrase.
//
// It fails with ErrViewOnly if the wallet is view-only. A wallet that was restored from keys may not have a seed.
func (w *Wallet) Seed(ctx context.Context, passphrase string) (Secret, error) {
	got, err := callOpen(ctx, w, "seed", walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic",
		SeedOffset: passphrase})
	return Secret(got.Key), err
}

// Keys returns the wallet's primary address and secret keys. SpendKey is empty if the wallet is view-only.
func (w *Wallet) Keys(ctx context.Context) (k Keys, err error) {
	first, err := w.address(ctx, "keys")
	if err != nil {
		return k, err
	}
	view, err := callOpen(ctx, w, "keys", walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"})
	if err != nil {
		return k, err
	}
	spend, err := callOpen(ctx, w, "keys", walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"})
	if err != nil && !errors.Is(err, ErrViewOnly) {
		return k, err
	}
	return Keys{Address: first, ViewKey: Secret(view.Key), SpendKey: Secret(spend.Key)}, nil
}

// ChangePassword changes the password of the wallet's file from old to password. It fails with ErrWrongPassword if old
// is not the current password.
func (w *Wallet) ChangePassword(ctx context.Context, old, password string) error {
	_, err := callOpen(ctx, w, "change the password", walletrpc.ChangeWalletPassword,
		walletrpc.ChangeWalletPasswordRequest{OldPassword: old, NewPassword: password})
	return err
}

// CheckAddress returns nil if text is an address of network n: a primary address, a subaddress or an integrated
// address. Otherwise it fails with ErrAddress.
func CheckAddress(n Network, text string) error {
	if _, err := address.ParseFor(n, text); err != nil {
		return refused("check an address", ErrAddress, "")
	}
	return nil
}

// managed are the operations that open or close wallets, which must go through the methods of this package.
var managed = map[string]bool{
	walletrpc.OpenWallet.Name:                 true,
	walletrpc.CloseWallet.Name:                true,
	walletrpc.CreateWallet.Name:               true,
	walletrpc.StopWallet.Name:                 true,
	walletrpc.RestoreDeterministicWallet.Name: true,
	walletrpc.GenerateFromKeys.Name:           true,
}

// Post makes a Wallet an rpc.Transport. Use it for operations of the wallet RPC contract that have no method here:
//
//	rpc.Call(ctx, w, walletrpc.GetTxProof, walletrpc.GetTxProofRequest{…})
//
// Post refuses operations that open or close wallets. If an operation fails, rpc.Call returns an *rpc.Error with the
// code of the contract.
func (w *Wallet) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if managed[rpc.MethodOf(body)] {
		return nil, refused("post", nil, "use the methods of Manager and Wallet to open and close wallets")
	}
	return run(ctx, "post", &w.tasks, func(ctx context.Context) ([]byte, error) {
		t := &transport{engine: w.m.engine, name: w.name}
		return t.Post(ctx, path, body)
	}, nil)
}
