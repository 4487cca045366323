package p2p

import (
	"errors"
	"slices"
	"time"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/fcmptx"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

const (
	// maxJobs limits the jobs with the host. At most one of them is of transactions, so that blocks do not wait for
	// many of those. Fetched spans do not count.
	maxJobs = 4
	// maxJobBytes limits the bytes that wait for verification. Above it, the largest job is dropped and its sender
	// blamed.
	maxJobBytes = 256 << 20
	// maxRefused limits the transactions of one message that may be refused without fault of the sender; the rest is
	// dropped.
	maxRefused = 100
)

// Job is work that may take long, such as verification. Do may run on any goroutine.
type Job struct {
	chain Chain
	conn  ConnID // of the sender; 0 for none
	span  *span

	blocks  []message.Block // in order
	ids     []xmr.Hash      // of blocks
	height  uint64          // number of blocks that the peer claims
	txs     [][]byte
	hidden  bool // the transactions are in the stem phase
	relayed []xmr.Hash
	size    int // of the received data, in bytes

	// The results.
	added  []chain.Added // blocks that were accepted
	err    error         // of the first block that was not
	txIDs  []xmr.Hash    // of txs
	txErrs []error
}

// errUnlistedTx reports a transaction that came with a block which does not contain it.
var errUnlistedTx = errors.New("p2p: transaction is not in the block")

// Do does the job. It waits only for the chain.
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
		if err == nil || errors.Is(err, chain.ErrInPool) || errors.Is(err, chain.ErrMined) {
			continue
		}
		// The rest is dropped after an invalid one, so that a message with thousands of them does not take hours.
		// Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl, handle_notify_new_transactions.
		if refused++; !isHarmless(err) || refused >= maxRefused {
			break
		}
	}
	for _, id := range j.relayed {
		if err := j.chain.SetRelayed(id); err != nil {
			j.err = err // it is relayed anyway, and again after a restart
		}
	}
}

// check returns a block with its transactions, or an error if one of them is not in the block.
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
		_, id, err := fcmptx.Default.ParseAny(b.Txs[i].Blob)
		if err != nil {
			return n, err
		}
		if !named[id] {
			return n, errUnlistedTx
		}
		delete(named, id)
		n.Txs = append(n.Txs, b.Txs[i].Blob)
	}
	return n, nil
}

// cloneBlocks copies blocks, because they are kept and the message that they share memory with may be much larger.
func cloneBlocks(blocks []message.Block) []message.Block {
	list := make([]message.Block, len(blocks))
	for i, b := range blocks {
		list[i] = message.Block{
			Pruned: b.Pruned, Blob: slices.Clone(b.Blob), Weight: b.Weight, Txs: make([]message.Tx, len(b.Txs)),
		}
		for t, x := range b.Txs {
			x.Blob = slices.Clone(x.Blob)
			list[i].Txs[t] = x
		}
	}
	return list
}

// isLocalError reports whether an error is this daemon's fault rather than the peer's.
func isLocalError(err error) bool {
	return errors.Is(err, chain.ErrNotStored) || errors.Is(err, chain.ErrNoPoW) || errors.Is(err, chain.ErrFull)
}

// isHarmless reports whether a transaction may be refused without fault of its sender, whose pool, top or clock may
// differ. Source: src/cryptonote_core/tx_pool.cpp, add_tx, m_no_drop_offense.
func isHarmless(err error) bool {
	for _, known := range []error{
		chain.ErrInPool, chain.ErrMined, chain.ErrTimedOut, chain.ErrNotStored, consensus.ErrFeeTooLow,
		consensus.ErrDoubleSpend, consensus.ErrExtraTooBig, consensus.ErrUnlockTime, consensus.ErrReference,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// penalty returns the score of an invalid block. Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl, uses
// of m_bad_pow.
func penalty(err error) int {
	if errors.Is(err, consensus.ErrWork) {
		return 10
	}
	return 1
}

// jobs are the pending jobs of peers. A peer is not read from while its job waits.
type jobs struct {
	running, txs int // jobs that the host runs, and how many of them verify transactions
	waiting      []*Job
	bytes        int // of running and waiting jobs
}

// verify passes a job to the host, now or after others.
func (m *Machine) verify(now time.Time, j *Job) {
	j.chain = m.c.Chain
	m.jobs.bytes += j.size
	m.jobs.waiting = append(m.jobs.waiting, j)
	m.handOver()
	for m.jobs.bytes > maxJobBytes && len(m.jobs.waiting) > 0 {
		most := slices.MaxFunc(m.jobs.waiting, func(a, b *Job) int { return a.size - b.size })
		m.jobs.waiting = slices.DeleteFunc(m.jobs.waiting, func(j *Job) bool { return j == most })
		m.jobs.bytes -= most.size
		for _, id := range most.ids {
			delete(m.relay.verifying, id)
		}
		if c := m.conns[most.conn]; c != nil {
			m.blame(now, c, 1, Flooding)
		}
	}
}

// handOver passes as many jobs to the host as allowed, blocks before transactions.
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
		m.do(Verify{j})
	}
}

// Verified returns the completed job of a Verify action.
func (m *Machine) Verified(now time.Time, j *Job) {
	if m.stopped {
		return
	}
	if j.span != nil {
		m.spanVerified(now, j)
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
		m.blockVerified(now, c, j)
	case len(j.txs) > 0:
		m.txsVerified(now, c, j)
	}
	if c != nil {
		m.pump(now, c)
	}
}
