// Package metrics collects metrics of a service in the text format of Prometheus.
package metrics

import (
	"context"
	"strconv"
	"strings"

	"glim/core/rpc"
)

// Kind is the content type of a page.
const Kind = "text/plain; version=0.0.4; charset=utf-8"

// Path is the path of a page.
const Path = "/metrics"

// Page writes the metrics of its sources for each request. It is a native.Service.
type Page []func(w *Writer)

// Serve returns the page, or rpc.ErrNoPath for another path.
func (p Page) Serve(_ context.Context, path string, _ []byte, _ rpc.Options) ([]byte, error) {
	if path != Path {
		return nil, rpc.ErrNoPath
	}
	w := &Writer{}
	for _, source := range p {
		source(w)
	}
	return w.text, nil
}

// The types of metrics.
const (
	Counter   = "counter"
	Gauge     = "gauge"
	Histogram = "histogram"
)

// Writer writes metrics. Source: Prometheus, "Exposition formats", text-based format 0.0.4.
type Writer struct {
	text   []byte
	family string
}

// Family begins the samples of a metric, which must follow it.
func (w *Writer) Family(name, kind, help string) {
	w.family = name
	w.text = append(w.text, "# HELP "+name+" "+escape(help, false)+"\n# TYPE "+name+" "+kind+"\n"...)
}

// Sample writes a sample with labels, given as alternating names and values.
func (w *Writer) Sample(value float64, labels ...string) { w.sample("", value, labels) }

// Value writes a metric with a single sample.
func (w *Writer) Value(name, kind, help string, value float64) {
	w.Family(name, kind, help)
	w.Sample(value)
}

func (w *Writer) sample(suffix string, value float64, labels []string) {
	w.text = append(append(w.text, w.family...), suffix...)
	for i := 0; i+1 < len(labels); i += 2 {
		w.text = append(w.text, ",{"[b2i(i == 0)])
		w.text = append(append(append(append(w.text, labels[i]...), `="`...), escape(labels[i+1], true)...), '"')
	}
	if len(labels) > 0 {
		w.text = append(w.text, '}')
	}
	w.text = append(strconv.AppendFloat(append(w.text, ' '), value, 'g', -1, 64), '\n')
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

var inHelp = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
var inLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func escape(s string, label bool) string {
	if label {
		return inLabel.Replace(strings.ToValidUTF8(s, "\uFFFD"))
	}
	return inHelp.Replace(s)
}

// Bool returns 1 for true and 0 for false.
func Bool(b bool) float64 { return float64(b2i(b)) }
