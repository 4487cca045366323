package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math/bits"
	"path/filepath"
	"runtime"
	"time"

	"glim/bindings/peers"
	"glim/core/crypto/edwards"
	"glim/core/multisig"
	"glim/core/xmr"
)

// crowd simulates all signers of a group except the measured one. It computes their messages from their secrets, which
// takes almost no time.
type crowd struct {
	threshold, total int
	base             []*edwards.Scalar
}

func newCrowd(threshold, total int) (*crowd, error) {
	c := &crowd{threshold: threshold, total: total}
	for range total - 1 {
		base, err := edwards.RandomScalar(rand.Reader)
		if err != nil {
			return nil, err
		}
		c.base = append(c.base, base)
	}
	return c, nil
}

// rounds returns the number of rounds that make keys.
func (c *crowd) rounds() int { return c.total - c.threshold + 1 }

// first returns the messages of the first round.
func (c *crowd) first() ([]string, error) {
	return c.say(1, func(int) []xmr.PublicKey { return nil })
}

// later returns the messages of a round that makes keys. They have only those keys of several signers that the measured
// one does not have, because it ignores the others. A key is the product of its signers' secrets, times eight for each
// pair of them; in the last round its hash is a part of the spend key.
//
// Source: src/multisig/multisig_account_kex_impl.cpp, multisig_kex_make_round_keys and
// calculate_multisig_keypair_from_derivation.
func (c *crowd) later(round int) ([]string, error) {
	keys := make([][]xmr.PublicKey, len(c.base))
	eight, domain := edwards.ScalarFromUint64(8), [32]byte{'M', 'u', 'l', 't', 'i', 's', 'i', 'g'}
	for set := range uint(1) << len(c.base) {
		if bits.OnesCount(set) != round {
			continue
		}
		product := edwards.ScalarFromUint64(1)
		for range round - 1 {
			product.Multiply(product, eight)
		}
		for rest := set; rest != 0; rest &= rest - 1 {
			product.Multiply(product, c.base[bits.TrailingZeros(rest)])
		}
		key := new(edwards.Point).ScalarBaseMult(product).Encode()
		if round == c.rounds() {
			key = new(edwards.Point).ScalarBaseMult(edwards.HashToScalar(key[:], domain[:])).Encode()
		}
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros(rest)
			keys[i] = append(keys[i], key)
		}
	}
	return c.say(round, func(i int) []xmr.PublicKey { return keys[i] })
}

// agreeing returns the messages of the last round, in which all have the same keys as the sender of text.
func (c *crowd) agreeing(text string) ([]string, error) {
	m, err := multisig.ParseKexMessage(text)
	if err != nil {
		return nil, err
	}
	return c.say(c.rounds()+1, func(int) []xmr.PublicKey { return m.Keys })
}

func (c *crowd) say(round int, keys func(i int) []xmr.PublicKey) ([]string, error) {
	texts := make([]string, len(c.base))
	for i, base := range c.base {
		m := multisig.KexMessage{
			Round: uint32(round), Signer: new(edwards.Point).ScalarBaseMult(base).Encode(), Keys: keys(i),
		}
		if round == 1 {
			m.Secret = [32]byte{byte(i + 1)}
		}
		var err error
		if texts[i], err = m.Sign(rand.Reader, base); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// setUp runs all rounds. ask sends the others' messages of a round to the measured signer and returns its own.
func (c *crowd) setUp(ask func(texts []string, first bool) (string, error)) error {
	texts, err := c.first()
	if err != nil {
		return err
	}
	said, err := ask(texts, true)
	for round := 2; err == nil && round <= c.rounds(); round++ {
		if texts, err = c.later(round); err == nil {
			said, err = ask(texts, false)
		}
	}
	if err != nil {
		return err
	}
	if texts, err = c.agreeing(said); err != nil {
		return err
	}
	_, err = ask(texts, false)
	return err
}

// setups measures multisig wallets: the cost of all key exchange rounds, and of a signature, for one signer.
type setups struct {
	rounds    int
	glim, dir string
	out       io.Writer
}

// taken is the time of the requests of a setup.
type taken struct{ wall, cpu time.Duration }

func (s *setups) run(ctx context.Context) error {
	d, err := peers.StartDaemon(ctx, peers.Options{Dir: s.dir})
	if err != nil {
		return err
	}
	defer func() { _ = d.Stop() }()
	fmt.Fprintf(s.out, "key exchange of one signer, all rounds; %s, %d cores, %s\n\n", runtime.Version(),
		runtime.NumCPU(), time.Now().UTC().Format("2006-01-02"))
	fmt.Fprintf(s.out, "%-12s %28s %28s %7s\n", "median (least)", "reference", "glim", "ratio")
	for _, size := range []struct{ threshold, total int }{{3, 5}, {8, 16}} {
		name := fmt.Sprintf("%d of %d", size.threshold, size.total)
		walls, cpus := [2][]time.Duration{}, [2][]time.Duration{}
		for round := range s.rounds {
			for i := range 2 {
				who := (i + round) % 2
				got, err := s.once(ctx, d, who == 1, fmt.Sprintf("%d-%d-%d", size.threshold, size.total, round),
					size.threshold, size.total)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", name, []string{"reference", "glim"}[who], err)
				}
				walls[who], cpus[who] = append(walls[who], got.wall), append(cpus[who], got.cpu)
			}
		}
		for i, of := range [][2][]time.Duration{walls, cpus} {
			what := name + []string{" time", " CPU"}[i]
			s.line(what, of)
		}
	}
	return s.signing(ctx, d)
}

// line prints the times of the reference and of glim.
func (s *setups) line(what string, of [2][]time.Duration) {
	fmt.Fprintf(s.out, "%-12s %28s %28s %7.2f\n", what, span(of[0]), span(of[1]),
		float64(middle(of[1]))/float64(max(middle(of[0]), 1)))
}

// once sets up a wallet of one service with a crowd.
func (s *setups) once(
	ctx context.Context, d *peers.Daemon, ours bool, name string, threshold, total int,
) (t taken, err error) {
	o := peers.Options{Dir: filepath.Join(s.dir, "reference")}
	if ours {
		o = peers.Options{Dir: filepath.Join(s.dir, "glim"), Command: []string{s.glim, "wallet-rpc", "--regtest"}}
	}
	w, err := peers.StartWalletRPC(ctx, d, o)
	if err != nil {
		return t, err
	}
	defer func() { _ = w.Kill() }()
	for _, before := range []struct {
		method string
		params map[string]any
	}{
		{"auto_refresh", map[string]any{"enable": false}},
		{"create_wallet", map[string]any{"filename": name, "language": "English"}},
		{"prepare_multisig", map[string]any{"enable_multisig_experimental": true}},
	} {
		if err := w.JSON(ctx, before.method, before.params, nil); err != nil {
			return t, err
		}
	}
	c, err := newCrowd(threshold, total)
	if err != nil {
		return t, err
	}
	err = c.setUp(func(texts []string, first bool) (string, error) {
		var answer struct {
			Info string `json:"multisig_info"`
		}
		params := map[string]any{"multisig_info": texts, "threshold": threshold, "password": ""}
		method := "exchange_multisig_keys"
		if first {
			method = "make_multisig"
		}
		before, err := usage(w.PID())
		if err != nil {
			return "", err
		}
		began := time.Now()
		if err := w.JSON(ctx, method, params, &answer); err != nil {
			return "", err
		}
		t.wall += time.Since(began)
		after, err := usage(w.PID())
		t.cpu += after.cpu - before.cpu
		return answer.Info, err
	})
	return t, err
}
