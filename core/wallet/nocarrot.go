//go:build nocarrot

package wallet

import (
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// Without Carrot no transaction of the next hard fork is parsed, so its outputs are only those that a wallet file has.

type (
	opener struct{}
	enote  struct{}
)

func parsePruned(b []byte) (*tx.Transaction, error) { return tx.ParsePruned(b) }

func (d *draft) openCarrot(*tx.Transaction, *scan.Candidate) (m match, ok bool) { return m, false }

func (m *match) paymentID() (id xmr.Hash) { return id }

func (d *draft) fillCarrot(*OwnedOutput, *enote) {}
