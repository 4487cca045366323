// Command jvm tests the engine in a JVM as gobind binds it for Java: it makes, syncs, pays from, kills and reopens a
// wallet.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/node"
)

const (
	limit    = 10 * time.Minute // of the complete run, on a busy machine
	killedAt = 20               // minimum number of acknowledged writes before the process is killed
)

// machine starts JVMs.
type machine struct {
	library string // folder of the engine's library
	classes string // class path
	kotlin  string // class path of the Kotlin layer and its test; empty without a Kotlin compiler
}

func main() {
	var m machine
	flag.StringVar(&m.library, "library", "", "folder of libgojni.so")
	flag.StringVar(&m.classes, "classes", "", "class path of the bound classes and of the stories")
	flag.StringVar(&m.kotlin, "kotlin", "", "class path of the Kotlin layer and its test; empty for none")
	bench := flag.Bool("bench", false, "measure instead")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	work := m.test
	if *bench {
		work = m.bench
	}
	if err := work(ctx); err != nil {
		cancel()
		fmt.Fprintln(os.Stderr, "jvm:", err)
		os.Exit(1)
	}
}

// test runs the scenario with glim's daemon and with monerod.
func (m machine) test(ctx context.Context) error {
	d, err := inprocess.Start(ctx)
	if err != nil {
		return err
	}
	if err := m.story(ctx, "glim's daemon", d); err != nil {
		return err
	}
	if m.kotlin != "" {
		if err := m.life(ctx); err != nil {
			return err
		}
	}
	if _, err := peers.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "jvm: not with the real daemon:", err)
		if os.Getenv("CI") != "" {
			return err
		}
		return nil
	}
	dir, err := os.MkdirTemp("", "jvm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if d, err = peers.StartDaemon(ctx, peers.Options{Dir: dir}); err != nil {
		return err
	}
	return m.story(ctx, "monerod", d)
}

// story runs the scenario with the daemon d, and ends the daemon.
func (m machine) story(ctx context.Context, who string, d *peers.Daemon) (err error) {
	defer func() { err = errors.Join(err, d.Kill()) }()
	dir, err := os.MkdirTemp("", "jvm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	wallets := filepath.Join(dir, "wallets")
	state, acknowledged, err := m.first(ctx, wallets, d.URL)
	if err != nil {
		return fmt.Errorf("with %s, before the kill: %w", who, err)
	}
	cmd := m.java(ctx, "glim.jvm.Story", "second", wallets, d.URL, state[0], state[1], strconv.Itoa(acknowledged))
	out, err := cmd.Output()
	if err != nil || string(out) != "whole\n" {
		return errors.Join(err, fmt.Errorf("with %s, after the kill: the JVM printed %q", who, out))
	}
	fmt.Printf("jvm: with %s: created, synced, sent, killed after %d writes, reopened\n", who, acknowledged)
	return nil
}

// first runs the first part and kills it while it writes. It returns the cursor and the balance that it printed, and
// the number of acknowledged writes.
func (m machine) first(ctx context.Context, wallets, daemon string) (state []string, acknowledged int, err error) {
	cmd := m.java(ctx, "glim.jvm.Story", "first", wallets, daemon, node.UnspendableAddress())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	var said strings.Builder // the JVM reports its own failures on standard output
	defer func() {
		_ = cmd.Process.Kill() // so that it cannot clean up
		_, _ = io.Copy(io.Discard, out)
		if ended := cmd.Wait(); err != nil {
			err = fmt.Errorf("%w: %w: %s", err, ended, said.String())
		}
	}()
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // the process has ended, perhaps within a line
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "state":
			state = strings.Fields(rest)
		case "acknowledged":
			if acknowledged, err = strconv.Atoi(rest); err != nil {
				return nil, 0, err
			}
		default:
			said.WriteString(line)
		}
		if acknowledged == killedAt {
			if err := cmd.Process.Kill(); err != nil {
				return nil, 0, err
			}
			// Writes that it printed to the pipe before it was killed were acknowledged as well.
		}
	}
	if len(state) != 2 || acknowledged < killedAt {
		return nil, 0, fmt.Errorf("it ended after %d writes", acknowledged)
	}
	return state, acknowledged, nil
}

// life runs the test of the Kotlin layer with glim's daemon.
func (m machine) life(ctx context.Context) (err error) {
	d, err := inprocess.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Kill()) }()
	dir, err := os.MkdirTemp("", "jvm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m.classes += string(filepath.ListSeparator) + m.kotlin
	out, err := m.java(ctx, "glim.LifeKt", filepath.Join(dir, "wallets"), d.URL, node.UnspendableAddress()).Output()
	if err != nil || string(out) != "lived\n" {
		return errors.Join(err, fmt.Errorf("the Kotlin layer printed %q", out))
	}
	fmt.Println("jvm: the Kotlin layer: made, paid, was refused, restored, locked, watched")
	return nil
}

func (m machine) java(ctx context.Context, args ...string) *exec.Cmd {
	options := []string{"-Xmx256m", "-XX:+UseSerialGC", "-Djava.library.path=" + m.library, "-cp", m.classes}
	cmd := exec.CommandContext(ctx, "java", append(options, args...)...)
	cmd.Stderr = os.Stderr
	return cmd
}
