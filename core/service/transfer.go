package service

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"

	"glim/core/address"
	"glim/core/build"
	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// order is a payment as asked for, checked.
type order struct {
	account      uint32
	minors       []uint32
	destinations []build.Destination
	priority     fee.Priority
	subtract     []int
	split        bool
	again        *retry // another attempt at a transaction; or nil
}

// wish holds what every operation that spends lets a client choose about its answer.
type wish struct {
	key, blob, metadata, keep bool
	request                   string // the client's name for the payment
}

// made is a transaction that is finished and not yet recorded; of a view-only wallet or a group's, one that others still have to
// sign.
type made struct {
	sent     wallet.Sent
	weight   uint64
	result   *build.Result         // nil when unfinished
	unsigned *coldset.Construction // for a view-only wallet's signer
	shared   *coldset.Pending      // for a group's other signers
	metadata string                // when wished for
}

// batch is what one operation made.
type batch struct {
	all      []made
	unsigned string // the set for the signer
	shared   string // the set for the other signers
}

// destinations reads addresses with amounts.
// Source: src/wallet/wallet_rpc_server.cpp, validate_transfer.
func (s *Service) destinations(ds []walletrpc.Destination, paymentID string, unlockTime uint64) ([]build.Destination, error) {
	if unlockTime != 0 {
		return nil, walletrpc.Fail(walletrpc.CodeNonzeroUnlockTime, "")
	}
	var out []build.Destination
	integrated := false
	for _, d := range ds {
		a, err := address.ParseFor(s.config.Network, d.Address)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeWrongAddress, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: %s", d.Address)
		}
		if a.Kind == address.Integrated {
			if integrated || paymentID != "" {
				return nil, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "A single payment id is allowed per transaction")
			}
			integrated = true
		}
		out = append(out, build.Destination{Address: a, Amount: d.Amount, Text: d.Address})
	}
	if len(out) == 0 {
		return nil, build.ErrNoDestination
	}
	if paymentID != "" {
		return nil, walletrpc.Fail(walletrpc.CodeWrongPaymentID,
			"Standalone payment IDs are obsolete. Use subaddresses or integrated addresses instead")
	}
	return out, nil
}

func (s *Service) transfer(ctx context.Context, req walletrpc.TransferRequest) (resp walletrpc.TransferResponse, err error) {
	w := wish{req.GetTxKey, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	what := purpose{account: req.AccountIndex, to: req.Destinations, subtract: len(req.SubtractFeeFromOutputs) > 0}
	all, err := s.spend(ctx, w, what, func(o *open, again *retry) ([]made, error) {
		ds, err := s.destinations(req.Destinations, req.PaymentID, req.UnlockTime)
		if err != nil {
			return nil, err
		}
		p := order{account: req.AccountIndex, minors: req.SubaddrIndices, destinations: ds, priority: fee.Priority(req.Priority), again: again}
		if p.subtract, err = subtracted(req.SubtractFeeFromOutputs, len(ds)); err != nil {
			return nil, err
		}
		return s.pay(ctx, o, p)
	})
	if err != nil {
		return resp, err
	}
	return single(all, w), nil
}

// subtracted returns the destinations that pay the fee, each once, of n there are.
// Source: src/wallet/wallet2.cpp, create_transactions_2; src/wallet/wallet_errors.h, subtract_fee_from_bad_index.
func subtracted(indices []uint32, n int) (all []int, err error) {
	for _, i := range slices.Compact(slices.Sorted(slices.Values(indices))) {
		if uint64(i) >= uint64(n) {
			return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "subtractfeefrom: bad index: %d (indexes are 0-based)", slices.Max(indices))
		}
		all = append(all, int(i))
	}
	if len(all) > 0 && n > xmr.MaxOutputs-1 {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "subtractfeefrom transfers cannot be split over multiple transactions yet")
	}
	return all, nil
}

func (s *Service) transferSplit(ctx context.Context, req walletrpc.TransferSplitRequest) (resp walletrpc.SplitResponse, err error) {
	w := wish{req.GetTxKeys, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	what := purpose{account: req.AccountIndex, to: req.Destinations}
	all, err := s.spend(ctx, w, what, func(o *open, again *retry) ([]made, error) {
		list := req.Destinations
		if again != nil && !again.whole {
			list = again.destinations()
		}
		ds, err := s.destinations(list, req.PaymentID, req.UnlockTime)
		if err != nil {
			return nil, err
		}
		return s.pay(ctx, o, order{account: req.AccountIndex, minors: req.SubaddrIndices, destinations: ds,
			priority: fee.Priority(req.Priority), split: again == nil, again: again})
	})
	if err != nil {
		return resp, err
	}
	return several(all, w), nil
}

// spend makes transactions and, unless the wish is to keep them, records and relays them. One payment is made at a
// time, so that no two choose the same outputs.
func (s *Service) spend(ctx context.Context, w wish, p purpose, build builder) (batch, error) {
	var b batch
	o, err := s.current()
	if err != nil {
		return b, err
	}
	group, err := s.group(o)
	if err != nil {
		return b, err
	}
	if group != nil && w.request != "" {
		return b, refuse("idempotency_key: what a multisig wallet pays is decided by who signs, and kept by nobody before")
	}
	if err := wallet.CheckText("an idempotency_key", w.request, wallet.MaxName); err != nil {
		return b, err
	}
	if !o.Keys().CanSpend() && w.request != "" {
		return b, errNameless
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	if b.all, err = s.repeat(ctx, o, w, p, build); err != nil || len(b.all) > 0 {
		return b, in(walletrpc.CodeGenericTransfer, err)
	}
	if err := s.mayPay(ctx, o); err != nil {
		return b, in(walletrpc.CodeGenericTransfer, err)
	}
	all, err := build(o, nil)
	if err != nil {
		return b, in(walletrpc.CodeGenericTransfer, err)
	}
	for i := range all {
		all[i].sent.Request, all[i].sent.Part = w.request, uint32(i)
	}
	b.all = all
	if group != nil {
		b.shared, err = s.sharedSet(o, group, all)
		return b, err
	}
	if !o.Keys().CanSpend() {
		b.unsigned, err = s.unsignedSet(o, all)
		return b, err
	}
	return b, in(walletrpc.CodeGenericTransfer, s.deliver(ctx, o, w, all))
}

// single writes the answer of an operation that makes one transaction.
func single(b batch, w wish) walletrpc.TransferResponse {
	b.all = b.all[:1]
	list := several(b, w)
	return walletrpc.TransferResponse{
		TxHash: first(list.TxHashList), Amount: list.AmountList[0], AmountsByDest: list.AmountsByDestList[0],
		Fee: list.FeeList[0], Weight: list.WeightList[0], SpentKeyImages: list.SpentKeyImagesList[0],
		TxKey: first(list.TxKeyList), TxBlob: first(list.TxBlobList), TxMetadata: first(list.TxMetadataList),
		UnsignedTxSet: list.UnsignedTxSet, MultisigTxSet: list.MultisigTxSet,
	}
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// several writes the answer of an operation that may make several transactions.
// Source: src/wallet/wallet_rpc_server.cpp, fill_response.
func several(b batch, w wish) (resp walletrpc.SplitResponse) {
	resp.UnsignedTxSet, resp.MultisigTxSet = b.unsigned, b.shared
	for _, m := range b.all {
		var amounts walletrpc.AmountsList
		total := uint64(0)
		for _, d := range m.sent.Destinations {
			total += d.Amount
			amounts.Amounts = append(amounts.Amounts, d.Amount)
		}
		var images walletrpc.KeyImageList
		for _, i := range m.sent.Images() {
			images.KeyImages = append(images.KeyImages, i.String())
		}
		resp.AmountList = append(resp.AmountList, total)
		resp.AmountsByDestList = append(resp.AmountsByDestList, amounts)
		resp.FeeList = append(resp.FeeList, m.sent.Fee)
		resp.WeightList = append(resp.WeightList, m.weight)
		resp.SpentKeyImagesList = append(resp.SpentKeyImagesList, images)
		if w.key && m.unsigned == nil {
			resp.TxKeyList = append(resp.TxKeyList, txKeyText(m.sent.Key, m.sent.AdditionalKeys))
		}
		if m.result == nil {
			continue
		}
		resp.TxHashList = append(resp.TxHashList, m.result.ID.String())
		if w.blob {
			resp.TxBlobList = append(resp.TxBlobList, hex.EncodeToString(m.result.Blob))
		}
		if w.metadata {
			resp.TxMetadataList = append(resp.TxMetadataList, m.metadata)
		}
	}
	return resp
}

// txKeyText writes the transaction's secret keys in one row, as the reference does.
func txKeyText(key keys.Secret, additional []keys.Secret) string {
	text := hex.EncodeToString(key[:])
	for _, k := range additional {
		text += hex.EncodeToString(k[:])
	}
	return text
}

// pay makes the transactions of p without recording them.
func (s *Service) pay(ctx context.Context, o *open, p order) ([]made, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	spread := s.askAhead(ctx, o)
	rate, err := s.rate(ctx, o, p.priority)
	if err != nil {
		return nil, err
	}
	now := s.config.Now()
	req := build.Request{Destinations: p.destinations, Rate: rate, Split: p.split, Subtract: p.subtract}
	blind, unlocked := false, uint64(0)
	o.View(func(w *wallet.Wallet) {
		blind = w.ImagesMissing()
		if p.account < w.Accounts() {
			req.Available = w.Spendable(p.account, p.minors, w.Clock(now))
			if p.again != nil {
				req.Available, req.Must, err = p.again.inputs(w, req.Available)
			}
			req.Balance = addressesBalance(w, p.account, p.minors, now)
			unlocked = w.AccountBalance(p.account, false, now).Unlocked
		}
		req.Change = w.Address(keys.Index{Major: p.account})
	})
	if err != nil {
		return nil, err
	}
	plans, err := build.Propose(s.config.Random, req)
	if errors.Is(err, xmr.ErrOverflow) {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "transaction sum + fee exceeds 18446744.073709551615")
	}
	if errors.Is(err, build.ErrNotUnlocked) && blind && unlocked > 0 {
		// There is money, of which the other signers have not told yet.
		return nil, walletrpc.Fail(walletrpc.CodeTxNotPossible, "No transaction created")
	}
	if err != nil {
		return nil, err
	}
	return s.construct(ctx, o, p.account, plans, rate, spread)
}

// construct turns plans into finished transactions.
func (s *Service) construct(ctx context.Context, o *open, account uint32, plans []build.Plan, rate build.Rate, spread *ahead) ([]made, error) {
	all := make([]made, len(plans))
	for i, plan := range plans {
		rings, err := s.rings(ctx, o, plan.Inputs, spread)
		if err != nil {
			return nil, err
		}
		if group, err := s.group(o); err != nil {
			return nil, err
		} else if group != nil {
			if all[i], err = s.propose(o, group, account, plan, rings, rate); err != nil {
				return nil, err
			}
			continue
		}
		if !o.Keys().CanSpend() {
			if all[i], err = s.prepare(o, account, plan, rings, rate); err != nil {
				return nil, err
			}
			continue
		}
		result, err := build.Construct(s.config.Random, o.Keys().Within(ctx), plan, rings, rate)
		if err != nil {
			return nil, err
		}
		all[i] = made{sent: wallet.NewSent(result, account, s.config.Now()), weight: result.Weight, result: result}
	}
	return all, nil
}

func addressesBalance(w *wallet.Wallet, account uint32, minors []uint32, now uint64) uint64 {
	if len(minors) == 0 {
		return w.AccountBalance(account, false, now).Total
	}
	var sum wallet.Balance
	for _, b := range w.AddressBalances(account, slices.Compact(slices.Sorted(slices.Values(minors))), false, now) {
		sum.Add(b.Balance)
	}
	return sum.Total
}

// rate asks the daemon what a byte costs and holds that under the network's ceiling.
func (s *Service) rate(ctx context.Context, o *open, requested fee.Priority) (build.Rate, error) {
	l := s.source()
	client := l.client
	var busy fee.Demand
	demand := func() error { return nil }
	if requested == fee.Default {
		demand = later(func() (err error) {
			busy, err = l.demand(ctx)
			return err
		})
	}
	fees, mask, err := client.FeeEstimate(ctx)
	if err != nil {
		return build.Rate{}, err
	}
	ceiling := s.ceiling(o)
	estimate, err := fee.NewEstimate(ceiling, fees, mask)
	if err != nil {
		return build.Rate{}, err
	}
	if err := demand(); err != nil {
		// All this decides is whether the lowest level will do, so a daemon that does not say is no reason to fail.
		s.config.Log.Info("the daemon does not say how busy it is; paying the lowest fee level", "error", err)
	}
	rate := build.Rate{Fees: estimate, Priority: estimate.Resolve(requested, fee.Default, true, busy)}
	return s.compareFees(ctx, ceiling, requested, rate)
}

// ringCTHeight is the mainnet block that brought RingCT. Source: src/hardforks/hardforks.cpp.
const ringCTHeight = 1220516

// ceiling returns what fees may be. A wallet for mainnet that is tried on a private chain pays that chain's higher fees;
// that the chain is private is not the daemon's word but the wallet's own view: mainnet is longer.
func (s *Service) ceiling(o *open) fee.Ceiling {
	var height uint64
	o.View(func(w *wallet.Wallet) { height = w.Height() })
	return ceilingAt(s.config.Network, height)
}

// ceilingAt is ceiling for a wallet that has seen so many blocks.
func ceilingAt(network xmr.Network, height uint64) fee.Ceiling {
	if network == xmr.Mainnet && height < ringCTHeight {
		network = xmr.Regtest
	}
	return fee.CeilingFor(network)
}

// send records transactions of one payment, then hands them to the daemon one by one, up to the first that is refused. Refused, the
// outputs of a transaction are free again; so they are when nobody knows whether the daemon got it, and when it was not handed over any more.
// Another attempt spends them before others, and one under the client's name for the payment spends them in any case: so at most one of
// the two can ever be mined.
func (s *Service) send(ctx context.Context, o *open, all ...wallet.Sent) error {
	err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c, err := w.DecidePayment(all, s.config.Now())
		return c, nil, err
	})
	if err != nil {
		return err
	}
	for i := range all {
		relayErr := s.daemon().Send(ctx, all[i].Blob)
		if relayErr == nil {
			o.handed.Store(all[i].TxID, nil)
			continue
		}
		if r := (*daemon.Rejected)(nil); errors.As(relayErr, &r) && r.Has(daemon.InvalidInput) {
			relayErr = say.Errorf("%w; a daemon may have told wrong ring members: if one that you trust refuses it, too, call rescan_blockchain and pay again", relayErr)
		}
		err = o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			c := w.DecideRefused(all[i].TxID, relayErr.Error())
			for _, later := range all[i+1:] {
				c.User.States = append(c.User.States, w.DecideRefused(later.TxID, "not sent: another transaction of the payment was not taken").User.States...)
			}
			return c, nil, nil
		})
		return errors.Join(relayErr, err)
	}
	return nil
}

// metadata is what relay_tx needs of a transaction that was made and not relayed.
// Source: src/wallet/wallet_rpc_server.cpp, ptx_to_string.
func (s *Service) metadata(o *open, m *made) (string, error) {
	var change address.Address
	o.View(func(w *wallet.Wallet) { change = w.Address(keys.Index{Major: m.sent.Account}) })
	p, err := coldset.NewPending(s.config.Random, o.Keys(), m.result, change, o.positions())
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(p.Append(nil)), nil
}

func (s *Service) relayTx(ctx context.Context, req walletrpc.RelayTxRequest) (resp walletrpc.RelayTxResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	b, err := say.Unhex(req.Hex)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	p, err := coldset.ParsePending(b)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadTxMetadata, "")
	}
	sent, err := s.pending(o, p)
	if err == nil {
		err = s.send(ctx, o, sent)
	}
	if err != nil {
		s.config.Log.Info("a transaction was not relayed", "error", err)
		return resp, &because{walletrpc.Fail(walletrpc.CodeGenericTransfer, "Failed to commit tx."), err}
	}
	resp.TxHash = sent.TxID.String()
	return resp, nil
}
