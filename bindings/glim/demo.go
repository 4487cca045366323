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
	"strings"
	"syscall"
	"time"

	"glim/bindings/native"
	"glim/bindings/native/digest"
	"glim/bindings/peers"
	"glim/bindings/peers/own"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// demo runs the demonstration and returns the process's exit code.
func demo(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p, err := parsePlay(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "glim demo: %v\n\n%s", err, demoUsage)
		return 2
	case p.help:
		fmt.Fprint(stdout, demoUsage)
		return 0
	}
	// A reader who leaves, as in "glim demo | head", is an interrupt, not a sudden death that leaves the folder behind.
	signal.Ignore(syscall.SIGPIPE)
	ctx, interrupt := context.WithCancel(ctx)
	defer interrupt()
	say := newNarrator(stdout)
	say.gone = interrupt
	_, err = runDemo(ctx, say, p, (*stage).tell)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "\nglim demo: interrupted; what it started has ended and its folder is gone")
		return 130 // as shells report an end by Ctrl-C
	case errors.Is(err, peers.ErrMissing):
		fmt.Fprintf(stderr, "glim demo: %v\n", err)
		return 1
	}
	fmt.Fprintf(stderr, "glim demo: %v\n", err)
	return 1
}

const demoUsage = `Usage: glim demo [--daemon glim|monerod] [--stay]

Tells the story of a few payments on a private chain, with a daemon and a wallet service of glim's, in a temporary folder
that is gone at the end. It needs nothing else installed.

  --daemon glim|monerod   who keeps the chain: glim, or the program monerod, which must be installed then
  --stay                  at the end, leave both running until Ctrl-C, to try things by hand
`

// play is how the demonstration is to be given.
type play struct {
	monerod, stay, help bool
}

func parsePlay(args []string) (p play, err error) {
	for i := 0; i < len(args); i++ {
		name, value, given := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--stay":
			p.stay = true
		case args[i] == "--help" || args[i] == "-h":
			p.help = true
		case name == "--daemon":
			if i++; !given && i < len(args) {
				value = args[i]
			} else {
				i--
			}
			if p.monerod = value == "monerod"; !p.monerod && value != "glim" {
				return p, errors.New("--daemon is glim or monerod")
			}
		default:
			return p, fmt.Errorf("unknown argument %q", args[i])
		}
	}
	return p, nil
}

// The story's numbers.
const (
	aliceBlocks    = 20                 // whose rewards are Alice's
	strangerBlocks = 70                 // until they are spendable and there are outputs enough to hide among
	gift           = 12_500_000_000_000 // atomic units from Alice to Bob
	giftBack       = 2_250_000_000_000  // and from Bob to Alice
	confirmations  = xmr.SpendableAge   // blocks until money received can be spent
	demoPassword   = "correct horse"    // of the wallets, which live as long as the demonstration
	demoTimeLimit  = 10 * time.Minute   // of the story, not of staying
)

// A movement is one payment, with the balances around it. Amounts are in atomic units.
type movement struct {
	Sent, Fee                 uint64
	SenderBefore, SenderAfter uint64
	PaidBefore, PaidAfter     uint64
	TxID, TxKey               string
	PoolAmount                uint64 // what the receiver saw on its way
	SeenPending, Confirmed    bool
	Confirmations             uint64
}

// outcome is what the story showed, for its test.
type outcome struct {
	Mined, Unlocked          uint64 // Alice's balance after mining
	Address, RestoredAddress string
	Restored                 uint64 // balance of the restored wallet
	Gift, Back               movement
	AliceEnd, RestoredEnd    uint64 // the two copies of Alice's wallet at the end
	Dir                      string // removed at the end
}

// stage is what the story plays on: a daemon and a wallet service, each at an address of this machine.
type stage struct {
	say      *narrator
	daemon   *peers.Daemon
	wallets  *native.Transport // to the service, over HTTP
	url      string            // of the service
	login    digest.Login
	stranger string // address that mines what nobody of the story is paid for
}

// runDemo sets the stage for tell, which checks on the way that its story is true. When p says so the stage stands until
// ctx ends. Whatever was started has ended when runDemo returns.
func runDemo(ctx context.Context, say *narrator, p play, tell func(*stage, context.Context, *outcome) error) (o outcome, err error) {
	if p.monerod {
		if _, err := peers.Find(); err != nil {
			return o, err
		}
	}
	story, cancel := context.WithTimeout(ctx, demoTimeLimit)
	defer cancel()
	if o.Dir, err = os.MkdirTemp("", "glim-demo-"); err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Dir)) }()

	s, end, err := openStage(ctx, story, say, p, o.Dir)
	defer func() { err = errors.Join(err, end()) }()
	if err != nil {
		return o, err
	}
	if err := tell(s, story, &o); err != nil {
		return o, err
	}
	s.whatNext(p.stay)
	if p.stay {
		cancel()
		<-ctx.Done()
	}
	return o, nil
}

// openStage starts the daemon, in life for as long as ctx, and the service. end stops both, also after an error.
func openStage(ctx, story context.Context, say *narrator, p play, dir string) (s *stage, end func() error, err error) {
	end = func() error { return nil }
	s = &stage{say: say, login: digest.NewLogin("demo", rand.Text())}

	who := "This one is glim's, as glim daemon is, and"
	if p.monerod {
		who = "This one, monerod,"
	}
	say.step("A private chain",
		"A daemon keeps the chain of blocks, judges new ones, and knows nothing of wallets. "+who+" has a chain of its own: "+
			"no other machine sees it and its money is worth nothing.")
	if p.monerod {
		done := say.wait("starting monerod")
		s.daemon, err = peers.StartDaemon(ctx, peers.Options{Dir: filepath.Join(dir, "daemon")})
		done()
	} else {
		s.daemon, err = own.Start(ctx)
	}
	if err != nil {
		return s, end, err
	}
	end = s.daemon.Kill // its chain is thrown away: nothing needs saving
	say.facts("daemon", s.daemon.URL, "folder", dir+" (removed at the end)")

	say.step("The wallet service",
		"glim keeps the keys and does the wallet's work. Programs ask it over HTTP, as they would ask monero-wallet-rpc; "+
			"it listens on this machine alone and wants a login.")
	cfg, err := parseWalletRPC([]string{"--regtest", "--rpc-bind-port", "1", "--wallet-dir", filepath.Join(dir, "wallets"),
		"--daemon-address", s.daemon.URL}, func(string) string { return "" }, os.ReadFile)
	if err != nil {
		return s, end, err
	}
	cfg.BindPort, cfg.Login = 0, s.login // any free port
	listeners, err := cfg.listen()
	if err != nil {
		return s, end, err
	}
	log, level, _, err := Logging{}.open(io.Discard)
	if err != nil {
		return s, end, errors.Join(err, closeAll(listeners))
	}
	serving, stop := context.WithCancel(ctx)
	h := host{log: log, setLog: level.orRefuse, stop: stop}
	service, closeService, err := openService(serving, cfg, h)
	if err != nil {
		stop()
		return s, end, errors.Join(err, closeAll(listeners))
	}
	served := make(chan error, 1)
	go func() { served <- serve(serving, cfg, service, listeners, h, io.Discard) }()
	end = func() error {
		stop()
		return errors.Join(<-served, closeService(context.WithoutCancel(ctx)), s.daemon.Kill())
	}
	s.url = "http://" + listeners[0].Addr().String()
	if s.wallets, err = native.NewTransport(native.TransportOptions{Address: s.url, Login: s.login}); err != nil {
		return s, end, err
	}
	version, err := rpc.Call(story, s.wallets, walletrpc.GetVersion, walletrpc.Empty{})
	if err != nil {
		return s, end, err
	}
	say.facts("service", s.url+"/json_rpc", "login", s.login.Username+":"+s.login.Password(),
		"interface", fmt.Sprintf("version %d.%d of monero-wallet-rpc's", version.Version>>16, version.Version&0xffff))
	return s, end, nil
}

func closeAll(listeners []net.Listener) (err error) {
	for _, l := range listeners {
		err = errors.Join(err, l.Close())
	}
	return err
}

// whatNext ends the story with things to try.
func (s *stage) whatNext(stay bool) {
	url, login := "http://127.0.0.1:18083", "me:secret"
	if stay {
		url, login = s.url, s.login.Username+":"+s.login.Password()
		s.say.step("What to try next", "Daemon and service go on until Ctrl-C. From another terminal:")
	} else {
		s.say.step("What to try next",
			"The story is over: its programs have ended and its folder is gone when you read this. bin/glim demo --stay leaves them "+
				"running. Or use a chain that others see, such as the staging network, with a daemon of yours:")
		s.say.code("bin/glim wallet-rpc --stagenet --daemon-address localhost:38081 \\",
			"  --wallet-dir wallets --rpc-bind-port 18083 --rpc-login "+login)
	}
	curl := func(method, params string) string {
		return fmt.Sprintf("curl -s --digest -u '%s' %s/json_rpc \\\n  -d '{\"jsonrpc\":\"2.0\",\"id\":\"0\",\"method\":%q,\"params\":{%s}}'",
			login, url, method, params)
	}
	s.say.sentence("Then ask it with curl:")
	if stay {
		s.say.code(curl("open_wallet", `"filename":"alice","password":"`+demoPassword+`"`))
	} else {
		s.say.code(curl("create_wallet", `"filename":"mine","password":"secret","language":"English"`))
	}
	s.say.code(curl("get_address", `"account_index":0`), curl("get_balance", `"account_index":0`), curl("get_transfers", `"in":true,"out":true,"pool":true`))
	if stay {
		s.say.sentence("New blocks come when the daemon is asked for them:")
		s.say.code(fmt.Sprintf("curl -s %s/json_rpc \\\n  -d '{\"jsonrpc\":\"2.0\",\"id\":\"0\",\"method\":\"generateblocks\",\"params\":{\"amount_of_blocks\":1,\"wallet_address\":%q}}'",
			s.daemon.URL, s.stranger))
	}
	s.say.sentence("README.md and the folder examples/ go on from here.")
}
