package service

import (
	"context"
	"errors"
	"strings"

	"glim/core/address"
	"glim/core/daemon"
	"glim/core/internal/codec/base58"
	"glim/core/internal/proof"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// Sources of the refusals here: src/wallet/wallet_rpc_server.cpp, on_check_tx_key to on_check_spend_proof, with what
// src/wallet/wallet2.cpp throws beneath.

const (
	notFetched  = "Failed to get transaction from daemon"
	notTheRight = "Failed to get the right transaction from daemon"
	noHeader    = "Signature header check error"
	noDecoding  = "Signature decoding error"
)

// saying answers with the text that belongs to err, or with err itself.
func saying(err error, texts map[error]string) error {
	for is, text := range texts {
		if errors.Is(err, is) {
			return refuse(text)
		}
	}
	return err
}

// anyAddress reads an address of anybody's.
func (s *Service) anyAddress(text string) (address.Address, error) {
	a, err := address.ParseFor(s.config.Network, text)
	if err != nil {
		return a, walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid address")
	}
	return a, nil
}

// transaction asks the daemon for one transaction, whole, so that its ID can be computed. absent is what to say when
// the daemon lacks it, away when there is no daemon.
func (s *Service) transaction(ctx context.Context, id xmr.Hash, absent, away string) (*daemon.TxInfo, error) {
	found, _, err := s.daemon().Transactions(ctx, []xmr.Hash{id}, daemon.Whole)
	switch {
	case errors.Is(err, daemon.ErrUnreachable):
		return nil, refuse(away)
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, refuse(absent)
	case !found[0].Proven:
		return nil, refuse(notTheRight)
	}
	return &found[0], nil
}

// noConnection is what operations say that look for the daemon first.
func (s *Service) noConnection() string {
	return "Failed to connect to daemon: " + s.source().config.Address
}

// confirmations returns how many blocks there are from t's own to the daemon's top.
func (s *Service) confirmations(ctx context.Context, t *daemon.TxInfo) (uint64, error) {
	if t.InPool || t.Confirmations > 0 {
		return t.Confirmations, nil
	}
	info, err := s.daemon().Info(ctx) // daemons before RPC 3.7 do not count them
	if err != nil || info.Height < t.Height {
		return 0, err
	}
	return info.Height - t.Height, nil
}

func (s *Service) checkTxKey(ctx context.Context, req walletrpc.CheckTxKeyRequest) (resp walletrpc.CheckTxKeyResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	id, err := parseTxID(req.TxID)
	if err != nil {
		return resp, err
	}
	key, err := proof.ParseTxKey(req.TxKey)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeWrongKey, "Tx key has invalid format")
	}
	a, err := s.anyAddress(req.Address)
	if err != nil {
		return resp, err
	}
	t, err := s.transaction(ctx, id, notFetched, s.noConnection())
	if err != nil {
		return resp, err
	}
	resp.Received, err = proof.ReceivedByKey(t.Transaction, key, a)
	if err != nil {
		return walletrpc.CheckTxKeyResponse{}, saying(err, map[error]string{proof.ErrTxKey: "The size of additional derivations is wrong"})
	}
	resp.InPool = t.InPool
	resp.Confirmations, err = s.confirmations(ctx, t)
	return resp, err
}

// payment reads the ID of a transaction and whom it is said to pay, and asks the daemon for it.
func (s *Service) payment(ctx context.Context, txID, to string) (t *daemon.TxInfo, a address.Address, err error) {
	if _, err := s.current(); err != nil {
		return nil, a, err
	}
	id, err := parseTxID(txID)
	if err != nil {
		return nil, a, err
	}
	if a, err = s.anyAddress(to); err != nil {
		return nil, a, err
	}
	t, err = s.transaction(ctx, id, notFetched, notFetched)
	return t, a, err
}

// getTxProof proves with the keys of a transaction this wallet made, or with the view key for what came to it.
func (s *Service) getTxProof(ctx context.Context, req walletrpc.GetTxProofRequest) (resp walletrpc.ProofResponse, err error) {
	t, a, err := s.payment(ctx, req.TxID, req.Address)
	if err != nil {
		return resp, err
	}
	err = s.view(func(w *wallet.Wallet) error {
		if i, ours := w.IndexOf(a.Spend); ours {
			if a.View != w.Address(i).View {
				return proof.ErrNothing
			}
			resp.Signature, err = proof.ProveReceived(s.config.Random, t.ID, t.Transaction, w.Keys(), i, req.Message)
			return err
		}
		k, ok := w.TxSecret(t.ID)
		if !ok {
			return refuse("Tx secret key wasn't found in the wallet file.")
		}
		key := proof.TxKey{Main: k.Key, Additional: k.Additional}
		resp.Signature, err = proof.ProveSent(s.config.Random, t.ID, t.Transaction, key, a, req.Message)
		return err
	})
	return resp, saying(err, map[error]string{
		proof.ErrNothing:     "No funds received in this tx.",
		proof.ErrTransaction: "Tx pubkey was not found",
	})
}

func (s *Service) checkTxProof(ctx context.Context, req walletrpc.CheckTxProofRequest) (resp walletrpc.CheckTxProofResponse, err error) {
	t, a, err := s.payment(ctx, req.TxID, req.Address)
	if err != nil {
		return resp, err
	}
	p, err := proof.CheckPayment(t.ID, t.Transaction, a, req.Message, req.Signature)
	switch {
	case errors.Is(err, proof.ErrInvalid):
		return resp, nil
	case err != nil:
		return resp, saying(err, map[error]string{
			proof.ErrMalformed: noDecoding, proof.ErrTransaction: "Tx pubkey was not found"})
	}
	resp = walletrpc.CheckTxProofResponse{Good: true, Received: p.Amount, InPool: t.InPool}
	resp.Confirmations, err = s.confirmations(ctx, t)
	return resp, err
}

// spending asks the daemon for a transaction with the keys of its inputs' rings.
func (s *Service) spending(ctx context.Context, id xmr.Hash) (*daemon.TxInfo, error) {
	return s.transaction(ctx, id, "daemon returned wrong response for gettransactions, wrong txs count = 0, expected 1",
		"no connection to daemon")
}

// ringKeys asks the daemon for the keys of the members of t's rings.
func (s *Service) ringKeys(ctx context.Context, t *daemon.TxInfo) (rings [][]xmr.PublicKey, err error) {
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			continue
		}
		members, err := s.daemon().OutputsOf(ctx, in.Amount, tx.AbsoluteOffsets(in.KeyOffsets))
		if err != nil {
			return nil, err
		}
		ring := make([]xmr.PublicKey, len(members))
		for j := range members {
			ring[j] = members[j].Key
		}
		rings = append(rings, ring)
	}
	return rings, nil
}

func (s *Service) getSpendProof(ctx context.Context, req walletrpc.GetSpendProofRequest) (resp walletrpc.ProofResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	id, err := parseTxID(req.TxID)
	if err != nil {
		return resp, err
	}
	if o.group() != nil {
		return resp, refuse("get_spend_proof requires spend secret key, which no signer of a multisig wallet has")
	}
	if !o.Keys().CanSpend() {
		return resp, refuse("get_spend_proof requires spend secret key and is not available for a watch-only wallet")
	}
	t, err := s.spending(ctx, id)
	if err != nil {
		return resp, err
	}
	var spent []proof.Owned
	err = s.view(func(w *wallet.Wallet) error {
		strangers := 0
		for i := range t.Inputs {
			if out, ok := w.OutputByImage(t.Inputs[i].KeyImage); ok && !t.Inputs[i].Coinbase {
				spent = append(spent, owned(out))
			} else {
				strangers++
			}
		}
		switch {
		case len(spent) == 0: // of a coinbase, too, which spends nothing
			return refuse("This tx wasn't generated by this wallet!")
		case strangers > 0:
			return refuse("subset of key images belong to us, very weird!")
		}
		return nil
	})
	if err != nil {
		return resp, err
	}
	// Whose rings the daemon is asked for it knows from the transaction.
	rings, err := s.ringKeys(ctx, t)
	if err != nil {
		return resp, err
	}
	resp.Signature, err = proof.ProveSpend(s.config.Random, id, t.Transaction, o.Keys().Within(ctx), rings, spent, req.Message)
	return resp, saying(err, map[error]string{proof.ErrSecret: "secret index not found"})
}

func owned(o *wallet.Output) proof.Owned {
	return proof.Owned{Derivation: o.Derivation, Output: o.Index, Address: o.Address, Key: o.Key}
}

func (s *Service) checkSpendProof(ctx context.Context, req walletrpc.CheckSpendProofRequest) (resp walletrpc.CheckSpendProofResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	id, err := parseTxID(req.TxID)
	if err != nil {
		return resp, err
	}
	if !strings.HasPrefix(req.Signature, "SpendProofV1") {
		return resp, refuse(noHeader)
	}
	t, err := s.spending(ctx, id)
	if err != nil {
		return resp, err
	}
	rings, err := s.ringKeys(ctx, t)
	if err != nil {
		return resp, err
	}
	err = proof.CheckSpend(id, t.Transaction, rings, req.Message, req.Signature)
	if errors.Is(err, proof.ErrInvalid) {
		return resp, nil
	}
	resp.Good = err == nil
	return resp, saying(err, map[error]string{proof.ErrMalformed: noDecoding})
}

// holdings lists what the wallet could show to hold: mined, unspent on the chain, not frozen.
func holdings(w *wallet.Wallet) (all []proof.Holding) {
	outputs := w.Outputs()
	for i := range outputs {
		o := &outputs[i]
		if o.ImageKnown && !w.IsSpent(o, true) && !w.IsFrozen(o) {
			all = append(all, proof.Holding{Owned: owned(o), TxID: o.TxID, Image: o.Image, Amount: o.Amount})
		}
	}
	return all
}

// chooseHoldings picks what a reserve proof will show.
func chooseHoldings(w *wallet.Wallet, req walletrpc.GetReserveProofRequest) ([]proof.Holding, error) {
	if !req.All && req.AccountIndex >= w.Accounts() {
		return nil, refuse("Account index is out of bound")
	}
	if !w.Keys().CanSpend() {
		return nil, refuse("Reserve proof can only be generated by a full wallet")
	}
	all := holdings(w)
	if len(all) == 0 {
		return nil, refuse("Zero balance")
	}
	if req.All {
		return all, nil
	}
	all, err := proof.SelectReserve(all, req.AccountIndex, req.Amount)
	return all, saying(err, map[error]string{
		proof.ErrAmount:    "Proved amount must be greater than 0",
		proof.ErrNotEnough: "Not enough balance in this account for the requested minimum reserve amount",
	})
}

func (s *Service) getReserveProof(ctx context.Context, req walletrpc.GetReserveProofRequest) (resp walletrpc.ProofResponse, err error) {
	var all []proof.Holding
	var k *keys.Keys
	err = s.view(func(w *wallet.Wallet) error {
		k = w.Keys()
		all, err = chooseHoldings(w, req)
		return err
	})
	if err != nil {
		return resp, err
	}
	ids := make([]xmr.Hash, len(all))
	for i := range all {
		ids[i] = all[i].TxID
	}
	sources, err := s.sources(ctx, ids, notFetched)
	if err != nil {
		return resp, err
	}
	txs := make([]*tx.Transaction, len(sources))
	for i := range sources {
		txs[i] = sources[i].Tx
	}
	resp.Signature, err = proof.ProveReserve(s.config.Random, k.Within(ctx), all, txs, req.Message)
	return resp, err
}

func (s *Service) checkReserveProof(ctx context.Context, req walletrpc.CheckReserveProofRequest) (resp walletrpc.CheckReserveProofResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	a, err := s.anyAddress(req.Address)
	if err != nil {
		return resp, err
	}
	if a.Kind == address.Subaddress {
		return resp, refuse("Address must not be a subaddress")
	}
	p, err := proof.ParseReserve(req.Signature)
	if err != nil {
		return resp, reserveFlaw(req.Signature)
	}
	sources, err := s.sources(ctx, p.TxIDs(), s.noConnection())
	if err != nil {
		return resp, err
	}
	status, err := s.daemon().KeyImagesSpent(ctx, p.KeyImages())
	if err != nil {
		return resp, err
	}
	spent := make([]bool, len(status))
	for i := range status {
		spent[i] = status[i] != daemon.Unspent
	}
	resp.Total, resp.Spent, err = p.Check(a, req.Message, sources, spent)
	if errors.Is(err, proof.ErrInvalid) {
		return walletrpc.CheckReserveProofResponse{}, nil
	}
	resp.Good = err == nil
	return resp, saying(err, map[error]string{
		proof.ErrMalformed:   "The given address isn't found in the proof",
		proof.ErrUnconfirmed: "Tx is unconfirmed",
		proof.ErrTransaction: notTheRight,
	})
}

// reserveFlaw says what is wrong with the text of a reserve proof that cannot be read.
func reserveFlaw(text string) error {
	const header = len("ReserveProofV2")
	if !strings.HasPrefix(text, "ReserveProofV1") && !strings.HasPrefix(text, "ReserveProofV2") {
		return refuse(noHeader)
	}
	if _, err := base58.Decode(text[header:]); err != nil {
		return refuse(noDecoding)
	}
	return refuse("Failed to parse reserve proof signature data")
}

// sources asks the daemon for the transactions of a reserve proof, one an entry.
func (s *Service) sources(ctx context.Context, ids []xmr.Hash, away string) ([]proof.Source, error) {
	found, missing, err := s.daemon().Transactions(ctx, ids, daemon.Whole)
	switch {
	case errors.Is(err, daemon.ErrUnreachable):
		return nil, refuse(away)
	case err != nil:
		return nil, err
	case len(missing) > 0:
		return nil, refuse(notFetched)
	}
	byID := make(map[xmr.Hash]proof.Source, len(found))
	for i := range found {
		t := &found[i]
		if !t.Proven {
			return nil, refuse(notTheRight)
		}
		byID[t.ID] = proof.Source{ID: t.ID, Tx: t.Transaction, Mined: !t.InPool}
	}
	out := make([]proof.Source, len(ids))
	for i, id := range ids {
		out[i] = byID[id]
	}
	return out, nil
}
