package wallet

import (
	"context"
	"errors"
	"sync"

	"glim/core/address"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// Wallet is a wallet that is open.
type Wallet struct {
	m       *Manager
	name    string
	at      *place
	warning string
	tasks   tasks
	close   func() error // once
}

func newWallet(m *Manager, name string, at *place) *Wallet {
	w := &Wallet{m: m, name: name, at: at}
	w.tasks.begin()
	w.close = sync.OnceValue(w.end)
	return w
}

// settle sets what the engine settles by wallet.
func (w *Wallet) settle(ctx context.Context) error {
	_, reason, err := call(ctx, w, walletrpc.AutoRefresh, w.m.config.period())
	return failed("open", err, reason)
}

// Close ends what the wallet does, waits for that, and closes its file. Calls that are under way, and later ones, fail
// with ErrClosed; iterators end with it. Previews that were not confirmed are gone, and nothing of the wallet's money
// with them. Closing twice is harmless. Errors: of the file system; what was answered before is stored all the same.
func (w *Wallet) Close() error { return w.close() }

func (w *Wallet) end() error {
	w.m.leaving(w.at)
	w.tasks.end()
	w.tasks.group.Wait()
	err := w.shut()
	w.m.release(w.name, w.at)
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

// ask carries out an operation for as long as the wallet is open.
func ask[Req, Resp any](ctx context.Context, w *Wallet, op string, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	return run(ctx, op, &w.tasks, func(ctx context.Context) (Resp, error) {
		resp, reason, err := call(ctx, w, m, req)
		return resp, failed(op, err, reason)
	}, nil)
}

// Name returns the wallet's name.
func (w *Wallet) Name() string { return w.name }

// Warning returns what the wallet's file told when it was opened: that it is cut short, or an older copy. Empty when
// all is well.
func (w *Wallet) Warning() string { return w.warning }

// String returns the wallet's name.
func (w *Wallet) String() string { return "wallet " + w.name }

// Seed returns the words of the wallet, which are all that it takes to spend its money. With a passphrase, which is no
// part of them, they make another wallet for anyone who does not know it. ErrViewOnly of a view-only wallet; a wallet
// restored from keys may have no words.
func (w *Wallet) Seed(ctx context.Context, passphrase string) (Secret, error) {
	got, err := ask(ctx, w, "seed", walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic",
		SeedOffset: passphrase})
	return Secret(got.Key), err
}

// Keys returns the wallet's keys; SpendKey is empty of a view-only wallet.
func (w *Wallet) Keys(ctx context.Context) (k Keys, err error) {
	first, err := w.address(ctx, "keys")
	if err != nil {
		return k, err
	}
	view, err := ask(ctx, w, "keys", walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"})
	if err != nil {
		return k, err
	}
	spend, err := ask(ctx, w, "keys", walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "spend_key"})
	if err != nil && !errors.Is(err, ErrViewOnly) {
		return k, err
	}
	return Keys{Address: first, ViewKey: Secret(view.Key), SpendKey: Secret(spend.Key)}, nil
}

// ChangePassword changes the password of the wallet's file. ErrWrongPassword unless old is the present one.
func (w *Wallet) ChangePassword(ctx context.Context, old, password string) error {
	_, err := ask(ctx, w, "change the password", walletrpc.ChangeWalletPassword,
		walletrpc.ChangeWalletPasswordRequest{OldPassword: old, NewPassword: password})
	return err
}

// CheckAddress returns ErrAddress unless text is an address of n: a wallet's first, a subaddress or an integrated one.
func CheckAddress(n Network, text string) error {
	if _, err := address.ParseFor(n, text); err != nil {
		return refused("check an address", ErrAddress, "")
	}
	return nil
}

// closing are the operations that would open or close a wallet behind this package's back.
var closing = map[string]bool{
	walletrpc.OpenWallet.Name: true, walletrpc.CloseWallet.Name: true, walletrpc.CreateWallet.Name: true,
	walletrpc.StopWallet.Name:                 true,
	walletrpc.RestoreDeterministicWallet.Name: true, walletrpc.GenerateFromKeys.Name: true,
}

// Post makes a Wallet an rpc.Transport, for every operation of the wallet RPC contract that has no method here:
//
//	rpc.Call(ctx, w, walletrpc.GetTxProof, walletrpc.GetTxProofRequest{…})
//
// Operations that open or close wallets are refused. A failure the contract knows is rpc.Call's *rpc.Error.
func (w *Wallet) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	if closing[rpc.MethodOf(body)] {
		return nil, refused("post", nil, "operations that open or close wallets have methods of their own")
	}
	return run(ctx, "post", &w.tasks, func(ctx context.Context) ([]byte, error) {
		t := &transport{engine: w.m.engine, name: w.name}
		return t.Post(ctx, path, body)
	}, nil)
}
