package lws

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"glim/bindings/native/webhook"
	"glim/core/lws"
)

// Calls configure how webhooks are called.
type Calls struct {
	Client webhook.ClientOptions
	// A failed call is tried again after First; the interval then doubles with each attempt, up to Last. The defaults
	// are 1 second and 5 minutes. After GiveUp, a day by default, the call is given up.
	First, Last, GiveUp time.Duration
}

// maxCalling is how many URLs are called at the same time, so that receivers that do not answer use few connections.
const maxCalling = 64

// caller makes the calls of a Book: those of one URL in order, and of different URLs independently.
type caller struct {
	book   *lws.Book
	client *webhook.Client
	o      Calls
	log    *slog.Logger
	may    func() bool // whether calls may be made now
	places chan struct{}

	mu      sync.Mutex
	calling map[string]bool
}

func newCaller(book *lws.Book, o Calls, log *slog.Logger) *caller {
	for _, d := range []struct {
		v        *time.Duration
		standard time.Duration
	}{{&o.First, time.Second}, {&o.Last, 5 * time.Minute}, {&o.GiveUp, 24 * time.Hour}} {
		if *d.v == 0 {
			*d.v = d.standard
		}
	}
	return &caller{
		book: book, client: webhook.NewClient(o.Client), o: o, log: log, places: make(chan struct{}, maxCalling),
		calling: map[string]bool{}, may: func() bool { return true },
	}
}

// run makes calls until ctx ends.
func (c *caller) run(ctx context.Context) {
	defer c.client.Close()
	var running sync.WaitGroup
	defer running.Wait()
	ended := make(chan struct{}, 1)
	for {
		urls, more := c.book.Calling()
		for _, url := range urls {
			if !c.begin(url) {
				continue
			}
			running.Go(func() {
				c.call(ctx, url)
				c.end(url)
				select { // a call may have been added since the last one was looked for
				case ended <- struct{}{}:
				default:
				}
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-ended:
		}
	}
}

// errNotNow reports that another process may make the calls.
var errNotNow = errors.New("the accounts are divided again")

func (c *caller) begin(url string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calling[url] {
		return false
	}
	c.calling[url] = true
	return true
}

func (c *caller) end(url string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calling, url)
}

// call makes the calls of a URL that wait.
func (c *caller) call(ctx context.Context, url string) {
	host, _ := webhook.Host(url) // administrators cannot add other URLs
	wait := c.o.First
	for ctx.Err() == nil {
		next, ok := c.book.NextCall(url)
		if !ok {
			return
		}
		err := c.try(ctx, next, host)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			wait = c.o.First
			continue
		}
		c.log.Warn("webhook not called; it will be tried again", "host", host, "in", wait, "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		wait = min(2*wait, c.o.Last)
	}
}

// try makes a call once, or gives it up. If it returns nil, the call no longer waits.
func (c *caller) try(ctx context.Context, call *lws.Call, host string) error {
	if age := time.Since(time.Unix(int64(call.Created), 0)); age > c.o.GiveUp {
		c.log.Error("webhook given up", "host", host, "after", c.o.GiveUp)
		return c.book.Called(call)
	}
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := errNotNow
	if c.may() {
		err = c.client.Post(ctx, call.URL, call.Body)
	}
	<-c.places
	if err != nil {
		return err
	}
	return c.book.Called(call)
}
