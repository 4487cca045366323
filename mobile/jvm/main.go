// Command jvm drives the engine as gobind binds it for Java, in a JVM: a wallet is made, synced, paid from, killed and opened again.
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
	"glim/bindings/peers/own"
	"glim/core/node"
)

const (
	limit    = 10 * time.Minute // of everything, on a machine that is busy
	killedAt = 20               // writes that the process acknowledges before it is killed, at least
)

// machine starts JVMs.
type machine struct {
	library string // folder of the engine
	classes string // class path
	kotlin  string // class path of the Kotlin layer and its test; empty without a compiler of Kotlin
}

func main() {
	var m machine
	flag.StringVar(&m.library, "library", "", "folder of libgojni.so")
	flag.StringVar(&m.classes, "classes", "", "class path of the bound classes and of the stories")
	flag.StringVar(&m.kotlin, "kotlin", "", "class path of the Kotlin layer, its test and what they need; empty for none")
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

// test tells the story with a daemon of ours and with the real one.
func (m machine) test(ctx context.Context) error {
	d, err := own.Start(ctx)
	if err != nil {
		return err
	}
	if err := m.story(ctx, "a daemon of ours", d); err != nil {
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

// story tells it with the daemon d, which ends with it.
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
		return errors.Join(err, fmt.Errorf("with %s, after the kill: the JVM said %q", who, out))
	}
	fmt.Printf("jvm: with %s: created, synced, sent, heard, killed after %d writes, opened again\n", who, acknowledged)
	return nil
}

// first starts the first part and kills it while it writes. It returns the cursor and the balance it said, and how many writes it
// acknowledged.
func (m machine) first(ctx context.Context, wallets, daemon string) (state []string, acknowledged int, err error) {
	cmd := m.java(ctx, "glim.jvm.Story", "first", wallets, daemon, node.Nobody())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	defer func() {
		_ = cmd.Process.Kill() // nothing is tidied up
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	}()
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // its end, within a line perhaps
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "state":
			state = strings.Fields(rest)
		case "acknowledged":
			if acknowledged, err = strconv.Atoi(rest); err != nil {
				return nil, 0, err
			}
		}
		if acknowledged == killedAt {
			if err := cmd.Process.Kill(); err != nil {
				return nil, 0, err
			}
			// What it wrote to the pipe by then it had acknowledged, too.
		}
	}
	if len(state) != 2 || acknowledged < killedAt {
		return nil, 0, fmt.Errorf("it ended after %d writes", acknowledged)
	}
	return state, acknowledged, nil
}

// life lets the Kotlin layer live with a daemon of ours.
func (m machine) life(ctx context.Context) (err error) {
	d, err := own.Start(ctx)
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
	out, err := m.java(ctx, "glim.LifeKt", filepath.Join(dir, "wallets"), d.URL, node.Nobody()).Output()
	if err != nil || string(out) != "lived\n" {
		return errors.Join(err, fmt.Errorf("the Kotlin layer said %q", out))
	}
	fmt.Println("jvm: the Kotlin layer: made, paid, was refused, restored, locked, watched")
	return nil
}

func (m machine) java(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "java", append([]string{"-Xmx256m", "-XX:+UseSerialGC", "-Djava.library.path=" + m.library, "-cp", m.classes}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd
}
