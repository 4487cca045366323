//go:build nocarrot

package wallet

import (
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// Without Carrot no transaction of the next hard fork is parsed, so its outputs are only those that a wallet file has.

type (
	opener struct{}
	enote  struct{}
)

func appendHierarchy(b []byte, _ *keys.Keys) []byte { return b }

func hierarchyKeys([]byte) (*keys.Keys, error) { return nil, ErrRecord }

func cutHierarchy(b []byte) (account, rest []byte) { return nil, b }

func (w *Wallet) checkKeys() error { return nil }

func (w *Wallet) computesImages() bool { return w.identity.Keys.CanSpend() }

func parsePruned(b []byte) (*tx.Transaction, error) { return tx.ParsePruned(b) }

func (d *draft) openCarrot(*tx.Transaction, *scan.Candidate) (m match, ok bool) { return m, false }

func (d *draft) internal(*tx.Transaction) []scan.Candidate { return nil }

func (d *draft) openInternal(*tx.Transaction, *scan.Candidate) (m match, ok bool) { return m, false }

func (m *match) paymentID() (id xmr.Hash) { return id }

func (d *draft) fillCarrot(*OwnedOutput, *enote) error { return nil }

func lastLocked(uint64, uint64) uint64 { return 0 }

func (b *ScannedBlock) lockTime() uint64 { return b.Timestamp }
