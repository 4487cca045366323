package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"glim/bindings/peers/inprocess"
	"glim/core/node"
	"glim/mobile/bridge"
)

// The chain to scan: it takes about a second to scan, and as long to deliver the events of its transfers.
const (
	benchRewards = 400
	benchBlocks  = 3000
)

// bench measures the engine in a JVM, and the same work in this process for comparison.
func (m machine) bench(ctx context.Context) error {
	d, err := inprocess.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = d.Kill() }()
	dir, err := os.MkdirTemp("", "jvm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o := bridge.NewOptions()
	o.Network, o.Daemon, o.Trusted, o.Folder = "regtest", d.URL, true, filepath.Join(dir, "native")
	o.Accounts, o.Addresses = 2, 5
	e, err := bridge.Open(o)
	if err != nil {
		return err
	}
	defer e.Close()
	var address struct{ Address string }
	var seed struct{ Key string }
	if err := ask(e, "made", "create_wallet", `{"password":"secret","language":"English"}`, nil); err != nil {
		return err
	}
	if err := ask(e, "made", "get_address", "", &address); err != nil {
		return err
	}
	if err := ask(e, "made", "query_key", `{"key_type":"mnemonic"}`, &seed); err != nil {
		return err
	}
	if err := ask(e, "made", "close_wallet", "", nil); err != nil {
		return err
	}
	if err := d.Mine(ctx, benchRewards, address.Address); err != nil {
		return err
	}
	if err := d.Mine(ctx, benchBlocks-benchRewards, node.UnspendableAddress()); err != nil {
		return err
	}

	if err := benchNative(e, seed.Key); err != nil {
		return err
	}
	out, err := m.java(ctx, "glim.jvm.Bench", filepath.Join(dir, "jvm"), d.URL, seed.Key).Output()
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(parts) != 3 {
			return fmt.Errorf("the JVM printed %q", line)
		}
		fmt.Printf("%-55s %12s %s\n", parts[0], parts[1], parts[2])
	}
	return nil
}

// ask calls an operation and decodes its result into out, which may be nil.
func ask(e *bridge.Engine, wallet, method, params string, out any) error {
	text, err := e.Call(wallet, method, params)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal([]byte(text), out)
}

// benchNative measures scanning and calls in this process, without a JVM.
func benchNative(e *bridge.Engine, seed string) error {
	restore := fmt.Sprintf(`{"password":"secret","seed":%q}`, seed)
	if err := ask(e, "it", "restore_deterministic_wallet", restore, nil); err != nil {
		return err
	}
	if err := ask(e, "it", "auto_refresh", `{"enable":false}`, nil); err != nil {
		return err
	}
	began := time.Now()
	if err := ask(e, "it", "refresh", "", nil); err != nil {
		return err
	}
	perSecond := benchBlocks / time.Since(began).Seconds()
	fmt.Printf("%-55s %12.1f %s\n", "blocks scanned, without a JVM", perSecond, "blocks/s")
	const calls = 20_000
	began = time.Now()
	for range calls {
		if err := ask(e, "it", "get_version", "", nil); err != nil {
			return err
		}
	}
	perCall := float64(time.Since(began).Microseconds()) / calls
	fmt.Printf("%-55s %12.1f %s\n", "a blocking call that does nothing, without a JVM", perCall, "us")
	return nil
}
