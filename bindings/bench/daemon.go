package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"glim/bindings/peers"
	corechain "glim/core/chain"
	"glim/core/keys"
	"glim/core/xmr"
)

// daemonRun compares two daemons on one chain.
type daemonRun struct {
	fixture fixture
	lasting time.Duration  // of the measurement of each request
	crowd   int            // concurrent clients, where there are several
	hashes  int            // proofs of work in each round
	empty   int            // blocks that each mines in a round
	only    *regexp.Regexp // the requests to measure, and nothing else; nil for everything
	out     io.Writer
}

// side is one of the two daemons.
type side struct {
	peers.Client
	name    string
	pid     int
	results map[string][]sample
	memory  usageOf // at the end
}

// sample is one measurement: units of work, wall time and the daemon's CPU time.
type sample struct {
	done      float64
	wall, cpu time.Duration
}

// measureDaemons makes a chain, starts both daemons and measures them. Their folders are below dir.
func measureDaemons(ctx context.Context, d *daemonRun, size fixtureSize, glim, dir string) (err error) {
	if d.fixture, err = makeFixture(ctx, size, d.out); err != nil {
		return err
	}
	dir = filepath.Join(dir, "daemons")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	var sides []*side
	for _, s := range []struct {
		name    string
		command []string
	}{{"monerod", nil}, {"glim", []string{glim, "daemon"}}} {
		running, err := peers.StartDaemon(ctx, peers.Options{Dir: filepath.Join(dir, s.name), Command: s.command})
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		defer func() { err = errors.Join(err, running.Stop()) }()
		sides = append(sides, &side{
			Client: running.Client, name: s.name, pid: running.PID(), results: map[string][]sample{},
		})
	}
	return d.run(ctx, sides[0], sides[1])
}

// run sends the chain to both, measures them in turn, and prints the results.
func (d *daemonRun) run(ctx context.Context, reference, ours *side) error {
	var group sync.WaitGroup
	sides, errs := []*side{reference, ours}, make([]error, 2)
	for i, s := range sides {
		group.Go(func() {
			for n := range d.fixture.chain {
				if errs[i] = d.feed(ctx, s, &d.fixture.chain[n]); errs[i] != nil {
					errs[i] = fmt.Errorf("%s: block %d: %w", s.name, n+1, errs[i])
					return
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	all, err := d.questions(ctx, sides)
	if err != nil {
		return err
	}
	for round := range d.fixture.rounds {
		fmt.Fprintf(d.out, "round %d of %d\n", round+1, len(d.fixture.rounds))
		turns := []*side{sides[round%2], sides[1-round%2]}
		for i := range all {
			for _, s := range turns {
				if err := d.ask(ctx, s, &all[i]); err != nil {
					return fmt.Errorf("%s: %s: %w", s.name, all[i].name, err)
				}
			}
		}
		if d.only != nil {
			continue
		}
		for _, s := range turns {
			if err := d.judge(ctx, s, &d.fixture.rounds[round]); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	for round := range d.fixture.rounds {
		if d.only != nil {
			break
		}
		for _, s := range []*side{sides[round%2], sides[1-round%2]} {
			if err := errors.Join(d.hash(ctx, s, round), d.mine(ctx, s)); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	for _, s := range sides {
		if s.memory, err = usage(s.pid); err != nil {
			return err
		}
	}
	d.report(reference, ours, all)
	if d.only != nil {
		return nil
	}
	return d.reread()
}

// reread measures how fast a chain of ours, in this process, accepts blocks with transactions that it has not seen
// before, as in a synchronisation. monerod accepts those only from its peers.
func (d *daemonRun) reread() error {
	c, err := corechain.New(corechain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: now, Random: rand.Reader})
	if err != nil {
		return err
	}
	const name = "blocks with unknown transactions"
	here := &side{pid: os.Getpid(), results: map[string][]sample{}}
	txs := 0
	blocks := slices.Concat(d.fixture.chain, d.fixture.rounds)
	for i := range blocks {
		txs += len(blocks[i].narrow) + len(blocks[i].wide)
	}
	if err := here.timed(name, txs, func() error {
		for i := range blocks {
			if _, err := c.AddBlock(blocks[i].blob, slices.Concat(blocks[i].narrow, blocks[i].wide)...); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	list := here.results[name]
	_, err = fmt.Fprintf(d.out, "\nglim alone, %s: %.1f tx/s, %.2f ms of CPU time each\n", name, rateOf(list),
		1000*cpuOf(list))
	return err
}

// timed measures work, which does so many units.
func (s *side) timed(name string, done int, work func() error) error {
	before, err := usage(s.pid)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := work(); err != nil {
		return err
	}
	wall := time.Since(began)
	after, err := usage(s.pid)
	s.results[name] = append(s.results[name], sample{float64(done), wall, after.cpu - before.cpu})
	return err
}

// feed sends a block to a daemon, its transactions first.
func (d *daemonRun) feed(ctx context.Context, s *side, b *minedBlock) error {
	for _, txs := range [][][]byte{b.narrow, b.wide} {
		if err := s.sendAll(ctx, txs, 1); err != nil {
			return err
		}
	}
	return s.submit(ctx, b)
}

// Names of the measurements other than requests.
const (
	judgeNarrow = "judge 2 in, 2 out"
	judgeCrowd  = "judge 2 in, 2 out, several send"
	judgeWide   = "judge 1 in, 16 out"
	judgeBlock  = "take a block of the pool's"
	hashBlock   = "RandomX, calc_pow"
	mineEmpty   = "generateblocks"
)

// judge measures the transactions of a block, sent by one client and by several, then the block itself.
func (d *daemonRun) judge(ctx context.Context, s *side, b *minedBlock) error {
	half := len(b.narrow) / 2
	for _, step := range []struct {
		name    string
		txs     [][]byte
		clients int
	}{{judgeNarrow, b.narrow[:half], 1}, {judgeCrowd, b.narrow[half:], d.crowd}, {judgeWide, b.wide, 1}} {
		if err := s.timed(step.name, len(step.txs), func() error {
			return s.sendAll(ctx, step.txs, step.clients)
		}); err != nil {
			return err
		}
	}
	return s.timed(judgeBlock, len(b.narrow)+len(b.wide), func() error { return s.submit(ctx, b) })
}

// sendAll sends transactions from concurrent clients.
func (s *side) sendAll(ctx context.Context, txs [][]byte, clients int) error {
	var group sync.WaitGroup
	errs := make([]error, clients)
	for c := range clients {
		group.Go(func() {
			for i := c; i < len(txs) && errs[c] == nil; i += clients {
				errs[c] = s.sendTx(ctx, txs[i])
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

func (s *side) sendTx(ctx context.Context, blob []byte) error {
	var answer struct{ Status, Reason string }
	// On a short chain rings look unusual.
	if err := s.Path(ctx, "/send_raw_transaction",
		map[string]any{"tx_as_hex": hex.EncodeToString(blob), "do_sanity_checks": false}, &answer); err != nil {
		return err
	}
	if answer.Status != "OK" {
		return fmt.Errorf("transaction refused: %s %s", answer.Status, answer.Reason)
	}
	return nil
}

func (s *side) submit(ctx context.Context, b *minedBlock) error {
	return s.JSON(ctx, "submit_block", []string{hex.EncodeToString(b.blob)}, nil)
}

// hash measures proofs of work of new blobs. The seed of all is the first block.
func (d *daemonRun) hash(ctx context.Context, s *side, round int) error {
	var seed string
	if err := s.JSON(ctx, "on_get_block_hash", []int{0}, &seed); err != nil {
		return err
	}
	one := func(n int) error {
		blob := make([]byte, 76)
		blob[0], blob[1], blob[2] = byte(round), byte(n), byte(n>>8)
		request := map[string]any{
			"major_version": 16, "height": 1, "block_blob": hex.EncodeToString(blob), "seed_hash": seed,
		}
		return s.JSON(ctx, "calc_pow", request, nil)
	}
	if round == 0 {
		if err := one(d.hashes); err != nil { // fills the cache
			return err
		}
	}
	return s.timed(hashBlock, d.hashes, func() error {
		for n := range d.hashes {
			if err := one(n); err != nil {
				return err
			}
		}
		return nil
	})
}

// mine measures the mining of empty blocks, after which the chains differ.
func (d *daemonRun) mine(ctx context.Context, s *side) error {
	to := addressOf(ourKeys("payer"), keys.Index{}).String()
	return s.timed(mineEmpty, d.empty, func() error {
		request := map[string]any{"amount_of_blocks": d.empty, "starting_nonce": 0, "wallet_address": to}
		return s.JSON(ctx, "generateblocks", request, nil)
	})
}
