package service

import (
	"context"
	"errors"

	"glim/core/build"
	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/say"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Why an output is not spent. Another ring, or one more question about it, would show the daemon which output it is.
var (
	errRingMoved = errors.New("nothing was sent: an output to spend, or the ring it was hidden in before, is not where it was on the chain. " +
		"Another ring would show which output is spent. Choose a daemon that you trust; if the chain was reorganised that deeply, rescan_blockchain allows another ring")
	errDoubts = errors.New("nothing was sent: a daemon gave false answers about an output to spend, and asking again may show it which output that is. " +
		"Choose a daemon of your own and call rescan_spent, or choose another one and call rescan_blockchain")
	errBehind = errors.New("the daemon's chain ends more than 10 blocks before what the wallet has read: wait until it has caught up, or choose another daemon")
)

// rings hides each input among others. What a daemon is asked for an output and what ring it is hidden in is recorded before a daemon
// can see it, and is the same in every later attempt to spend it, whatever daemons say meanwhile.
func (s *Service) rings(ctx context.Context, o *open, inputs []build.Input, spread *ahead) ([]decoy.Ring, error) {
	if err := spread.wait(); err != nil {
		return nil, err
	}
	rings, err := s.hide(ctx, o, inputs, spread)
	if err != nil && ctx.Err() == nil && !errors.Is(err, daemon.ErrUnreachable) {
		spread.of.distribution.forget() // it may be what is wrong
	}
	return rings, err
}

func (s *Service) hide(ctx context.Context, o *open, inputs []build.Input, spread *ahead) ([]decoy.Ring, error) {
	hidden, spends := make([]wallet.Hidden, len(inputs)), make([]decoy.Spend, len(inputs))
	var height, total uint64
	o.View(func(w *wallet.Wallet) {
		height, total = w.Height(), w.TotalOutputs()
		for i := range inputs {
			hidden[i] = w.Hidden(inputs[i].Key)
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
		if h.Global != in.Global {
			if err := anew(h, in.Global); err != nil {
				return nil, err
			}
		}
		spends[i] = decoy.Spend{Member: decoy.Member{Index: in.Global, Key: in.Key, Commitment: in.Commitment()},
			Asked: h.Asked, Known: h.Ring, Members: h.Members()}
		if !picker.Fits(&spends[i]) {
			if err := anew(h, in.Global); err != nil {
				return nil, err
			}
			spends[i].Asked, spends[i].Known, spends[i].Members = nil, nil, nil
		}
	}
	request, err := decoy.Plan(s.config.Random, picker, spends)
	if err != nil {
		return nil, err
	}
	var asked []wallet.Hidden
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
	if err := keepHidden(o, asked); err != nil {
		return nil, err
	}
	rings, err := askMembers(ctx, spread.of.client, request)
	switch {
	case errors.Is(err, decoy.ErrRealMissing):
		return nil, s.doubt(o, inputs, wallet.DoubtFalse, err)
	case errors.Is(err, decoy.ErrLocked):
		return nil, s.doubt(o, inputs, wallet.DoubtLocked, err)
	case err != nil:
		return nil, err
	}
	var chosen []wallet.Hidden
	for i := range rings {
		if len(spends[i].Members) == 0 {
			chosen = append(chosen, hidden[i].Hide(&rings[i]))
		}
	}
	return rings, keepHidden(o, chosen)
}

// anew forgets what h keeps, for an output that is at another index now, if its owner allowed that by having the chain read again.
func anew(h *wallet.Hidden, global uint64) error {
	if !h.Reread && len(h.Asked)+len(h.Ring) > 0 {
		return errRingMoved
	}
	*h = wallet.Hidden{Key: h.Key, Global: global, Reread: h.Reread}
	return nil
}

func keepHidden(o *open, list []wallet.Hidden) error {
	if len(list) == 0 {
		return nil
	}
	return o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideHidden(list), nil, nil
	})
}

// doubt notes that err is due to a false answer about inputs.
func (s *Service) doubt(o *open, inputs []build.Input, doubts uint32, err error) error {
	keys := make([]xmr.PublicKey, len(inputs))
	for i := range inputs {
		keys[i] = inputs[i].Key
	}
	failed := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideDoubt(keys, doubts), nil, nil
	})
	return errors.Join(err, failed)
}

// picker picks decoys by a distribution that agrees with what the wallet has read: with the indices of its newest block, whichever daemon
// gave them, and with the blocks of inputs. Blocks that the wallet has not read do not count.
func (s *Service) picker(o *open, inputs []build.Input, d *decoy.Distribution, height, total uint64) (*decoy.Picker, error) {
	if d.Height()+witnessLag < height {
		return nil, errBehind
	}
	d, err := d.UpTo(height + xmr.SpendableAge - 1)
	if err != nil {
		return nil, err
	}
	if total > 0 && d.CheckTotal(height-1, total) != nil {
		return nil, say.Errorf("%w: its distribution of outputs has not as many up to block %d as the indices in that block say", daemon.ErrDaemonLied, height-1)
	}
	for i := range inputs {
		if err := d.CheckOutput(inputs[i].Global, inputs[i].Height); err != nil {
			lied := say.Errorf("%w: it puts one of the wallet's outputs into another block", daemon.ErrDaemonLied)
			return nil, s.doubt(o, inputs[i:i+1], wallet.DoubtLocked, lied)
		}
	}
	return decoy.NewPicker(d)
}

// askMembers asks a daemon for what a request takes, and makes its rings of that.
func askMembers(ctx context.Context, client *daemon.Client, request *decoy.Request) ([]decoy.Ring, error) {
	var answers []decoy.Output
	for indices := request.Indices(); len(indices) > 0; {
		n := min(len(indices), decoy.Chunk)
		outs, err := client.Outputs(ctx, indices[:n])
		if err != nil {
			return nil, err
		}
		indices = indices[n:]
		for i := range outs {
			answers = append(answers, decoy.Output{Key: outs[i].Key, Commitment: outs[i].Commitment, Unlocked: outs[i].Unlocked})
		}
	}
	return decoy.Choose(request, answers)
}
