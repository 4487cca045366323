package service

import (
	"slices"
	"strings"

	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// paymentTerms are the terms of a payment request. They are compared with an earlier payment under the same idempotency
// key.
type paymentTerms struct {
	sweep    bool // everything to the only destination
	account  uint32
	image    string // key image of sweep_single, instead of an account
	to       []walletrpc.Destination
	subtract bool           // the destinations pay the fee
	chosen   []xmr.KeyImage // the only outputs that may be spent; empty for all
	links    bool           // it may link accounts that are kept apart
}

// matches reports whether parts are a complete payment on these terms.
func (p *paymentTerms) matches(parts []wallet.Part) bool {
	wanted, paid := map[string]uint64{}, map[string]uint64{}
	put := func(sums map[string]uint64, address string, amount uint64) (ok bool) {
		sum, err := xmr.Sum(sums[address], amount)
		sums[address] = sum
		return err == nil
	}
	for _, d := range p.to {
		if !put(wanted, d.Address, d.Amount) {
			return false
		}
	}
	fees := uint64(0)
	for i := range parts {
		one := parts[i].Stands
		if one == nil {
			one = parts[i].Attempts[0]
		}
		if parts[i].Number() != uint32(i) || p.image == "" && one.Account != p.account {
			return false
		}
		if p.image != "" && !slices.ContainsFunc(one.Images(),
			func(i xmr.KeyImage) bool { return i.String() == strings.ToLower(p.image) }) {
			return false
		}
		if !p.mayHaveSpent(one.Images()) {
			return false
		}
		fees += one.Fee
		for _, d := range one.Destinations {
			if !put(paid, d.Address, d.Amount) {
				return false
			}
		}
	}
	if len(wanted) != len(paid) {
		return false
	}
	shortfall := uint64(0) // how much less the destinations received
	for address, amount := range wanted {
		got, ok := paid[address]
		if !ok || !p.sweep && (got > amount || got < amount && !p.subtract) {
			return false
		}
		shortfall += amount - got
	}
	return p.sweep || !p.subtract || shortfall == fees
}

// mayHaveSpent reports whether a payment on these terms may spend the outputs with these key images.
func (p *paymentTerms) mayHaveSpent(images []xmr.KeyImage) bool {
	return len(p.chosen) == 0 ||
		!slices.ContainsFunc(images, func(i xmr.KeyImage) bool { return !slices.Contains(p.chosen, i) })
}

// retry constrains another attempt at one part of a payment.
type retry struct {
	attempts []*wallet.Sent // earlier attempts; the new one spends an output of each
	others   []*wallet.Sent // attempts at other parts, whose inputs are reserved
	whole    bool           // the payment has no other part
}

// buildFunc makes the transactions of a request, or another attempt at one of them, without recording them.
type buildFunc func(o *openWallet, again *retry) ([]builtTx, error)

// last returns the last attempt whose bytes are stored, or nil.
func (r *retry) last() *wallet.Sent {
	for _, a := range slices.Backward(r.attempts) {
		if len(a.Blob) > 0 {
			return a
		}
	}
	return nil
}

// destinations returns the destinations of the part; nil if they are those of the request.
func (r *retry) destinations() (list []walletrpc.Destination) {
	if r.whole {
		return nil
	}
	for _, d := range r.attempts[0].Destinations {
		list = append(list, walletrpc.Destination{Address: d.Address, Amount: d.Amount})
	}
	return list
}

// inputs returns which of the available inputs a transaction may spend, and the positions of those it must spend.
func (r *retry) inputs(w *wallet.Wallet, available []txbuild.Input) ([]txbuild.Input, []int, error) {
	free := slices.DeleteFunc(available, func(in txbuild.Input) bool { return spentBy(w, r.others, in) })
	must, err := w.ConflictingInputs(r.attempts, free)
	return free, must, err
}

// swept returns the inputs of another attempt to sweep: those of the first attempts.
func (r *retry) swept(w *wallet.Wallet, now uint64) ([]txbuild.Input, error) {
	own := slices.DeleteFunc(w.Spendable(r.attempts[0].Account, nil, w.Clock(now)),
		func(in txbuild.Input) bool { return !spentBy(w, r.attempts, in) })
	_, err := w.ConflictingInputs(r.attempts, own)
	return own, err
}

// spentBy reports whether one of the attempts spends in.
func spentBy(w *wallet.Wallet, attempts []*wallet.Sent, in txbuild.Input) bool {
	o, ok := w.OutputByKey(in.Key)
	return ok && o.ImageKnown && slices.ContainsFunc(attempts,
		func(a *wallet.Sent) bool { return slices.Contains(a.Images(), o.Image) })
}
