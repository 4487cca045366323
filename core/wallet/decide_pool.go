package wallet

import (
	"glim/core/keys"
	"glim/core/xmr"
)

// DecidePool returns the pool transactions among txs that concern the wallet, and events for the new ones. now is in
// POSIX seconds. It may return a *keys.UnknownKeyImagesError or a *SearchError, see DecideBlocks.
func (w *Wallet) DecidePool(txs []ScannedTx, now uint64) ([]PoolTx, []HostEvent, error) {
	var out []PoolTx
	var events []HostEvent
	var wanted []keys.OwnOutput
	var search *SearchError
	for i := range txs {
		d := newDraft(w) // pool transactions cannot spend each other: an output must be ten blocks old
		if err := d.apply(&txs[i], &ScannedBlock{Timestamp: now, Version: ignoreLongIDs}, false); err != nil {
			return nil, nil, err
		}
		wanted, search = append(wanted, d.wanted...), search.merge(d)
		p := PoolTx{TxID: txs[i].ID, Payments: d.change.Payments}
		if len(d.change.Spends) > 0 {
			p.Spend = &d.change.Spends[0]
		}
		if len(p.Payments) == 0 && p.Spend == nil {
			continue
		}
		known := w.pool[p.TxID]
		for j := range p.Payments {
			p.Payments[j].DoubleSpendSeen = txs[i].DoubleSpendSeen
			if known == nil {
				events = append(events, HostEvent{MoneyInPool, p.TxID, p.Payments[j].Amount, 0, p.Payments[j].Address})
			} else {
				p.Payments[j].Timestamp = known.firstSeen(now)
			}
		}
		if p.Spend != nil && known != nil {
			p.Spend.Timestamp = known.firstSeen(now)
		}
		out = append(out, p)
	}
	if search != nil {
		return nil, nil, search
	}
	if len(wanted) > 0 {
		return nil, nil, &keys.UnknownKeyImagesError{Outputs: wanted}
	}
	return out, events, nil
}

func (p *PoolTx) firstSeen(now uint64) uint64 {
	if len(p.Payments) > 0 {
		return p.Payments[0].Timestamp
	}
	if p.Spend != nil {
		return p.Spend.Timestamp
	}
	return now
}

// poolPatience is how long a transaction may be missing from the pool before it counts as failed, in seconds.
// Source: src/wallet/wallet2.cpp, process_unconfirmed_transfer, tx_propagation_timeout.
const poolPatience = 500

// Overdue reports whether the transaction has been missing from the pool for so long that it has failed unless it is
// in a block. now is in POSIX seconds.
func (s *Sent) Overdue(now uint64) bool {
	return (s.State == SendPending || s.State == SendReorganised) && now > s.SentAt+poolPatience
}

// DecideSends updates the states of sent transactions according to the daemon's pool. An overdue one fails only if
// explained returns true for it: the blocks that may contain it were scanned after it was found missing. now is in
// POSIX seconds.
func (w *Wallet) DecideSends(inPool, explained func(xmr.Hash) bool, now uint64) ChangeSet {
	var u UserChange
	for _, s := range w.Unmined() {
		switch seen := inPool(s.TxID); {
		case seen && s.State != SendInPool:
			u.States = append(u.States, SendChange{TxID: s.TxID, State: SendInPool})
		case !seen && s.State == SendInPool:
			// It may be about to be mined, or was dropped: it gets as much time as a new one.
			u.States = append(u.States, SendChange{TxID: s.TxID, State: SendPending, SentAt: now})
		case !seen && s.Overdue(now) && explained(s.TxID):
			u.States = append(u.States, SendChange{TxID: s.TxID, State: SendFailed,
				Reason: "the daemon's transaction pool no longer holds it"})
		}
	}
	for id := range w.pool { // imported as mined, but its block was reorganised away
		if s := w.sent[id]; s != nil && s.State == SendMined && w.spends[id] == nil && inPool(id) {
			u.States = append(u.States, SendChange{TxID: id, State: SendInPool})
		}
	}
	return ChangeSet{User: u}
}
