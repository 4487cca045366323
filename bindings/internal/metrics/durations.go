package metrics

import (
	"strconv"
	"time"
)

// bounds are the upper ends of a histogram's buckets in seconds: small answers take less than the first, reading a chain more than the last.
var bounds = [...]float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120}

// durations is how often something took how long. Who has it guards it.
type durations struct {
	buckets [len(bounds)]uint64 // each counts those above the bound before its own, up to its own
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

// write writes the samples of a histogram's family.
func (d *durations) write(w *Writer, labels ...string) {
	var sofar uint64
	for i, end := range bounds {
		sofar += d.buckets[i]
		w.sample("_bucket", float64(sofar), append(labels[:len(labels):len(labels)], "le", strconv.FormatFloat(end, 'g', -1, 64)))
	}
	w.sample("_bucket", float64(d.count), append(labels[:len(labels):len(labels)], "le", "+Inf"))
	w.sample("_sum", d.sum.Seconds(), labels)
	w.sample("_count", float64(d.count), labels)
}
