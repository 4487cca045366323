package metrics

import (
	"strconv"
	"time"
)

// bounds are the upper bounds of the histogram's buckets, in seconds. Small requests take less than the first; a
// refresh of the whole chain takes more than the last.
var bounds = [...]float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120}

// durations is a histogram. Its owner must guard it.
type durations struct {
	buckets [len(bounds)]uint64 // not cumulative
	count   uint64
	sum     time.Duration
}

func (d *durations) add(took time.Duration) {
	d.count++
	d.sum += took
	for i, end := range bounds {
		if took.Seconds() <= end {
			d.buckets[i]++
			return
		}
	}
}

// write writes the samples of the histogram.
func (d *durations) write(w *Writer, labels ...string) {
	var sofar uint64
	for i, end := range bounds {
		sofar += d.buckets[i]
		le := strconv.FormatFloat(end, 'g', -1, 64)
		w.sample("_bucket", float64(sofar), append(labels[:len(labels):len(labels)], "le", le))
	}
	w.sample("_bucket", float64(d.count), append(labels[:len(labels):len(labels)], "le", "+Inf"))
	w.sample("_sum", d.sum.Seconds(), labels)
	w.sample("_count", float64(d.count), labels)
}
