package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// spaces are endless spaces.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestLongestBody: the body of a request has at most 100 MiB for the wallet service, as in releases of the reference
// after 0.18.5.1, and at most 1 MiB for the daemon.
func TestLongestBody(t *testing.T) {
	for command, c := range map[string]struct {
		most int64
		args []string
	}{
		"wallet-rpc": {100 << 20, []string{"--disable-rpc-login", "--offline", "--wallet-dir", t.TempDir()}},
		"daemon":     {1 << 20, []string{"--offline"}},
	} {
		port := aPort(t)
		start(t, append([]string{command, "--regtest", "--rpc-bind-port", port}, c.args...)...)
		for more, want := range []int{200, 413} {
			call := `{"jsonrpc":"2.0","id":"0","method":"get_version"}`
			length := c.most + int64(more)
			body := io.LimitReader(io.MultiReader(strings.NewReader(call), spaces{}), length)
			r, err := http.NewRequestWithContext(t.Context(), "POST", "http://127.0.0.1:"+port+"/json_rpc", body)
			require.NoError(t, err)
			r.ContentLength = length
			resp, err := http.DefaultClient.Do(r)
			if want == 413 && err != nil {
				continue // the connection may end before the answer is read
			}
			require.NoError(t, err, command)
			text, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, want == 200, strings.Contains(string(text), `"version"`), "%s", text)
			require.Equal(t, want, resp.StatusCode, command)
		}
	}
}
