package service

import (
	"context"
	"encoding/hex"
	"errors"

	"glim/core/multisig"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// Refusals of operations that only some wallets know.
// Source: src/wallet/wallet_rpc_server.cpp, on_exchange_multisig_keys and on_export_multisig.
var (
	errNotMultisig  = walletrpc.Fail(walletrpc.CodeNotMultisig, "This wallet is not multisig")
	errNotFinalized = walletrpc.Fail(walletrpc.CodeNotMultisig, "This wallet is multisig, but not yet finalized")
	errFinalized    = walletrpc.Fail(walletrpc.CodeAlreadyMultisig, "This wallet is multisig, and already finalized")
	errTooFewInfos  = walletrpc.Fail(walletrpc.CodeThresholdNotReached, "Needs multisig info from more participants")
)

// errMultisigOff refuses what begins a multisig wallet whose owner has not taken the risk.
var errMultisigOff = walletrpc.Fail(walletrpc.CodeDisabled, "Multisig is disabled. It is experimental: money sent to a multisig "+
	"wallet may be lost, may need a dishonest signer's help to be spent, or may be stolen by one. prepare_multisig with "+
	"enable_multisig_experimental turns it on for this wallet.")

// errMultisigWatchOnly refuses a wallet that could not sign. Source: src/wallet/wallet_rpc_server.cpp, on_prepare_multisig.
var errMultisigWatchOnly = walletrpc.Fail(walletrpc.CodeWatchOnly, "wallet is watch-only and cannot be made multisig")

// multisigReady returns w's part in its group. Errors: CodeNotMultisig before the group is made and for other wallets, CodeDisabled.
func multisigReady(w *wallet.Wallet) (*multisig.Account, error) {
	a := w.Multisig()
	switch {
	case a == nil:
		return nil, errNotMultisig
	case !a.Ready():
		return nil, errNotFinalized
	case !w.MultisigEnabled():
		return nil, walletrpc.Fail(walletrpc.CodeDisabled, "")
	}
	return a, nil
}

// multisigEnabled returns CodeDisabled for the wallet of a group whose owner has not taken the risk.
// Source: src/wallet/wallet_rpc_server.cpp, CHECK_MULTISIG_ENABLED.
func multisigEnabled(w *wallet.Wallet) error {
	if w.Multisig() != nil && !w.MultisigEnabled() {
		return walletrpc.Fail(walletrpc.CodeDisabled, "")
	}
	return nil
}

// group returns the open wallet's part in a group of signers; nil for one person's.
func (o *open) group() (a *multisig.Account) {
	o.View(func(w *wallet.Wallet) { a = w.Multisig() })
	return a
}

func (s *Service) isMultisig(context.Context, empty) (resp walletrpc.IsMultisigResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		if a := w.Multisig(); a != nil {
			resp = walletrpc.IsMultisigResponse{Multisig: true, Ready: a.Ready(), Threshold: a.Threshold(), Total: a.Total()}
		}
		return nil
	})
	return resp, err
}

// canJoin returns why w cannot be taken into a group.
func canJoin(w *wallet.Wallet) error {
	switch {
	case w.Multisig() != nil:
		return walletrpc.Fail(walletrpc.CodeAlreadyMultisig, "")
	case !w.Keys().CanSpend():
		return errMultisigWatchOnly
	case !w.MultisigEnabled():
		return errMultisigOff
	}
	return nil
}

func (s *Service) prepareMultisig(ctx context.Context, req walletrpc.PrepareMultisigRequest) (resp walletrpc.PrepareMultisigResponse, err error) {
	if req.EnableMultisigExperimental {
		err := s.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
			if w.Multisig() == nil && !w.Keys().CanSpend() {
				return c, errMultisigWatchOnly
			}
			return w.DecideEnableMultisig(), nil
		})
		if err != nil {
			return resp, err
		}
	}
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	if err := s.view(canJoin); err != nil {
		return resp, err
	}
	resp.MultisigInfo, err = multisig.Prepare(s.config.Random, o.Keys().Within(ctx))
	return resp, err
}

// errHasMoney refuses to make a wallet another that holds money which only the first can spend.
var errHasMoney = refuse("This wallet holds money, which a multisig wallet made of it could not spend. Use a new wallet.")

// fresh returns why w should stay the wallet it is.
func fresh(w *wallet.Wallet) error {
	outputs := w.Outputs()
	for i := range outputs {
		if !w.IsSpent(&outputs[i], true) {
			return errHasMoney
		}
	}
	if len(w.Pool()) > 0 {
		return errHasMoney
	}
	if w.Background().Type != wallet.BackgroundOff {
		return refuse("A wallet that is set up for background sync cannot be made multisig")
	}
	return nil
}

// addressing are the operations that answer with addresses to be paid at.
var addressing = map[string]bool{
	walletrpc.GetAddress.Name: true, walletrpc.CreateAddress.Name: true, walletrpc.GetAccounts.Name: true, walletrpc.CreateAccount.Name: true,
	walletrpc.MakeIntegratedAddress.Name: true,
}

// unmade refuses addresses of a group that has not made its key: what is paid to them would be anybody's who has the view key.
func (o *open) unmade(op string) (err error) {
	if !addressing[op] {
		return nil
	}
	o.View(func(w *wallet.Wallet) {
		if !w.HasAddress() {
			err = errNotFinalized
		}
	})
	return err
}

// exchange takes the open wallet one round further, if may has nothing against it: next decides on it and returns the account it goes on with, and the message to
// send. The message is answered only after the round is on disk.
func (s *Service) exchange(ctx context.Context, password string, may func(*wallet.Wallet) error, next func(*wallet.Wallet) (*multisig.Account, string, error)) (resp walletrpc.MultisigRoundResponse, a *multisig.Account, err error) {
	o, err := s.current()
	if err != nil {
		return resp, nil, err
	}
	if err := s.view(may); err != nil {
		return resp, nil, err
	}
	if password != "" && o.CheckPassword(ctx, []byte(password)) != nil {
		return resp, nil, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	o.sending.Lock() // nothing is paid out of a wallet that is about to be another
	defer o.sending.Unlock()
	err = o.Remake(func(w *wallet.Wallet) (*wallet.Wallet, error) {
		var err error
		if err := may(w); err != nil {
			return nil, err
		}
		if a, resp.MultisigInfo, err = next(w); err != nil {
			return nil, err
		}
		return w.InGroup(a)
	})
	if errors.Is(err, session.ErrApart) {
		err = o.away()
	}
	if err != nil {
		return walletrpc.MultisigRoundResponse{}, nil, err
	}
	return resp, a, nil
}

// primaryAddress returns the address of the open wallet.
func (s *Service) primaryAddress() (text string, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		text = primary(w.Origin())
		return nil
	})
	return text, err
}

func (s *Service) makeMultisig(ctx context.Context, req walletrpc.MakeMultisigRequest) (walletrpc.MultisigRoundResponse, error) {
	may := func(w *wallet.Wallet) error {
		if err := canJoin(w); err != nil {
			return err
		}
		return fresh(w)
	}
	resp, a, err := s.exchange(ctx, req.Password, may, func(w *wallet.Wallet) (*multisig.Account, string, error) {
		return multisig.Make(s.config.Random, w.Keys().Within(ctx), req.Threshold, req.MultisigInfo)
	})
	if err != nil || !a.Complete() {
		return resp, err // an address that is not made yet is none: what is paid to it would be anybody's
	}
	resp.Address, err = s.primaryAddress()
	return resp, err
}

// canExchange returns why w goes no round further with n messages. Source: src/wallet/wallet_rpc_server.cpp, on_exchange_multisig_keys.
func canExchange(w *wallet.Wallet, n int, incomplete bool) error {
	a := w.Multisig()
	switch {
	case a == nil:
		return errNotMultisig
	case a.Ready():
		return errFinalized
	case !w.MultisigEnabled():
		return walletrpc.Fail(walletrpc.CodeDisabled, "")
	case n+1 < int(a.Total()) && !incomplete:
		return errTooFewInfos
	}
	return nil
}

func (s *Service) exchangeMultisigKeys(ctx context.Context, req walletrpc.ExchangeMultisigKeysRequest) (walletrpc.MultisigRoundResponse, error) {
	if len(req.MultisigInfo) == 0 && req.ForceUpdateUseWithCaution {
		return s.messageAgain()
	}
	may := func(w *wallet.Wallet) error {
		return canExchange(w, len(req.MultisigInfo), req.ForceUpdateUseWithCaution)
	}
	resp, a, err := s.exchange(ctx, req.Password, may, func(w *wallet.Wallet) (*multisig.Account, string, error) {
		return exchanged(w.Multisig().Exchange(s.config.Random, req.MultisigInfo, req.ForceUpdateUseWithCaution))
	})
	if err != nil || !a.Ready() {
		return resp, err
	}
	resp.Address, err = s.primaryAddress()
	return resp, err
}

// exchanged puts before an error what went wrong with it. Source: src/wallet/wallet_rpc_server.cpp, on_exchange_multisig_keys.
func exchanged(a *multisig.Account, text string, err error) (*multisig.Account, string, error) {
	if err != nil {
		err = walletrpc.Fail(walletrpc.CodeUnknown, "Error calling exchange_multisig_info: %s", err)
	}
	return a, text, err
}

// messageAgain answers the message of the round under way once more, for who never got it: it was on disk when the service ended.
func (s *Service) messageAgain() (resp walletrpc.MultisigRoundResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		a := w.Multisig()
		if a == nil {
			return errNotMultisig
		}
		if err := multisigEnabled(w); err != nil {
			return err
		}
		if a.Ready() {
			resp.Address = primary(w.Origin())
		}
		resp.MultisigInfo, err = a.Message(s.config.Random)
		return err
	})
	return resp, err
}

// finalizeMultisig is the last round by its older name.
func (s *Service) finalizeMultisig(ctx context.Context, req walletrpc.FinalizeMultisigRequest) (resp walletrpc.FinalizeMultisigResponse, err error) {
	may := func(w *wallet.Wallet) error {
		err := canExchange(w, len(req.MultisigInfo), false)
		if err == nil && !w.Multisig().Complete() {
			err = refuse("This is not the last round: exchange_multisig_keys goes on with the key exchange")
		}
		return err
	}
	_, _, err = s.exchange(ctx, req.Password, may, func(w *wallet.Wallet) (*multisig.Account, string, error) {
		return exchanged(w.Multisig().Exchange(s.config.Random, req.MultisigInfo, false))
	})
	if err != nil {
		return resp, err
	}
	resp.Address, err = s.primaryAddress()
	return resp, err
}

// fromSigner returns the wallet of a group's signer by his seed.
// Source: src/wallet/wallet_rpc_server.cpp, on_restore_deterministic_wallet.
func (s *Service) fromSigner(seed, offset string) (o wallet.Origin, err error) {
	if offset != "" {
		return o, refuse("Multisig seeds are not compatible with seed offsets")
	}
	a, err := multisig.FromSeed(seed)
	if err != nil {
		return o, refuse("Multisig seed not represented as hexadecimal string, or not a signer's")
	}
	if o, err = wallet.GroupOrigin(a); err != nil {
		return o, err
	}
	o.Network, o.EnableMultisig = s.config.Network, true
	return o, nil
}

// signerKey returns what query_key answers for the wallet of a group's signer; false for a kind of key that is as in other wallets.
// The spend key is the signer's own, with which alone nothing can be spent.
// Source: src/wallet/wallet_rpc_server.cpp, on_query_key.
func signerKey(a *multisig.Account, kind string) (text string, err error, ok bool) {
	switch kind {
	case "mnemonic":
		if !a.Ready() {
			return "", errNotFinalized, true
		}
		text, err = a.Seed()
		return text, err, true
	case "spend_key":
		return hex.EncodeToString(a.BaseSecret().Bytes()), nil, true
	}
	return "", nil, false
}
