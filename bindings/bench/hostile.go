package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync/atomic"
	"time"
)

// siege measures how much memory hostile input costs the real commands, beside the bytes of that input.
type siege struct {
	glim, dir string
	size      int // bytes of an input
	most      float64
	only      *regexp.Regexp // of "family operation: kind"; nil for all
	out       io.Writer
	world     *world
	at        *place // the one that runs now
	victim    *victim
	constants map[string]float64
	all       []cost
	unsent    int // attacks that nobody let come about, such as answers to questions that are not asked
}

// attack is one kind of hostile input for one operation.
type attack struct {
	family, operation, kind string
	place                   *place
	// run sends about size bytes of it and returns how many were taken. An error means that nothing was sent.
	run func(ctx context.Context, v *victim, size int) (sent int64, err error)
}

func (a attack) String() string { return a.family + " " + a.operation + ": " + a.kind }

// cost is what an attack cost.
type cost struct {
	attack
	sent     int64         // bytes of input
	growth   float64       // of the process's memory at its peak over what it has when idle, MiB
	constant float64       // of that, what the same takes with a kilobyte of input
	idle     float64       // MiB
	took     time.Duration // until it was answered
	died     bool          // the process ended, or was ended because it had grown beyond all bounds
}

// factor is how often the input's bytes were in memory. It is 0 for what costs next to nothing.
func (c cost) factor() float64 {
	if c.growth-c.constant < nothing {
		return 0
	}
	return (c.growth - c.constant) * (1 << 20) / float64(max(c.sent, 1))
}

const (
	// hostileFactor is how many times its size an input may cost, beside what the same operation takes with a short one.
	hostileFactor = 8
	// nothing is what no input is blamed for, in MiB: the room that the command's collector leaves for garbage, whatever lives. So inputs are several MiB.
	nothing = 16
	// tooMuch is when a process that grows is ended, in MiB: the machine is needed by others.
	tooMuch = 4096
	// smallInput is an input whose cost is that of the operation alone.
	smallInput = 1 << 10
	// attackLimit is how long one attack may take.
	attackLimit = 3 * time.Minute
)

// startSiege measures every attack and prints what each cost. It returns errFloor when one costs more than most times its size.
func startSiege(ctx context.Context, s *siege) error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	w, err := newWorld(ctx, s.glim, s.dir)
	if err != nil {
		return err
	}
	defer w.close()
	s.world, s.constants = w, map[string]float64{}
	defer func() {
		if s.victim != nil {
			s.victim.stop()
		}
	}()
	for _, family := range []func(*world) ([]attack, error){walletCalls, storedTexts, walletAnswers, hostileBlocks, daemonCalls, frontAnswers, peerMessages, halfRequests} {
		attacks, err := family(w)
		if err != nil {
			return err
		}
		attacks = slices.DeleteFunc(attacks, func(a attack) bool { return s.only != nil && !s.only.MatchString(a.String()) })
		for i, a := range attacks {
			if i == 0 || attacks[i-1].family != a.family {
				n := 0
				for _, b := range attacks {
					if b.family == a.family {
						n++
					}
				}
				fmt.Fprintf(s.out, "%s: %d kinds\n", a.family, n)
			}
			if i%100 == 99 {
				fmt.Fprintf(s.out, "%d of %d\n", i+1, len(attacks))
			}
			if err := s.judge(ctx, a); err != nil {
				return err
			}
		}
	}
	return s.report()
}

// judge measures an attack, and once more against a fresh process when the first look is not good enough.
func (s *siege) judge(ctx context.Context, a attack) error {
	c, err := s.measure(ctx, a, s.size, false)
	if errors.Is(err, errNotSent) {
		s.unsent++
		return nil
	}
	if err != nil {
		return err
	}
	if c.factor() > s.most*3/4 {
		if c, err = s.measure(ctx, a, s.size, true); err != nil {
			return err
		}
		if c.constant, err = s.constant(ctx, a); err != nil {
			return err
		}
	}
	s.all = append(s.all, c)
	if mark := ""; c.factor() > s.most*3/4 || c.died {
		if c.factor() >= s.most || c.died {
			mark = " !!"
		}
		fmt.Fprintf(s.out, "%6.1f  %8.1f MiB in, %8.1f MiB more (%.1f whatever the size), %6.1f s  %s%s\n", c.factor(), float64(c.sent)/(1<<20), c.growth, c.constant, c.took.Seconds(), a, mark)
	}
	return nil
}

// constant returns what the operation of an attack takes with next to no input, in MiB.
func (s *siege) constant(ctx context.Context, a attack) (float64, error) {
	key := a.family + " " + a.operation
	if known, ok := s.constants[key]; ok {
		return known, nil
	}
	c, err := s.measure(ctx, a, smallInput, true)
	if err != nil && !errors.Is(err, errNotSent) {
		return 0, err
	}
	if c.died {
		c.growth = 0
	}
	s.constants[key] = c.growth
	return c.growth, nil
}

// errNotSent says that an attack did not come about: its operation is not asked for, say.
var errNotSent = errors.New("nothing was sent")

// measure carries out an attack against the process that runs, or a fresh one.
func (s *siege) measure(ctx context.Context, a attack, size int, fresh bool) (c cost, err error) {
	if s.victim != nil {
		now, err := usage(s.victim.pid)
		if fresh || err != nil || s.at != a.place || now.memory > s.victim.idle+max(float64(size)*4/(1<<20), 12) || !s.victim.well(ctx) {
			s.victim.stop()
			s.victim = nil
		}
	}
	if s.victim == nil {
		if s.victim, err = a.place.start(ctx, s.world, filepath.Join(s.dir, "victim")); err != nil {
			return c, fmt.Errorf("%s: %w", a.place.name, err)
		}
		s.at = a.place
	}
	v := s.victim
	if err := forgetPeak(v.pid); err != nil {
		return c, err
	}
	var most atomic.Uint64
	watched, done := make(chan struct{}), make(chan struct{})
	var killed atomic.Bool
	go func() {
		defer close(watched)
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
			u, err := usage(v.pid)
			if err != nil {
				return
			}
			most.Store(max(most.Load(), math.Float64bits(u.peak)))
			if u.peak > tooMuch {
				killed.Store(true)
				v.kill()
			}
		}
	}()
	attackCtx, cancel := context.WithTimeout(ctx, attackLimit)
	began := time.Now()
	sent, err := a.run(attackCtx, v, size)
	took := time.Since(began)
	cancel()
	close(done)
	<-watched
	if err != nil {
		return c, fmt.Errorf("%w: %s: %w", errNotSent, a, err)
	}
	c = cost{attack: a, sent: sent, idle: v.idle, took: took, died: killed.Load()}
	u, gone := usage(v.pid)
	peak := max(u.peak, math.Float64frombits(most.Load()))
	if gone != nil || u.peak == 0 {
		c.died = c.died || !v.wanted
		peak = math.Float64frombits(most.Load())
	}
	c.growth = max(peak-v.idle, 0)
	return c, ctx.Err()
}

// report prints the worst of each family as a table of Markdown.
func (s *siege) report() error {
	fmt.Fprintf(s.out, "\n%d kinds of input, and %d that nobody asked for or let in\n\n| input | tried | the worst of it | bytes in | memory more | factor | seconds |\n|---|---|---|---|---|---|---|\n", len(s.all), s.unsent)
	families := []string{}
	for _, c := range s.all {
		if !slices.Contains(families, c.family) {
			families = append(families, c.family)
		}
	}
	failed := false
	for _, f := range families {
		of := []cost{}
		for _, c := range s.all {
			if c.family == f {
				of = append(of, c)
			}
		}
		worst := slices.MaxFunc(of, func(a, b cost) int { return cmp.Compare(a.factor(), b.factor()) })
		slowest := slices.MaxFunc(of, func(a, b cost) int { return cmp.Compare(a.took, b.took) })
		fmt.Fprintf(s.out, "| %s | %d | %s: %s | %.1f MiB | %.1f MiB | %.1f | %.1f |\n", f, len(of), worst.operation, worst.kind,
			float64(worst.sent)/(1<<20), worst.growth-worst.constant, worst.factor(), slowest.took.Seconds())
		for _, c := range of {
			failed = failed || c.died || c.factor() >= s.most
		}
	}
	if failed {
		return fmt.Errorf("%w: some input costs %.0f times its size or more, or ended the process", errFloor, s.most)
	}
	return nil
}
