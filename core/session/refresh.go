package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"

	"glim/core/say"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// Progress is how far a refresh has come.
type Progress struct {
	Refreshing bool
	Height     uint64 // number of blocks the wallet has seen, or need not see, for they are older than it
	Target     uint64 // number of blocks the daemon has, as last heard
}

type progress struct {
	mu sync.Mutex
	p  Progress
}

func (s *Session) setProgress(f func(*Progress)) {
	s.progress.mu.Lock()
	f(&s.progress.p)
	s.progress.mu.Unlock()
	s.news.tell()
}

// Progress returns how far the wallet is behind, at any time.
func (s *Session) Progress() Progress {
	var height uint64
	s.View(func(w *wallet.Wallet) { height = w.Height() })
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	p := s.progress.p
	p.Height = max(p.Height, height)
	return p
}

// Refreshed is what a refresh did.
type Refreshed struct {
	Blocks   uint64 // scanned
	Received bool   // whether any output came
}

// Refresh scans from where the wallet stands to the tip of the source, then looks at the pool. A wallet that has scanned
// nothing yet begins at its restore height, or at start when that is later. It can be cancelled at any moment; what was committed stays and the next one goes on from there.
// Errors: the source's, syncer.ErrChain, *ReorgDepthError, the log's, the context's.
func (s *Session) Refresh(ctx context.Context, src syncer.Source, start uint64) (Refreshed, error) {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.setProgress(func(p *Progress) { p.Refreshing = true })
	defer s.setProgress(func(p *Progress) { p.Refreshing = false })

	var r Refreshed
	if lean, ok := src.(syncer.Lean); ok && s.notes() {
		src = lean.WithRings()
	}
	height, err := src.Height(ctx)
	if err != nil {
		return r, err
	}
	var from, older uint64
	payable := true
	s.View(func(w *wallet.Wallet) {
		payable = w.HasAddress()
		from = max(w.Origin().RestoreHeight, 1) // everybody knows the genesis block, and nobody owns its output
		if _, begun := w.Tip(); !begun {
			from = max(from, start)
			older = min(from, height)
		}
	})
	s.setProgress(func(p *Progress) { p.Height, p.Target = older, height })
	if !payable {
		return r, nil
	}

	// One batch is fetched while the last is scanned.
	var ends limit
	missed, again := maps.Clone(s.poolMissed), false // what was missing before the chain is asked for
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
			// The question was asked before the last answer was known; the source may have changed its mind since.
			next = s.fetch(ctx, src, from, height, nil)
			continue
		}
		if err == nil {
			err = ends.check(step, got.batch.Blocks)
		}
		if err == nil {
			err = s.permits(step)
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
				go func() { <-next }() // its answer is nobody's
			}
			return r, err
		}
		r.Blocks += uint64(len(step.Blocks))
		// What spends an output in the pool is as many blocks above it: it was a stranger's before these were read.
		s.poolAnew = s.poolAnew || r.Blocks >= xmr.SpendableAge
		if !step.Done {
			continue
		}
		if err := s.refreshPool(ctx, src, missed); err != nil {
			return r, err
		}
		if again || !missesMore(missed, s.poolMissed) {
			return r, s.dropUnused()
		}
		// A block that came between the two answers may hold what has left the pool.
		again, missed = true, maps.Clone(s.poolMissed)
		next = s.fetch(ctx, src, from, height, nil)
	}
}

// missesMore reports whether something is missing from the pool in after that was not in before.
func missesMore(before, after map[xmr.Hash]bool) bool {
	for id := range after {
		if !before[id] {
			return true
		}
	}
	return false
}

// notes reports whether the wallet notes transactions for later, as it is without its spend key: by their rings.
func (s *Session) notes() (notes bool) {
	s.View(func(w *wallet.Wallet) { notes = w.Origin().Background })
	return notes
}

// maxForks is how often a source may change its mind about the chain within one refresh.
const maxForks = 10

// limit makes a refresh end whatever its source answers: blocks that bring nothing new must at least lie ever higher,
// and chains cannot take turns for ever.
type limit struct {
	passed uint64 // number of blocks up to the last that brought nothing
	forks  int
}

func (l *limit) check(step syncer.Step, blocks []syncer.Block) error {
	if step.Detach != nil {
		if l.forks++; l.forks > maxForks {
			return say.Errorf("%w: the chain was reorganised %d times while it was read", syncer.ErrChain, l.forks)
		}
		l.passed = 0
	}
	if step.Done || len(step.Blocks) > 0 || len(blocks) == 0 {
		return nil
	}
	upTo := blocks[len(blocks)-1].Height + 1
	if upTo <= l.passed {
		return say.Errorf("%w: blocks up to %d, which bring nothing new, for the second time", syncer.ErrChain, upTo-1)
	}
	l.passed = upTo
	return nil
}

// Forget drops everything scanned, so that the next refresh scans from the start, and looks anew at the pool. It waits for a refresh under way.
func (s *Session) Forget() error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
	return s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return wallet.ChangeSet{Chain: wallet.ChainChange{Clear: true}}, nil, nil
	})
}

// ForgetFrom forgets blocks, so that the next refresh looks anew for what spends an output of block height, and at the
// pool. It waits for a refresh under way.
func (s *Session) ForgetFrom(height uint64) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
	return s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideRescan(height, s.host.Now()), nil, nil
	})
}

// ForgetWith is Change for what forgets blocks along with something else, of which a refresh may see neither without the other. It waits
// for one under way, and the next looks at all of the pool anew.
func (s *Session) ForgetWith(decide func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error)) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
	return s.Change(decide)
}

// ForgetPool makes the next refresh look at all of the pool anew. It waits for one under way.
func (s *Session) ForgetPool() {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	s.forgetPool()
}

func (s *Session) forgetPool() {
	s.poolSeen, s.poolOurs, s.poolMissed, s.used = nil, nil, nil, false
	s.setPool(nil)
}

// DropPool forgets what is known of the pool, at once: the daemon that told it is no longer the wallet's. A refresh under way does not bring
// it back.
func (s *Session) DropPool() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.poolDrops++
	s.locked(func() { s.w.SetPool(nil) })
}

type fetched struct {
	batch syncer.Batch
	ahead bool // asked for before the batch before it was committed
	err   error
}

// fetch asks for the batch after ahead, which is still being scanned, or after the wallet's tip.
func (s *Session) fetch(ctx context.Context, src syncer.Source, from, height uint64, ahead []syncer.Block) <-chan fetched {
	var q syncer.Question
	s.View(func(w *wallet.Wallet) { q = syncer.Ask(w, from, height) })
	if n := len(ahead); n > 0 {
		q = q.After(&ahead[n-1])
	}
	out := make(chan fetched, 1)
	go func() {
		f := fetched{ahead: len(ahead) > 0}
		f.err = syncer.Contain(func() (err error) {
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

// ReorgDepthError reports a chain that would drop more of the wallet's blocks than a reorganisation may. Nothing was changed.
type ReorgDepthError struct {
	Depth  uint64 // how many blocks would be dropped
	Max    uint64 // how many may be
	Height uint64 // index of the first of them
}

// Error begins as the reference's text does. Source: src/wallet/wallet2.cpp, process_parsed_blocks.
func (e *ReorgDepthError) Error() string {
	return "reorg exceeds maximum allowed depth, reorg depth: " + strconv.FormatUint(e.Depth, 10) +
		", max-reorg-depth: " + strconv.FormatUint(e.Max, 10) + "; the wallet is as it was. Choose another daemon with set_daemon, " +
		"or, if this one has the true chain, accept it with rescan_blockchain."
}

// permits returns a *ReorgDepthError when step would drop more blocks than a reorganisation may, or goes on with another block than one that
// was to be read again. The event is told once for one such chain.
func (s *Session) permits(step syncer.Step) error {
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
		s.tell([]wallet.Event{{Kind: wallet.ReorganisationRefused, Height: refused.Height}})
	}
	return refused
}

// dropUnused drops addresses that only blocks brought which are not on the chain any more. What the pool pays to them keeps them.
func (s *Session) dropUnused() error {
	if s.used {
		return nil
	}
	s.used = true
	s.View(func(w *wallet.Wallet) { s.used = len(w.Pool()) == 0 })
	return s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideUnused(), nil, nil
	})
}

func (s *Session) apply(ctx context.Context, src syncer.Source, step syncer.Step, height uint64) (received bool, err error) {
	if step.Detach != nil {
		s.poolAnew, s.used = true, false
		if err := s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			c, events := w.DecideDetach(*step.Detach, s.host.Now())
			return c, events, nil
		}); err != nil {
			return false, err
		}
	}
	if len(step.Blocks) == 0 {
		return false, nil
	}
	blocks, err := syncer.Scan(ctx, s.w.Keys().ViewSecret(), step.Blocks, s.host.crew())
	if err != nil {
		return false, err
	}
	for len(blocks) > 0 && err == nil {
		n := shortRun(blocks)
		if err := s.prove(ctx, src, step.Blocks[len(step.Blocks)-len(blocks):][:n], blocks[:n], height); err != nil {
			return received, err
		}
		err = s.ChangeAsking(ctx, func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			c, events, err := w.DecideBlocks(blocks[:n], max(height, 1)-1)
			for _, e := range events {
				received = received || e.Kind == wallet.MoneyReceived
			}
			return c, events, err
		})
		blocks = blocks[n:]
	}
	return received, err
}

// mostCandidates is how many outputs that may be the wallet's one change takes in, but for those of a single block: readers wait
// for its commit.
const mostCandidates = 512

// shortRun returns how many of blocks, one at least, go into one change.
func shortRun(blocks []wallet.Block) int {
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

// RefreshPool looks at the source's pool alone. It does nothing while a refresh is under way, which will do it. Errors
// are Refresh's.
func (s *Session) RefreshPool(ctx context.Context, src syncer.Source) error {
	if !s.refreshing.TryLock() {
		return nil
	}
	defer s.refreshing.Unlock()
	return s.refreshPool(ctx, src, nil)
}

// refreshPool replaces what is known of the pool, and settles what became of the transactions sent. A transaction of the
// wallet that the source no longer has in its pool may be in a block that the wallet has not read: it stays until it is
// in explained, which are those that were missing before the blocks were read.
func (s *Session) refreshPool(ctx context.Context, src syncer.Source, explained map[xmr.Hash]bool) error {
	drops := 0
	s.undisturbed(func(*wallet.Wallet) { drops = s.poolDrops })
	pool, err := src.Pool(ctx, func(telling *syncer.Telling, id xmr.Hash) bool {
		_, ours := s.poolOurs[id]
		return (ours || s.poolSeen[id]) && telling == s.poolTelling && !s.poolAnew
	})
	if err != nil {
		return err
	}
	txs, err := syncer.ScanTxs(ctx, s.w.Keys().ViewSecret(), pool.Txs, s.host.crew())
	if err != nil {
		return err
	}
	now := s.host.Now()
	in, told := make(map[xmr.Hash]bool, len(pool.IDs)), make(map[xmr.Hash]bool, len(txs))
	for _, id := range pool.IDs {
		in[id] = true
	}
	for i := range txs {
		told[txs[i].ID] = true
	}
	var about []wallet.Tx
	var found []wallet.PoolTx
	var events []wallet.Event
	var missed map[xmr.Hash]bool
	err = s.asking(ctx, func() error {
		s.undisturbed(func(w *wallet.Wallet) {
			shown := make(map[xmr.Hash]bool)
			for _, p := range w.Pool() {
				shown[p.TxID] = true
			}
			about = slices.Clone(txs)
			for id, t := range s.poolOurs { // decided on again, for blocks may have spent or brought what it is about
				if !told[id] && (in[id] || shown[id] && !explained[id]) {
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
	err = s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideSightings(found), nil, nil
	})
	if err != nil {
		return err
	}
	if !s.setPoolSince(drops, found) {
		s.poolSeen, s.poolOurs, s.poolMissed = nil, nil, nil
		return nil
	}
	s.keepPool(pool.Telling, in, about, found)
	s.poolMissed = missed
	for _, e := range events {
		if s.host.Event != nil {
			s.host.Event(e)
		}
	}
	return s.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideSends(holds(in), holds(explained), now), nil, nil
	})
}

// keepPool notes what the pool holds, so that the next look asks for what is new alone.
func (s *Session) keepPool(telling *syncer.Telling, in map[xmr.Hash]bool, txs []wallet.Tx, found []wallet.PoolTx) {
	s.poolAnew, s.poolTelling = false, telling
	ours := make(map[xmr.Hash]bool, len(found))
	for i := range found {
		ours[found[i].TxID] = true
	}
	s.poolSeen = make(map[xmr.Hash]bool, len(in)) // strangers' alone: what is ours is looked at anew when it comes back
	for id := range in {
		if !ours[id] {
			s.poolSeen[id] = true
		}
	}
	s.poolOurs = make(map[xmr.Hash]wallet.Tx, len(ours))
	for _, t := range txs {
		if ours[t.ID] {
			s.poolOurs[t.ID] = t
		}
	}
}

// missing returns which transactions of the wallet are not in the pool and not explained: those it still shows there, and
// those it sent that are about to be given up.
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
