package session_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/syncer"
	"glim/core/xmr"
)

// scriptedSource is a source that answers with the results of a function, a limited number of times.
type scriptedSource struct {
	height uint64
	answer func(asked int) syncer.Batch
	asked  int
}

func (l *scriptedSource) Height(context.Context) (uint64, error) { return l.height, nil }

func (l *scriptedSource) Blocks(context.Context, syncer.Request) (syncer.Batch, error) {
	if l.asked++; l.asked > 500 {
		return syncer.Batch{}, errHost
	}
	return l.answer(l.asked), nil
}

func (l *scriptedSource) Pool(context.Context, func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	return syncer.Pool{}, nil
}

// TestRefreshAlwaysEnds checks that a refresh ends even if the source repeats known blocks or alternates between
// chains.
func TestRefreshAlwaysEnds(t *testing.T) {
	c := chaintest.New("endless", xmr.Regtest)
	c.Grow(30)
	other := c.Fork("endless too", 20)
	other.Grow(11)

	s := create(t, journal.NewMemory(), host())
	_, err := s.Refresh(context.Background(), chaintest.NewSource(c), 0)
	require.NoError(t, err)
	stuck := &scriptedSource{height: 1000, answer: func(int) syncer.Batch {
		return syncer.Batch{Blocks: c.Blocks[10:12], Height: 1000}
	}}
	_, err = s.Refresh(context.Background(), stuck, 0)
	require.ErrorIs(t, err, syncer.ErrChain, "the same known blocks repeatedly")

	behind := create(t, journal.NewMemory(), host())
	_, err = behind.Refresh(context.Background(), &scriptedSource{height: 1000, answer: func(int) syncer.Batch {
		return syncer.Batch{Blocks: c.Blocks[:3], Height: 1000}
	}}, 900)
	require.ErrorIs(t, err, syncer.ErrChain, "never the requested block")

	both := &scriptedSource{height: 1000, answer: func(asked int) syncer.Batch {
		if asked/2%2 == 0 {
			return syncer.Batch{Blocks: c.Blocks[15:30], Height: 1000}
		}
		return syncer.Batch{Blocks: other.Blocks[15:30], Height: 1000}
	}}
	_, err = s.Refresh(context.Background(), both, 0)
	require.ErrorIs(t, err, syncer.ErrChain, "two alternating chains")
}

// TestSourcePanics checks that a panic in a source ends the refresh with an error.
func TestSourcePanics(t *testing.T) {
	s := create(t, journal.NewMemory(), host())
	_, err := s.Refresh(context.Background(), &scriptedSource{
		height: 10, answer: func(int) syncer.Batch { panic("odd block") },
	}, 0)
	require.ErrorIs(t, err, syncer.ErrPanic)
	require.False(t, s.Progress().Refreshing)
}
