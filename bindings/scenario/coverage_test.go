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

// outcomes says how an operation was answered where both services were asked the same.
type outcomes struct{ answered, refused bool }

// asked is what the tests of one run compared, by the operation's name.
var asked = struct {
	sync.Mutex
	by map[string]outcomes
}{by: map[string]outcomes{}}

// record notes that both services were asked for an operation and answered alike.
func record(method string, refused bool) {
	asked.Lock()
	defer asked.Unlock()
	o := asked.by[canonical(method)]
	o.answered, o.refused = o.answered || !refused, o.refused || refused
	asked.by[canonical(method)] = o
}

// canonical returns the name of which another may be an alias.
func canonical(method string) string {
	for _, m := range walletrpc.Methods() {
		if slices.Contains(m.Aliases, method) {
			return m.Name
		}
	}
	return method
}

// unlike are the operations of which one outcome cannot be compared, with the reason.
var unlike = map[string]struct {
	missing outcomes
	why     string
}{
	"set_subaddress_lookahead": {outcomes{true, true}, "the installed reference is older"},
	"get_default_fee_priority": {outcomes{true, true}, "the installed reference is older"},
	"setup_background_sync":    {outcomes{true, true}, "the installed reference is older"},
	"start_background_sync":    {outcomes{true, true}, "the installed reference is older"},
	"stop_background_sync":     {outcomes{true, true}, "the installed reference is older"},
	"finalize_multisig":        {outcomes{answered: true, refused: true}, "it does nothing in the installed reference and is gone since"},
	"get_version":              {outcomes{refused: true}, "nothing can be wrong with the question"},
	"get_languages":            {outcomes{refused: true}, "nothing can be wrong with the question"},
}

// uncompared lists what the run should have compared and did not, and exceptions that are none any more.
func uncompared(by map[string]outcomes, answered func(name string) bool) (all []string) {
	for _, m := range walletrpc.Methods() {
		if !answered(m.Name) {
			continue // the README lists it
		}
		got, except := by[m.Name], unlike[m.Name].missing
		for _, o := range []struct {
			name      string
			is, spare bool
		}{{"an answer", got.answered, except.answered}, {"a refusal", got.refused, except.refused}} {
			switch {
			case !o.is && !o.spare:
				all = append(all, fmt.Sprintf("%s: %s was compared nowhere", m.Name, o.name))
			case o.is && o.spare:
				all = append(all, fmt.Sprintf("%s: %s was compared and needs no exception", m.Name, o.name))
			}
		}
	}
	for name := range unlike {
		if !slices.ContainsFunc(walletrpc.Methods(), func(m walletrpc.Info) bool { return m.Name == name }) {
			all = append(all, name+": an exception for no operation")
		}
	}
	slices.Sort(all)
	return all
}

// checkCompared reports whether this run, when it was a whole one, compared every operation with the reference.
func checkCompared() bool {
	if _, err := peers.Find(); err != nil || !wholeRun() {
		return true
	}
	names, err := served()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return false
	}
	missing := uncompared(asked.by, func(name string) bool { return names[name] })
	for _, line := range missing {
		fmt.Fprintln(os.Stderr, "the reference:", line)
	}
	return len(missing) == 0
}

// wholeRun reports whether no flag chose among the tests.
func wholeRun() bool {
	whole := true
	flag.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"test.run", "test.skip", "test.list", "test.bench", "test.fuzz"}, f.Name) && f.Value.String() != "" {
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

// What was not compared is named, what needs no exception any more too.
func TestUncompared(t *testing.T) {
	t.Parallel()
	all := map[string]outcomes{}
	for _, m := range walletrpc.Methods() {
		except := unlike[m.Name].missing
		all[m.Name] = outcomes{!except.answered, !except.refused}
	}
	every := func(string) bool { return true }
	require.Empty(t, uncompared(all, every))
	all["transfer"] = outcomes{refused: true}
	all["get_version"] = outcomes{true, true}
	delete(all, "sign")
	require.Equal(t, []string{"get_version: a refusal was compared and needs no exception", "sign: a refusal was compared nowhere",
		"sign: an answer was compared nowhere", "transfer: an answer was compared nowhere"}, uncompared(all, every))
	require.Empty(t, uncompared(nil, func(string) bool { return false }), "what has no handler is the README's")
	for _, u := range unlike {
		require.NotEmpty(t, u.why)
	}
	require.Equal(t, "get_balance", canonical("getbalance"))
}
