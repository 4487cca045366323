package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	local "glim/bindings/lws"
	"glim/core/keys"
	"glim/core/lws"
	"glim/core/scan"
	"glim/core/xmr"
)

// snapshot is a lws.Store with records that were read from the database. Nothing is written to it.
type snapshot []lws.Record

var errReadOnly = errors.New("accounts of another process cannot be changed here")

// Load implements lws.Store.
func (s snapshot) Load(visit func(key, value []byte) error) error {
	for _, r := range s {
		if err := visit(r.Key, r.Value); err != nil {
			return err
		}
	}
	return nil
}

// Commit implements lws.Store.
func (snapshot) Commit([]lws.Record, [][]byte) error { return errReadOnly }

// idle is a lws.Scanner that finds nothing.
type idle struct{}

func (idle) Add(uint64, keys.Secret, xmr.PublicKey) error { return nil }

func (idle) Watch(uint64, []lws.Watched) {}

func (idle) Remove(uint64) {}

func (idle) Scan(context.Context, []uint64, []scan.Tx) ([]lws.Hit, error) { return nil, nil }

// stored are rows of accounts.
type stored struct {
	accounts []accountRow
	holdings []sealedRow
	requests []sealedRow
	hooks    []accountRow // without last
	who      []byte       // of holdings
}

// accountRow is an account with the last block of the process that has it; no block if it has read none.
type accountRow struct {
	who  []byte
	row  sealedRow
	last *blockRow
}

// snapshot returns the records of rows. It returns local.ErrSeal or lws.ErrRecord.
func (d *database) snapshot(n xmr.Network, rows stored) (snapshot, error) {
	out := snapshot{lws.MetaRecord(n, 1)}
	top, topID, found := uint64(0), xmr.Hash{}, false
	for _, a := range rows.accounts {
		key, value, err := d.record(a.who, a.row)
		if err != nil {
			return nil, err
		}
		if a.last != nil {
			height, id, err := d.block(*a.last)
			if err != nil {
				return nil, err
			}
			if value, _, err = lws.Parked(value, height+1, id); err != nil {
				return nil, err
			}
			if !found || height > top {
				top, topID, found = height, id, true
			}
		}
		out = append(out, lws.Record{Key: key, Value: value})
	}
	for _, h := range rows.hooks {
		key, value, err := d.record(h.who, h.row)
		if err != nil {
			return nil, err
		}
		out = append(out, lws.Record{Key: key, Value: value})
	}
	if found {
		out = append(out, lws.BlockRecord(top, topID))
	}
	for _, list := range []struct {
		who  []byte
		rows []sealedRow
	}{{rows.who, rows.holdings}, {nil, rows.requests}} {
		for _, r := range list.rows {
			key, value, err := d.record(list.who, r)
			if err != nil {
				return nil, err
			}
			if p, _ := lws.Locate(key); p.Scope == lws.OfReport {
				continue // it is of no use without the webhook
			}
			out = append(out, lws.Record{Key: key, Value: value})
		}
	}
	return out, nil
}

// reading is a transaction that sees one state of the database.
var reading = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// Queries of accounts with the last block of their process.
const (
	selectAccounts = "SELECT a.who, a.name, a.sealed, b.height, b.sealed FROM glim_lws.account a " +
		"JOIN glim_lws.part p USING (part) LEFT JOIN LATERAL (SELECT height, sealed FROM glim_lws.block b " +
		"WHERE b.epoch = p.epoch ORDER BY height DESC LIMIT 1) AS b ON true"
	selectAccount = selectAccounts + " WHERE a.who = $1"
)

func collectAccounts(rows pgx.Rows) (out []accountRow, err error) {
	var a accountRow
	var height *int64
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&a.who, &a.row.name, &a.row.sealed, &height, &sealed}, func() error {
		a.last = nil
		if height != nil {
			a.last = &blockRow{*height, sealed}
		}
		out = append(out, a)
		return nil
	})
	return out, err
}

func collectSealed(rows pgx.Rows) (out []sealedRow, err error) {
	var r sealedRow
	_, err = pgx.ForEachRow(rows, []any{&r.name, &r.sealed}, func() error {
		out = append(out, r)
		return nil
	})
	return out, err
}

// account returns a Book that has one account, with what it received; none if it does not exist. It returns
// local.ErrSeal, lws.ErrRecord or an error of the database.
func (d *database) account(ctx context.Context, n xmr.Network, who []byte) (*lws.Book, error) {
	rows := stored{who: who}
	if err := pgx.BeginTxFunc(ctx, d.guest, reading, func(tx pgx.Tx) (err error) {
		found, _ := tx.Query(ctx, selectAccount, who)
		if rows.accounts, err = collectAccounts(found); err != nil {
			return err
		}
		found, _ = tx.Query(ctx, "SELECT name, sealed FROM glim_lws.holding WHERE who = $1", who)
		rows.holdings, err = collectSealed(found)
		return err
	}); err != nil {
		return nil, err
	}
	return d.book(n, rows)
}

// all returns a Book that has all accounts, without what they received, all requests and all webhooks. Its errors are
// those of account.
func (d *database) all(ctx context.Context, n xmr.Network) (*lws.Book, error) {
	var rows stored
	if err := pgx.BeginTxFunc(ctx, d.guest, reading, func(tx pgx.Tx) (err error) {
		found, _ := tx.Query(ctx, selectAccounts)
		if rows.accounts, err = collectAccounts(found); err != nil {
			return err
		}
		found, _ = tx.Query(ctx, "SELECT name, sealed FROM glim_lws.request")
		if rows.requests, err = collectSealed(found); err != nil {
			return err
		}
		found, _ = tx.Query(ctx, "SELECT who, name, sealed, NULL::bigint, NULL::bytea FROM glim_lws.hook")
		rows.hooks, err = collectAccounts(found)
		return err
	}); err != nil {
		return nil, err
	}
	return d.book(n, rows)
}

func (d *database) book(n xmr.Network, rows stored) (*lws.Book, error) {
	records, err := d.snapshot(n, rows)
	if err != nil {
		return nil, err
	}
	return lws.Open(lws.Options{Network: n, Store: records, Scanner: idle{}, Now: local.Now})
}
