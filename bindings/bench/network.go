package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"glim/bindings/peers"
)

// networkRun measures how fast a new daemon learns a chain from a peer.
type networkRun struct {
	rounds    int
	glim, dir string
	out       io.Writer
}

// run gives a chain to both daemons, and has new daemons of both kinds learn it from each.
func (v networkRun) run(ctx context.Context, size fixtureSize) (err error) {
	if err := os.RemoveAll(v.dir); err != nil {
		return err
	}
	d := daemonRun{out: v.out}
	if d.fixture, err = makeFixture(ctx, size, v.out); err != nil {
		return err
	}
	blocks, txs := uint64(1), 0
	for _, b := range d.fixture.chain {
		blocks, txs = blocks+1, txs+len(b.narrow)+len(b.wide)
	}
	kinds := []struct {
		name    string
		command []string
	}{{"monerod", nil}, {"glim", []string{v.glim, "daemon"}}}
	fmt.Fprintf(v.out, "%d blocks with %d transactions, from a peer on this machine\n", blocks, txs)
	fmt.Fprintf(v.out, "%-10s %-10s %12s %12s %16s\n", "learner", "peer", "seconds", "tx/s", "CPU seconds")
	for _, from := range kinds {
		peer, at, err := v.teacher(ctx, &d, from.name, from.command)
		if err != nil {
			return fmt.Errorf("%s: %w", from.name, err)
		}
		for round := range v.rounds {
			for i := range kinds {
				k := kinds[(i+round)%2]
				wall, cpu, err := v.learn(ctx, k.command,
					filepath.Join(v.dir, fmt.Sprintf("%s-%s-%d", k.name, from.name, round)), at, blocks)
				if err != nil {
					return errors.Join(fmt.Errorf("%s from %s: %w", k.name, from.name, err), peer.Kill())
				}
				fmt.Fprintf(v.out, "%-10s %-10s %12.2f %12.1f %16.2f\n", k.name, from.name, wall.Seconds(),
					float64(txs)/wall.Seconds(), cpu.Seconds())
			}
		}
		if err := peer.Stop(); err != nil {
			return err
		}
	}
	return nil
}

// teacher starts a daemon that has the chain and accepts peers. monerod accepts blocks by RPC only while it is offline.
func (v networkRun) teacher(
	ctx context.Context, d *daemonRun, name string, command []string,
) (*peers.Daemon, string, error) {
	o := peers.Options{Dir: filepath.Join(v.dir, name), Command: command, KeepChain: true}
	fed, err := peers.StartDaemon(ctx, o)
	if err != nil {
		return nil, "", err
	}
	s := &side{Client: fed.Client, name: name}
	for i := range d.fixture.chain {
		if err := d.feed(ctx, s, &d.fixture.chain[i]); err != nil {
			return nil, "", errors.Join(err, fed.Kill())
		}
	}
	if err := fed.Stop(); err != nil {
		return nil, "", err
	}
	if o.P2PPort, err = peers.FreePort(); err != nil {
		return nil, "", err
	}
	o.Args = []string{"--max-connections-per-ip", "100", "--allow-local-ip", "--limit-rate", "1000000"}
	online, err := peers.StartDaemon(ctx, o)
	return online, "127.0.0.1:" + o.P2PPort, err
}

// learn starts an empty daemon with one peer and waits until it has so many blocks.
func (v networkRun) learn(
	ctx context.Context, command []string, dir, from string, blocks uint64,
) (wall, cpu time.Duration, err error) {
	port, err := peers.FreePort()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	args := []string{"--add-exclusive-node", from, "--max-connections-per-ip", "100", "--allow-local-ip"}
	l, err := peers.StartDaemon(ctx, peers.Options{
		Dir: dir, Command: command, KeepChain: true, P2PPort: port, Args: append(args, "--limit-rate", "1000000"),
	})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, l.Kill()) }()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		var info struct{ Height uint64 }
		if err := l.JSON(ctx, "get_info", nil, &info); err != nil {
			return 0, 0, err
		}
		if info.Height >= blocks {
			tick.Stop()
			break
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		}
	}
	wall = time.Since(began)
	u, err := usage(l.PID())
	return wall, u.cpu, err
}
