package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"glim/bindings/native/metrics/read"
)

// report prints the service's memory and what was asked until then.
func (s *soak) report(ctx context.Context) error {
	began := time.Now()
	for n := 1; rest(ctx, time.Until(began.Add(time.Duration(n)*s.every))); n++ {
		if err := s.print(context.WithoutCancel(ctx), time.Since(began)); err != nil {
			return err
		}
	}
	return nil
}

func (s *soak) print(ctx context.Context, since time.Duration) error {
	m, err := s.memory(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	questions := 0
	for _, n := range s.asked {
		questions += n
	}
	fmt.Fprintf(s.out, "%8s  %s  questions %7d  payments %6d  blocks %5d  reorganisations %4d\n",
		since.Round(time.Second), m, questions, len(s.payments), s.blocks, s.reorgs)
	return nil
}

// memory is what the service's page of metrics says of its memory.
type memory struct{ resident, heap, goroutines, files float64 }

func (m memory) String() string {
	return fmt.Sprintf("resident %6.1f MiB, heap %6.1f MiB, goroutines %4.0f, files %4.0f", m.resident, m.heap, m.goroutines, m.files)
}

func (s *soak) memory(ctx context.Context) (m memory, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.page, nil)
	if err != nil {
		return m, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return m, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return m, err
	}
	samples, err := read.Page(string(text))
	if err != nil {
		return m, fmt.Errorf("metrics: %w", err)
	}
	return memory{
		samples["process_resident_memory_bytes{}"] / (1 << 20), samples["go_memstats_heap_alloc_bytes{}"] / (1 << 20),
		samples["go_goroutines{}"], samples["process_open_fds{}"],
	}, nil
}
