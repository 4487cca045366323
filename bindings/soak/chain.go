package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// grow mines blocks to the wallets in turn, and sometimes reorganises the chain.
func (s *soak) grow(ctx context.Context, accounts []*account) error {
	chance := rand.New(rand.NewPCG(0, 1)) // deterministic
	for n := 1; rest(ctx, s.block/2+time.Duration(chance.Int64N(int64(s.block)))); n++ {
		to := accounts[n%len(accounts)].address
		// A call completes even if the time is up meanwhile.
		call := context.WithoutCancel(ctx)
		var err error
		if n%6 != 0 {
			err = s.daemon.Mine(call, 1, to)
			s.increase(&s.blocks)
		} else {
			err = s.reorganise(call, 1+chance.Uint64N(4), to)
			s.increase(&s.reorgs)
		}
		if err != nil {
			return fmt.Errorf("mining: %w", err)
		}
	}
	return nil
}

// reorganise replaces the last blocks by a branch that is one block longer. The first block of the branch does not hold
// the transactions of the replaced blocks, which return to the pool.
func (s *soak) reorganise(ctx context.Context, depth uint64, to string) error {
	var last struct{ Count uint64 }
	if err := s.daemon.JSON(ctx, "get_block_count", nil, &last); err != nil {
		return err
	}
	var before struct {
		Header struct{ Hash string } `json:"block_header"`
	}
	if err := s.daemon.JSON(ctx, "get_block_header_by_height", map[string]any{"height": last.Count - 1 - depth},
		&before); err != nil {
		return err
	}
	return s.daemon.Mine(ctx, int(depth)+1, to, before.Header.Hash)
}
