package flight

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLatest checks that every caller gets a result requested after its call, and that concurrent callers share one.
func TestLatest(t *testing.T) {
	var l Latest[int]
	n := 0
	entered, leave := make(chan int), make(chan struct{})
	l.Do = func(context.Context) (int, error) {
		n++
		mine := n
		entered <- mine
		<-leave
		if mine == 3 {
			return 0, errors.New("no answer")
		}
		return mine, nil
	}
	type got struct {
		n   int
		err error
	}
	results := make(chan got, 100)
	ask := func(ctx context.Context) {
		v, err := l.Get(ctx)
		results <- got{v, err}
	}
	waiting := func() (n int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.next != nil {
			n = l.next.Waiting
		}
		return n
	}
	go ask(t.Context())
	require.Equal(t, 1, <-entered)
	for range 10 {
		go ask(t.Context())
	}
	require.Eventually(t, func() bool { return waiting() == 10 }, 2*time.Minute, time.Millisecond)
	leave <- struct{}{}
	require.Equal(t, got{1, nil}, <-results)
	require.Equal(t, 2, <-entered)
	leave <- struct{}{}
	for range 10 {
		require.Equal(t, got{2, nil}, <-results)
	}

	// All waiters of a failed call get its error; the next call starts anew.
	go ask(t.Context())
	require.Equal(t, 3, <-entered)
	leave <- struct{}{}
	require.Error(t, (<-results).err)

	// A caller that gives up returns at once and does not take the result away from others.
	go ask(t.Context())
	require.Equal(t, 4, <-entered)
	ctx, cancel := context.WithCancel(t.Context())
	go ask(ctx)
	require.Eventually(t, func() bool { return waiting() == 1 }, 2*time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, (<-results).err, context.Canceled)
	leave <- struct{}{}
	require.Equal(t, got{4, nil}, <-results)
}

// TestGroup checks that calls with one key are merged, that calls with different keys run concurrently, and that
// finished calls are not kept.
func TestGroup(t *testing.T) {
	var g Group
	var asked atomic.Int64
	leave := make(chan struct{})
	ask := func(key string) (int64, error) {
		return Get(t.Context(), &g, key, func(context.Context) (int64, error) {
			n := asked.Add(1)
			<-leave
			return n, nil
		})
	}
	users := func(key string) int {
		g.mu.Lock()
		defer g.mu.Unlock()
		if m := g.calls[key]; m != nil {
			return m.users
		}
		return 0
	}
	results := make(chan int64, 100)
	for i := range 10 {
		go func() {
			v, err := ask([]string{"a", "b"}[i%2])
			if err == nil {
				results <- v
			}
		}()
	}
	require.Eventually(t, func() bool { return users("a") == 5 && users("b") == 5 }, 2*time.Minute, time.Millisecond)
	close(leave)
	for range 10 {
		require.LessOrEqual(t, <-results, int64(4))
	}
	require.Eventually(t, func() bool { return users("a") == 0 && users("b") == 0 }, 2*time.Minute, time.Millisecond)
	require.Empty(t, g.calls)
	require.LessOrEqual(t, asked.Load(), int64(4), "the first of each key, and one for later callers")

	_, err := Get(t.Context(), &g, "c", func(context.Context) (int, error) { panic("no") })
	require.Error(t, err)
	_, err = Get(t.Context(), &g, "d", func(context.Context) (int, error) { return 0, errors.New("no answer") })
	require.ErrorContains(t, err, "no answer")
	require.Empty(t, g.calls)
}
