package service

import (
	"context"
	"errors"
	"io"

	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// ringMaker chooses the rings of inputs.
type ringMaker struct {
	active *active
	random io.Reader
}

// Errors of outputs that cannot be spent: another ring or request could reveal the real output to the daemon.
var (
	errRingMoved = errors.New("nothing was sent: an output to spend, or its earlier ring, has moved on the chain. " +
		"Another ring would reveal the output. Choose a daemon that you trust; after such a deep reorganisation, " +
		"rescan_blockchain allows another ring")
	errDoubts = errors.New("nothing was sent: a daemon gave false responses about an output to spend, and another " +
		"request may reveal the output. Choose your own daemon and call rescan_spent, or another one and call " +
		"rescan_blockchain")
	errBehind = errors.New("the daemon's chain ends more than 10 blocks below the wallet's height: wait until it has " +
		"caught up, or choose another daemon")
)

// resetHidden discards the record of an output that is at another index now, if the owner allowed that by scanning
// the chain again.
func resetHidden(h *wallet.RingRecord, global uint64) error {
	if !h.Reread && len(h.Asked)+len(h.Ring) > 0 {
		return errRingMoved
	}
	*h = wallet.RingRecord{Key: h.Key, GlobalIndex: global, Reread: h.Reread}
	return nil
}

func recordHidden(o *openWallet, list []wallet.RingRecord) error {
	if len(list) == 0 {
		return nil
	}
	return o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideRingRecords(list), nil, nil
	})
}

// askMembers fetches the candidates of a request and chooses the rings.
func askMembers(ctx context.Context, client *daemon.Client, request *decoy.Request) ([]decoy.Ring, error) {
	var answers []decoy.OutputAnswer
	for indices := request.Indices(); len(indices) > 0; {
		n := min(len(indices), decoy.Chunk)
		outs, err := client.Outputs(ctx, indices[:n])
		if err != nil {
			return nil, err
		}
		indices = indices[n:]
		for i := range outs {
			answers = append(answers,
				decoy.OutputAnswer{Key: outs[i].Key, Commitment: outs[i].Commitment, Unlocked: outs[i].Unlocked})
		}
	}
	return decoy.Choose(request, answers)
}

// recordDoubt records that err follows from a false response about inputs.
func recordDoubt(o *openWallet, inputs []txbuild.Input, doubts uint32, err error) error {
	keys := make([]xmr.PublicKey, len(inputs))
	for i := range inputs {
		keys[i] = inputs[i].Key
	}
	failed := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideDoubt(keys, doubts), nil, nil
	})
	return errors.Join(err, failed)
}

// prefetch requests the data that every payment needs, whichever outputs it spends, while the fee is being requested.
// Nothing is requested before a payment, because that would announce it to the daemon. The requests end with ctx. After
// the next hard fork there are no rings, and nothing is requested.
func (s *ringMaker) prefetch(ctx context.Context, o *openWallet) *prefetchedOutputs {
	if keys.HasHierarchies {
		if next, err := o.afterFork(); next != nil || err != nil {
			return &prefetchedOutputs{next: next, wait: func() error { return err }}
		}
	}
	a := &prefetchedOutputs{of: s.active.connection()}
	end := a.of.lastTop()
	o.View(func(w *wallet.Wallet) {
		if end.height < w.Height() {
			end = chainTop{} // it is outdated
		}
	})
	a.wait = inBackground(func() (err error) {
		a.where, err = a.of.distribution.get(ctx, end)
		return err
	})
	return a
}

// rings returns the ring of each input. The indices requested for an output and its ring are recorded before a daemon
// can see them, and stay the same in every later attempt to spend the output, whatever daemons respond in the
// meantime.
func (s *ringMaker) rings(
	ctx context.Context, o *openWallet, inputs []txbuild.Input, spread *prefetchedOutputs,
) ([]decoy.Ring, error) {
	if err := spread.wait(); err != nil {
		return nil, err
	}
	rings, err := s.hide(ctx, o, inputs, spread)
	if err != nil && ctx.Err() == nil && !errors.Is(err, daemon.ErrUnreachable) {
		spread.of.distribution.forget() // it may be the cause
	}
	return rings, err
}

func (s *ringMaker) hide(
	ctx context.Context, o *openWallet, inputs []txbuild.Input, spread *prefetchedOutputs,
) ([]decoy.Ring, error) {
	hidden, spends := make([]wallet.RingRecord, len(inputs)), make([]decoy.Spend, len(inputs))
	var height, total uint64
	o.View(func(w *wallet.Wallet) {
		height, total = w.Height(), w.TotalOutputs()
		for i := range inputs {
			hidden[i] = w.RingRecord(inputs[i].Key)
		}
	})
	for i := range inputs {
		if hidden[i].Doubtful() {
			return nil, errDoubts
		}
	}
	picker, err := s.picker(o, inputs, spread.where, height, total)
	if err != nil {
		return nil, err
	}
	for i := range inputs {
		in, h := &inputs[i], &hidden[i]
		if h.GlobalIndex != in.GlobalIndex {
			if err := resetHidden(h, in.GlobalIndex); err != nil {
				return nil, err
			}
		}
		spends[i] = decoy.Spend{Member: decoy.Member{Index: in.GlobalIndex, Key: in.Key, Commitment: in.Commitment()},
			Asked: h.Asked, Known: h.Ring, Members: h.Members()}
		if !picker.Fits(&spends[i]) {
			if err := resetHidden(h, in.GlobalIndex); err != nil {
				return nil, err
			}
			spends[i].Asked, spends[i].Known, spends[i].Members = nil, nil, nil
		}
	}
	request, err := decoy.Plan(s.random, picker, spends)
	if err != nil {
		return nil, err
	}
	var asked []wallet.RingRecord
	for i := range hidden {
		h := &hidden[i]
		candidates := request.Candidates(i)
		if candidates != nil {
			h.Asked = candidates
		}
		if candidates != nil || h.Reread {
			h.Reread = false
			asked = append(asked, *h)
		}
	}
	if err := recordHidden(o, asked); err != nil {
		return nil, err
	}
	rings, err := askMembers(ctx, spread.of.client, request)
	switch {
	case errors.Is(err, decoy.ErrRealMissing):
		return nil, recordDoubt(o, inputs, wallet.DoubtFalse, err)
	case errors.Is(err, decoy.ErrLocked):
		return nil, recordDoubt(o, inputs, wallet.DoubtLocked, err)
	case err != nil:
		return nil, err
	}
	var chosen []wallet.RingRecord
	for i := range rings {
		if len(spends[i].Members) == 0 {
			chosen = append(chosen, hidden[i].WithRing(&rings[i]))
		}
	}
	return rings, recordHidden(o, chosen)
}

// picker returns a decoy picker for a distribution, up to the blocks that the wallet has read. The distribution must
// agree with the output indices in the wallet's newest block, whichever daemon sent them, and with the blocks of
// inputs.
func (s *ringMaker) picker(
	o *openWallet, inputs []txbuild.Input, d *decoy.Distribution, height, total uint64,
) (*decoy.Picker, error) {
	if d.Height()+witnessLag < height {
		return nil, errBehind
	}
	d, err := d.UpTo(height + xmr.SpendableAge - 1)
	if err != nil {
		return nil, err
	}
	if total > 0 && d.CheckTotal(height-1, total) != nil {
		return nil, smallfmt.Errorf("%w: its output distribution has fewer outputs up to block %d than the "+
			"indices in that block", daemon.ErrInvalidResponse, height-1)
	}
	for i := range inputs {
		if err := d.CheckOutput(inputs[i].GlobalIndex, inputs[i].Height); err != nil {
			wrongBlock := smallfmt.Errorf("%w: it moves one of the wallet's outputs to another block",
				daemon.ErrInvalidResponse)
			return nil, recordDoubt(o, inputs[i:i+1], wallet.DoubtLocked, wrongBlock)
		}
	}
	return decoy.NewPicker(d)
}
