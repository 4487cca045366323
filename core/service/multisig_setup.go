package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"glim/core/multisig"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// multisigSetup makes a wallet multisig.
type multisigSetup struct {
	active *active
	random io.Reader
}

// errMultisigOff refuses to start a multisig wallet if multisig is not enabled.
var errMultisigOff = walletrpc.Fail(walletrpc.CodeDisabled, "Multisig is disabled. It is experimental: "+
	"money sent to a multisig wallet may be lost, may be spendable only with a dishonest signer's help, or may be "+
	"stolen by one. prepare_multisig with enable_multisig_experimental enables it for this wallet.")

// errMultisigWatchOnly refuses a wallet that could not sign. Source: src/wallet/wallet_rpc_server.cpp,
// on_prepare_multisig.
var errMultisigWatchOnly = walletrpc.Fail(walletrpc.CodeWatchOnly, "wallet is watch-only and cannot be made multisig")

// multisigReady returns w's multisig account. It returns CodeNotMultisig for other wallets and before the key
// exchange is complete, and CodeDisabled if multisig is not enabled.
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

// canJoin returns an error if w cannot become multisig.
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

// errHasMoney refuses to make a wallet multisig while it holds outputs that only the original wallet can spend.
var errHasMoney = refuse("This wallet holds money, which a multisig wallet made of it could not spend. Use a new " +
	"wallet.")

// checkUnused returns an error if making w multisig would lose something.
func checkUnused(w *wallet.Wallet) error {
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

// canExchange returns an error if w cannot process another round with n messages.
// Source: src/wallet/wallet_rpc_server.cpp, on_exchange_multisig_keys.
func canExchange(w *wallet.Wallet, n int, incomplete bool) error {
	a := w.Multisig()
	switch {
	case a == nil:
		return errNotMultisig
	case !w.MultisigEnabled():
		return walletrpc.Fail(walletrpc.CodeDisabled, "")
	case n+1 < int(a.Total()) && !incomplete:
		return errTooFewInfos
	case a.Ready():
		return errExchangeDone
	}
	return nil
}

// next carries out a round of the key exchange. Its errors name the failed step.
// Source: src/wallet/wallet_rpc_server.cpp, on_exchange_multisig_keys.
func (s *multisigSetup) next(
	w *wallet.Wallet, texts []string, incomplete bool,
) (*multisig.Account, string, error) {
	a, text, err := w.Multisig().Exchange(s.random, texts, incomplete)
	if err != nil {
		err = walletrpc.Fail(walletrpc.CodeUnknown, "Error calling exchange_multisig_info: %s", kexFlaw(texts, err))
	}
	return a, text, err
}

// kexFlaw returns the text of err, or the reference's if one of the key exchange messages is too short to be one.
// Source: src/multisig/multisig_kex_msg.cpp, parse_and_validate_msg.
func kexFlaw(texts []string, err error) string {
	short := func(text string) bool { return len(text) < len("MultisigxV2R1") }
	if errors.Is(err, multisig.ErrMessage) && slices.ContainsFunc(texts, short) {
		return "Kex message unexpectedly small."
	}
	return err.Error()
}

// signerKey returns the response of query_key for a multisig wallet; ok is false for keys that work as in other
// wallets. The spend key is the signer's own, which cannot spend anything alone.
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

func (s *multisigSetup) isMultisig(context.Context, empty) (resp walletrpc.IsMultisigResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		if a := w.Multisig(); a != nil {
			resp = walletrpc.IsMultisigResponse{Multisig: true, KexIsDone: a.Complete(), Ready: a.Ready(),
				Threshold: a.Threshold(), Total: a.Total()}
		}
		return nil
	})
	return resp, err
}

func (s *multisigSetup) prepareMultisig(
	ctx context.Context, req walletrpc.PrepareMultisigRequest,
) (resp walletrpc.PrepareMultisigResponse, err error) {
	if req.EnableMultisigExperimental {
		err := s.active.change(func(w *wallet.Wallet) (c wallet.ChangeSet, err error) {
			if w.Multisig() == nil && !w.Keys().CanSpend() {
				return c, errMultisigWatchOnly
			}
			return w.DecideEnableMultisig(), nil
		})
		if err != nil {
			return resp, err
		}
	}
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	if err := s.active.view(canJoin); err != nil {
		return resp, err
	}
	resp.MultisigInfo, err = multisig.Prepare(s.random, o.Keys().WithContext(ctx))
	return resp, err
}

// exchange advances the open wallet by one round of the key exchange if may returns no error. next returns the account
// after the round and the message to send. The message is returned only after the round is durable.
func (s *multisigSetup) exchange(
	ctx context.Context, password string, may func(*wallet.Wallet) error,
	next func(*wallet.Wallet) (*multisig.Account, string, error),
) (resp walletrpc.MultisigRoundResponse, a *multisig.Account, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, nil, err
	}
	if err := s.active.view(may); err != nil {
		return resp, nil, err
	}
	if password != "" && o.CheckPassword(ctx, []byte(password)) != nil {
		return resp, nil, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	o.sending.Lock() // no payments from a wallet that is being replaced
	defer o.sending.Unlock()
	err = o.Replace(func(w *wallet.Wallet) (*wallet.Wallet, error) {
		var err error
		if err := may(w); err != nil {
			return nil, err
		}
		if a, resp.MultisigInfo, err = next(w); err != nil {
			return nil, err
		}
		return w.InGroup(a)
	})
	if errors.Is(err, session.ErrBackground) {
		err = o.checkSpendKey()
	}
	if err != nil {
		return walletrpc.MultisigRoundResponse{}, nil, err
	}
	o.reference.joined(ctx, o.Session, password)
	return resp, a, nil
}

func (s *multisigSetup) makeMultisig(
	ctx context.Context, req walletrpc.MakeMultisigRequest,
) (walletrpc.MultisigRoundResponse, error) {
	may := func(w *wallet.Wallet) error {
		if err := canJoin(w); err != nil {
			return err
		}
		return checkUnused(w)
	}
	resp, a, err := s.exchange(ctx, req.Password, may, func(w *wallet.Wallet) (*multisig.Account, string, error) {
		a, text, err := multisig.Make(s.random, w.Keys().WithContext(ctx), req.Threshold, req.MultisigInfo)
		if errors.Is(err, multisig.ErrMessage) {
			err = refuse(kexFlaw(req.MultisigInfo, err))
		}
		return a, text, err
	})
	if err != nil || !a.Complete() {
		return resp, err // no address yet: anyone could spend payments to it
	}
	resp.Address, err = s.active.primaryAddress()
	return resp, err
}

func (s *multisigSetup) exchangeMultisigKeys(
	ctx context.Context, req walletrpc.ExchangeMultisigKeysRequest,
) (walletrpc.MultisigRoundResponse, error) {
	if len(req.MultisigInfo) == 0 && req.ForceUpdateUseWithCaution {
		return s.repeatMessage()
	}
	may := func(w *wallet.Wallet) error {
		return canExchange(w, len(req.MultisigInfo), req.ForceUpdateUseWithCaution)
	}
	resp, a, err := s.exchange(ctx, req.Password, may, func(w *wallet.Wallet) (*multisig.Account, string, error) {
		return s.next(w, req.MultisigInfo, req.ForceUpdateUseWithCaution)
	})
	if err != nil || !a.Ready() {
		return resp, err
	}
	resp.Address, err = s.active.primaryAddress()
	return resp, err
}

// repeatMessage returns the message of the current round again, for example because the service stopped before it was
// sent.
func (s *multisigSetup) repeatMessage() (resp walletrpc.MultisigRoundResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		a := w.Multisig()
		if a == nil {
			return errNotMultisig
		}
		if err := multisigEnabled(w); err != nil {
			return err
		}
		if a.Ready() {
			resp.Address = primary(w.Identity())
		}
		resp.MultisigInfo, err = a.Message(s.random)
		return err
	})
	return resp, err
}

// booster returns a message of the round after the current one.
// Source: src/wallet/wallet_rpc_server.cpp, on_get_multisig_key_exchange_booster, master of August 2026.
func (s *multisigSetup) booster(
	ctx context.Context, req walletrpc.GetMultisigKeyExchangeBoosterRequest,
) (resp walletrpc.GetMultisigKeyExchangeBoosterResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	a, _ := signersGroup(o)
	switch {
	case a != nil && a.Ready():
		return resp, walletrpc.Fail(walletrpc.CodeAlreadyMultisig, "This wallet is multisig, and already finalized")
	case len(req.MultisigInfo) == 0:
		return resp, errTooFewInfos
	case req.Password != "" && o.CheckPassword(ctx, []byte(req.Password)) != nil:
		return resp, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	switch {
	case a == nil:
		if err := o.checkSpendKey(); err != nil {
			return resp, err
		}
		resp.MultisigInfo, err = multisig.FirstBooster(
			s.random, o.Keys().WithContext(ctx), req.Threshold, req.NumSigners, req.MultisigInfo,
		)
	case req.Threshold != a.Threshold() || req.NumSigners != a.Total():
		err = multisig.ErrConfig
	default:
		resp.MultisigInfo, err = a.Booster(s.random, req.MultisigInfo)
	}
	if err != nil {
		err = walletrpc.Fail(walletrpc.CodeUnknown, "Error calling exchange_multisig_info_booster: %s", err)
	}
	return resp, err
}

// finalizeMultisig is an older name of the last round.
func (s *multisigSetup) finalizeMultisig(
	ctx context.Context, req walletrpc.FinalizeMultisigRequest,
) (resp walletrpc.FinalizeMultisigResponse, err error) {
	may := func(w *wallet.Wallet) error {
		err := canExchange(w, len(req.MultisigInfo), false)
		if err == nil && !w.Multisig().Complete() {
			err = refuse("This is not the last round: continue with exchange_multisig_keys")
		}
		return err
	}
	_, _, err = s.exchange(ctx, req.Password, may, func(w *wallet.Wallet) (*multisig.Account, string, error) {
		return s.next(w, req.MultisigInfo, false)
	})
	if err != nil {
		return resp, err
	}
	resp.Address, err = s.active.primaryAddress()
	return resp, err
}

// fromSigner restores the wallet of a multisig seed.
// Source: src/wallet/wallet_rpc_server.cpp, on_restore_deterministic_wallet.
func fromSigner(network xmr.Network, seed, offset string) (o wallet.Identity, err error) {
	if offset != "" {
		return o, refuse("Multisig seeds are not compatible with seed offsets")
	}
	a, err := multisig.FromSeed(seed)
	if err != nil {
		return o, refuse("Multisig seed not represented as hexadecimal string, or not a signer's")
	}
	if o, err = wallet.GroupIdentity(a); err != nil {
		return o, err
	}
	o.Network, o.EnableMultisig = network, true
	return o, nil
}
