//go:build !js

package service

import (
	"glim/core/tx"
	"glim/core/wallet"
)

const (
	// changeAttribute is the attribute that decides about change_outputs of requests that leave it out: auto divides
	// the change of accounts that pay often, and without it, or with any other value, change is one output.
	changeAttribute = "glim.change_outputs"
	changeAuto      = "auto"
	// often is the number of payments within a day from which an account pays often.
	often      = 5
	secondsDay = 24 * 60 * 60
	// kept is the number of unspent outputs from which change is not divided. It lets an account make a payment every
	// four minutes, because change is locked for twenty.
	kept = 5
)

// changeParts returns the largest number of outputs of an account's change. It is what the request asks for. If that is
// 0 and the attribute says so, it is the number of outputs that the account lacks. Change that is not in a block yet
// counts as outputs, so that payments in quick succession do not divide again and again.
func changeParts(w *wallet.Wallet, account uint32, asked int, now uint64) int {
	if value, _ := w.Attribute(changeAttribute); asked != 0 || value != changeAuto {
		return asked
	}
	payments, outputs := 0, 0
	for _, one := range sentTransactions(w) {
		if one.Account == account && one.SentAt+secondsDay > now {
			payments++
		}
	}
	for _, one := range w.Unmined() {
		if one.Account != account || one.State == wallet.SendFailed || one.Change == 0 {
			continue
		}
		made := max(2, len(one.AdditionalKeys)) // after the next hard fork, a key for each of more than two outputs
		if t, err := tx.Parse(one.Blob); err == nil {
			made = len(t.Outputs)
		}
		outputs += max(1, made-len(one.Destinations))
	}
	all := w.Outputs()
	for i := range all {
		if o := &all[i]; o.Address.Major == account && !w.IsSpent(o, false) && !w.IsFrozen(o) {
			outputs++
		}
	}
	if payments < often || outputs >= kept {
		return 0
	}
	return kept - outputs + 1 // the payment spends one
}
