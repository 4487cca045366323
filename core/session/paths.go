package session

import (
	"context"

	"glim/core/fee"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Paths keeps the paths of a wallet's outputs in the tree of all outputs, for payments after the next hard fork.
// Package walletpaths implements it. read calls a function with the state of the wallet, as View does; methods call it,
// so they must not be called within View.
type Paths interface {
	// Scanned is called after the wallet has committed blocks. The session's refresh returns its error.
	Scanned(read func(func(*wallet.Wallet)), blocks []syncer.Block) error
	// Follow reads the blocks from src that the wallet has scanned and the tree lacks.
	Follow(ctx context.Context, read func(func(*wallet.Wallet)), src syncer.Source) error
	// Current reports whether the tree has height blocks, so that the next ones are needed in full.
	Current(height uint64) bool
	// Forget drops the tree, which Follow then reads anew.
	Forget() error
	// Close stores the tree.
	Close() error

	// Weight returns the weight in bytes of a transaction of the fork with so many inputs and outputs, change included;
	// math.MaxUint64 if it must not have as many.
	Weight(inputs, outputs int) uint64
	// Ceiling returns the highest fees of such transactions.
	Ceiling(network xmr.Network) fee.Ceiling
	// Build makes, signs and checks a transaction. k has the spend key, which the caller keeps in memory meanwhile.
	Build(ctx context.Context, read func(func(*wallet.Wallet)), k *keys.Keys, r NextRequest) (wallet.Sent, error)
	// Prepare lays out a transaction for a cold signer, and returns it encoded, with what is known of its record.
	Prepare(read func(func(*wallet.Wallet)), k *keys.Keys, r NextRequest) ([]byte, wallet.Sent, error)
	// Complete finishes what a cold signer has signed, and returns it with the key images of its inputs. progress is
	// that of NextRequest.
	Complete(
		ctx context.Context, read func(func(*wallet.Wallet)), k *keys.Keys, signed []byte, progress func(percent int),
	) (wallet.Sent, []wallet.KnownImage, error)
	// Inspect returns what the bytes of a transaction say about it: ID, bytes, weight, fee and key images.
	Inspect(blob []byte) (wallet.Sent, error)
}

// NextRequest describes a transaction of the next hard fork.
type NextRequest struct {
	Plan    txbuild.Plan // made with the weights of Paths
	Account uint32       // whose primary address gets the change
	PerByte uint64       // fee for a byte of weight, in atomic units, as in the plan
	Network xmr.Network  // whose fees are allowed
	// Progress is called with the share of the work that is done, in percent; it may be nil.
	Progress func(percent int)
}

// Paths returns that of Host.Paths for this wallet, or nil.
func (s *Session) Paths() Paths { return s.paths }

// Callers check keys.HasHierarchies first, so that programs without Carrot do not link the following.

func (s *Session) hasTree() bool { return s.paths != nil }

// growsTree reports whether the next blocks are needed in full, for the tree of all outputs.
func (s *Session) growsTree() bool {
	if !s.hasTree() {
		return false
	}
	var height uint64
	s.View(func(w *wallet.Wallet) { height = w.Height() })
	return s.paths.Current(height) // not in View: methods of Paths read the wallet while they hold their own lock
}

// growTree passes on blocks that were committed.
func (s *Session) growTree(blocks []syncer.Block) error {
	if !s.hasTree() {
		return nil
	}
	return s.paths.Scanned(s.View, blocks)
}

// followTree passes on the other blocks.
func (s *Session) followTree(ctx context.Context, src syncer.Source) error {
	if !s.hasTree() {
		return nil
	}
	return s.paths.Follow(ctx, s.View, src)
}

func (s *Session) forgetTree() error {
	if !s.hasTree() {
		return nil
	}
	return s.paths.Forget()
}
