package peers

import (
	"context"
	"os"
	"testing"
)

// Require returns the real programs. A test that compares with them is left out where they are not installed,
// unless the variable CI is set: then it fails.
func Require(t testing.TB) Programs {
	t.Helper()
	p, err := Find()
	if err == nil {
		return p
	}
	if os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Logf("comparisons with the real programs are left out: %v", err)
	t.SkipNow()
	return p
}

// NewDaemon starts a daemon that dies with the test; see Require for where it is not installed. An empty
// Options.Dir is a folder of the test's own.
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

// NewWalletRPC starts a wallet service that dies with the test; see Require for where it is not installed. An empty
// Options.Dir is a folder of the test's own.
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
