package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

func TestSamples(t *testing.T) {
	var s samples
	require.Zero(t, s.at(0.5))
	for n := range 200 {
		s = append(s, time.Duration(200-n))
	}
	require.Equal(t, time.Duration(101), s.at(0.5))
	require.Equal(t, time.Duration(199), s.at(0.99))
	require.Equal(t, time.Duration(200), s.at(1))
}

// TestClients runs the clients with a fake service: each sends requests over one persistent connection, only while the
// chain is read; every answer is counted; a refused request ends the measurement.
func TestClients(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		t.Run(fmt.Sprint(refuse), func(t *testing.T) {
			const clients = 16
			last, count := "get_balance", 10*clients
			if refuse {
				last, count = "get_transfers", 1
			}
			var mu sync.Mutex
			asked, connections := map[string]int{}, map[string]bool{}
			enough := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var q struct{ Method string }
				if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
					t.Error(err)
				}
				mu.Lock()
				asked[q.Method]++
				n := asked[q.Method]
				if q.Method != "rescan_blockchain" {
					connections[r.RemoteAddr] = true
				}
				if q.Method == last && n == count {
					close(enough)
				}
				mu.Unlock()
				if q.Method == "rescan_blockchain" {
					<-enough // the reading lasts until there were enough requests, or one was refused
				}
				if refuse && q.Method == "get_transfers" {
					fmt.Fprint(w, `{"error":{"code":-1,"message":"no"}}`)
					return
				}
				fmt.Fprint(w, `{"result":{}}`)
			}))
			defer server.Close()
			l := load{clients: clients, pause: time.Millisecond, addresses: 100, chain: loadChain{Blocks: 400}}
			s := &service{WalletRPC: &peers.WalletRPC{Client: peers.Client{URL: server.URL}}}
			err := l.busy(context.Background(), s)
			if refuse {
				require.ErrorContains(t, err, "get_transfers")
				return
			}
			require.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			require.Len(t, s.busy, asked["get_balance"])
			require.Len(t, s.mix, asked["get_balance"]+asked["get_transfers"]+asked["get_address"])
			require.Len(t, s.reads, 1)
			require.NotZero(t, asked["get_transfers"])
			require.NotZero(t, asked["get_address"])
			require.LessOrEqual(t, len(connections), clients)
		})
	}
}
