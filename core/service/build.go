package service

import (
	"context"
	"errors"
	"io"
	"slices"

	"glim/core/address"
	"glim/core/fee"
	"glim/core/internal/crypto/uniform"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// builder makes transactions without recording them.
type builder struct {
	active  *active
	fees    *feeRates
	rings   *ringMaker
	network xmr.Network
	random  io.Reader
	now     func() uint64
}

// paymentOrder is a validated payment request.
type paymentOrder struct {
	account      uint32
	indices      []uint32
	destinations []txbuild.Destination
	priority     fee.Priority
	subtract     []int
	split        bool
	again        *retry         // not nil for another attempt at a transaction
	chosen       []xmr.KeyImage // the only outputs that may be spent; empty for all
	change       int            // the largest number of outputs of change
}

// inputs returns the inputs that the payment may spend, and the positions of those it must spend.
func (p *paymentOrder) inputs(w *wallet.Wallet, clock wallet.Clock) (all []txbuild.Input, must []int, err error) {
	switch {
	case len(p.chosen) == 0:
		all = w.Spendable(p.account, p.indices, clock)
	case p.again == nil:
		all, err = chosenInputs(w, p.chosen, p.account, p.indices, clock)
	default:
		// The other attempts may have spent some of the outputs.
		all = spendableOf(w, p.chosen, p.account, p.indices, clock)
	}
	if err != nil || p.again == nil {
		return all, nil, err
	}
	return p.again.inputs(w, all)
}

// feePayers returns the destinations that pay the fee, each once, of n destinations.
// Source: src/wallet/wallet2.cpp, create_transactions_2; src/wallet/wallet_errors.h, subtract_fee_from_bad_index.
func feePayers(indices []uint32, n int) (all []int, err error) {
	for _, i := range slices.Compact(slices.Sorted(slices.Values(indices))) {
		if uint64(i) >= uint64(n) {
			return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "subtractfeefrom: bad index: %d (indexes are "+
				"0-based)", slices.Max(indices))
		}
		all = append(all, int(i))
	}
	if len(all) > 0 && n > xmr.MaxOutputs-1 {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "subtractfeefrom transfers cannot be split over "+
			"multiple transactions yet")
	}
	return all, nil
}

// changeOutputs checks change_outputs, a number of outputs of one transaction, which also pays a destination.
func changeOutputs(n uint64) (int, error) {
	if n > xmr.MaxOutputs-1 {
		return 0, &codedError{walletrpc.Fail(walletrpc.CodeGenericTransfer, "change_outputs: at most %d, because a "+
			"transaction has at most %d outputs", xmr.MaxOutputs-1, xmr.MaxOutputs), txbuild.ErrTooManyOutputs}
	}
	return int(n), nil
}

func addressesBalance(w *wallet.Wallet, account uint32, indices []uint32, now uint64) uint64 {
	if len(indices) == 0 {
		return w.AccountBalance(account, false, now).Total
	}
	var sum wallet.Balance
	for _, b := range w.AddressBalances(account, slices.Compact(slices.Sorted(slices.Values(indices))), false, now) {
		sum.Add(b.Balance)
	}
	return sum.Total
}

// sweepOrder is a validated sweep request.
type sweepOrder struct {
	account  uint32
	to       txbuild.Destination
	outputs  uint64
	priority fee.Priority
	nothing  error // the error if no output is worth its fee
}

func noneUnlocked() error {
	return walletrpc.Fail(walletrpc.CodeGenericTransfer, "No unlocked balance in the specified subaddress(es)")
}

// destinations parses addresses with amounts, and refuses unlock times and unknown priorities.
// Source: src/wallet/wallet_rpc_server.cpp, on_transfer (master of August 2026) and validate_transfer.
func (s *builder) destinations(
	ds []walletrpc.Destination, paymentID string, unlockTime uint64, priority uint32,
) ([]txbuild.Destination, error) {
	switch {
	case unlockTime != 0:
		return nil, walletrpc.Fail(walletrpc.CodeNonzeroUnlockTime, "")
	case priority > uint32(fee.Fastest):
		return nil, walletrpc.Fail(walletrpc.CodeInvalidFeePriority, "")
	}
	var out []txbuild.Destination
	integrated := false
	for _, d := range ds {
		a, err := address.ParseFor(s.network, d.Address)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeWrongAddress, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: %s", d.Address)
		}
		if a.Kind == address.Integrated {
			if integrated || paymentID != "" {
				return nil, walletrpc.Fail(walletrpc.CodeWrongPaymentID,
					"A single payment id is allowed per transaction")
			}
			integrated = true
		}
		out = append(out, txbuild.Destination{Address: a, Amount: d.Amount, Text: d.Address})
	}
	if len(out) == 0 {
		return nil, txbuild.ErrNoDestination
	}
	if paymentID != "" {
		return nil, walletrpc.Fail(walletrpc.CodeWrongPaymentID,
			"Standalone payment IDs are obsolete. Use subaddresses or integrated addresses instead")
	}
	return out, nil
}

// pay makes the transactions of p.
func (s *builder) pay(ctx context.Context, o *openWallet, p paymentOrder) ([]builtTx, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	spread := s.rings.prefetch(ctx, o)
	rate, err := s.fees.rate(ctx, o, p.priority)
	if err != nil {
		return nil, err
	}
	now := s.now()
	req := txbuild.Request{Destinations: p.destinations, Rate: rate, Split: p.split, Subtract: p.subtract}
	if keys.HasHierarchies {
		req.Weigh = spread.weigher()
	}
	imagesMissing, unlocked := false, uint64(0)
	o.View(func(w *wallet.Wallet) {
		imagesMissing = w.ImagesMissing()
		if p.account < w.Accounts() {
			req.Balance = addressesBalance(w, p.account, p.indices, now)
			unlocked = w.AccountBalance(p.account, false, now).Unlocked
		}
		req.Available, req.Must, err = p.inputs(w, w.Clock(now))
		req.Change = w.Address(keys.Index{Major: p.account})
		req.ChangeOutputs = changeParts(w, p.account, p.change, now)
	})
	if err != nil {
		return nil, err
	}
	plans, err := txbuild.Propose(s.random, req)
	if len(p.chosen) > 0 && notEnough(err) {
		return nil, chosenTooSmall(req.Available, p.destinations)
	}
	if errors.Is(err, xmr.ErrOverflow) {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "transaction sum + fee exceeds 18446744.073709551615")
	}
	if errors.Is(err, txbuild.ErrNotUnlocked) && imagesMissing && unlocked > 0 {
		// Some outputs still lack the infos of the other signers.
		return nil, walletrpc.Fail(walletrpc.CodeTxNotPossible, "No transaction created")
	}
	if err != nil {
		return nil, err
	}
	return s.construct(ctx, o, p.account, plans, rate, spread)
}

// construct makes finished transactions from plans.
func (s *builder) construct(
	ctx context.Context, o *openWallet, account uint32, plans []txbuild.Plan, rate txbuild.Rate,
	spread *prefetchedOutputs,
) ([]builtTx, error) {
	all := make([]builtTx, len(plans))
	for i, plan := range plans {
		if keys.HasHierarchies && spread.next != nil {
			var err error
			if all[i], err = constructNext(
				ctx, o, s.network, s.now(), account, plan, rate, spread.next,
			); err != nil {
				return nil, err
			}
			continue
		}
		rings, err := s.rings.rings(ctx, o, plan.Inputs, spread)
		if err != nil {
			return nil, err
		}
		if group, err := signersGroup(o); err != nil {
			return nil, err
		} else if group != nil {
			if all[i], err = propose(s.random, s.now, o, group, account, plan, rings, rate); err != nil {
				return nil, err
			}
			continue
		}
		if !o.Keys().CanSpend() {
			if all[i], err = prepare(s.random, o, account, plan, rings, rate); err != nil {
				return nil, err
			}
			continue
		}
		result, err := txbuild.Construct(s.random, o.Keys().WithContext(ctx), plan, rings, rate)
		if err != nil {
			return nil, err
		}
		all[i] = builtTx{sent: wallet.NewSent(result, account, s.now()), weight: result.Weight, result: result}
	}
	return all, nil
}

func (s *builder) sweepTo(
	to, paymentID string, unlockTime, outputs uint64, priority uint32,
) (txbuild.Destination, error) {
	ds, err := s.destinations([]walletrpc.Destination{{Address: to}}, paymentID, unlockTime, priority)
	if err != nil {
		return txbuild.Destination{}, err
	}
	if outputs < 1 {
		return txbuild.Destination{}, walletrpc.Fail(
			walletrpc.CodeTxNotPossible, "Amount of outputs should be greater than 0.",
		)
	}
	return ds[0], nil
}

// sweepable lists the inputs of sweep_all. If the request names no addresses, it chooses the outputs of one address, so
// that addresses are not linked without a request. It chooses the primary address only if no other has unlocked
// outputs. If chosen is not empty, the inputs are those with these key images.
// Source: src/wallet/wallet2.cpp, create_transactions_all.
func (s *builder) sweepable(
	w *wallet.Wallet, req walletrpc.SweepAllRequest, chosen []xmr.KeyImage,
) ([]txbuild.Input, error) {
	indices := req.SubaddrIndices
	if req.SubaddrIndicesAll {
		indices = nil
	}
	clock := w.Clock(s.now())
	if len(chosen) > 0 {
		found, err := chosenInputs(w, chosen, req.AccountIndex, indices, clock)
		if err != nil {
			return nil, err
		}
		return below(found, req.BelowAmount)
	}
	if len(w.Spendable(req.AccountIndex, nil, clock)) == 0 {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "No unlocked balance in the specified account")
	}
	found := w.Spendable(req.AccountIndex, indices, clock)
	if len(found) == 0 {
		return nil, noneUnlocked()
	}
	inputs, err := below(found, req.BelowAmount)
	if err != nil {
		return nil, err
	}
	var addresses []uint32
	seen := map[uint32]bool{}
	for _, in := range inputs {
		if minor := in.Address.Minor; !seen[minor] {
			seen[minor] = true
			addresses = append(addresses, minor)
		}
	}
	if len(req.SubaddrIndices) > 0 || req.SubaddrIndicesAll {
		return inputs, nil
	}
	minor, err := s.oneAddress(addresses)
	if err != nil {
		return nil, err
	}
	var one []txbuild.Input
	for _, in := range inputs {
		if in.Address.Minor == minor {
			one = append(one, in)
		}
	}
	return one, nil
}

// below returns the inputs of less than amount, or all if amount is 0. It fails if there are none.
func below(all []txbuild.Input, amount uint64) ([]txbuild.Input, error) {
	if amount != 0 {
		all = slices.DeleteFunc(all, func(in txbuild.Input) bool { return in.Amount >= amount })
	}
	if len(all) == 0 {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "The smallest amount found is not below the "+
			"specified threshold")
	}
	return all, nil
}

// oneAddress draws one of the addresses. It draws the primary address only if there is no other.
func (s *builder) oneAddress(addresses []uint32) (uint32, error) {
	var others []uint32
	for _, a := range addresses {
		if a != 0 || len(addresses) == 1 {
			others = append(others, a)
		}
	}
	n, err := uniform.Below(s.random, len(others))
	if err != nil {
		return 0, err
	}
	return others[n], nil
}

func (s *builder) sweep(ctx context.Context, o *openWallet, w sweepOrder, inputs []txbuild.Input) ([]builtTx, error) {
	if w.outputs > xmr.MaxOutputs {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "%s", txbuild.ErrTooManyOutputs)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	spread := s.rings.prefetch(ctx, o)
	rate, err := s.fees.rate(ctx, o, w.priority)
	if err != nil {
		return nil, err
	}
	var change keys.Index
	change.Major = w.account
	req := txbuild.Sweep{To: w.to, Outputs: int(w.outputs), Available: inputs, Rate: rate}
	if keys.HasHierarchies {
		req.Weigh = spread.weigher()
	}
	o.View(func(w *wallet.Wallet) { req.Change = w.Address(change) })
	plans, err := txbuild.ProposeSweep(s.random, req)
	if errors.Is(err, txbuild.ErrNotPossible) {
		err = w.nothing
	}
	if err != nil {
		return nil, err
	}
	return s.construct(ctx, o, w.account, plans, rate, spread)
}
