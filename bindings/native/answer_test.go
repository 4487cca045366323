package native

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// TestReadAnswer reads bodies of lengths about where memory grows, announced and not, in pieces of any size.
func TestReadAnswer(t *testing.T) {
	for _, n := range []int{0, 1, 4<<10 - 1, 4 << 10, 4<<10 + 1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 5<<20 + 7} {
		want := bytes.Repeat([]byte("0123456789abcdef"), n/16+1)[:n]
		for _, announced := range []int64{-1, int64(n)} {
			for name, body := range map[string]io.Reader{
				"whole": bytes.NewReader(want), "end with the data": iotest.DataErrReader(bytes.NewReader(want)),
				"halves": iotest.HalfReader(bytes.NewReader(want)),
			} {
				got, err := readAnswer(&http.Response{Body: io.NopCloser(body), ContentLength: announced}, int64(n))
				require.NoError(t, err, "%d %s", n, name)
				require.True(t, bytes.Equal(want, got), "%d %s", n, name)
				if announced > 0 {
					require.LessOrEqual(t, cap(got), n+1, "no more than announced")
				}
			}
		}
		if n > 0 {
			_, err := readAnswer(
				&http.Response{Body: io.NopCloser(bytes.NewReader(want)), ContentLength: -1}, int64(n-1),
			)
			require.ErrorIs(t, err, ErrTooLarge)
		}
	}
	// An announced length alone allocates nothing.
	broken := errors.New("broken")
	short := io.MultiReader(bytes.NewReader([]byte("short")), iotest.ErrReader(broken))
	got, err := readAnswer(&http.Response{Body: io.NopCloser(short), ContentLength: 1 << 30}, 1<<30)
	require.ErrorIs(t, err, broken)
	require.LessOrEqual(t, cap(got), 1<<20)
}

// TestBrokenAnswer truncates responses: read-only requests are retried a limited number of times, others are not.
func TestBrokenAnswer(t *testing.T) {
	var asked, breaks atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		if asked.Add(1) <= breaks.Load() {
			_, _ = io.WriteString(w, "01234")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, "0123456789")
	}))
	defer s.Close()
	tr := transport(t, TransportOptions{Address: s.URL})
	for _, c := range []struct {
		path          string
		breaks, asked int64
		works         bool
	}{
		{"/get_blocks.bin", 0, 1, true},
		{"/get_blocks.bin", readTries - 1, readTries, true},
		{"/get_blocks.bin", readTries, readTries, false},
		{"/send_raw_transaction", 1, 1, false},
		{"/json_rpc", 1, 1, false},
	} {
		asked.Store(0)
		breaks.Store(c.breaks)
		got, err := tr.Post(t.Context(), c.path, nil)
		require.Equal(t, c.asked, asked.Load(), c.path)
		if c.works {
			require.NoError(t, err)
			require.Equal(t, "0123456789", string(got))
		} else {
			require.ErrorIs(t, err, ErrBroken)
		}
	}
}
