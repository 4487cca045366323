package txbuild

import (
	"cmp"
	"io"
	"math"
	"slices"

	"glim/core/address"
	"glim/core/fee"
	"glim/core/internal/crypto/uniform"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/xmr"
)

// Request describes a transfer. Available lists the outputs that may be spent now: all of one account and of the
// addresses that the user allows, Tried ones first, otherwise in chain order.
type Request struct {
	Destinations []Destination
	Available    []Input
	// Balance is the total of those addresses, locked or not: it decides between ErrNotEnough and ErrNotUnlocked.
	Balance uint64
	Change  address.Address
	Rate    Rate
	// Split allows several transactions. Without it a transfer that does not fit into one is refused.
	Split bool
	// Subtract lists the destinations that pay the fee; if empty, the sender pays. All must fit into one transaction.
	Subtract []int
	// ChangeOutputs is the largest number of outputs into which a transaction's change is divided; 0 and 1 mean one
	// output. There are fewer if a part would be small in relation to fees, or the transaction has no room.
	ChangeOutputs int
	// Weigh returns the weights of transactions of the next hard fork; nil if inputs have rings.
	Weigh Weigher
	// Must lists indices into Available that are spent in any case, along with others if needed. They go into one
	// transaction, so Split is not set.
	Must []int
}

// Propose chooses inputs as the reference does, so that the two wallets' transactions look alike: one input that
// suffices, else two that are little related, else more; and a second small one next to a single input if one is
// available. It draws from random in the same order. It returns ErrNoDestination, ErrZeroAmount, xmr.ErrOverflow,
// ErrPaymentIDs, ErrNotEnough, ErrNotUnlocked, ErrNotPossible, ErrTooManyOutputs, ErrTooHeavy, ErrSubtract, and the
// errors of package fee and of random.
// Source: src/wallet/wallet2.cpp, create_transactions_2.
func Propose(random io.Reader, r Request) ([]Plan, error) {
	s, err := newSelection(r)
	if err != nil {
		return nil, err
	}
	for {
		pick := 0
		switch {
		case len(s.preferred) > 0:
			pick = s.preferred[len(s.preferred)-1]
			s.preferred = s.preferred[:len(s.preferred)-1]
			s.drop(pick)
		case len(s.unpaid) == 0 && !s.addingFee:
			second, ok := s.second()
			if !ok {
				return s.finish(random)
			}
			pick = second
		case len(s.groups[0].unused) == 0:
			return nil, ErrNotPossible
		default:
			if pick, err = s.random(random); err != nil {
				return nil, err
			}
		}
		if err := s.add(pick); err != nil {
			return nil, err
		}
	}
}

// group is the unused outputs of one address, as indices into Request.Available.
type group struct {
	minor  uint32
	amount uint64
	unused []int
}

// selection is the state of Propose.
type selection struct {
	Request
	idBytes   int           // bytes of extra for a payment ID
	unpaid    []Destination // the first may be paid in part
	groups    []group       // never empty
	preferred []int
	done      []Plan

	// The current transaction:
	picked       []int
	paid         []Destination
	complete     int // how many of paid are paid in full
	addingFee    bool
	availableFee uint64
	plan         *Plan
}

func newSelection(r Request) (*selection, error) {
	if len(r.Destinations) == 0 {
		return nil, ErrNoDestination
	}
	needed := uint64(0)
	for i := range r.Destinations {
		if r.Destinations[i].Amount == 0 {
			return nil, ErrZeroAmount
		}
		var err error
		if needed, err = xmr.Sum(needed, r.Destinations[i].Amount); err != nil {
			return nil, err
		}
	}
	s := &selection{Request: r, unpaid: slices.Clone(r.Destinations)}
	switch id, err := paymentID(r.Destinations); {
	case err != nil:
		return nil, err
	case id != nil:
		s.idBytes = 11
	}
	for _, i := range r.Subtract {
		if i >= len(r.Destinations) || len(r.Destinations) >= xmr.MaxOutputs {
			return nil, ErrSubtract
		}
	}
	if err := s.afford(needed); err != nil {
		return nil, err
	}
	s.group()

	estimate, err := r.Rate.fee(s.weight(2, 2))
	if err != nil {
		return nil, err
	}
	total, err := s.withFee(needed, estimate)
	if err != nil {
		return nil, err
	}
	if s.preferred = slices.Clone(r.Must); len(r.Must) == 0 {
		s.preferred = s.prefer(total)
	}
	if len(s.preferred) > 0 {
		minor := r.Available[s.preferred[0]].Address.Minor
		i := slices.IndexFunc(s.groups, func(g group) bool { return g.minor == minor })
		if i > 0 {
			s.groups[0], s.groups[i] = s.groups[i], s.groups[0]
		}
	}
	return s, nil
}

// afford returns ErrNotEnough or ErrNotUnlocked when the available outputs cannot pay needed.
func (s *selection) afford(needed uint64) error {
	least := s.Rate.perByte() * fee.Shape{Inputs: 1, RingSize: xmr.RingSize, Outputs: 2, Extra: s.idBytes}.Size()
	if keys.HasHierarchies && s.Weigh != nil {
		least = s.Rate.perByte() * s.Weigh(1, 2)
	}
	total, err := s.withFee(needed, least)
	if err != nil {
		return ErrNotPossible
	}
	if max(total, least) > s.Balance {
		return ErrNotEnough
	}
	unlocked := uint64(0)
	for i := range s.Available {
		unlocked += s.Available[i].Amount
	}
	if max(total, least) > unlocked {
		return ErrNotUnlocked
	}
	return nil
}

// withFee adds the fee to an amount unless the destinations pay it.
func (s *selection) withFee(amount, added uint64) (uint64, error) {
	if len(s.Subtract) > 0 {
		return amount, nil
	}
	return xmr.Sum(amount, added)
}

func (s *selection) weight(inputs, outputs int) uint64 {
	if keys.HasHierarchies && s.Weigh != nil {
		return s.Weigh(inputs, outputs)
	}
	return fee.Shape{Inputs: inputs, RingSize: xmr.RingSize, Outputs: outputs, Extra: s.idBytes}.Weight()
}

// group groups the outputs by address, the address with the most money first. It omits outputs that cost more to spend
// than they are worth.
func (s *selection) group() {
	worth := s.Rate.perByte() * (s.weight(2, 2) - s.weight(1, 2))
	for i := range s.Available {
		in := &s.Available[i]
		if in.Amount < worth {
			continue
		}
		at := slices.IndexFunc(s.groups, func(g group) bool { return g.minor == in.Address.Minor })
		if at < 0 {
			at = len(s.groups)
			s.groups = append(s.groups, group{minor: in.Address.Minor})
		}
		s.groups[at].unused = append(s.groups[at].unused, i)
		s.groups[at].amount += in.Amount
	}
	smallsort.Stable(s.groups, func(a, b group) int { return cmp.Compare(b.amount, a.amount) })
	if len(s.groups) == 0 {
		s.groups = []group{{}}
	}
}

// prefer returns one output that pays needed, or the two least related outputs of one address that do.
// Source: src/wallet/wallet2.cpp, pick_preferred_rct_inputs.
func (s *selection) prefer(needed uint64) []int {
	all := s.Available
	for i := range all {
		if all[i].RingCT && all[i].Amount >= needed {
			return []int{i}
		}
	}
	largest := uint64(0) // below needed, so that sums of two do not overflow
	for i := range all {
		largest = max(largest, all[i].Amount)
	}
	var picks []int
	best := 1.0
	for i := range all {
		if all[i].Amount+largest < needed {
			continue
		}
		for j := i + 1; j < len(all); j++ {
			a, b := &all[i], &all[j]
			if !a.RingCT || !b.RingCT || a.Address != b.Address || a.Amount+b.Amount < needed {
				continue
			}
			if r := relatedness(a, b); r < best {
				picks, best = []int{i, j}, r
				if r == 0 {
					return picks
				}
			}
		}
	}
	return picks
}

// relatedness estimates how likely an observer is to attribute two outputs to one person, from the distance of their
// blocks.
// Source: src/wallet/wallet2.cpp, get_output_relatedness.
func relatedness(a, b *Input) float64 {
	if a.TxID == b.TxID {
		return 1
	}
	switch distance := max(a.Height, b.Height) - min(a.Height, b.Height); {
	case distance == 0:
		return 0.9
	case distance == 1:
		return 0.8
	case distance < 10:
		return 0.2
	}
	return 0
}

// drop removes output i from the unused ones.
func (s *selection) drop(i int) {
	for n := range s.groups {
		g := &s.groups[n]
		g.unused = slices.DeleteFunc(g.unused, func(j int) bool { return j == i })
	}
}

// leastRelated returns the unused outputs that are least related to the picked ones.
// Source: src/wallet/wallet2.cpp, pop_best_value_from.
func leastRelated(all []Input, unused, picked []int) []int {
	var out []int
	best := 1.0
	for _, i := range unused {
		r := 0.0
		for _, j := range picked {
			r = max(r, relatedness(&all[i], &all[j]))
		}
		if r < best {
			best, out = r, nil
		}
		if r == best {
			out = append(out, i)
		}
	}
	return out
}

// random picks one of the least related outputs.
func (s *selection) random(random io.Reader) (int, error) {
	unused := s.groups[0].unused
	if tried := slices.DeleteFunc(
		slices.Clone(unused), func(i int) bool { return !s.Available[i].Tried },
	); len(tried) > 0 {
		unused = tried
	}
	pick, err := oneOf(random, leastRelated(s.Available, unused, s.picked))
	if err != nil {
		return 0, err
	}
	s.drop(pick)
	return pick, nil
}

func oneOf(random io.Reader, candidates []int) (int, error) {
	n, err := uniform.Below(random, len(candidates))
	if err != nil {
		return 0, err
	}
	return candidates[n], nil
}

// second picks a small output to go with a single input that pays for everything, so that most transactions have two
// inputs and small outputs are consolidated. It picks none when that might link the two, or when large outputs are few.
func (s *selection) second() (int, bool) {
	const (
		keepCount = 5            // large outputs to keep, DEFAULT_MIN_OUTPUT_COUNT
		large     = 2 * xmr.Coin // DEFAULT_MIN_OUTPUT_VALUE
	)
	if len(s.picked) > 1 {
		return 0, false
	}
	unused := s.groups[0].unused
	ringCT := slices.DeleteFunc(slices.Clone(unused), func(i int) bool { return !s.Available[i].RingCT })
	candidates := leastRelated(s.Available, ringCT, s.picked)
	if len(candidates) == 0 {
		return 0, false
	}
	pick := slices.MinFunc(candidates, func(a, b int) int {
		return cmp.Compare(s.Available[a].Amount, s.Available[b].Amount)
	})
	if s.Available[pick].Amount >= large {
		count := 0
		for _, i := range unused {
			if s.Available[i].Amount >= large {
				count++
			}
		}
		if count < keepCount {
			return 0, false
		}
	}
	if relatedness(&s.Available[pick], &s.Available[s.picked[0]]) > 0 {
		return 0, false
	}
	s.drop(pick)
	return pick, true
}

// add spends output i for the unpaid destinations, and closes the transaction when it is full or everything is paid.
func (s *selection) add(i int) error {
	s.picked = append(s.picked, i)
	full := false
	if s.addingFee {
		s.availableFee += s.Available[i].Amount
	} else {
		full = s.pay(s.Available[i].Amount)
	}
	closing := full
	if !full && len(s.preferred) == 0 {
		if s.addingFee {
			needed, err := s.neededFee()
			if err != nil {
				return err
			}
			closing = s.availableFee >= needed
		} else {
			heavy := s.weight(len(s.picked), len(s.paid)+1) >= fee.TargetWeight
			if keys.HasHierarchies && s.Weigh != nil {
				heavy = s.Weigh.full(len(s.picked), len(s.paid)+1)
			}
			closing = len(s.unpaid) == 0 || heavy
			if closing && len(s.paid) == 0 {
				return ErrTooHeavy
			}
		}
	}
	if closing {
		if err := s.closeTx(); err != nil {
			return err
		}
	}
	if len(s.unpaid) > 0 || s.addingFee {
		for len(s.groups[0].unused) == 0 && len(s.groups) > 1 {
			s.groups = s.groups[1:]
		}
	}
	return nil
}

// pay assigns amount to the unpaid destinations and reports whether the transaction has no room for another output.
func (s *selection) pay(amount uint64) (full bool) {
	room := func() bool {
		return keys.HasHierarchies && s.Weigh != nil || s.weight(len(s.picked), len(s.paid)+1) < fee.TargetWeight
	}
	for len(s.unpaid) > 0 && s.unpaid[0].Amount <= amount && room() {
		if !s.credit(s.unpaid[0].Amount) {
			return true
		}
		amount -= s.unpaid[0].Amount
		s.unpaid = s.unpaid[1:]
		s.complete++
	}
	if amount > 0 && len(s.unpaid) > 0 && room() {
		if !s.credit(amount) {
			return true
		}
		s.unpaid[0].Amount -= amount
	}
	return false
}

// credit adds amount to the output of the first unpaid destination. It returns false when that needs one output too
// many.
func (s *selection) credit(amount uint64) bool {
	if s.complete == len(s.paid) {
		if len(s.paid) >= xmr.MaxOutputs-1 {
			return false
		}
		s.paid = append(s.paid, Destination{Address: s.unpaid[0].Address, Text: s.unpaid[0].Text})
	}
	s.paid[s.complete].Amount += amount
	return true
}

func (s *selection) sums() (in, out uint64) {
	for _, i := range s.picked {
		in += s.Available[i].Amount
	}
	for i := range s.paid {
		out += s.paid[i].Amount
	}
	return in, out
}

func (s *selection) neededFee() (uint64, error) {
	in, out := s.sums()
	outputs := len(s.paid)
	if in != out || keys.HasHierarchies && s.Weigh != nil {
		outputs++ // change
	}
	weight := s.weight(len(s.picked), max(outputs, 2))
	if keys.HasHierarchies && weight == math.MaxUint64 {
		return 0, ErrTooHeavy
	}
	return s.Rate.fee(weight)
}

// closeTx finishes the transaction if its inputs also pay the fee; otherwise more inputs are needed.
func (s *selection) closeTx() error {
	needed, err := s.neededFee()
	if err != nil {
		return err
	}
	if last := len(s.paid) - 1; needed > s.availableFee && len(s.unpaid) > 0 && len(s.paid) > s.complete &&
		s.paid[last].Amount > needed {
		// The last destination is paid in part and continues in another transaction, so it can cover the fee.
		s.unpaid[0].Amount += needed
		s.paid[last].Amount -= needed
		s.availableFee = needed
	}
	in, out := s.sums()
	if total, err := s.withFee(out, needed); err != nil {
		return err
	} else if in < total {
		s.addingFee = true
		return nil
	}
	inputs := make([]Input, len(s.picked))
	for j, i := range s.picked {
		inputs[j] = s.Available[i]
	}
	s.addingFee = false
	s.plan = &Plan{
		Inputs:       inputs,
		Destinations: slices.Clone(s.paid),
		Change:       s.Change,
		Fee:          needed,
		Subtract:     s.Subtract,
	}
	if len(s.unpaid) > 0 {
		s.done = append(s.done, *s.plan)
		s.picked, s.paid, s.complete, s.availableFee, s.plan = nil, nil, 0, 0, nil
	}
	return nil
}

func (s *selection) finish(random io.Reader) ([]Plan, error) {
	if s.plan != nil {
		s.done = append(s.done, *s.plan)
	}
	if !s.Split && len(s.done) > 1 {
		if len(s.Destinations) >= xmr.MaxOutputs {
			return nil, ErrTooManyOutputs
		}
		return nil, ErrTooHeavy
	}
	return s.done, s.divide(random)
}
