package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"time"

	"glim/bindings/internal/metrics/read"
)

// report prints the service's memory and counters at intervals.
func (s *soak) report(ctx context.Context) error {
	began := time.Now()
	for n := 1; rest(ctx, time.Until(began.Add(time.Duration(n)*s.every))); n++ {
		if err := s.print(context.WithoutCancel(ctx), time.Since(began)); err != nil {
			return err
		}
	}
	return s.print(context.WithoutCancel(ctx), time.Since(began))
}

func (s *soak) print(ctx context.Context, since time.Duration) error {
	m, err := s.memory(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := 0
	for _, n := range s.asked {
		requests += n
	}
	s.samples = append(s.samples, sample{since, m, 2*len(s.payments) + s.blocks})
	fmt.Fprintf(s.out, "%8s  %s  requests %7d  payments %6d  blocks %5d  reorganisations %4d\n",
		since.Round(time.Second), m, requests, len(s.payments), s.blocks, s.reorgs)
	return nil
}

// memory is the memory of the service according to its metrics and the size of its wallets on disk, both in bytes, and
// its numbers of goroutines and open files.
type memory struct{ resident, live, heap, stored, goroutines, files float64 }

func (m memory) String() string {
	const mib = 1 << 20
	return fmt.Sprintf("resident %6.1f MiB, live %6.1f, heap %6.1f, stored %6.1f, goroutines %4.0f, files %4.0f",
		m.resident/mib, m.live/mib, m.heap/mib, m.stored/mib, m.goroutines, m.files)
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
	m = memory{
		resident: samples["process_resident_memory_bytes{}"], live: samples["go_gc_heap_live_bytes{}"],
		heap: samples["go_memstats_heap_alloc_bytes{}"], goroutines: samples["go_goroutines{}"],
		files: samples["process_open_fds{}"],
	}
	return m, filepath.WalkDir(s.folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a file that was replaced meanwhile
		}
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				m.stored += float64(info.Size())
			}
		}
		return err
	})
}
