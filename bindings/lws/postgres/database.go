package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	local "glim/bindings/lws"
	"glim/core/lws"
	"glim/core/xmr"
)

// Errors of the database.
var (
	// ErrURL reports a URL of another form.
	ErrURL = errors.New("the database must be a URL such as postgres://USER@HOST:5432/DATABASE?sslmode=verify-full")
	// ErrPassword reports a URL with a password, which other users of the machine could read in the list of processes.
	ErrPassword = errors.New("the URL of the database must not contain a password: write it to ~/.pgpass or to the " +
		"file that PGPASSFILE names, as HOST:PORT:DATABASE:USER:PASSWORD")
	// ErrVersion reports a database of a newer version of this program.
	ErrVersion = errors.New("a newer version of glim lws has changed this database: use that version")
)

const (
	// maxMessage is the largest message that is accepted from the database, in bytes.
	maxMessage = 16 << 20
	// maxConnections is the largest number of connections of a process to the database for its own work, and as many
	// for requests: those must not delay commits and the renewal of the lease.
	maxConnections = 4
	// lockID names the advisory lock that processes hold while they divide the accounts or migrate the database.
	lockID = 0x676c696d6c7773
	// patience bounds a commit and the load of a share.
	patience = 5 * time.Minute
)

// migrations change the schema from version to version. A released one never changes.
var migrations = []string{`
CREATE TABLE glim_lws.identity (name bytea PRIMARY KEY, sealed bytea NOT NULL);
CREATE SEQUENCE glim_lws.epoch;
CREATE TABLE glim_lws.process (epoch bigint PRIMARY KEY, expires timestamptz NOT NULL);
CREATE TABLE glim_lws.part (part integer PRIMARY KEY, epoch bigint NOT NULL);
CREATE INDEX ON glim_lws.part (epoch);
INSERT INTO glim_lws.part SELECT n, 0 FROM generate_series(0, 63) AS n;
CREATE TABLE glim_lws.block (
	epoch bigint NOT NULL, height bigint NOT NULL, sealed bytea NOT NULL, PRIMARY KEY (epoch, height));
CREATE TABLE glim_lws.account (
	who bytea PRIMARY KEY, part integer NOT NULL REFERENCES glim_lws.part, name bytea NOT NULL UNIQUE,
	sealed bytea NOT NULL);
CREATE INDEX ON glim_lws.account (part);
CREATE TABLE glim_lws.holding (
	who bytea NOT NULL REFERENCES glim_lws.account, name bytea NOT NULL, sealed bytea NOT NULL,
	PRIMARY KEY (who, name));
CREATE TABLE glim_lws.request (
	name bytea PRIMARY KEY, part integer NOT NULL REFERENCES glim_lws.part, sealed bytea NOT NULL);
CREATE TABLE glim_lws.errand (
	name bytea PRIMARY KEY, part integer NOT NULL REFERENCES glim_lws.part,
	posted timestamptz NOT NULL DEFAULT clock_timestamp(), question bytea NOT NULL, answer bytea);
`, `
CREATE TABLE glim_lws.hook (name bytea PRIMARY KEY, who bytea REFERENCES glim_lws.account, sealed bytea NOT NULL);
CREATE INDEX ON glim_lws.hook (who);
CREATE TABLE glim_lws.call (
	name bytea PRIMARY KEY, part integer NOT NULL REFERENCES glim_lws.part, sealed bytea NOT NULL);
CREATE INDEX ON glim_lws.call (part);
`}

// parts is the number of parts that the accounts are divided into.
const parts = 64

// database is a connection to the database, with the key that seals its records.
type database struct {
	pool  *pgxpool.Pool // for the work of the process
	guest *pgxpool.Pool // for requests
	seal  local.Sealer
	lease time.Duration
	place string // for messages
}

// parseURL returns the configuration of connections. It returns ErrURL, ErrPassword, or an error of pgx about the
// environment; none contains the URL.
func parseURL(text string, lease time.Duration) (*pgxpool.Config, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, ErrURL
	}
	if _, has := u.User.Password(); has || u.Query().Has("password") || u.Query().Has("sslpassword") {
		return nil, ErrPassword
	}
	c, err := pgxpool.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrURL, err)
	}
	c.MaxConns = maxConnections
	c.ConnConfig.MaxProtocolMessageBodyLen = maxMessage
	c.ConnConfig.ConnectTimeout = 10 * time.Second
	// A process that stops inside a transaction must not hold its locks for longer than its lease.
	c.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = strconv.FormatInt(lease.Milliseconds(), 10)
	c.ConnConfig.RuntimeParams["application_name"] = "glim lws"
	return c, nil
}

// connect connects to a database, and creates or migrates its tables. It returns the errors of parseURL, ErrVersion,
// or an error of the database.
func connect(ctx context.Context, text string, lease time.Duration) (*database, error) {
	c, err := parseURL(text, lease)
	if err != nil {
		return nil, err
	}
	to := c.ConnConfig
	d := &database{lease: lease, place: fmt.Sprintf("the database %q at %s", to.Database, to.Host)}
	if d.pool, err = pgxpool.NewWithConfig(ctx, c); err != nil {
		return nil, err
	}
	if d.guest, err = pgxpool.NewWithConfig(ctx, c.Copy()); err != nil {
		d.pool.Close()
		return nil, err
	}
	if err := d.migrate(ctx); err != nil {
		d.close()
		return nil, fmt.Errorf("%s: %w", d.place, err)
	}
	return d, nil
}

// close disconnects.
func (d *database) close() {
	d.pool.Close()
	d.guest.Close()
}

// transact runs do in a transaction.
func (d *database) transact(ctx context.Context, o pgx.TxOptions, do func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, d.pool, o, do)
}

// run runs statements without arguments.
func run(ctx context.Context, tx pgx.Tx, statements ...string) error {
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// lock waits until no other process divides the accounts or changes the tables, and keeps others from it until the end
// of the transaction.
func lock(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lockID))
	return err
}

func (d *database) migrate(ctx context.Context) error {
	return d.transact(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		exists, version := false, 0
		err := tx.QueryRow(ctx, "SELECT to_regclass('glim_lws.version') IS NOT NULL").Scan(&exists)
		if err == nil && !exists {
			err = run(ctx, tx, "CREATE SCHEMA IF NOT EXISTS glim_lws",
				"CREATE TABLE glim_lws.version (version integer NOT NULL)", "INSERT INTO glim_lws.version VALUES (0)")
		}
		if err == nil {
			err = tx.QueryRow(ctx, "SELECT version FROM glim_lws.version").Scan(&version)
		}
		switch {
		case err != nil:
			return err
		case version < 0 || version > len(migrations):
			return ErrVersion
		case version == len(migrations):
			return nil
		}
		for _, sql := range migrations[version:] {
			if err := run(ctx, tx, strings.Split(strings.TrimSpace(sql), ";\n")...); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "UPDATE glim_lws.version SET version = $1", len(migrations))
		return err
	})
}

// identityKey is the key of the record that says which network the accounts are on.
var identityKey = []byte("N")

// isNew reports whether the database has no accounts of any network yet.
func (d *database) isNew(ctx context.Context) (empty bool, err error) {
	err = d.pool.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM glim_lws.identity)").Scan(&empty)
	return empty, err
}

// identify sets the key, and stores the network in a new database. It returns ErrSeal for a wrong key, lws.ErrNetwork,
// or an error of the database.
func (d *database) identify(ctx context.Context, s local.Sealer, n xmr.Network) error {
	name, sealed, err := s.Close(identityKey, []byte(n.String()))
	if err != nil {
		return err
	}
	d.seal = s
	var found string
	err = d.transact(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		var row sealedRow
		err := tx.QueryRow(ctx, "SELECT name, sealed FROM glim_lws.identity").Scan(&row.name, &row.sealed)
		if errors.Is(err, pgx.ErrNoRows) {
			row = sealedRow{name, sealed}
			_, err = tx.Exec(ctx, "INSERT INTO glim_lws.identity VALUES ($1, $2)", name, sealed)
		}
		if err != nil {
			return err
		}
		key, value, err := s.Open(row.name, row.sealed)
		if err == nil && !bytes.Equal(key, identityKey) {
			err = local.ErrSeal
		}
		found = string(value)
		return err
	})
	if err == nil && found != n.String() {
		return lws.ErrNetwork
	}
	return err
}

// sealedRow is a record in the database.
type sealedRow struct{ name, sealed []byte }

// blockRow is a block of a chain.
type blockRow struct {
	height int64
	sealed []byte
}

// block returns the record of a block's ID, or ErrSeal.
func (d *database) block(r blockRow) (height uint64, id xmr.Hash, err error) {
	if r.height < 0 {
		return 0, id, local.ErrSeal
	}
	height = uint64(r.height)
	want := lws.BlockRecord(height, id).Key
	key, value, err := d.seal.Open(d.seal.Name(want), r.sealed)
	if err != nil || !bytes.Equal(key, want) || len(value) != len(id) {
		return 0, id, local.ErrSeal
	}
	return height, xmr.Hash(value), nil
}

// who returns the name of an account in the database.
func (d *database) who(a lws.Address) []byte {
	key := append([]byte("W"), a.Spend[:]...)
	return d.seal.Name(append(key, a.View[:]...))
}

// partOf returns the part that an account belongs to.
func partOf(who []byte) int32 { return int32(who[0]) % parts }
