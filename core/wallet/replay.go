package wallet

import (
	"runtime"
	"slices"
	"sync"

	"glim/core/say"
	"glim/core/xmr"
)

// replayWindow is how many bytes of a log are decoded before they are applied: on every core, and with what they hold counted, so that
// lists and maps are made as long as they get. A record is decoded to about its own size.
const replayWindow = 64 << 20

// Replay rebuilds a wallet from its log: the origin, then every change. What takes long and may be asked for later, the keys of its
// addresses, is made then, or by Prepare.
func Replay(records [][]byte) (*Wallet, error) {
	if len(records) == 0 {
		return nil, ErrRecord
	}
	o, l, err := DecodeOrigin(records[0])
	if err != nil {
		return nil, err
	}
	w := newWallet(o, l)
	w.replaying = true // nobody asks before the end
	for n := 1; n < len(records); {
		end, size := n, 0
		for end < len(records) && size < replayWindow {
			size += len(records[end])
			end++
		}
		changes, err := decodeAll(records[n:end])
		w.expect(changes)
		for i := range changes {
			if !w.reaches(&changes[i]) {
				return nil, say.Errorf("record %d: %w", n+i, ErrRecord)
			}
			w.Commit(changes[i])
			changes[i] = ChangeSet{}
		}
		if err != nil {
			return nil, say.Errorf("record %d: %w", n+len(changes), err)
		}
		n = end
	}
	w.replaying = false
	w.table = lateTable(o.Keys, w.ahead(w.lookahead), w.addressCounts())
	w.relock()
	w.reserve()
	w.recount()
	w.lookAhead()
	return w, nil
}

// decodeAll decodes records on every core. With an error it returns the changes before the first record that is none.
func decodeAll(records [][]byte) ([]ChangeSet, error) {
	changes, errs := make([]ChangeSet, len(records)), make([]error, len(records))
	var next sync.Mutex
	at := 0
	work := func() {
		for {
			next.Lock()
			i := at
			at++
			next.Unlock()
			if i >= len(records) {
				return
			}
			changes[i], errs[i] = DecodeChange(records[i])
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(records)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if n := slices.IndexFunc(errs, func(err error) bool { return err != nil }); n >= 0 {
		return changes[:n], errs[n]
	}
	return changes, nil
}

// expect makes room for what changes hold.
func (w *Wallet) expect(changes []ChangeSet) {
	var outputs, spends, images, payments, notices, sent int
	for i := range changes {
		c := &changes[i]
		outputs, payments, spends = outputs+len(c.Chain.Outputs), payments+len(c.Chain.Payments), spends+len(c.Chain.Spends)
		for j := range c.Chain.Spends {
			images += len(c.Chain.Spends[j].Images)
		}
		notices, sent = notices+len(c.Notices.Add), sent+len(c.User.Sent)
	}
	w.outputs = slices.Grow(w.outputs, outputs)
	w.payments = slices.Grow(w.payments, payments)
	w.inOrder = slices.Grow(w.inOrder, spends)
	if len(w.byKey)+len(w.spends)+len(w.notices.latest)+len(w.sent) > 0 {
		return // not the first window: maps grow
	}
	w.byKey, w.byImage = make(map[xmr.PublicKey]int, outputs), make(map[imageBegin]int, outputs)
	w.spends, w.spentBy = make(map[xmr.Hash]*Spend, spends), make(map[xmr.KeyImage]xmr.Hash, images)
	w.notices.latest = make(map[xmr.Hash]uint64, min(notices, KeptNotices))
	w.sent = make(map[xmr.Hash]*Sent, sent)
}
