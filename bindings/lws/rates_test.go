package lws_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/lws"
	"glim/bindings/wallet/regtest"
)

// TestRates: the server asks one source for exchange rates, always with the same request, and passes on what it
// understands.
func TestRates(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	require.NoError(t, chain.Mine(t.Context(), 1, ""))
	var mu sync.Mutex
	answer := `{"Response":"Error","Message":"too many requests"}`
	asked := map[string]int{}
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		asked[r.Method+" "+r.RequestURI+" "+string(body)]++
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(source.Close)
	say := func(s string) {
		mu.Lock()
		defer mu.Unlock()
		answer = s
	}
	times := func() int {
		mu.Lock()
		defer mu.Unlock()
		return asked["GET /price?of=XMR "]
	}
	s := serve(t, t.TempDir(), chain, func(c *lws.Config) {
		c.Rates = lws.Rates{Interval: 50 * time.Millisecond, URL: source.URL + "/price?of=XMR"}
	})
	p := newPhone(t, s.url, 1)
	require.Equal(t, 200, p.ask("/login", `,"create_account":true,"generated_locally":true`, nil))
	rates := func() map[string]json.Number {
		var info struct{ Rates map[string]json.Number }
		require.Equal(t, 200, p.ask("/get_address_info", "", &info))
		return info.Rates
	}
	eventually(t, "a request", func() bool { return times() > 0 })
	require.Empty(t, rates())
	for _, bad := range []string{`{"USD":-1}`, `{"USD":"x"}`, `{"USD":1e999}`, `{"ZZZ":2}`, `[1]`, `{"USD":0}`} {
		say(bad)
		before := times()
		eventually(t, "another request", func() bool { return times() > before+1 })
		require.Empty(t, rates(), bad)
	}
	say(`{"USD":151.25,"BTC":0.00312,"ZZZ":7}`)
	eventually(t, "the rates", func() bool {
		got := rates()
		return len(got) == 2 && got["USD"] == "151.25" && got["BTC"] == "0.00312"
	})
	s.stop()
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, asked, 1, "no request contains anything else")
}
