//go:build !js && !wasip1

package walletcache_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/walletcache"
	"glim/core/walletfile"
)

var folder = flag.String("record", "", "folder for caches, and what the service says of them")

// answer is a recorded answer of a service; an error has no Result.
type answer struct {
	Method string
	Params json.RawMessage
	Result json.RawMessage
}

// recorder forwards requests to a service and records the answers.
type recorder struct {
	w    service
	said []answer
}

func (r *recorder) JSON(ctx context.Context, method string, params, out any) error {
	p, err := json.Marshal(params)
	if err != nil {
		return err
	}
	a := answer{Method: method, Params: p}
	err = r.w.JSON(ctx, method, params, &a.Result)
	r.said = append(r.said, a)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(a.Result, out)
}

// replay returns recorded answers.
type replay []answer

func (r replay) JSON(_ context.Context, method string, params, out any) error {
	p, err := json.Marshal(params)
	if err != nil {
		return err
	}
	for _, a := range r {
		if a.Method == method && string(a.Params) == string(p) {
			if a.Result == nil || string(a.Result) == "null" {
				return errors.New("refused")
			}
			if out == nil {
				return nil
			}
			return json.Unmarshal(a.Result, out)
		}
	}
	return errors.New("not recorded: " + method + " " + string(p))
}

// record saves the open wallet's files and the service's answers, if the flag is set.
func record(t *testing.T, w *peers.WalletRPC, name string, c *walletcache.Cache) {
	t.Helper()
	if *folder == "" {
		return
	}
	r := &recorder{w: w}
	compareWallet(t, r, c)
	version, err := exec.CommandContext(t.Context(), peers.Require(t).WalletRPC, "--version").Output()
	require.NoError(t, err)
	release := strings.TrimSuffix(string(version), ")\n")
	release = release[strings.LastIndexByte(release, 'v')+1:]
	release, _, _ = strings.Cut(release, "-")
	to := filepath.Join(*folder, release+"-"+name)
	for _, ending := range []string{"", ".keys"} {
		b, err := os.ReadFile(filepath.Join(w.Wallets, name+ending))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to+ending, b, 0o600))
	}
	b, err := json.Marshal(r.said)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to+".json", b, 0o600))
}

// TestRecorded compares the caches of two releases with the recorded answers of their services.
func TestRecorded(t *testing.T) {
	names, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.Len(t, names, 6)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var said replay
		require.NoError(t, json.Unmarshal(text, &said))
		name = strings.TrimSuffix(name, ".json")
		sealed, err := os.ReadFile(name + ".keys")
		require.NoError(t, err)
		owner, err := walletfile.Open(sealed, []byte(password), walletfile.Rounds)
		require.NoError(t, err)
		file, err := os.ReadFile(name)
		require.NoError(t, err)
		c, err := walletcache.Open(file, []byte(password), walletfile.Rounds, owner)
		require.NoError(t, err)
		later := strings.Contains(name, "0.18.5.1")
		require.Equal(t, later, c.Version == 2)
		require.Equal(t, later, c.EverRefreshed)
		require.Equal(t, later, c.BackgroundSynced != nil)
		compareWallet(t, said, c)
	}
}
