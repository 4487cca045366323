package service

import (
	"context"
	"slices"

	"glim/core/wallet"
	"glim/core/walletrpc"
)

// rescanner scans the chain again.
type rescanner struct {
	active    *active
	refresher *refresher
	log       Log
}

// rescanBlockchain scans from the start. It always keeps data that only the user has, such as imported key images, also
// for a hard rescan, because that data does not depend on the chain.
// Source of the refusal: src/wallet/wallet_rpc_server.cpp, on_rescan_blockchain, master of August 2026.
func (s *rescanner) rescanBlockchain(ctx context.Context, req walletrpc.RescanBlockchainRequest) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	if req.Hard && req.KeepKeyImages {
		return empty{}, refuse("Cannot preserve key images on hard rescan")
	}
	// Without a daemon, the wallet keeps what it has.
	if _, err := s.active.connection().Height(ctx); err != nil {
		return empty{}, err
	}
	s.active.connection().pool.restart()
	if err := reread(o); err != nil {
		return empty{}, err
	}
	_, err = s.refresher.refresh(ctx, o, 0)
	return empty{}, err
}

// rescanSpent requests from the trusted daemon which key images are spent. If the wallet disagrees, it scans again. It
// also allows new requests for ring members.
func (s *rescanner) rescanSpent(ctx context.Context, _ empty) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	if err := s.active.trusted(); err != nil {
		return empty{}, err
	}
	s.active.connection().pool.restart()
	list, err := s.active.keyImages(ctx, o)
	if err != nil {
		return empty{}, err
	}
	// The owner trusts this daemon, whatever other daemons responded about outputs and rings.
	if err := s.active.change(
		func(w *wallet.Wallet) (wallet.ChangeSet, error) { return w.DecideRequestRingsAgain(), nil },
	); err != nil {
		return empty{}, err
	}
	if slices.ContainsFunc(list, func(k keyImageStatus) bool { return k.disputed() }) {
		return s.rescanBlockchain(ctx, walletrpc.RescanBlockchainRequest{})
	}
	return empty{}, nil
}

// setSubaddressLookahead changes the lookahead. If it grows, the wallet scans again, because earlier blocks may pay
// the new addresses.
func (s *rescanner) setSubaddressLookahead(
	ctx context.Context, req walletrpc.SetSubaddressLookaheadRequest,
) (empty, error) {
	o, err := s.active.current()
	if err != nil {
		return empty{}, err
	}
	if o.name != "" && o.CheckPassword(ctx, []byte(req.Password)) != nil {
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidPassword, "")
	}
	// Source of both texts: src/wallet/wallet2.cpp, set_subaddress_lookahead, 0.18.5.1.
	switch {
	case req.MajorIdx == 0:
		return empty{}, refuse("Subaddress major lookahead may not be zero")
	case req.MinorIdx == 0:
		return empty{}, refuse("Subaddress minor lookahead may not be zero")
	}
	wider := false
	err = s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		c, err := w.DecideLookahead(wallet.Lookahead{Major: req.MajorIdx, Minor: req.MinorIdx})
		wider = req.MajorIdx > w.Lookahead().Major || req.MinorIdx > w.Lookahead().Minor
		return c, err
	})
	if err != nil || !wider {
		return empty{}, err
	}
	if err := o.Forget(); err != nil {
		return empty{}, err
	}
	// The daemon may be unreachable; then the next refresh scans.
	if _, err := s.refresher.refresh(ctx, o, 0); err != nil {
		s.log.Warn("the search for payments to the new addresses continues with the next refresh", "error", err)
	}
	return empty{}, nil
}

// reread discards everything that was scanned, and allows new requests for outputs about which daemons returned false
// data.
func reread(o *openWallet) error {
	o.sending.Lock()
	defer o.sending.Unlock()
	return o.ChangeForgetting(
		func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideRescanByOwner(), nil, nil
		},
	)
}
