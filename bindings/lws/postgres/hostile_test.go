package postgres

import (
	"bytes"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	local "glim/bindings/lws"
	"glim/core/chaintest"
	"glim/core/lws"
	"glim/core/xmr"
)

// hostileRows: rows that were changed give an error.
func hostileRows(t *testing.T, url string) {
	list, at := users(t, 2)
	c := busyChain(list, 12)
	d := open(t, url, time.Hour)
	s, b := take(t, d, 0)
	scanAll(t, b, upTo(c, 5))
	for i, a := range at {
		require.NoError(t, b.Add(a, list[i].ViewSecret()))
		require.NoError(t, b.AddHook(lws.Hook{ID: lws.HookID{byte(i)}, URL: "http://127.0.0.1:1/"}, &a))
	}
	scanAll(t, b, chaintest.NewSource(c))
	exec := func(sql string) {
		_, err := d.pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	for name, sql := range map[string]string{
		"an account that is cut":    "UPDATE glim_lws.account SET sealed = substr(sealed, 2)",
		"an empty account":          "UPDATE glim_lws.account SET sealed = ''",
		"another name":              "UPDATE glim_lws.holding SET name = decode(md5(name), 'hex')",
		"a long name":               "UPDATE glim_lws.holding SET name = name || name",
		"a block at another height": "UPDATE glim_lws.block SET height = height + 1000",
		"a block before the first":  "UPDATE glim_lws.block SET height = -1 - height",
		"a block that is cut":       "UPDATE glim_lws.block SET sealed = ''",
		"a webhook that is cut":     "UPDATE glim_lws.hook SET sealed = substr(sealed, 2)",
		"a call that is cut":        "UPDATE glim_lws.call SET sealed = substr(sealed, 2)",
		"a call in another place":   "UPDATE glim_lws.call SET name = decode(md5(name), 'hex')",
		"holdings exchanged": "UPDATE glim_lws.holding h SET who = (SELECT who FROM glim_lws.account a " +
			"WHERE a.who <> h.who)",
		"accounts exchanged": "UPDATE glim_lws.account a SET name = b.name || '', sealed = b.sealed " +
			"FROM glim_lws.account b WHERE b.who <> a.who",
	} {
		exec("CREATE SCHEMA kept")
		for _, table := range []string{"account", "holding", "block", "hook", "call"} {
			exec("CREATE TABLE kept." + table + " AS SELECT * FROM glim_lws." + table)
		}
		if name == "accounts exchanged" {
			exec("ALTER TABLE glim_lws.account DROP CONSTRAINT account_name_key")
		}
		exec(sql)
		_, err := d.account(t.Context(), xmr.Regtest, d.who(at[0]))
		loads := (&store{share: s, network: xmr.Regtest}).Load(func(_, _ []byte) error { return nil })
		if err == nil { // what it changed is not read for one account
			err = loads
		}
		require.Error(t, err, name)
		if name == "holdings exchanged" {
			require.ErrorIs(t, err, lws.ErrRecord, name)
		} else {
			require.ErrorIs(t, err, local.ErrSeal, name)
			require.ErrorIs(t, loads, local.ErrSeal, name)
		}
		exec("TRUNCATE glim_lws.account, glim_lws.holding, glim_lws.block, glim_lws.hook, glim_lws.call")
		for _, table := range []string{"account", "holding", "block", "hook", "call"} {
			exec("INSERT INTO glim_lws." + table + " SELECT * FROM kept." + table)
		}
		exec("DROP SCHEMA kept CASCADE")
	}
	requireSame(t, d, c, list, at)

	// An errand and an answer that nobody sealed are dropped.
	exec("INSERT INTO glim_lws.errand (name, part, question) VALUES ('x', 3, 'y')")
	require.ErrorIs(t, s.do(nil, sealedRow{[]byte("x"), []byte("y")}), local.ErrSeal)
	left := -1
	require.NoError(t, d.pool.QueryRow(t.Context(), "SELECT count(*) FROM glim_lws.errand").Scan(&left))
	require.Zero(t, left)
	_, err := d.answered([]byte("x"), []byte("y"))
	require.ErrorIs(t, err, local.ErrSeal)
}

// opening: a wrong key, another network, a newer version and a URL with a password are refused.
func opening(t *testing.T, url string) {
	d := open(t, url, time.Hour)
	require.ErrorIs(t, d.identify(t.Context(), local.NewSealer(local.Key{9}, rand.Reader), xmr.Regtest), local.ErrSeal)
	require.ErrorIs(t, d.identify(t.Context(), local.NewSealer(testKey, rand.Reader), xmr.Mainnet), lws.ErrNetwork)
	isNew, err := d.isNew(t.Context())
	require.NoError(t, err)
	require.False(t, isNew)
	_, err = d.pool.Exec(t.Context(), "UPDATE glim_lws.version SET version = 1000")
	require.NoError(t, err)
	_, err = connect(t.Context(), url, time.Hour)
	require.ErrorIs(t, err, ErrVersion)
}

// TestURL: the URL has no password, and errors do not quote it.
func TestURL(t *testing.T) {
	for text, want := range map[string]error{
		"postgres://me:hunter2@db.example/lws":          ErrPassword,
		"postgres://me@db.example/lws?password=hunter2": ErrPassword,
		"host=db.example password=hunter2":              ErrURL,
		"mysql://me:hunter2@db.example/lws":             ErrURL,
		"postgres://me:hunter2@%zz/lws":                 ErrURL,
		"postgres://me@db.example/lws?sslmode=hunter2":  ErrURL,
		"": ErrURL,
	} {
		_, err := parseURL(text, time.Second)
		require.ErrorIs(t, err, want, text)
		if want == ErrPassword {
			require.NotContains(t, err.Error(), "hunter2")
		}
	}
	c, err := parseURL("postgres://me@db.example/lws?sslmode=verify-full", 5*time.Second)
	require.NoError(t, err)
	require.Equal(t, "db.example", c.ConnConfig.Host)
	require.Equal(t, "5000", c.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"])
	require.Equal(t, maxMessage, c.ConnConfig.MaxProtocolMessageBodyLen)
}

// sealed: the database contains no view key, address, amount or transaction ID.
func sealed(t *testing.T, url string) {
	list, at := users(t, 1)
	c := busyChain(list, 4)
	d := open(t, url, time.Hour)
	_, b := take(t, d, 0)
	scanAll(t, b, upTo(c, 5))
	require.NoError(t, b.Add(at[0], list[0].ViewSecret()))
	require.NoError(t, b.AddHook(lws.Hook{Token: "a token", URL: "http://127.0.0.1:1/"}, &at[0]))
	scanAll(t, b, chaintest.NewSource(c))
	h, err := b.Holdings(at[0], list[0].ViewSecret())
	require.NoError(t, err)
	require.NotEmpty(t, h.Outputs)
	view := list[0].ViewSecret()
	for _, table := range []string{"account", "holding", "block", "identity", "hook", "call"} {
		rows, err := d.pool.Query(t.Context(), "SELECT r::text FROM glim_lws."+table+" r")
		require.NoError(t, err)
		for rows.Next() {
			var text string
			require.NoError(t, rows.Scan(&text))
			for _, secret := range [][]byte{view[:], at[0].Spend[:], at[0].View[:], h.Outputs[0].TxID[:]} {
				require.NotContains(t, text, string(secret))
				require.NotContains(t, text, xmr.Hash(secret).String())
			}
		}
		require.NoError(t, rows.Err())
	}
}

// FuzzRows reads rows of a hostile database: every change is an error.
func FuzzRows(f *testing.F) {
	nonce := bytes.NewReader(make([]byte, 24*3)) // the same in every process: the engine passes seeds to others
	d := &database{seal: local.NewSealer(testKey, nonce)}
	_, at := users(f, 1)
	who := d.who(at[0])
	key := lws.BlockRecord(5, xmr.Hash{1})
	_, block, err := d.seal.Close(key.Key, key.Value)
	require.NoError(f, err)
	name, row, err := d.seal.Close(append([]byte("O"), make([]byte, 24)...), []byte("{}"))
	require.NoError(f, err)
	f.Add(who, name, row, int64(5), block)
	f.Add([]byte{}, []byte{}, []byte{}, int64(-1), []byte{})
	f.Fuzz(func(t *testing.T, who, name, row []byte, height int64, block []byte) {
		a := accountRow{who, sealedRow{name, row}, &blockRow{height, block}}
		_, err := d.snapshot(xmr.Regtest, stored{accounts: []accountRow{a}})
		require.Error(t, err) // no seed has an account
		_, _ = d.snapshot(xmr.Regtest, stored{who: who, holdings: []sealedRow{a.row}})
		if h, id, err := d.block(*a.last); err == nil {
			require.Equal(t, uint64(5), h)
			require.Equal(t, xmr.Hash{1}, id)
		}
		_, err = d.answered(name, row)
		require.ErrorIs(t, err, local.ErrSeal)
	})
}
