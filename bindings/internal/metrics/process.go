package metrics

import (
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// started is approximately the start time of the process.
var started = time.Now()

// goMetrics are metrics of the Go runtime, with the names of Prometheus's Go client.
var goMetrics = []struct{ runtime, name, kind, help string }{
	{"/sched/goroutines:goroutines", "go_goroutines", Gauge, "Number of goroutines."},
	{"/memory/classes/heap/objects:bytes", "go_memstats_heap_alloc_bytes", Gauge,
		"Bytes of heap objects, live or not yet swept."},
	{
		"/gc/heap/live:bytes",
		"go_gc_heap_live_bytes",
		Gauge,
		"Bytes of live heap objects at the last garbage collection.",
	},
	{
		"/gc/heap/goal:bytes",
		"go_gc_heap_goal_bytes",
		Gauge,
		"Heap size target of the next garbage collection, in bytes.",
	},
	{"/memory/classes/total:bytes", "go_memstats_sys_bytes", Gauge, "Bytes of memory obtained from the system."},
	{"/gc/cycles/total:gc-cycles", "go_gc_cycles_total", Counter, "Garbage collections."},
}

// Process is a source of a Page: metrics of the process and of the Go runtime.
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
	w.Value("process_start_time_seconds", Gauge, "Start time of the process.", float64(started.UnixMilli())/1000)
	if n := resident(); n > 0 {
		w.Value("process_resident_memory_bytes", Gauge, "Resident memory in bytes.", n)
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		w.Value("process_open_fds", Gauge, "Open file descriptors.", float64(len(open)))
	}
}

// resident returns the resident memory in bytes on Linux, 0 elsewhere. Source: proc(5), /proc/[pid]/statm.
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
