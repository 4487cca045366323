package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	local "glim/bindings/lws"
	"glim/core/lws"
	"glim/core/xmr"
)

// errLost reports that another process has, or may have, taken accounts of this share, or that a commit failed. The
// share cannot be written any more.
var errLost = errors.New("the accounts are divided again")

// store has the accounts of a share. It implements lws.Store: what it writes is written only if no other process has
// taken a part of the share.
type store struct {
	share   *share
	network xmr.Network
	// who has the names of the accounts by their IDs. The Book calls one method at a time.
	who map[uint64][]byte
}

var _ local.Stored = (*store)(nil)

// Close implements local.Stored.
func (*store) Close() error { return nil }

// Load implements lws.Store. It returns local.ErrSeal, lws.ErrRecord, errLost or an error of the database.
func (s *store) Load(visit func(key, value []byte) error) error {
	if s.share.ctx.Err() != nil {
		return errLost
	}
	ctx, cancel := context.WithTimeout(s.share.ctx, patience)
	defer cancel()
	meta := lws.MetaRecord(s.network, uint64(s.share.epoch)<<32) // so that no other share gives the same IDs
	if err := visit(meta.Key, meta.Value); err != nil {
		return err
	}
	s.who = map[uint64][]byte{}
	d, epoch := s.share.d, s.share.epoch
	return d.transact(ctx, reading, func(tx pgx.Tx) error {
		held := 0
		err := tx.QueryRow(ctx, "SELECT count(*) FROM glim_lws.part WHERE epoch = $1", epoch).Scan(&held)
		if err == nil && held != len(s.share.parts) {
			err = errLost
		}
		if err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, "SELECT height, sealed FROM glim_lws.block WHERE epoch = $1", epoch)
		var b blockRow
		if _, err := pgx.ForEachRow(rows, []any{&b.height, &b.sealed}, func() error {
			height, id, err := d.block(b)
			if err != nil {
				return err
			}
			r := lws.BlockRecord(height, id)
			return visit(r.Key, r.Value)
		}); err != nil {
			return err
		}
		for _, sql := range []string{
			"SELECT a.who, a.name, a.sealed FROM glim_lws.account a JOIN glim_lws.part p USING (part) " +
				"WHERE p.epoch = $1",
			"SELECT h.who, h.name, h.sealed FROM glim_lws.holding h JOIN glim_lws.account a USING (who) " +
				"JOIN glim_lws.part p USING (part) WHERE p.epoch = $1",
			"SELECT NULL::bytea, r.name, r.sealed FROM glim_lws.request r JOIN glim_lws.part p USING (part) " +
				"WHERE p.epoch = $1",
			"SELECT h.who, h.name, h.sealed FROM glim_lws.hook h LEFT JOIN glim_lws.account a USING (who) " +
				"LEFT JOIN glim_lws.part p USING (part) WHERE p.epoch = $1 OR h.who IS NULL",
			"SELECT NULL::bytea, c.name, c.sealed FROM glim_lws.call c JOIN glim_lws.part p USING (part) " +
				"WHERE p.epoch = $1",
		} {
			rows, _ := tx.Query(ctx, sql, epoch)
			var who []byte
			var r sealedRow
			if _, err := pgx.ForEachRow(rows, []any{&who, &r.name, &r.sealed}, func() error {
				key, value, err := d.record(who, r)
				if err != nil {
					return err
				}
				if p, _ := lws.Locate(key); p.Scope == lws.OfAccount {
					s.who[p.Account] = who
				}
				return visit(key, value)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// record opens a row. who is the account that it belongs to, or nil for a request, a call, or a webhook for new
// accounts. It returns ErrSeal or lws.ErrRecord, also for a row in the place of another.
func (d *database) record(who []byte, r sealedRow) (key, value []byte, err error) {
	key, value, err = d.seal.Open(r.name, r.sealed)
	if err != nil {
		return nil, nil, err
	}
	p, err := lws.Locate(key)
	switch {
	case err != nil:
		return nil, nil, err
	case p.Scope == lws.OfAccount:
		a, err := lws.AddressOf(value)
		if err != nil {
			return nil, nil, err
		}
		if string(d.who(a)) != string(who) {
			return nil, nil, local.ErrSeal
		}
	case (p.Scope == lws.OfRequests || p.Scope == lws.OfCall) && who == nil, p.Scope == lws.OfHook,
		(p.Scope == lws.OfHolding || p.Scope == lws.OfReport) && who != nil:
	default:
		return nil, nil, lws.ErrRecord
	}
	return key, value, nil
}

// Commit implements lws.Store. It returns errLost if another process has taken a part of the share: then nothing is
// written. After any error the share is lost, because the Book and the database may differ.
func (s *store) Commit(put []lws.Record, drop [][]byte) error {
	if s.share.ctx.Err() != nil {
		return errLost
	}
	batch, known, err := s.batch(put, drop)
	if err == nil {
		ctx, cancel := context.WithTimeout(s.share.ctx, patience)
		defer cancel()
		err = s.share.fenced(ctx, batch)
	}
	if err != nil {
		s.share.lose(err)
		return fmt.Errorf("%w: %w", errLost, err)
	}
	for id, who := range known {
		s.who[id] = who
	}
	return nil
}

// fenced runs statements in a transaction if the database still assigns all parts of the share to it, and otherwise
// returns errLost. The rows of the parts stay locked until the end, so that no other process takes one meanwhile.
func (s *share) fenced(ctx context.Context, batch *pgx.Batch) error {
	return s.d.transact(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		held := 0
		err := tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT FROM glim_lws.part WHERE epoch = $1 FOR SHARE) AS held",
			s.epoch).Scan(&held)
		if err == nil && held != len(s.parts) {
			err = errLost
		}
		if err != nil {
			return err
		}
		return tx.SendBatch(ctx, batch).Close()
	})
}

// batch returns the statements that write the records of put and delete those of drop, and the accounts of put.
func (s *store) batch(put []lws.Record, drop [][]byte) (b *pgx.Batch, known map[uint64][]byte, err error) {
	b, known = &pgx.Batch{}, map[uint64][]byte{}
	d, epoch := s.share.d, s.share.epoch
	for _, key := range drop {
		p, err := lws.Locate(key)
		if err != nil {
			return nil, nil, err
		}
		switch name := d.seal.Name(key); p.Scope {
		case lws.OfHolding, lws.OfReport:
			b.Queue("DELETE FROM glim_lws.holding WHERE who = $1 AND name = $2", s.who[p.Account], name)
		case lws.OfChain:
			b.Queue("DELETE FROM glim_lws.block WHERE epoch = $1 AND height = $2", epoch, int64(p.Height))
		case lws.OfRequests:
			b.Queue("DELETE FROM glim_lws.request WHERE name = $1", name)
		case lws.OfHook:
			b.Queue("DELETE FROM glim_lws.hook WHERE name = $1", name)
		case lws.OfCall:
			b.Queue("DELETE FROM glim_lws.call WHERE name = $1", name)
		default:
			return nil, nil, lws.ErrRecord
		}
	}
	for _, r := range put {
		p, err := lws.Locate(r.Key)
		if err != nil {
			return nil, nil, err
		}
		name, sealed, err := d.seal.Close(r.Key, r.Value)
		if err != nil {
			return nil, nil, err
		}
		who := s.who[p.Account]
		if who == nil {
			who = known[p.Account]
		}
		switch p.Scope {
		case lws.OfBook: // Load makes it
		case lws.OfAccount:
			if who == nil {
				a, err := lws.AddressOf(r.Value)
				if err != nil {
					return nil, nil, err
				}
				who = d.who(a)
				known[p.Account] = who
			}
			if !s.share.has(partOf(who)) {
				return nil, nil, errLost
			}
			// An account with this name but another ID makes the unique name fail.
			b.Queue("INSERT INTO glim_lws.account VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO UPDATE "+
				"SET sealed = excluded.sealed", who, partOf(who), name, sealed)
		case lws.OfHolding, lws.OfReport:
			b.Queue("INSERT INTO glim_lws.holding VALUES ($1, $2, $3) ON CONFLICT (who, name) DO UPDATE "+
				"SET sealed = excluded.sealed", who, name, sealed)
		case lws.OfChain:
			b.Queue("INSERT INTO glim_lws.block VALUES ($1, $2, $3) ON CONFLICT (epoch, height) DO UPDATE "+
				"SET sealed = excluded.sealed", epoch, int64(p.Height), sealed)
		case lws.OfRequests:
			b.Queue("INSERT INTO glim_lws.request VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE "+
				"SET sealed = excluded.sealed", name, partOf(d.who(p.Address)), sealed)
		case lws.OfHook:
			id, err := lws.HookAccount(r.Value)
			if err != nil {
				return nil, nil, err
			}
			if id != 0 && s.who[id] == nil {
				return nil, nil, lws.ErrRecord
			}
			b.Queue("INSERT INTO glim_lws.hook VALUES ($1, $2, $3)", name, s.who[id], sealed) // NULL for new accounts
		case lws.OfCall:
			a, err := lws.CallAddress(r.Value)
			if err != nil {
				return nil, nil, err
			}
			if !s.share.has(partOf(d.who(a))) {
				return nil, nil, errLost
			}
			b.Queue("INSERT INTO glim_lws.call VALUES ($1, $2, $3)", name, partOf(d.who(a)), sealed)
		}
	}
	return b, known, nil
}
