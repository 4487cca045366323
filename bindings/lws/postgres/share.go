package postgres

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"glim/core/lws"
	"glim/core/xmr"
)

// share is what one process has of the accounts, from one division of the accounts to the next. Its epoch is a number
// that no other share has: the rows of its parts name it, and a process that takes one of them names its own instead.
type share struct {
	d     *database
	epoch int64
	parts []int32 // ascending

	ctx    context.Context // ends when the share is lost
	cancel context.CancelCauseFunc
	beats  sync.WaitGroup

	mu      sync.Mutex
	renewed time.Time // before the last successful renewal of the lease
}

// has reports whether a part belongs to the share.
func (s *share) has(part int32) bool {
	_, found := slices.BinarySearch(s.parts, part)
	return found
}

// fresh reports whether the process surely has the share: its lease has not expired.
func (s *share) fresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx.Err() == nil && time.Since(s.renewed) < s.d.lease
}

// lose ends the share, so that the process takes another one.
func (s *share) lose(err error) { s.cancel(err) }

// end ends the share and waits for the renewals of its lease.
func (s *share) end() {
	s.cancel(errLost)
	s.beats.Wait()
}

// renewals is how often a lease is renewed before it would expire.
const renewals = 5

// renew renews the lease until the share is lost, or until the accounts should be divided again.
func (s *share) renew() {
	defer s.beats.Done()
	tick := time.NewTicker(s.d.lease / renewals)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		before := time.Now()
		ctx, cancel := context.WithTimeout(s.ctx, s.d.lease)
		stays, err := s.d.renew(ctx, s.epoch, len(s.parts))
		cancel()
		switch {
		case err != nil: // the database does not answer; fresh is false if that lasts
		case !stays:
			s.lose(errLost)
		default:
			s.mu.Lock()
			s.renewed = before
			s.mu.Unlock()
		}
	}
}

// renew renews the lease of a share, and reports whether it has its parts still and should have no others.
func (d *database) renew(ctx context.Context, epoch int64, has int) (stays bool, err error) {
	tag, err := d.pool.Exec(ctx, "UPDATE glim_lws.process SET expires = clock_timestamp() + $2::interval "+
		"WHERE epoch = $1", epoch, d.lease)
	if err != nil || tag.RowsAffected() != 1 {
		return false, err
	}
	var held, processes, free int
	err = d.pool.QueryRow(ctx, `
SELECT (SELECT count(*) FROM glim_lws.part WHERE epoch = $1),
	(SELECT count(*) FROM glim_lws.process WHERE expires >= clock_timestamp()),
	(SELECT count(*) FROM glim_lws.part p WHERE NOT EXISTS (
		SELECT FROM glim_lws.process r WHERE r.epoch = p.epoch AND r.expires >= clock_timestamp()))`,
		epoch).Scan(&held, &processes, &free)
	if err != nil {
		return false, err
	}
	should := fair(processes)
	return held == has && (held >= should || free == 0) && held <= should, nil
}

// fair returns the most parts that one of several processes should have.
func fair(processes int) int { return (parts + max(processes, 1) - 1) / max(processes, 1) }

// join takes a share of the accounts: first the parts that the share old has, and then those of processes that ended.
// The parts that old has beyond a fair share become free. Accounts of another share than the one with the longest
// chain are changed to continue where their share ended. It returns local.ErrSeal, lws.ErrRecord or an error of the
// database.
func (d *database) join(ctx context.Context, old int64) (s *share, err error) {
	s = &share{d: d}
	before := time.Now()
	err = d.transact(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM glim_lws.process WHERE epoch = $1 OR expires < clock_timestamp()",
			old); err != nil {
			return err
		}
		from, err := d.choose(ctx, tx, old)
		if err != nil {
			return err
		}
		for part := range from {
			s.parts = append(s.parts, part)
		}
		slices.Sort(s.parts)
		// Wait for commits of the former owners, and prevent more of them.
		if _, err := tx.Exec(ctx, "SELECT FROM glim_lws.part WHERE part = ANY($1) ORDER BY part FOR NO KEY UPDATE",
			s.parts); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "SELECT nextval('glim_lws.epoch')").Scan(&s.epoch); err != nil {
			return err
		}
		if err := d.adopt(ctx, tx, s.epoch, old, from); err != nil {
			return err
		}
		b := &pgx.Batch{}
		b.Queue("UPDATE glim_lws.part SET epoch = $1 WHERE part = ANY($2)", s.epoch, s.parts)
		b.Queue("DELETE FROM glim_lws.block b WHERE epoch <> $1 "+
			"AND NOT EXISTS (SELECT FROM glim_lws.part p WHERE p.epoch = b.epoch) "+
			"AND NOT EXISTS (SELECT FROM glim_lws.process p WHERE p.epoch = b.epoch)", s.epoch)
		b.Queue("DELETE FROM glim_lws.errand WHERE posted < clock_timestamp() - $1::interval", 2*errandLife)
		b.Queue("INSERT INTO glim_lws.process VALUES ($1, clock_timestamp() + $2::interval)", s.epoch, d.lease)
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return nil, err
	}
	s.renewed = before
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	s.beats.Add(1)
	go s.renew()
	return s, nil
}

// choose returns the parts of a new share, with the epochs that have them now.
func (d *database) choose(ctx context.Context, tx pgx.Tx, old int64) (from map[int32]int64, err error) {
	others := 0
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM glim_lws.process").Scan(&others); err != nil {
		return nil, err
	}
	rows, _ := tx.Query(ctx, "SELECT part, epoch FROM glim_lws.part p WHERE NOT EXISTS "+
		"(SELECT FROM glim_lws.process r WHERE r.epoch = p.epoch) ORDER BY epoch <> $1, part", old)
	from = map[int32]int64{}
	var part int32
	var epoch int64
	_, err = pgx.ForEachRow(rows, []any{&part, &epoch}, func() error {
		if len(from) < fair(others+1) {
			from[part] = epoch
		}
		return nil
	})
	return from, err
}

// adopt gives the share with a new epoch the longest chain of the shares that had its parts, and parks the accounts of
// the other ones.
func (d *database) adopt(ctx context.Context, tx pgx.Tx, epoch, old int64, from map[int32]int64) error {
	of := map[int64][]int32{old: nil}
	for part, e := range from {
		of[e] = append(of[e], part)
	}
	type top struct {
		height uint64
		id     xmr.Hash
	}
	tops := map[int64]top{}
	longest := int64(0)
	for e := range of {
		var b blockRow
		err := tx.QueryRow(ctx, "SELECT height, sealed FROM glim_lws.block WHERE epoch = $1 "+
			"ORDER BY height DESC LIMIT 1", e).Scan(&b.height, &b.sealed)
		if errors.Is(err, pgx.ErrNoRows) {
			continue // it read no block, so its accounts do not follow a chain
		}
		if err != nil {
			return err
		}
		height, id, err := d.block(b)
		if err != nil {
			return err
		}
		tops[e] = top{height, id}
		if best, found := tops[longest]; !found || height > best.height {
			longest = e
		}
	}
	if _, err := tx.Exec(ctx, "INSERT INTO glim_lws.block SELECT $1, height, sealed FROM glim_lws.block "+
		"WHERE epoch = $2", epoch, longest); err != nil {
		return err
	}
	for e, list := range of {
		if e == longest || len(list) == 0 {
			continue
		}
		if err := d.park(ctx, tx, list, tops[e].height+1, tops[e].id); err != nil {
			return err
		}
	}
	return nil
}

// park changes the accounts of parts that follow a chain to continue at block next, after the one with ID prev.
func (d *database) park(ctx context.Context, tx pgx.Tx, list []int32, next uint64, prev xmr.Hash) error {
	rows, _ := tx.Query(ctx, "SELECT who, name, sealed FROM glim_lws.account WHERE part = ANY($1)", list)
	b := &pgx.Batch{}
	var who []byte
	var r sealedRow
	if _, err := pgx.ForEachRow(rows, []any{&who, &r.name, &r.sealed}, func() error {
		key, value, err := d.record(who, r)
		if err != nil {
			return err
		}
		value, changed, err := lws.Parked(value, next, prev)
		if err != nil || !changed {
			return err
		}
		name, sealed, err := d.seal.Close(key, value)
		if err == nil {
			b.Queue("UPDATE glim_lws.account SET sealed = $2 WHERE name = $1", name, sealed)
		}
		return err
	}); err != nil {
		return err
	}
	return tx.SendBatch(ctx, b).Close()
}

// leave frees the parts of a share, so that other processes take them at once.
func (d *database) leave(ctx context.Context, epoch int64) error {
	_, err := d.pool.Exec(ctx, "DELETE FROM glim_lws.process WHERE epoch = $1", epoch)
	return err
}
