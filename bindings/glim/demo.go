package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"glim/bindings/native"
	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// demo runs the demonstration and returns the process's exit code.
func demo(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p, err := parseDemo(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "glim demo: %v\n\n%s", err, demoUsage)
		return 2
	case p.help:
		fmt.Fprint(stdout, demoUsage)
		return 0
	}
	// If the reader exits, as in "glim demo | head", end as on an interrupt, so that the folder is removed.
	signal.Ignore(syscall.SIGPIPE)
	ctx, interrupt := context.WithCancel(ctx)
	defer interrupt()
	out := newPrinter(stdout)
	out.onError = interrupt
	_, err = runDemo(ctx, out, p, (*stage).tell)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "\nglim demo: interrupted; its processes have ended and its folder was removed")
		return 130 // the exit code of shells for SIGINT
	case errors.Is(err, peers.ErrMissing):
		fmt.Fprintf(stderr, "glim demo: %v\n", err)
		return 1
	}
	fmt.Fprintf(stderr, "glim demo: %v\n", err)
	return 1
}

const demoUsage = `Usage: glim demo [--daemon glim|monerod] [--fork-height N] [--stay]

Demonstrates a few payments on a private chain, with a daemon and a wallet service of glim, in a temporary folder that
is removed at the end. Nothing else needs to be installed.

  --daemon glim|monerod   daemon to use: glim's own, or monerod, which must be installed
  --fork-height N         let the chain cross the next hard fork at block N, from 1 to 80: the payments have membership
                          proofs then; needs glim's daemon
  --stay                  keep both running at the end until Ctrl-C, to try things by hand
`

// demoOptions are the command-line options of the demonstration.
type demoOptions struct {
	monerod, stay, help bool
	fork                uint64 // height of the next hard fork; 0 for none
}

func parseDemo(args []string) (p demoOptions, err error) {
	for i := 0; i < len(args); i++ {
		name, value, given := strings.Cut(args[i], "=")
		if takes := name == "--daemon" || name == "--fork-height"; takes && !given && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch {
		case name == "--stay" && !given:
			p.stay = true
		case (name == "--help" || name == "-h") && !given:
			p.help = true
		case name == "--daemon":
			if p.monerod = value == "monerod"; !p.monerod && value != "glim" {
				return p, errors.New("--daemon must be glim or monerod")
			}
		case name == "--fork-height":
			if p.fork, err = strconv.ParseUint(value, 10, 64); err != nil || p.fork < 1 || p.fork > lastDemoFork {
				return p, fmt.Errorf("--fork-height must be a number from 1 to %d", lastDemoFork)
			}
		default:
			return p, fmt.Errorf("unknown argument %q", args[i])
		}
	}
	if p.monerod && p.fork > 0 {
		return p, errors.New("--fork-height needs glim's daemon: monerod's private chains do not cross the fork")
	}
	return p, nil
}

// Numbers of the demonstration.
const (
	aliceBlocks   = 20                 // whose rewards go to Alice
	minerBlocks   = 70                 // until the rewards are spendable and there are enough decoys
	lastDemoFork  = 80                 // so that the payments come after the fork
	gift          = 12_500_000_000_000 // atomic units from Alice to Bob
	giftBack      = 2_250_000_000_000  // atomic units from Bob to Alice
	confirmations = xmr.SpendableAge   // blocks until received money can be spent
	demoPassword  = "correct horse"    // of the wallets, which are removed at the end
	demoTimeLimit = 10 * time.Minute   // without the time of --stay
)

// payment is one payment, with the balances before and after it. Amounts are in atomic units.
type payment struct {
	Sent, Fee                 uint64
	SenderBefore, SenderAfter uint64
	PaidBefore, PaidAfter     uint64
	TxID, TxKey               string
	PoolAmount                uint64 // that the receiver sees in the pool
	SeenPending, Confirmed    bool
	Confirmations             uint64
}

// outcome is the result of the demonstration, for its test.
type outcome struct {
	Mined, Unlocked          uint64 // Alice's balance after mining
	Address, RestoredAddress string
	Restored                 uint64 // balance of the restored wallet
	Gift, Back               payment
	AliceEnd, RestoredEnd    uint64 // final balances of the two copies of Alice's wallet
	Dir                      string // removed at the end
}

// stage is what the demonstration uses: a daemon and a wallet service, each at a local address.
type stage struct {
	out     *printer
	daemon  *peers.Daemon
	wallets *native.Transport // to the service, over HTTP
	url     string            // of the service
	login   digest.Login
	miner   string // address of a miner other than Alice and Bob
	fork    uint64 // height of the next hard fork; 0 for none
}

// runDemo starts the programs and calls tell, which checks its own statements. With --stay it then waits for the end of
// ctx. All that was started has ended when runDemo returns.
func runDemo(
	ctx context.Context, out *printer, p demoOptions, tell func(*stage, context.Context, *outcome) error,
) (o outcome, err error) {
	if p.monerod {
		if _, err := peers.Find(); err != nil {
			return o, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, demoTimeLimit)
	defer cancel()
	if o.Dir, err = os.MkdirTemp("", "glim-demo-"); err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Dir)) }()

	s, end, err := openStage(ctx, limited, out, p, o.Dir)
	defer func() { err = errors.Join(err, end()) }()
	if err != nil {
		return o, err
	}
	if err := tell(s, limited, &o); err != nil {
		return o, err
	}
	s.whatNext(p.stay)
	if p.stay {
		cancel()
		<-ctx.Done()
	}
	return o, nil
}

// openStage starts the daemon, until ctx ends, and the service. end stops both; call it also after an error.
func openStage(
	ctx, limited context.Context, out *printer, p demoOptions, dir string,
) (s *stage, end func() error, err error) {
	s = &stage{out: out, login: digest.NewLogin("demo", rand.Text()), fork: p.fork}
	if end, err = s.startDaemon(ctx, p, dir); err != nil {
		return s, end, err
	}
	if end, err = s.startWallets(ctx, dir); err != nil {
		return s, end, err
	}
	version, err := rpc.Call(limited, s.wallets, walletrpc.GetVersion, walletrpc.Empty{})
	if err != nil {
		return s, end, err
	}
	out.facts("service", s.url+"/json_rpc", "login", s.login.Username+":"+s.login.Password(),
		"interface", fmt.Sprintf("monero-wallet-rpc version %d.%d", version.Version>>16, version.Version&0xffff))
	return s, end, nil
}

func (s *stage) startDaemon(ctx context.Context, p demoOptions, dir string) (end func() error, err error) {
	end = func() error { return nil }
	which := "This one is glim's own, as run by glim daemon. It"
	if p.monerod {
		which = "This one, monerod,"
	}
	s.out.step(
		"A private chain",
		"A daemon stores the chain, verifies new blocks, and does not know any wallets. "+which+" has a private "+
			"chain: it connects to no other machine, and its coins are worth nothing."+s.forkText(),
	)
	if p.monerod {
		done := s.out.wait("starting monerod")
		s.daemon, err = peers.StartDaemon(ctx, peers.Options{Dir: filepath.Join(dir, "daemon")})
		done()
	} else {
		s.daemon, err = startForked(ctx, p.fork)
	}
	if err != nil {
		return end, err
	}
	s.out.facts("daemon", s.daemon.URL, "folder", dir+" (removed at the end)")
	return s.daemon.Kill, nil // its chain is discarded, so it need not be saved
}

// startForked starts glim's daemon with a private chain that crosses the next hard fork at block at; 0 for none.
func startForked(ctx context.Context, at uint64) (*peers.Daemon, error) {
	if at == 0 {
		return inprocess.Start(ctx)
	}
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return uint64(time.Now().Unix()) },
		Random: rand.Reader, Forks: consensus.RegtestForks(at, at), Next: nextfork.Fork{},
	}})
	if err != nil {
		return nil, err
	}
	return inprocess.Serve(ctx, &node.Regtest{Node: n})
}

// forkText says when the chain crosses the next hard fork; nothing if it does not.
func (s *stage) forkText() string {
	if s.fork == 0 {
		return ""
	}
	return fmt.Sprintf(" At block %d it crosses the hard fork that Monero is preparing (FCMP++ and Carrot). Its rules "+
		"are not final, and nobody has audited glim's proofs.", s.fork)
}

// startWallets starts the wallet service. end stops it and the daemon.
func (s *stage) startWallets(ctx context.Context, dir string) (end func() error, err error) {
	end = s.daemon.Kill
	s.out.step("The wallet service",
		"glim holds the keys and does the work of a wallet. Programs call it over HTTP, as they would call "+
			"monero-wallet-rpc; it listens on this machine only and requires a login.")
	cfg, err := parseWalletRPC(
		[]string{"--regtest", "--rpc-bind-port", "1", "--wallet-dir", filepath.Join(dir, "wallets"),
			"--daemon-address", s.daemon.URL},
		func(string) string { return "" },
		os.ReadFile,
	)
	if err != nil {
		return end, err
	}
	cfg.BindPort, cfg.Login = 0, s.login // any free port
	listeners, err := cfg.listen()
	if err != nil {
		return end, err
	}
	log, levels, _, err := Logging{}.open(io.Discard)
	if err != nil {
		return end, errors.Join(err, closeAll(listeners))
	}
	serving, stop := context.WithCancel(ctx)
	env := serviceEnv{log: log, setLog: levels.setValid, stop: stop}
	service, closeService, err := openService(serving, cfg, env)
	if err != nil {
		stop()
		return end, errors.Join(err, closeAll(listeners))
	}
	served := make(chan error, 1)
	go func() { served <- serve(serving, cfg, service, listeners, env, io.Discard) }()
	end = func() error {
		stop()
		return errors.Join(<-served, closeService(context.WithoutCancel(ctx)), s.daemon.Kill())
	}
	s.url = "http://" + listeners[0].Addr().String()
	s.wallets, err = native.NewTransport(native.TransportOptions{Address: s.url, Login: s.login})
	return end, err
}

func closeAll(listeners []net.Listener) (err error) {
	for _, l := range listeners {
		err = errors.Join(err, l.Close())
	}
	return err
}

// whatNext suggests what to try next.
func (s *stage) whatNext(stay bool) {
	url, login := "http://127.0.0.1:18083", "me:secret"
	if stay {
		url, login = s.url, s.login.Username+":"+s.login.Password()
		s.out.step("What to try next", "Daemon and service keep running until Ctrl-C. From another terminal:")
	} else {
		s.out.step("What to try next",
			"The demonstration is over: its programs have ended and its folder is removed. bin/glim demo --stay keeps "+
				"them running. Or use a public network such as stagenet, with a daemon of your own:")
		s.out.code("bin/glim wallet-rpc --stagenet --daemon-address localhost:38081 \\",
			"  --wallet-dir wallets --rpc-bind-port 18083 --rpc-login "+login)
	}
	curl := func(method, params string) string {
		const command = "curl -s --digest -u '%s' %s/json_rpc \\\n" +
			"  -d '{\"jsonrpc\":\"2.0\",\"id\":\"0\",\"method\":%q,\"params\":{%s}}'"
		return fmt.Sprintf(command, login, url, method, params)
	}
	s.out.sentence("Then call it with curl:")
	if stay {
		s.out.code(curl("open_wallet", `"filename":"alice","password":"`+demoPassword+`"`))
	} else {
		s.out.code(curl("create_wallet", `"filename":"mine","password":"secret","language":"English"`))
	}
	s.out.code(curl("get_address", `"account_index":0`), curl("get_balance", `"account_index":0`),
		curl("get_transfers", `"in":true,"out":true,"pool":true`))
	if stay {
		const mine = "curl -s %s/json_rpc \\\n  -d '{\"jsonrpc\":\"2.0\",\"id\":\"0\",\"method\":\"generateblocks\"," +
			"\"params\":{\"amount_of_blocks\":1,\"wallet_address\":%q}}'"
		s.out.sentence("The daemon mines a block on request:")
		s.out.code(fmt.Sprintf(mine, s.daemon.URL, s.miner))
	}
	s.out.sentence("README.md and the folder examples/ continue from here.")
}
