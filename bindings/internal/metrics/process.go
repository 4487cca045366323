package metrics

import (
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// started is when the process began, nearly.
var started = time.Now()

// goMetrics are those of Go's runtime that are shown, with the names Prometheus's own client gives them.
var goMetrics = []struct{ runtime, name, kind, help string }{
	{"/sched/goroutines:goroutines", "go_goroutines", Gauge, "Goroutines."},
	{"/memory/classes/heap/objects:bytes", "go_memstats_heap_alloc_bytes", Gauge, "Bytes of the heap in use, or not yet swept."},
	{"/gc/heap/live:bytes", "go_gc_heap_live_bytes", Gauge, "Bytes of the heap that the last collection found in use."},
	{"/gc/heap/goal:bytes", "go_gc_heap_goal_bytes", Gauge, "Bytes of the heap at which the next collection is to end."},
	{"/memory/classes/total:bytes", "go_memstats_sys_bytes", Gauge, "Bytes of memory taken from the system."},
	{"/gc/cycles/total:gc-cycles", "go_gc_cycles_total", Counter, "Collections of garbage."},
}

// Process is a source of a Page: the process, and the memory of Go's runtime.
func Process(w *Writer) {
	samples := make([]metrics.Sample, len(goMetrics))
	for i := range goMetrics {
		samples[i].Name = goMetrics[i].runtime
	}
	metrics.Read(samples)
	for i, m := range goMetrics {
		if samples[i].Value.Kind() == metrics.KindUint64 {
			w.Value(m.name, m.kind, m.help, float64(samples[i].Value.Uint64()))
		}
	}
	w.Value("process_start_time_seconds", Gauge, "When the process began.", float64(started.UnixMilli())/1000)
	if n := resident(); n > 0 {
		w.Value("process_resident_memory_bytes", Gauge, "Bytes of memory that are resident.", n)
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		w.Value("process_open_fds", Gauge, "Open files and connections.", float64(len(open)))
	}
}

// resident returns the bytes that Linux says are resident, 0 elsewhere. Source: proc(5), /proc/[pid]/statm.
func resident() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return float64(pages) * float64(os.Getpagesize())
}
