package peers

import (
	"context"
	"errors"
	"os"
	"testing"
)

// Require returns the paths of the reference programs. If they are not installed, it skips the test, or fails it if the
// environment variable CI is set.
func Require(t testing.TB) Programs {
	t.Helper()
	p, err := Find()
	if err != nil {
		leaveOut(t, "comparisons with the real programs", err)
	}
	return p
}

// leaveOut skips a test because a program is not installed, or fails it if the environment variable CI is set.
func leaveOut(t testing.TB, what string, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Logf("%s are left out: %v", what, err)
	t.SkipNow()
}

// NewDaemon is StartDaemon for a test: it calls Require first, fails the test on an error and kills the daemon at the
// end of the test. An empty Options.Dir means a temporary folder.
func NewDaemon(t testing.TB, o Options) *Daemon {
	t.Helper()
	Require(t)
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	d, err := StartDaemon(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Kill() })
	return d
}

// NewWalletRPC is StartWalletRPC for a test: it calls Require first, fails the test on an error and kills the service
// at the end of the test. An empty Options.Dir means a temporary folder.
func NewWalletRPC(t testing.TB, d *Daemon, o Options) *WalletRPC {
	t.Helper()
	Require(t)
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	w, err := StartWalletRPC(context.Background(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Kill() })
	return w
}

// NewPostgres is StartPostgres for a test: if PostgreSQL is not installed, it skips the test, or fails it if the
// environment variable CI is set. It ends the server at the end of the test.
func NewPostgres(t testing.TB) *Postgres {
	t.Helper()
	p, err := StartPostgres(context.Background())
	if errors.Is(err, ErrMissing) {
		leaveOut(t, "tests with PostgreSQL", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}
