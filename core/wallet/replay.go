package wallet

import (
	"slices"

	"glim/core/internal/parallel"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// replayWindow is the number of bytes of a log that are decoded at a time, in parallel, before they are applied. The
// entries are counted first, so that lists and maps are allocated at their final size. A decoded record is about as
// large as its encoding.
const replayWindow = 64 << 20

// Replay rebuilds a wallet from the records of its log: first the identity, as encoded by EncodeIdentity, then any
// number of changes, as encoded by ChangeSet.Encode. The public keys of its addresses, which take long to compute,
// are computed when first needed or by Prepare. It returns ErrRecord, wrapped with the index of the record, if
// records is empty or a record is invalid. The caller wipes records[0], which contains secret keys.
func Replay(records [][]byte) (*Wallet, error) {
	if len(records) == 0 {
		return nil, ErrRecord
	}
	o, l, err := DecodeIdentity(records[0])
	if err != nil {
		return nil, err
	}
	w := newWallet(o, l)
	w.replaying = true // nothing reads the ledger before the end
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
				return nil, smallfmt.Errorf("record %d: %w", n+i, ErrRecord)
			}
			w.Commit(changes[i])
			changes[i] = ChangeSet{}
		}
		if err != nil {
			return nil, smallfmt.Errorf("record %d: %w", n+len(changes), err)
		}
		n = end
	}
	w.replaying = false
	w.table = lateTable(o.Keys, w.ahead(w.lookahead), w.addressCounts())
	w.relock()
	w.reserve()
	w.recount()
	w.updatePending()
	return w, nil
}

// decodeAll decodes records in parallel. With an error it returns the changes before the first invalid record.
func decodeAll(records [][]byte) ([]ChangeSet, error) {
	changes, errs := make([]ChangeSet, len(records)), make([]error, len(records))
	parallel.For(len(records), func(i int) { changes[i], errs[i] = DecodeChange(records[i]) })
	if n := slices.IndexFunc(errs, func(err error) bool { return err != nil }); n >= 0 {
		return changes[:n], errs[n]
	}
	return changes, nil
}

// expect allocates lists and maps for the content of changes.
func (w *Wallet) expect(changes []ChangeSet) {
	var outputs, spends, images, payments, notices, sent int
	for i := range changes {
		c := &changes[i]
		outputs += len(c.Chain.Outputs)
		payments += len(c.Chain.Payments)
		spends += len(c.Chain.Spends)
		for j := range c.Chain.Spends {
			images += len(c.Chain.Spends[j].Images)
		}
		notices, sent = notices+len(c.Notices.Add), sent+len(c.User.Sent)
	}
	w.outputs = slices.Grow(w.outputs, outputs)
	w.payments = slices.Grow(w.payments, payments)
	w.inOrder = slices.Grow(w.inOrder, spends)
	if len(w.byKey)+len(w.spends)+len(w.notices.latest)+len(w.sent) > 0 {
		return // after the first window the maps grow
	}
	w.byKey, w.byImage = make(map[xmr.PublicKey]int, outputs), make(map[imageBegin]int, outputs)
	w.spends, w.spentBy = make(map[xmr.Hash]*Spend, spends), make(map[xmr.KeyImage]xmr.Hash, images)
	w.notices.latest = make(map[xmr.Hash]uint64, min(notices, KeptNotices))
	w.sent = make(map[xmr.Hash]*Sent, sent)
}
