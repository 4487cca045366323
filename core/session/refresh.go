package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"

	"glim/core/internal/parallel"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Progress is the progress of a refresh.
type Progress struct {
	Refreshing bool
	Height     uint64 // number of blocks the wallet has scanned, or need not scan because they are older than it
	Target     uint64 // number of blocks the daemon has, as last reported
	Proving    int    // percent of the work for a transaction with membership proofs; 0 while none is made
}

type progress struct {
	mu sync.Mutex
	p  Progress
}

func (s *Session) setProgress(f func(*Progress)) {
	s.progress.mu.Lock()
	f(&s.progress.p)
	s.progress.mu.Unlock()
	s.changed.notify()
}

// SetProving sets Progress.Proving.
func (s *Session) SetProving(percent int) { s.setProgress(func(p *Progress) { p.Proving = percent }) }

// Progress returns the progress of the wallet, during a refresh or not.
func (s *Session) Progress() Progress {
	var height uint64
	s.View(func(w *wallet.Wallet) { height = w.Height() })
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	p := s.progress.p
	p.Height = max(p.Height, height)
	return p
}

// Refreshed is the result of a refresh.
type Refreshed struct {
	Blocks   uint64 // number of blocks scanned
	Received bool   // whether an output was received
}

// Refresh scans from the wallet's tip to the tip of the source, then refreshes the pool. A wallet without scanned
// blocks starts at its restore height, or at index start if that is higher. Refresh can be cancelled at any time;
// committed changes stay, and the next refresh continues from there. Errors: those of the source, syncer.ErrChain,
// *ReorgDepthError, those of the log, the error of ctx.
func (s *Session) Refresh(ctx context.Context, src syncer.Source, start uint64) (Refreshed, error) {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.setProgress(func(p *Progress) { p.Refreshing = true })
	defer s.setProgress(func(p *Progress) { p.Refreshing = false })

	var r Refreshed
	if lean, ok := src.(syncer.RinglessSource); ok && (s.needsRings() || keys.HasHierarchies && s.growsTree()) {
		src = lean.WithRings()
	}
	height, err := src.Height(ctx)
	if err != nil {
		return r, err
	}
	from, skipped, payable := s.firstBlock(start, height)
	s.setProgress(func(p *Progress) { p.Height, p.Target = skipped, height })
	if !payable {
		return r, nil
	}

	// One batch is fetched while the previous one is scanned.
	var ends limit
	missed, again := maps.Clone(s.poolMissed), false // missed: missing from the pool before the blocks are requested
	next := s.fetch(ctx, src, from, height, nil)
	for {
		got := <-next
		if got.err != nil {
			return r, got.err
		}
		height = max(height, got.batch.Height)
		s.setProgress(func(p *Progress) { p.Target = got.batch.Height })
		step, err := s.next(from, got.batch)
		if errors.Is(err, syncer.ErrChain) && got.ahead {
			// The request was sent before the last answer was committed; the source may have followed another chain
			// since.
			next = s.fetch(ctx, src, from, height, nil)
			continue
		}
		if err == nil {
			err = ends.check(step, got.batch.Blocks)
		}
		if err == nil {
			err = s.checkDepth(step)
		}
		if err != nil {
			return r, err
		}
		if !step.Done {
			next = s.fetch(ctx, src, from, height, got.batch.Blocks)
		}
		received, err := s.apply(ctx, src, step, got.batch.Height)
		r.Received = r.Received || received
		if err != nil {
			if !step.Done {
				go func() { <-next }() // discard the pending answer
			}
			return r, err
		}
		r.Blocks += uint64(len(step.Blocks))
		// An output and its spend are at least this many blocks apart: a pool transaction may spend an output that
		// was unknown when the transaction was examined.
		s.poolStale = s.poolStale || r.Blocks >= xmr.SpendableAge
		if !step.Done {
			continue
		}
		if err := s.refreshPool(ctx, src, missed); err != nil {
			return r, err
		}
		if again || !missesMore(missed, s.poolMissed) {
			err := s.dropUnused()
			if keys.HasHierarchies && err == nil {
				err = s.followTree(ctx, src)
			}
			return r, err
		}
		// A block mined between the two answers may contain transactions that have left the pool.
		again, missed = true, maps.Clone(s.poolMissed)
		next = s.fetch(ctx, src, from, height, nil)
	}
}

// firstBlock returns the index of the first block that can concern the wallet, the number of blocks that the first
// scan skips, and whether the wallet has an address to receive at.
func (s *Session) firstBlock(start, height uint64) (from, skipped uint64, payable bool) {
	s.View(func(w *wallet.Wallet) {
		payable = w.HasAddress()
		from = max(w.Identity().RestoreHeight, 1) // the genesis block is known, and its output belongs to no wallet
		if _, begun := w.Tip(); !begun {
			from = max(from, start)
			skipped = min(from, height)
		}
	})
	return from, skipped, payable
}

// missesMore reports whether after has transactions that before lacks.
func missesMore(before, after map[xmr.Hash]bool) bool {
	for id := range after {
		if !before[id] {
			return true
		}
	}
	return false
}

// needsRings reports whether the wallet is in background syncing, which examines rings.
func (s *Session) needsRings() (notes bool) {
	s.View(func(w *wallet.Wallet) { notes = w.Identity().Background })
	return notes
}

// maxForks is the maximum number of reorganisations within one refresh.
const maxForks = 10

// limit ensures that a refresh ends for any answers of its source: successive blocks without news must ascend, and the
// source cannot alternate between chains forever.
type limit struct {
	passed uint64 // number of blocks up to the last one without news
	forks  int
}

func (l *limit) check(step syncer.Step, blocks []syncer.Block) error {
	if step.Detach != nil {
		if l.forks++; l.forks > maxForks {
			return smallfmt.Errorf("%w: the chain was reorganised %d times while it was read", syncer.ErrChain, l.forks)
		}
		l.passed = 0
	}
	if step.Done || len(step.Blocks) > 0 || len(blocks) == 0 {
		return nil
	}
	upTo := blocks[len(blocks)-1].Height + 1
	if upTo <= l.passed {
		return smallfmt.Errorf("%w: the daemon sent blocks up to %d, already known, twice", syncer.ErrChain, upTo-1)
	}
	l.passed = upTo
	return nil
}

// Forget drops everything scanned, so that the next refresh scans from the start and examines the complete pool. It
// waits for a refresh in progress.
func (s *Session) Forget() error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
	return s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}}, nil, nil
	})
}

// ForgetFrom drops blocks, so that the next refresh finds spends of an output in the block with index height again,
// and examines the complete pool. It waits for a refresh in progress.
func (s *Session) ForgetFrom(height uint64) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
	return s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideRescan(height, s.host.Now()), nil, nil
	})
}

// ChangeForgetting is Change for a decision that drops blocks together with another change; a refresh sees both or
// neither. It waits for a refresh in progress, and the next one examines the complete pool, and reads the tree of all
// outputs anew.
func (s *Session) ChangeForgetting(decide Decision) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
	err := s.Change(decide)
	if keys.HasHierarchies && err == nil {
		err = s.forgetTree()
	}
	return err
}

// ForgetPool makes the next refresh examine the complete pool. It waits for a refresh in progress.
func (s *Session) ForgetPool() {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
}

func (s *Session) forgetPool() {
	s.poolSeen, s.poolOurs, s.poolMissed, s.used = nil, nil, nil, false
	s.setPool(nil)
}

// DropPool forgets what is known of the pool at once, because its daemon is no longer used. A refresh in progress
// does not restore it.
func (s *Session) DropPool() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.poolDrops++
	s.locked(func() { s.w.SetPool(nil) })
}

type fetched struct {
	batch syncer.Batch
	ahead bool // requested before the preceding batch was committed
	err   error
}

// fetch requests the batch after ahead, which is still being scanned, or after the wallet's tip.
func (s *Session) fetch(
	ctx context.Context, src syncer.Source, from, height uint64, ahead []syncer.Block,
) <-chan fetched {
	var q syncer.Request
	s.View(func(w *wallet.Wallet) { q = syncer.NewRequest(w, from, height) })
	if n := len(ahead); n > 0 {
		q = q.After(&ahead[n-1])
	}
	out := make(chan fetched, 1)
	go func() {
		f := fetched{ahead: len(ahead) > 0}
		f.err = parallel.Contain(func() (err error) {
			f.batch, err = src.Blocks(ctx, q)
			return err
		})
		out <- f
	}()
	return out
}

func (s *Session) next(from uint64, b syncer.Batch) (step syncer.Step, err error) {
	s.View(func(w *wallet.Wallet) { step, err = syncer.Next(w, from, b) })
	return step, err
}

// ReorgDepthError reports a chain that would drop more of the wallet's blocks than allowed. Nothing was changed.
type ReorgDepthError struct {
	Depth  uint64 // number of blocks that would be dropped
	Max    uint64 // maximum number
	Height uint64 // index of the first of them
}

// Error begins with the reference's text. Source: src/wallet/wallet2.cpp, process_parsed_blocks.
func (e *ReorgDepthError) Error() string {
	return "reorg exceeds maximum allowed depth, reorg depth: " + strconv.FormatUint(e.Depth, 10) +
		", max-reorg-depth: " + strconv.FormatUint(e.Max, 10) + "; the wallet is unchanged. Choose another daemon " +
		"with set_daemon or, if this one has the true chain, accept it with rescan_blockchain."
}

// checkDepth returns a *ReorgDepthError if step would drop more blocks than allowed, or has a different block than
// one that must be the same when scanned again. It emits one event for each such chain.
func (s *Session) checkDepth(step syncer.Step) error {
	var refused *ReorgDepthError
	s.View(func(w *wallet.Wallet) {
		refuse := func(height uint64) {
			refused = &ReorgDepthError{Depth: w.ReorgDepth(height), Max: w.MaxReorgDepth(), Height: height}
		}
		if step.Detach != nil && w.ReorgDepth(*step.Detach) > w.MaxReorgDepth() {
			refuse(*step.Detach)
			return
		}
		for i := range step.Blocks {
			if b := &step.Blocks[i]; !w.Awaits(wallet.BlockID{Height: b.Height, Hash: b.Hash}) {
				refuse(b.Height)
				return
			}
		}
	})
	if refused == nil {
		return nil
	}
	var first xmr.Hash
	if len(step.Blocks) > 0 {
		first = step.Blocks[0].Hash
	}
	if first != s.refused || first == (xmr.Hash{}) {
		s.refused = first
		s.emit([]wallet.HostEvent{{Kind: wallet.ReorganisationRefused, Height: refused.Height}})
	}
	return refused
}

// dropUnused drops addresses that exist only because of blocks no longer on the chain. Addresses that the pool pays
// stay.
func (s *Session) dropUnused() error {
	if s.used {
		return nil
	}
	s.used = true
	s.View(func(w *wallet.Wallet) { s.used = len(w.Pool()) == 0 })
	return s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideUnused(), nil, nil
	})
}

// apply commits a step. height is the number of blocks of the source's chain. It reports whether an output was
// received.
func (s *Session) apply(
	ctx context.Context, src syncer.Source, step syncer.Step, height uint64,
) (received bool, err error) {
	if step.Detach != nil {
		s.poolStale, s.used = true, false
		if err := s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			c, events := w.DecideDetach(*step.Detach, s.host.Now())
			return c, events, nil
		}); err != nil {
			return false, err
		}
	}
	if len(step.Blocks) == 0 {
		return false, nil
	}
	blocks, err := syncer.Scan(ctx, s.w.Keys().ViewSecret(), step.Blocks, s.host.workers())
	if err != nil {
		return false, err
	}
	for len(blocks) > 0 && err == nil {
		n := changeSize(blocks)
		if err := s.prove(ctx, src, step.Blocks[len(step.Blocks)-len(blocks):][:n], blocks[:n], height); err != nil {
			return received, err
		}
		err = s.ChangeRetrying(ctx, func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			c, events, err := w.DecideBlocks(blocks[:n], max(height, 1)-1)
			for _, e := range events {
				received = received || e.Kind == wallet.MoneyReceived
			}
			return c, events, err
		})
		if keys.HasHierarchies && err == nil {
			err = s.growTree(step.Blocks[len(step.Blocks)-len(blocks):][:n])
		}
		blocks = blocks[n:]
	}
	return received, err
}

// mostCandidates is the maximum number of candidate outputs in one change of several blocks: readers wait for its
// commit.
const mostCandidates = 512

// changeSize returns how many of blocks, at least one, go into one change.
func changeSize(blocks []wallet.ScannedBlock) int {
	candidates := 0
	for n := range blocks {
		for i := range blocks[n].Txs {
			candidates += blocks[n].Txs[i].Candidates()
		}
		if candidates > mostCandidates && n > 0 {
			return n
		}
	}
	return len(blocks)
}

// RefreshPool refreshes only the pool. It does nothing during a refresh, which includes it. Errors: those of Refresh.
func (s *Session) RefreshPool(ctx context.Context, src syncer.Source) error {
	if !s.refreshing.TryLock() {
		return nil
	}
	defer s.refreshing.Unlock()
	return s.refreshPool(ctx, src, nil)
}

// refreshPool replaces what is known of the pool, and updates the states of sent transactions. A transaction of the
// wallet that is no longer in the source's pool may be in a block that is not scanned yet: it stays until it is in
// explained, the transactions that were missing before the blocks were scanned.
func (s *Session) refreshPool(ctx context.Context, src syncer.Source, explained map[xmr.Hash]bool) error {
	drops := 0
	s.undisturbed(func(*wallet.Wallet) { drops = s.poolDrops })
	pool, err := src.Pool(ctx, func(epoch *syncer.PoolEpoch, id xmr.Hash) bool {
		_, ours := s.poolOurs[id]
		return (ours || s.poolSeen[id]) && epoch == s.poolEpoch && !s.poolStale
	})
	if err != nil {
		return err
	}
	txs, err := syncer.ScanTxs(ctx, s.w.Keys().ViewSecret(), pool.Txs, s.host.workers())
	if err != nil {
		return err
	}
	now := s.host.Now()
	in, received := make(map[xmr.Hash]bool, len(pool.IDs)), make(map[xmr.Hash]bool, len(txs))
	for _, id := range pool.IDs {
		in[id] = true
	}
	for i := range txs {
		received[txs[i].ID] = true
	}
	var about []wallet.ScannedTx
	var found []wallet.PoolTx
	var events []wallet.HostEvent
	var missed map[xmr.Hash]bool
	err = s.retryMissing(ctx, func() error {
		s.undisturbed(func(w *wallet.Wallet) {
			shown := make(map[xmr.Hash]bool)
			for _, p := range w.Pool() {
				shown[p.TxID] = true
			}
			about = slices.Clone(txs)
			for id, t := range s.poolOurs { // examined again, because blocks may have affected its inputs
				if !received[id] && (in[id] || shown[id] && !explained[id]) {
					about = append(about, t)
				}
			}
			found, events, err = w.DecidePool(about, now)
			missed = missing(w, found, in, explained, now)
		})
		return err
	})
	if err != nil {
		return err
	}
	err = s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideSightings(found), nil, nil
	})
	if err != nil {
		return err
	}
	if !s.setPoolSince(drops, found) {
		s.poolSeen, s.poolOurs, s.poolMissed = nil, nil, nil
		return nil
	}
	s.keepPool(pool.Epoch, in, about, found)
	s.poolMissed = missed
	s.emit(events)
	return s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideSends(holds(in), holds(explained), now), nil, nil
	})
}

// keepPool remembers the content of the pool, so that the next refresh requests only new transactions.
func (s *Session) keepPool(
	epoch *syncer.PoolEpoch, in map[xmr.Hash]bool, txs []wallet.ScannedTx, found []wallet.PoolTx,
) {
	s.poolStale, s.poolEpoch = false, epoch
	ours := make(map[xmr.Hash]bool, len(found))
	for i := range found {
		ours[found[i].TxID] = true
	}
	// Only those that do not concern the wallet: its own are examined again when they reappear.
	s.poolSeen = make(map[xmr.Hash]bool, len(in))
	for id := range in {
		if !ours[id] {
			s.poolSeen[id] = true
		}
	}
	s.poolOurs = make(map[xmr.Hash]wallet.ScannedTx, len(ours))
	for _, t := range txs {
		if ours[t.ID] {
			s.poolOurs[t.ID] = t
		}
	}
}

// missing returns the wallet's transactions that are not in the pool and not explained: those still shown as in the
// pool, and those sent that are about to fail.
func missing(w *wallet.Wallet, found []wallet.PoolTx, in, explained map[xmr.Hash]bool, now uint64) map[xmr.Hash]bool {
	ids := map[xmr.Hash]bool{}
	for i := range found {
		if id := found[i].TxID; !in[id] {
			ids[id] = true
		}
	}
	for _, s := range w.Unmined() {
		if !in[s.TxID] && !explained[s.TxID] && s.Overdue(now) {
			ids[s.TxID] = true
		}
	}
	return ids
}

func holds(ids map[xmr.Hash]bool) func(xmr.Hash) bool {
	return func(id xmr.Hash) bool { return ids[id] }
}
