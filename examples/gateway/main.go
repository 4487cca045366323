// Command gateway runs `glim daemon --gateway` in front of three daemons, one of which forges the height of the chain.
// A wallet service that only uses the gateway reads the chain and receives a payment. The malicious daemon gets only
// the requests by which the gateway compares daemons.
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

// another returns a proxy of the daemon. It counts requests other than the two by which daemons are compared. A
// malicious one reports a longer chain.
func another(daemon string, malicious bool, asked *atomic.Int64) (*httptest.Server, error) {
	to, err := url.Parse(daemon)
	if err != nil {
		return nil, err
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	if malicious {
		proxy.ModifyResponse = func(r *http.Response) error {
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
		proxy.ServeHTTP(w, r)
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
	at, err := s.Glim(ctx, nil, "daemon", "--regtest", "--no-sync", "--restricted-rpc",
		"--bootstrap-daemon-address", strings.Join(daemons, ","),
		"--gateway", "--gateway-cache", filepath.Join(s.Dir, "blocks"))
	if err != nil {
		return err
	}
	wallets, err := s.WalletServiceAt(ctx, "http://"+at)
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
	// The gateway caches the end of the chain for some seconds.
	for {
		if _, err := rpc.Call(ctx, wallets, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
			return err
		}
		b, err := rpc.Call(ctx, wallets, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
		if err != nil {
			return err
		}
		if b.UnlockedBalance > 0 {
			fmt.Printf("%s can be spent; requests to the malicious daemon: %d, to the honest ones: %d\n",
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
		return errors.New("the malicious daemon was used, or an honest one was not")
	}
	return nil
}
