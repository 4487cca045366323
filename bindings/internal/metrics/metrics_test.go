package metrics

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/internal/metrics/read"
	"glim/core/rpc"
)

func page(t *testing.T, p Page) map[string]float64 {
	t.Helper()
	text, err := p.Serve(t.Context(), Path, nil, rpc.Options{})
	require.NoError(t, err)
	samples, err := read.Page(string(text))
	require.NoError(t, err, string(text))
	return samples
}

type nothing struct{}

type number struct {
	N uint64 `json:"n"`
}

// list is a service with two operations.
func list() *rpc.Registry {
	r := rpc.NewRegistry()
	rpc.Handle(
		r,
		rpc.Method[number, nothing]{Name: "good"},
		func(context.Context, number) (nothing, error) { return nothing{}, nil },
	)
	rpc.Handle(
		r,
		rpc.Method[nothing, nothing]{Name: "bad", Restricted: true},
		func(context.Context, nothing) (nothing, error) {
			return nothing{}, &rpc.Error{Code: -17, Message: "not enough money"}
		},
	)
	rpc.Handle(
		r,
		rpc.Method[nothing, nothing]{Name: "path", Wire: rpc.Path},
		func(context.Context, nothing) (nothing, error) {
			return nothing{}, errors.New("broken")
		},
	)
	return r
}

func TestRequestsAreCounted(t *testing.T) {
	var c Calls
	s := c.Count(list())
	ask := func(path, body string, o rpc.Options) {
		_, _ = s.Serve(t.Context(), path, []byte(body), o) // the response is not checked here
	}
	calls := 0
	for range 3 {
		ask("/json_rpc", `{"method":"good"}`, rpc.Options{Answered: func(*rpc.Operation, int) { calls++ }})
	}
	require.Equal(t, 3, calls, "the original callback is called as well")
	ask("/json_rpc", `{"method":"bad"}`, rpc.Options{})
	ask("/json_rpc", `{"method":"bad"}`, rpc.Options{Restricted: true})
	ask("/json_rpc", `{"method":"made up by a client\n\""}`, rpc.Options{})
	ask("/json_rpc", `{`, rpc.Options{})
	ask("/json_rpc", `{"method":"good","params":{"n":{}}}`, rpc.Options{})
	ask("/path", `{}`, rpc.Options{})
	ask("/path", `[]`, rpc.Options{})
	ask("/nowhere", ``, rpc.Options{})
	got := page(t, Page{c.Write})
	for key, want := range map[string]float64{
		`glim_rpc_requests_total{operation="good",code="0"}`:                     3,
		`glim_rpc_requests_total{operation="good",code="-32602"}`:                1,
		`glim_rpc_requests_total{operation="bad",code="-17"}`:                    1,
		`glim_rpc_requests_total{operation="bad",code="-32601"}`:                 1,
		`glim_rpc_requests_total{operation="path",code="-32603"}`:                1,
		`glim_rpc_requests_total{operation="path",code="-32700"}`:                1,
		`glim_rpc_requests_total{operation="unknown",code="-32601"}`:             2,
		`glim_rpc_requests_total{operation="unknown",code="-32700"}`:             1,
		`glim_rpc_requests_in_progress{}`:                                        0,
		`glim_rpc_request_duration_seconds_count{operation="good"}`:              4,
		`glim_rpc_request_duration_seconds_bucket{operation="good",le="+Inf"}`:   4,
		`glim_rpc_request_duration_seconds_bucket{operation="unknown",le="120"}`: 3,
	} {
		require.Contains(t, got, key)
		require.Equal(t, want, got[key], key)
	}
}

// other is a service without a list of operations.
type other struct{ err error }

func (o other) Serve(context.Context, string, []byte, rpc.Options) ([]byte, error) {
	if o.err == nil {
		panic("broken")
	}
	return nil, o.err
}

func TestServicesWithoutAListAreCounted(t *testing.T) {
	var c Calls
	for _, err := range []error{rpc.ErrNoPath, rpc.ErrRequest, errors.New("broken")} {
		_, got := c.Count(other{err}).Serve(t.Context(), "/x", nil, rpc.Options{})
		require.Equal(t, err, got)
	}
	require.Panics(t, func() { _, _ = c.Count(other{}).Serve(t.Context(), "/x", nil, rpc.Options{}) })
	got := page(t, Page{c.Write})
	require.EqualValues(t, 2, got[`glim_rpc_requests_total{operation="unknown",code="-32603"}`],
		"a failure and a panic")
	require.EqualValues(t, 1, got[`glim_rpc_requests_total{operation="unknown",code="-32601"}`])
	require.Zero(t, got[`glim_rpc_requests_in_progress{}`])
}

func TestDurations(t *testing.T) {
	d := &durations{}
	for _, ms := range []int{0, 1, 3, 3, 2000, 200_000} {
		d.add(time.Duration(ms) * time.Millisecond)
	}
	got := page(t, Page{func(w *Writer) {
		w.Family("x", Histogram, "A\nB \\")
		d.write(w)
	}})
	for le, want := range map[string]float64{
		"0.0005": 1, "0.001": 2, "0.0025": 2, "0.005": 4, "1": 4, "2.5": 5, "120": 5, "+Inf": 6,
	} {
		require.Equal(t, want, got[`x_bucket{le="`+le+`"}`], le)
	}
	require.InDelta(t, 202.007, got[`x_sum{}`], 1e-9)
	require.EqualValues(t, 6, got[`x_count{}`])
}

type transport struct {
	err    error
	closed bool
}

func (t *transport) Post(context.Context, string, []byte) ([]byte, error) {
	return []byte("1234"), t.err
}
func (t *transport) Close() { t.closed = true }

func TestDaemonsAreWatched(t *testing.T) {
	var ways DaemonCalls
	good, bad := &transport{}, &transport{err: errors.New("away")}
	one, two := ways.Count("1", good), ways.Count("2", bad)
	for range 2 {
		_, err := one.Post(t.Context(), "/x", nil)
		require.NoError(t, err)
		_, err = two.Post(t.Context(), "/x", nil)
		require.Error(t, err)
	}
	given, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := two.Post(given, "/x", nil)
	require.Error(t, err)
	got := page(t, Page{ways.Write})
	for key, want := range map[string]float64{
		`glim_daemon_up{daemon="1"}`: 1, `glim_daemon_up{daemon="2"}`: 0,
		`glim_daemon_requests_total{daemon="1",result="answered"}`: 2,
		`glim_daemon_requests_total{daemon="2",result="failed"}`:   2,
		`glim_daemon_received_bytes_total{daemon="1"}`:             8,
		`glim_daemon_last_answer_timestamp_seconds{daemon="2"}`:    0,
		`glim_daemon_request_duration_seconds_count{daemon="2"}`:   2,
	} {
		require.Contains(t, got, key)
		require.Equal(t, want, got[key], key)
	}
	require.Positive(t, got[`glim_daemon_last_answer_timestamp_seconds{daemon="1"}`])
	one.(interface{ Close() }).Close()
	require.True(t, good.closed)
}

func TestLabelsAreEscaped(t *testing.T) {
	got := page(t, Page{func(w *Writer) {
		w.Family("x", Gauge, "help")
		w.Sample(1, "wallet", "a\"\n\\b\xff", "more", "")
	}})
	require.Contains(t, got, `x{wallet="a\"\n\\b�",more=""}`)
	_, err := Page{}.Serve(t.Context(), "/", nil, rpc.Options{})
	require.ErrorIs(t, err, rpc.ErrNoPath)
}

func TestProcess(t *testing.T) {
	got := page(t, Page{Process})
	for _, key := range []string{
		"go_goroutines{}", "go_memstats_heap_alloc_bytes{}", "go_memstats_sys_bytes{}", "process_start_time_seconds{}",
	} {
		require.Positive(t, got[key], key)
	}
}

// TestInvalidMetricsPages checks that the parser of these tests rejects invalid pages.
func TestInvalidMetricsPages(t *testing.T) {
	for _, text := range []string{
		"", "x 1", "x 1\n", "# HELP x y\nx 1\n", "# HELP x y\n# TYPE x gauge\ny 1\n",
		"# HELP x y\n# TYPE x gauge\nx one\n",
		"# HELP x y\n# TYPE x counter\nx 1\n", "# HELP x y\n# TYPE x gauge\nx 1\nx 1\n",
		"# HELP x y\n# TYPE x gauge\nx{a=1} 1\n",
		"# HELP x \n# TYPE x gauge\nx 1\n", "# HELP x_total y\n# TYPE x_total gauge\nx_total 1\n",
		"# HELP x_count y\n# TYPE x_count gauge\nx_count 1\n",
		"# HELP x y\n# TYPE x gauge\nx 1\n# HELP x y\n", "# HELP x y\n# TYPE x much\n",
		"# HELP x y\n# TYPE x gauge\nx{a=\"\\q\"} 1\n",
	} {
		_, err := read.Page(text)
		require.Error(t, err, text)
	}
}
