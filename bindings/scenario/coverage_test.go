package scenario

import (
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/service"
	"glim/core/walletrpc"
)

// outcomes records whether calls of an operation succeeded and failed in comparisons.
type outcomes struct{ answered, refused bool }

// asked has the outcomes of this run, by operation.
var asked = struct {
	sync.Mutex
	by map[string]outcomes
}{by: map[string]outcomes{}}

// record records that both services gave equal answers to an operation.
func record(method string, refused bool) {
	asked.Lock()
	defer asked.Unlock()
	o := asked.by[canonical(method)]
	o.answered, o.refused = o.answered || !refused, o.refused || refused
	asked.by[canonical(method)] = o
}

// canonical returns the main name of an operation that may be called by an alias.
func canonical(method string) string {
	for _, m := range walletrpc.Methods() {
		if slices.Contains(m.Aliases, method) {
			return m.Name
		}
	}
	return method
}

// laterRelease is the release from which on the reference has all operations of TestNewerOperationsEqual.
var laterRelease = peers.Release{0, 18, 5}

// unlike lists the operations of which one outcome cannot be compared, with the reason. until is the release from which
// on it can; if it is zero, no release can.
var unlike = map[string]struct {
	missing outcomes
	until   peers.Release
	why     string
}{
	"set_subaddress_lookahead":          {outcomes{true, true}, laterRelease, "earlier releases do not have it"},
	"get_default_fee_priority":          {outcomes{true, true}, laterRelease, "earlier releases do not have it"},
	"setup_background_sync":             {outcomes{true, true}, laterRelease, "earlier releases do not have it"},
	"start_background_sync":             {outcomes{true, true}, laterRelease, "earlier releases do not have it"},
	"stop_background_sync":              {outcomes{true, true}, laterRelease, "earlier releases do not have it"},
	"get_multisig_key_exchange_booster": {missing: outcomes{true, true}, why: "the reference adds it after 0.18.5.1"},
	"finalize_multisig": {
		missing: outcomes{answered: true, refused: true}, why: "0.18.0.0 ignores it, and 0.18.5.1 removed it",
	},
	"get_version":   {missing: outcomes{refused: true}, why: "no request of it is invalid"},
	"get_languages": {missing: outcomes{refused: true}, why: "no request of it is invalid"},
}

// exempt returns the outcomes of an operation that a reference of this release cannot show.
func exempt(name string, r peers.Release) outcomes {
	u := unlike[name]
	if u.until != (peers.Release{}) && r.AtLeast(u.until[:]...) {
		return outcomes{}
	}
	return u.missing
}

// uncompared lists the outcomes that the run should have compared and did not, and exceptions that are not needed.
func uncompared(by map[string]outcomes, r peers.Release, answered func(name string) bool) (all []string) {
	for _, m := range walletrpc.Methods() {
		if !answered(m.Name) {
			continue // listed in the README
		}
		got, except := by[m.Name], exempt(m.Name, r)
		for _, o := range []struct {
			name        string
			is, missing bool
		}{{"an answer", got.answered, except.answered}, {"an error", got.refused, except.refused}} {
			switch {
			case !o.is && !o.missing:
				all = append(all, fmt.Sprintf("%s: %s was not compared", m.Name, o.name))
			case o.is && o.missing:
				all = append(all, fmt.Sprintf("%s: %s was compared and needs no exception", m.Name, o.name))
			}
		}
	}
	for name := range unlike {
		if !slices.ContainsFunc(walletrpc.Methods(), func(m walletrpc.Info) bool { return m.Name == name }) {
			all = append(all, name+": an exception without an operation")
		}
	}
	slices.Sort(all)
	return all
}

// checkCompared reports whether this run, if it was complete, compared every operation with the reference.
func checkCompared() bool {
	programs, err := peers.Find()
	if err != nil || !wholeRun() {
		return true
	}
	names, err := served()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return false
	}
	missing := uncompared(asked.by, programs.Release, func(name string) bool { return names[name] })
	for _, line := range missing {
		fmt.Fprintln(os.Stderr, "the reference:", line)
	}
	return len(missing) == 0
}

// wholeRun reports whether no flag selected tests.
func wholeRun() bool {
	whole := true
	flag.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"test.run", "test.skip", "test.list", "test.bench", "test.fuzz"}, f.Name) &&
			f.Value.String() != "" {
			whole = false
		}
	})
	return whole
}

// served returns the names of the operations that our service has a handler for.
func served() (map[string]bool, error) {
	s, err := service.New(service.Config{Random: rand.Reader, Now: func() uint64 { return 1 }}, service.DaemonConfig{})
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, o := range s.Registry().Operations() {
		names[o.Name] = true
	}
	return names, s.Close()
}

// TestUncomparedOperationsAreReported: operations that were not compared are reported, and so are unneeded exceptions.
func TestUncomparedOperationsAreReported(t *testing.T) {
	t.Parallel()
	all := map[string]outcomes{}
	for _, m := range walletrpc.Methods() {
		except := exempt(m.Name, laterRelease)
		all[m.Name] = outcomes{!except.answered, !except.refused}
	}
	every := func(string) bool { return true }
	require.Empty(t, uncompared(all, laterRelease, every))
	all["transfer"] = outcomes{refused: true}
	all["get_version"] = outcomes{true, true}
	delete(all, "sign")
	require.Equal(t, []string{
		"get_version: an error was compared and needs no exception",
		"sign: an answer was not compared",
		"sign: an error was not compared",
		"transfer: an answer was not compared",
	}, uncompared(all, laterRelease, every))
	none := func(string) bool { return false }
	require.Empty(t, uncompared(nil, laterRelease, none), "operations without a handler are listed in the README")
	for _, u := range unlike {
		require.NotEmpty(t, u.why)
	}
	require.Equal(t, "get_balance", canonical("getbalance"))
}
