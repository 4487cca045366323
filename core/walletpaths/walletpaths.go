// Package walletpaths keeps the paths of an open wallet's outputs in the tree of all outputs, which payments take after
// Monero's next hard fork. It is unaudited. Hosts that can pay then pass it to the service; programs without it do not
// link the tree.
//
// Nothing is read or stored before the fork. From the first block of the fork that the wallet has scanned, the tree is
// computed from all blocks, beginning with the genesis block, because outputs of all ages are in it. It never goes
// beyond the blocks that the wallet has scanned, so that own outputs are known before they enter the tree. Until the
// rules of the fork are final, this is done for private chains only, and costs other wallets nothing. The wallet's own
// file is independent of it: if the stored tree is lost, damaged, or of another chain, the blocks are read
// again, which costs time and no money.
//
// A wallet that synchronises by compact blocks goes on with these until the tree has caught up, and requests full
// blocks from then on, which serve both. Without its spend key, during background synchronisation, the tree waits, and
// the missing blocks are read when the key is back. View-only wallets have no tree.
package walletpaths

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"glim/core/carrot"
	"glim/core/fcmpbuild"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/treecache"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Errors of this package, in addition to those of package treecache and of the store.
var (
	// ErrTree reports that a daemon's blocks contradict their headers.
	ErrTree = errors.New("walletpaths: the daemon's blocks contradict their headers, which commit to another tree of " +
		"all outputs: the daemon hides, adds or alters outputs. Choose another daemon and scan again (rescan_bc)")
	// ErrClosed reports that the wallet is closed.
	ErrClosed = errors.New("walletpaths: the wallet is closed")
	// ErrPublic reports that the wallet's chain is not a private one.
	ErrPublic = errors.New("walletpaths: until the rules of the next hard fork are final, payments after it can be " +
		"made on private chains only; nothing was sent, and the outputs stay as they are")
	// ErrBehind reports that the tree does not have all blocks that the wallet has scanned.
	ErrBehind = errors.New("walletpaths: the tree of all outputs is not complete; refresh the wallet first")
)

// Store keeps what Save is given last, beside the wallet's file.
type Store interface {
	// Load returns it, or an error if there is nothing.
	Load() ([]byte, error)
	// Save replaces it durably, in whole or not at all.
	Save(b []byte) error
}

// Paths follows the tree of one wallet. It implements session.Paths. Its methods are safe for concurrent use.
type Paths struct {
	rules  *carrot.Rules
	store  Store // may be nil
	random io.Reader
	key    [32]byte // encrypts what is stored
	public uint64   // publicHeight

	following sync.Mutex // held by Follow

	mu        sync.Mutex // guards the following; not held while blocks are fetched
	cache     *treecache.Cache
	chain     blockIDs
	confirmed bool  // whether a header has confirmed the tree
	doubt     int   // headers that contradicted the tree since the last one that confirmed it
	saved     int64 // number of blocks when it was stored; -1 if blocks were dropped since
	own       map[place]treecache.Output
	loaded    map[xmr.PublicKey][]treecache.Output // own outputs of the stored tree, until register has compared them
	closed    bool
}

// place identifies an output of the wallet.
type place struct {
	tx    xmr.Hash
	index uint64
}

// New returns the paths of the wallet with keys k. What it stores is encrypted with a key that the view secret
// determines, because the view secret reveals as much. store is nil for a wallet in memory. random must be a
// cryptographic source.
func New(rules *carrot.Rules, k *keys.Keys, store Store, random io.Reader) *Paths {
	return &Paths{rules: rules, store: store, random: random, key: sealKey(k), public: publicHeight}
}

// String returns a placeholder, because own outputs do not belong in logs.
func (*Paths) String() string { return "walletpaths.Paths" }

// GoString returns a placeholder.
func (*Paths) GoString() string { return "walletpaths.Paths" }

// view is what the tree needs of a wallet's state.
type view struct {
	follows bool // whether the wallet is past the fork and can pay
	tip     wallet.BlockID
	depth   uint64 // of reorganisations
	genesis xmr.Hash
}

// publicHeight is below the heights that the public chains had before the next hard fork. A private chain is shorter.
const publicHeight = 1_000_000

func viewOf(w *wallet.Wallet) view {
	v := view{depth: w.MaxReorgDepth(), genesis: w.Identity().Network.GenesisHash()}
	var begun bool
	v.tip, begun = w.Tip()
	v.follows = begun && w.Forked() && Pays(w) && !w.Identity().Background
	return v
}

// Pays reports whether the wallet can make transactions of the next hard fork: with its spend key, or, view-only, with
// a cold signer.
func Pays(w *wallet.Wallet) bool {
	k := w.Keys()
	if carrot.CanSpend(k) {
		return true
	}
	if w.Multisig() != nil || k.External() {
		return false
	}
	_, err := fcmpbuild.ViewerOf(k)
	return err == nil
}

// Current reports whether the tree has all blocks up to that with index height − 1.
func (p *Paths) Current(height uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cache != nil && !p.closed && p.cache.Height() >= height
}

// Use calls f with the tree, which does not change meanwhile: f must be quick, because a refresh waits for it. It
// returns ErrBehind if the wallet has scanned other blocks, ErrPublic, ErrClosed, or the error of f.
func (p *Paths) Use(read func(func(*wallet.Wallet)), f func(c *treecache.Cache) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	var v view
	read(func(w *wallet.Wallet) { v = viewOf(w) })
	if v.tip.Height >= p.public {
		return ErrPublic
	}
	if tip, begun := p.chain.Tip(); !begun || tip != v.tip {
		return ErrBehind
	}
	if err := p.register(read); err != nil {
		return err
	}
	if tip, _ := p.chain.Tip(); tip != v.tip {
		return ErrBehind
	}
	return f(p.cache)
}

// Scanned adds blocks that the wallet has just committed, if they follow the tree's. Otherwise Follow reads them again.
// It returns ErrTree.
func (p *Paths) Scanned(read func(func(*wallet.Wallet)), blocks []syncer.Block) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cache == nil || p.closed || len(blocks) == 0 {
		return nil
	}
	first := blocks[0].Height
	before, ok := p.chain.BlockAt(first - 1)
	if first == 0 || !ok || before != blocks[0].Prev {
		return nil
	}
	for i := range blocks {
		if isCompact(&blocks[i]) {
			return nil
		}
	}
	if err := p.detach(first); err != nil {
		return err
	}
	if err := p.register(read); err != nil || p.cache.Height() != first {
		return err
	}
	return p.add(blocks)
}

func isCompact(b *syncer.Block) bool {
	for i := range b.Txs {
		if b.Txs[i].Compact {
			return true
		}
	}
	return false
}

// Follow reads the blocks that the wallet has scanned and the tree lacks, and stores the tree from time to time. It
// does nothing before the fork. It returns ErrTree, ErrClosed, syncer.ErrChain, and the errors of src, of the store and
// of ctx. What it has read stays.
func (p *Paths) Follow(ctx context.Context, read func(func(*wallet.Wallet)), src syncer.Source) error {
	p.following.Lock()
	defer p.following.Unlock()
	var v view
	read(func(w *wallet.Wallet) { v = viewOf(w) })
	if !v.follows || v.tip.Height >= p.public {
		return nil
	}
	done, err := p.begin(read, &v)
	if err != nil || done {
		return err
	}
	if lean, ok := src.(syncer.RinglessSource); ok {
		src = lean.WithRings()
	}
	height, err := src.Height(ctx)
	if err != nil {
		return err
	}
	var ends limit
	var ahead *syncer.Block
	for {
		p.mu.Lock()
		q := syncer.NewRequest(&p.chain, 0, height)
		p.mu.Unlock()
		if ahead != nil {
			q = q.After(ahead)
		}
		batch, err := src.Blocks(ctx, q)
		if err != nil {
			return err
		}
		height, ahead = max(height, batch.Height), nil
		result, err := p.step(read, &v, batch)
		if err == nil {
			err = ends.check(result, batch.Blocks)
		}
		if err != nil || result == finished {
			return err
		}
		if result == known {
			ahead = &batch.Blocks[len(batch.Blocks)-1]
		}
	}
}

// outcome is what a batch of blocks leads to.
type outcome uint8

const (
	added    outcome = iota // blocks were added
	known                   // the tree had all of them
	detached                // blocks were dropped, before others were added
	finished                // nothing is left to do
)

// maxForks is the maximum number of reorganisations in one call of Follow.
const maxForks = 10

// limit ensures that Follow ends for any answers.
type limit struct {
	passed uint64 // number of blocks up to the last answer without news
	forks  int
}

func (l *limit) check(o outcome, blocks []syncer.Block) error {
	if o == detached {
		if l.forks++; l.forks > maxForks {
			return fmt.Errorf("%w: the chain was reorganised %d times while it was read", syncer.ErrChain, l.forks)
		}
		l.passed = 0
	}
	if o != known || len(blocks) == 0 {
		return nil
	}
	upTo := blocks[len(blocks)-1].Height + 1
	if upTo <= l.passed {
		return fmt.Errorf("%w: the daemon sent blocks up to %d, already known, twice", syncer.ErrChain, upTo-1)
	}
	l.passed = upTo
	return nil
}

// begin loads the tree and registers own outputs. It reports whether the tree has all blocks.
func (p *Paths) begin(read func(func(*wallet.Wallet)), v *view) (done bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return true, ErrClosed
	}
	p.chain.genesis = v.genesis
	if p.cache == nil && !p.load() {
		p.reset(v.depth)
	}
	if err := p.register(read); err != nil {
		return true, err
	}
	if known, ok := p.chain.BlockAt(v.tip.Height); ok && known == v.tip.Hash {
		return true, p.save(saveLast)
	}
	return false, nil
}

// step adds the blocks of a batch up to the wallet's tip.
func (p *Paths) step(read func(func(*wallet.Wallet)), v *view, batch syncer.Batch) (outcome, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return finished, ErrClosed
	}
	step, err := syncer.Next(&p.chain, 0, batch)
	if err != nil {
		return finished, err
	}
	result := added
	if len(step.Blocks) == 0 {
		result = known
	}
	if step.Detach != nil {
		result = detached
		if err := p.detach(*step.Detach); err != nil {
			return finished, err
		}
	}
	if err := p.register(read); err != nil {
		return finished, err
	}
	blocks := step.Blocks
	if len(blocks) > 0 && blocks[0].Height != p.cache.Height() {
		return detached, nil // the tree began anew, or an own output is in an earlier block
	}
	read(func(w *wallet.Wallet) {
		for i := range blocks {
			at, ok := w.BlockAt(blocks[i].Height)
			if ok && at != blocks[i].Hash || blocks[i].Height > v.tip.Height { // the next refresh reads them
				blocks, result = blocks[:i], finished
				return
			}
		}
	})
	if err := p.add(blocks); err != nil {
		return finished, err
	}
	if step.Done || p.cache.Height() > v.tip.Height {
		result = finished
	}
	n := uint64(saveEvery)
	if result == finished {
		n = saveLast
	}
	return result, p.save(n)
}

// add adds the next blocks.
func (p *Paths) add(blocks []syncer.Block) error {
	for i := range blocks {
		b := &blocks[i]
		next := treecache.Block{Height: b.Height, Tree: b.Tree, Txs: make([]treecache.Tx, len(b.Txs))}
		for k := range b.Txs {
			next.Txs[k] = treecache.TxOf(b.Txs[k].Tx)
		}
		if err := p.cache.Add(&next); errors.Is(err, treecache.ErrRoot) {
			p.distrust(b.Height)
			return errors.Join(ErrTree, err)
		} else if err != nil {
			return err
		}
		if b.Tree != nil {
			p.confirmed, p.doubt = true, 0
		}
		p.chain.extend(b.Hash, p.keep())
	}
	return nil
}

// keep returns how many IDs of blocks are kept: no reorganisation that the tree follows is deeper.
func (p *Paths) keep() int { return int(p.cache.Depth()) + xmr.SpendableAge }

// distrust drops what a header has contradicted. If no header has confirmed the tree yet, or the next one contradicts
// it, too, it begins anew, but once only: a daemon that goes on lying does not make the wallet read all blocks again
// and again.
func (p *Paths) distrust(height uint64) {
	p.doubt++
	if p.doubt == 2 || p.doubt == 1 && !p.confirmed {
		p.reset(p.cache.Depth())
		return
	}
	if height > 0 && p.cache.Detach(height-1) == nil {
		p.chain.cut(height - 1)
		p.saved = -1
	}
}

// detach drops the blocks from index height on. If there are too many, the tree begins anew.
func (p *Paths) detach(height uint64) error {
	if height >= p.cache.Height() {
		return nil
	}
	err := p.cache.Detach(height)
	if errors.Is(err, treecache.ErrDepth) || err == nil && !p.chain.cut(height) {
		p.reset(p.cache.Depth())
		return nil
	}
	p.saved = -1
	return err
}

// reset begins anew, with the same own outputs.
func (p *Paths) reset(depth uint64) {
	p.cache = treecache.New(p.rules, int(min(max(depth, 1), treecache.MaxDepth)))
	p.chain.first, p.chain.ids, p.confirmed, p.saved = 0, nil, false, -1
	for _, o := range p.own {
		p.cache.Register(o)
	}
	if p.own == nil {
		p.own = map[place]treecache.Output{}
	}
}

// Forget drops the tree, so that all blocks are read again. It returns the error of the store.
func (p *Paths) Forget() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	if p.cache == nil && !p.load() {
		return nil
	}
	p.reset(p.cache.Depth())
	p.doubt = 0
	return p.save(0)
}

// Close stores the tree. Later calls fail or do nothing. It returns the error of the store.
func (p *Paths) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	err := p.save(1)
	p.closed, p.cache, p.own = true, nil, nil
	clear(p.key[:])
	return err
}
