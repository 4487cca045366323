package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// hostileRun measures how much memory hostile input costs the real commands, relative to the size of that input.
type hostileRun struct {
	glim, dir string
	size      int // bytes of an input
	most      float64
	only      *regexp.Regexp // of "family operation: kind"; nil for all
	out       io.Writer
	testbed   *testbed
	at        *place // the running command
	target    *target
	constants map[string]float64
	all       []cost
	unsent    int // attacks that could not be made, such as answers to requests that the command does not send
}

// attack is one kind of hostile input for one operation.
type attack struct {
	family, operation, kind string
	place                   *place
	// run sends about size bytes of it and returns how many were accepted. An error means that nothing was sent.
	run func(ctx context.Context, v *target, size int) (sent int64, err error)
}

func (a attack) String() string { return a.family + " " + a.operation + ": " + a.kind }

// cost is the result of an attack.
type cost struct {
	attack
	sent     int64         // bytes of input
	growth   float64       // of the process's memory: peak minus idle, MiB
	constant float64       // the part of it that a kilobyte of the same input takes
	idle     float64       // MiB
	took     time.Duration // until it was answered
	died     bool          // the process ended, or was killed at tooMuch memory
}

// factor returns memory per byte of input; 0 if the memory is negligible.
func (c cost) factor() float64 {
	if c.growth-c.constant < negligible {
		return 0
	}
	return (c.growth - c.constant) * (1 << 20) / float64(max(c.sent, 1))
}

const (
	// hostileFactor is how many times its size an input may cost, on top of what the operation takes with a short
	// input.
	hostileFactor = 8
	// negligible is memory that is not attributed to the input, in MiB: what the garbage collector leaves unused in any
	// case. So inputs have several MiB.
	negligible = 16
	// tooMuch is the memory at which a process is killed, in MiB, to protect the machine.
	tooMuch = 4096
	// smallInput is the size of an input that costs no more than the operation itself.
	smallInput = 1 << 10
	// attackLimit is how long one attack may take.
	attackLimit = 3 * time.Minute
)

// measureHostile measures every attack and prints the results. It returns errLimit if one costs more than most times
// its size.
func measureHostile(ctx context.Context, s *hostileRun) error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	w, err := newTestbed(ctx, s.glim, s.dir)
	if err != nil {
		return err
	}
	defer w.close()
	s.testbed, s.constants = w, map[string]float64{}
	defer func() {
		if s.target != nil {
			s.target.stop()
		}
	}()
	for _, family := range []func(*testbed) ([]attack, error){
		walletCalls, storedTexts, walletAnswers, hostileBlocks, daemonCalls, forwardedAnswers, peerMessages,
		halfRequests,
	} {
		attacks, err := family(w)
		if err != nil {
			return err
		}
		attacks = slices.DeleteFunc(attacks, func(a attack) bool {
			return s.only != nil && !s.only.MatchString(a.String())
		})
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

// judge measures an attack, and repeats it with a fresh process if the first result is close to the limit.
func (s *hostileRun) judge(ctx context.Context, a attack) error {
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
		fmt.Fprintf(s.out, "%6.1f  %8.1f MiB in, %8.1f MiB more (%.1f independent of size), %6.1f s  %s%s\n",
			c.factor(),
			float64(c.sent)/(1<<20), c.growth, c.constant, c.took.Seconds(), a, mark)
	}
	return nil
}

// constant returns the memory that the operation of an attack takes with a small input, in MiB.
func (s *hostileRun) constant(ctx context.Context, a attack) (float64, error) {
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

// errNotSent reports that an attack was not made, for example because the command does not call the operation.
var errNotSent = errors.New("nothing was sent")

// measure makes an attack on the running process, or on a fresh one.
func (s *hostileRun) measure(ctx context.Context, a attack, size int, fresh bool) (c cost, err error) {
	if err := s.prepare(ctx, a, size, fresh); err != nil {
		return c, err
	}
	v := s.target
	if err := forgetPeak(v.pid); err != nil {
		return c, err
	}
	watched := watch(v)
	attackCtx, cancel := context.WithTimeout(ctx, attackLimit)
	began := time.Now()
	sent, err := a.run(attackCtx, v, size)
	took := time.Since(began)
	cancel()
	peak, killed := watched()
	if err != nil {
		return c, fmt.Errorf("%w: %s: %w", errNotSent, a, err)
	}
	c = cost{attack: a, sent: sent, idle: v.idle, took: took, died: killed}
	u, gone := usage(v.pid)
	if gone != nil || u.peak == 0 {
		c.died = c.died || !v.wanted
	} else {
		peak = max(peak, u.peak)
	}
	c.growth = max(peak-v.idle, 0)
	return c, ctx.Err()
}

// prepare starts a process for an attack unless the running one will do.
func (s *hostileRun) prepare(ctx context.Context, a attack, size int, fresh bool) error {
	if s.target != nil {
		now, err := usage(s.target.pid)
		grown := now.memory > s.target.idle+max(float64(size)*4/(1<<20), 12)
		if fresh || err != nil || s.at != a.place || grown || !s.target.well(ctx) {
			s.target.stop()
			s.target = nil
		}
	}
	if s.target == nil {
		var err error
		if s.target, err = a.place.start(ctx, s.testbed, filepath.Join(s.dir, "target")); err != nil {
			return fmt.Errorf("%s: %w", a.place.name, err)
		}
		s.at = a.place
	}
	return nil
}

// watch samples the memory of a process and kills the process at tooMuch. The returned function ends that, and returns
// the peak in MiB and whether the process was killed.
func watch(v *target) func() (peak float64, killed bool) {
	var most float64
	var killed bool
	watched, done := make(chan struct{}), make(chan struct{})
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
			if most = max(most, u.peak); u.peak > tooMuch {
				killed = true
				v.kill()
			}
		}
	}()
	return func() (float64, bool) {
		close(done)
		<-watched
		return most, killed
	}
}

// report prints the worst input of each family as a Markdown table.
func (s *hostileRun) report() error {
	fmt.Fprintf(s.out, "\n%d kinds of input, and %d that were not requested or not accepted\n\n", len(s.all), s.unsent)
	fmt.Fprint(s.out,
		"| input | tried | worst | bytes in | memory more | factor | seconds |\n|---|---|---|---|---|---|---|\n")
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
		fmt.Fprintf(s.out, "| %s | %d | %s: %s | %.1f MiB | %.1f MiB | %.1f | %.1f |\n",
			f, len(of), worst.operation, worst.kind, float64(worst.sent)/(1<<20), worst.growth-worst.constant,
			worst.factor(), slowest.took.Seconds())
		for _, c := range of {
			failed = failed || c.died || c.factor() >= s.most
		}
	}
	if failed {
		return fmt.Errorf("%w: some input costs %.0f times its size or more, or ended the process", errLimit, s.most)
	}
	return nil
}
