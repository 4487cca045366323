package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

// grow lets the chain grow, a block at a time to one wallet after the other, and takes another way now and then.
func (s *soak) grow(ctx context.Context, accounts []*account) error {
	chance := rand.New(rand.NewPCG(0, 1)) // the same every time
	for n := 1; rest(ctx, s.block/2+time.Duration(chance.Int64N(int64(s.block)))); n++ {
		to := accounts[n%len(accounts)].address
		// What was begun is brought to its end when the time is up.
		call := context.WithoutCancel(ctx)
		var err error
		if n%6 != 0 {
			err = s.daemon.Mine(call, 1, to)
			s.blocks++
		} else {
			err = s.reorganise(call, 1+chance.Uint64N(4), to)
			s.reorgs++
		}
		if err != nil {
			return fmt.Errorf("mining: %w", err)
		}
	}
	return nil
}

// reorganise replaces the last blocks of the chain by others, one more. The branch's first block leaves out what was in those, which goes
// back to the pool.
func (s *soak) reorganise(ctx context.Context, depth uint64, to string) error {
	var last struct{ Count uint64 }
	if err := s.daemon.JSON(ctx, "get_block_count", nil, &last); err != nil {
		return err
	}
	var before struct {
		Header struct{ Hash string } `json:"block_header"`
	}
	if err := s.daemon.JSON(ctx, "get_block_header_by_height", map[string]any{"height": last.Count - 1 - depth}, &before); err != nil {
		return err
	}
	return s.daemon.Mine(ctx, int(depth)+1, to, before.Header.Hash)
}

// report prints the service's memory and what was asked until then.
func (s *soak) report(ctx context.Context) error {
	began := time.Now()
	for n := 1; rest(ctx, time.Until(began.Add(time.Duration(n)*s.every))); n++ {
		s.print(time.Since(began))
	}
	return nil
}

func (s *soak) print(since time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	questions := 0
	for _, n := range s.asked {
		questions += n
	}
	fmt.Fprintf(s.out, "%8s  RSS %6.1f MiB  questions %7d  payments %6d  blocks %5d  reorganisations %4d\n",
		since.Round(time.Second), resident(s.service.PID()), questions, len(s.payments), s.blocks, s.reorgs)
}

// resident returns the memory a process has in MiB, 0 where the system does not say.
func resident(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, found := strings.CutPrefix(line, "VmRSS:"); found {
			kB, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 64)
			if err == nil {
				return kB / 1024
			}
		}
	}
	return 0
}
