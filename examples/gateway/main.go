// Command gateway puts `glim daemon --gateway` before three daemons, one of which lies about the chain. A wallet service that knows the gateway
// alone reads the chain and is paid, and the liar is asked for nothing but what it is compared by.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/examples/internal/stage"
)

func main() { stage.Run(gateway) }

// another is one more daemon of the same chain. It counts what it is asked for but the two operations by which daemons are compared, and when it
// lies it tells of a longer chain.
func another(daemon string, lies bool, asked *atomic.Int64) (*httptest.Server, error) {
	to, err := url.Parse(daemon)
	if err != nil {
		return nil, err
	}
	way := httputil.NewSingleHostReverseProxy(to)
	if lies {
		way.ModifyResponse = func(r *http.Response) error {
			b, err := io.ReadAll(r.Body)
			b = bytes.ReplaceAll(b, []byte(`"height":`), []byte(`"height":9`))
			r.Header.Set("Content-Length", strconv.Itoa(len(b)))
			r.ContentLength, r.Body = int64(len(b)), io.NopCloser(bytes.NewReader(b))
			return err
		}
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/json_rpc" {
			asked.Add(1)
		}
		way.ServeHTTP(w, r)
	})), nil
}

func gateway(ctx context.Context, s *stage.Stage) error {
	var asked [3]atomic.Int64
	var daemons []string
	for i := range asked {
		d, err := another(s.Daemon.URL, i == 0, &asked[i])
		if err != nil {
			return err
		}
		defer d.Close()
		daemons = append(daemons, d.URL)
	}
	before, err := s.Glim(ctx, nil, "daemon", "--regtest", "--no-sync", "--bootstrap-daemon-address", strings.Join(daemons, ","),
		"--gateway", "--gateway-cache", filepath.Join(s.Dir, "blocks"), "--restricted-rpc")
	if err != nil {
		return err
	}
	wallets, err := s.WalletServiceAt(ctx, "http://"+before)
	if err != nil {
		return err
	}
	address, err := stage.CreateWallet(ctx, wallets, "shop")
	if err != nil {
		return err
	}
	if err := s.Fund(ctx, address); err != nil {
		return err
	}
	// What the gateway knows of the chain's end is some seconds old.
	for {
		if _, err := rpc.Call(ctx, wallets, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
			return err
		}
		b, err := rpc.Call(ctx, wallets, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
		if err != nil {
			return err
		}
		if b.UnlockedBalance > 0 {
			fmt.Printf("%s, all of it to be spent; the liar was asked %d time(s), the honest ones %d\n",
				stage.Money(b.UnlockedBalance), asked[0].Load(), asked[1].Load()+asked[2].Load())
			break
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if asked[0].Load() > 0 || asked[1].Load() == 0 {
		return errors.New("the liar was asked")
	}
	return nil
}
