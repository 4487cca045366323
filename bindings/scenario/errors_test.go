package scenario

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

const laterReason = "later releases give a reason"

// otherwise lists our messages for errors that differ on purpose, or that earlier releases do not have.
var otherwise = map[string]struct {
	answer peers.Error
	why    string
	since  peers.Release // from this release on the reference has the same answer; none if zero
}{
	"create_address: count 0": {peers.Error{Code: -1, Message: "Count must be between 1 and 65536."},
		"the limit of later releases", peers.Release{0, 18, 1}},
	"create_address: count 65537": {peers.Error{Code: -1, Message: "Count must be between 1 and 65536."},
		"the limit of later releases", peers.Release{0, 18, 1}},
	"get_accounts: regular expression malformed": {peers.Error{
		Code: -1, Message: "error parsing regexp: missing closing ): `\\A(?:()\\z`",
	},
		"the message of another regular expression engine", peers.Release{}},
	"open_wallet: wrong password": {
		peers.Error{Code: -1, Message: "Failed to open wallet : Invalid password."}, laterReason,
		peers.Release{0, 18, 4},
	},
	"open_wallet: no such file": {peers.Error{
		Code: -1, Message: `Failed to open wallet : file not found "nope.keys"`,
	}, laterReason + ", with the path of the folder, which clients need not know", peers.Release{}},
	"open_wallet: name empty": {
		peers.Error{Code: -1, Message: `Failed to open wallet : file not found ".keys"`}, laterReason + ", likewise",
		peers.Release{},
	},
	"transfer: daemon unreachable": {peers.Error{Code: -38, Message: "no connection to daemon"},
		"the reference has this code, but returns -4 for its first request to the daemon",
		peers.Release{}},
}

// follows reports whether the reference is release since or later. It is false if since is zero.
func follows(t *testing.T, since peers.Release) bool {
	t.Helper()
	return since != peers.Release{} && peers.Require(t).Release.AtLeast(since[:]...)
}

// granted lists recorded errors that do not occur here, because there are enough unlocked outputs.
var granted = map[string]bool{
	"transfer: too few outputs on the chain for a ring":                true, // TestRefusedBeforeSending
	"transfer: exactly all that is unlocked, nothing left for the fee": true, // likewise
	"transfer: more than is unlocked, less than there is":              true, // likewise
	"transfer: more than is unlocked":                                  true, // likewise
}

type recorded struct {
	method, scenario string
	params           json.RawMessage
}

// recordedErrors reads the recorded errors of the reference.
func recordedErrors(t *testing.T) (all []recorded) {
	t.Helper()
	files, err := filepath.Glob("../../core/walletrpc/testdata/reference/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		var file struct {
			Method string
			Cases  []struct {
				Scenario string
				Params   json.RawMessage
				Error    *peers.Error
			}
		}
		require.NoError(t, json.Unmarshal(content, &file))
		for _, c := range file.Cases {
			if c.Error != nil && !granted[file.Method+": "+c.Scenario] {
				all = append(all, recorded{file.Method, c.Scenario, c.Params})
			}
		}
	}
	return all
}

// TestRefusalsEqual repeats every recorded request that the reference refused, with both programs: the messages are
// equal.
func TestRefusalsEqual(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	both := []caller{reference, ours}
	cases := recordedErrors(t)
	require.Greater(t, len(cases), 70)
	asked := 0
	ask := func(choose func(scenario string) bool) {
		t.Helper()
		for _, c := range cases {
			if !choose(c.scenario) {
				continue
			}
			asked++
			name := c.method + ": " + c.scenario
			t.Log(name)
			if want, ok := otherwise[name]; ok && !follows(t, want.since) {
				require.NotEqual(t, want.answer, refusal(t, reference, c.method, c.params), name)
				require.Equal(t, want.answer, refusal(t, ours, c.method, c.params), name)
				continue
			}
			refusal(t, ours, c.method, c.params)
			compare(t, reference, ours, c.method, c.params)
		}
	}
	unopened := func(scenario string) bool { return scenario == "no wallet open" || scenario == "closed already" }
	away := func(scenario string) bool { return scenario == "daemon unreachable" }
	viewOnly := func(scenario string) bool { return strings.HasPrefix(scenario, "view-only") }
	fromKeys := func(scenario string) bool { return scenario == "mnemonic of a wallet from keys" }

	ask(unopened)
	for _, c := range both {
		do(t, c, "create_wallet", object{"filename": "a", "password": "p", "language": "English"})
		restoreFar(t, c, "alice", alice) // its files block others of the same name
		do(t, c, "create_account", object{"label": "second"})
	}
	refresh(t, both...)
	ask(func(s string) bool { return !unopened(s) && !away(s) && !viewOnly(s) && !fromKeys(s) })

	view := call[struct{ Key string }](t, ours, "query_key", object{"key_type": "view_key"}).Key
	spend := call[struct{ Key string }](t, ours, "query_key", object{"key_type": "spend_key"}).Key
	for _, c := range both {
		do(t, c, "generate_from_keys", object{
			"filename": "watch", "password": "", "address": at(t, alice, 0, 0), "viewkey": view,
		})
	}
	ask(viewOnly)
	for _, c := range both {
		do(t, c, "generate_from_keys", object{
			"filename": "keys", "password": "", "address": at(t, alice, 0, 0), "viewkey": view, "spendkey": spend,
		})
	}
	ask(fromKeys)

	for _, c := range both {
		do(t, c, "open_wallet", object{"filename": "alice", "password": ""})
		refresh(t, c)
	}
	require.NoError(t, d.Kill())
	ask(away)
	require.Equal(t, len(cases), asked)
}

// TestRefusedBeforeSending compares the errors for missing funds and missing decoys.
func TestRefusedBeforeSending(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	restore(t, reference, "alice", alice)
	restore(t, ours, "alice", alice)
	to := func(amount uint64) object { return object{"destinations": []destination{{at(t, bob, 0, 0), amount}}} }
	refused := func(code int, params object) {
		t.Helper()
		refresh(t, reference, ours)
		require.Equal(t, code, refusal(t, reference, "transfer", params).Code)
		compare(t, reference, ours, "transfer", params)
	}
	refused(-17, to(coin))
	mine(t, d, 2, at(t, alice, 0, 0))
	refused(-37, to(coin))
	mine(t, d, 59, at(t, nobody, 0, 0))
	// Only one output of the chain is unlocked.
	refused(-19, to(coin))
	mine(t, d, 60, at(t, nobody, 0, 0))
	refresh(t, ours)
	l := ledger(t, ours)
	require.Equal(t, l.Balance, l.Unlocked)
	refused(-17, to(l.Unlocked))
	mine(t, d, 1, at(t, alice, 0, 0))
	refused(-37, to(l.Unlocked))
	refused(-37, to(l.Unlocked+coin))
	refused(-17, to(40*l.Unlocked))
	refused(-4, object{"destinations": []destination{{at(t, bob, 0, 0), 1 << 63}, {at(t, bob, 0, 0), 1 << 63}}})
}
