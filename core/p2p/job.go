package p2p

import (
	"errors"
	"slices"
	"time"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/p2p/message"
	"glim/core/tx"
	"glim/core/xmr"
)

const (
	// maxJobs is how many jobs are with the host at a time, of which one is of transactions: blocks do not wait for many of those. Blocks
	// that are fetched have a job of their own.
	maxJobs = 4
	// maxJobBytes bounds what waits to be judged. Who sent most of it has it thrown away then.
	maxJobBytes = 256 << 20
	// maxRefused is how many transactions of one message may be refused through nobody's fault before the others are left aside.
	maxRefused = 100
)

// Job is something to judge, or to note, that may take long. Do may run on any goroutine.
type Job struct {
	chain Chain
	conn  ConnID // whose it is; 0 for nobody's
	span  *span

	blocks  []message.Block // in order
	ids     []xmr.Hash      // of blocks
	height  uint64          // number of blocks the peer says it has
	txs     [][]byte
	hidden  bool // the transactions are on the stem
	relayed []xmr.Hash
	size    int // bytes of what came from a peer

	// What came of it.
	added  []chain.Added // of blocks, as far as they were taken
	err    error         // of the first block that was not
	txIDs  []xmr.Hash    // of txs
	txErrs []error
}

// errStranger: a transaction came with a block that does not name it.
var errStranger = errors.New("p2p: transaction of no place in the block")

// Do judges. It waits for nothing but the chain.
func (j *Job) Do() {
	var list []NewBlock
	for i := range j.blocks {
		var b NewBlock
		if b, j.err = check(&j.blocks[i]); j.err != nil {
			break
		}
		list = append(list, b)
	}
	var err error
	if j.added, err = j.chain.AddBlocks(list); err != nil {
		j.err = err
	}
	refused := 0
	for _, blob := range j.txs {
		id, err := j.chain.AddTx(blob, j.hidden)
		j.txIDs, j.txErrs = append(j.txIDs, id), append(j.txErrs, err)
		if err == nil || errors.Is(err, chain.ErrWaiting) || errors.Is(err, chain.ErrKnown) {
			continue
		}
		// After a bad one nothing of its sender is worth the time: that is what keeps a message of thousands from taking hours.
		// Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl, handle_notify_new_transactions.
		if refused++; !harmless(err) || refused >= maxRefused {
			break
		}
	}
	for _, id := range j.relayed {
		if err := j.chain.SetRelayed(id); err != nil {
			j.err = err // it goes out all the same; it will again after a restart
		}
	}
}

// check returns a block with its transactions, or an error when there are others among them.
func check(b *message.Block) (n NewBlock, err error) {
	parsed, err := block.Parse(b.Blob)
	if err != nil {
		return n, err
	}
	named := make(map[xmr.Hash]bool, len(parsed.TxHashes))
	for _, id := range parsed.TxHashes {
		named[id] = true
	}
	n.Blob = b.Blob
	for i := range b.Txs {
		id, err := txID(b.Txs[i].Blob)
		if err != nil {
			return n, err
		}
		if !named[id] {
			return n, errStranger
		}
		delete(named, id)
		n.Txs = append(n.Txs, b.Txs[i].Blob)
	}
	return n, nil
}

func txID(blob []byte) (xmr.Hash, error) {
	t, err := tx.Parse(blob)
	if err != nil {
		return xmr.Hash{}, err
	}
	return t.Hash()
}

// own returns blocks with bytes of their own: those they came in may be many more, and blocks are kept.
func own(blocks []message.Block) []message.Block {
	list := make([]message.Block, len(blocks))
	for i, b := range blocks {
		list[i] = message.Block{Pruned: b.Pruned, Blob: slices.Clone(b.Blob), Weight: b.Weight, Txs: make([]message.Tx, len(b.Txs))}
		for t, x := range b.Txs {
			x.Blob = slices.Clone(x.Blob)
			list[i].Txs[t] = x
		}
	}
	return list
}

// ours reports whether an error is this daemon's, not the peer's.
func ours(err error) bool {
	return errors.Is(err, chain.ErrNotStored) || errors.Is(err, chain.ErrNoPoW) || errors.Is(err, chain.ErrFull)
}

// harmless reports whether a transaction may be refused without its sender being at fault: he may have another pool, another
// top or another clock. Source: src/cryptonote_core/tx_pool.cpp, add_tx, m_no_drop_offense.
func harmless(err error) bool {
	for _, known := range []error{chain.ErrWaiting, chain.ErrKnown, chain.ErrTimedOut, chain.ErrNotStored, consensus.ErrFeeTooLow,
		consensus.ErrDoubleSpend, consensus.ErrExtraTooBig, consensus.ErrUnlockTime} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// penalty is what an invalid block costs its sender. Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl, uses of
// m_bad_pow.
func penalty(err error) int {
	if errors.Is(err, consensus.ErrWork) {
		return 10
	}
	return 1
}

// jobs are those of peers; what waits has its sender wait.
type jobs struct {
	running, txs int // with the host, and of these transactions
	waiting      []*Job
	bytes        int // of both
}

// judge hands a job to the host, now or when others are done.
func (m *Machine) judge(now time.Time, j *Job) {
	j.chain = m.c.Chain
	m.jobs.bytes += j.size
	m.jobs.waiting = append(m.jobs.waiting, j)
	m.handOver()
	for m.jobs.bytes > maxJobBytes && len(m.jobs.waiting) > 0 {
		most := slices.MaxFunc(m.jobs.waiting, func(a, b *Job) int { return a.size - b.size })
		m.jobs.waiting = slices.DeleteFunc(m.jobs.waiting, func(j *Job) bool { return j == most })
		m.jobs.bytes -= most.size
		for _, id := range most.ids {
			delete(m.relay.judging, id)
		}
		if c := m.conns[most.conn]; c != nil {
			m.blame(now, c, 1, Flood)
		}
	}
}

// handOver hands to the host what it may have, blocks before transactions.
func (m *Machine) handOver() {
	for m.jobs.running < maxJobs {
		next := slices.IndexFunc(m.jobs.waiting, func(j *Job) bool { return len(j.txs) == 0 })
		if next < 0 && m.jobs.txs == 0 && len(m.jobs.waiting) > 0 {
			next = 0
		}
		if next < 0 {
			return
		}
		j := m.jobs.waiting[next]
		m.jobs.waiting = slices.Delete(m.jobs.waiting, next, next+1)
		m.jobs.running++
		if len(j.txs) > 0 {
			m.jobs.txs++
		}
		m.do(Judge{j})
	}
}

// Judged hands back a job of a Judge action, done.
func (m *Machine) Judged(now time.Time, j *Job) {
	if m.stopped {
		return
	}
	if j.span != nil {
		m.judgedSpan(now, j)
		return
	}
	m.jobs.running--
	if len(j.txs) > 0 {
		m.jobs.txs--
	}
	m.jobs.bytes -= j.size
	m.handOver()
	c := m.conns[j.conn]
	if c != nil {
		c.busy = false
	}
	switch {
	case len(j.blocks) > 0:
		m.judgedBlock(now, c, j)
	case len(j.txs) > 0:
		m.judgedTxs(now, c, j)
	}
	if c != nil {
		m.pump(now, c)
	}
}
