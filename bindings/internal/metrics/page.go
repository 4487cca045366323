// Package metrics counts what a service does and writes it in the text format that Prometheus reads.
package metrics

import (
	"context"
	"strconv"
	"strings"

	"glim/core/rpc"
)

// Kind is the type of a page's answers.
const Kind = "text/plain; version=0.0.4; charset=utf-8"

// Path is where the page is.
const Path = "/metrics"

// Page writes what its sources say, anew for every request. It is a native.Service.
type Page []func(w *Writer)

// Serve answers the page's path. Errors: rpc.ErrNoPath for every other.
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

// The types of families.
const (
	Counter   = "counter"
	Gauge     = "gauge"
	Histogram = "histogram"
)

// Writer writes families of samples. Source: Prometheus's "Exposition formats", text-based format 0.0.4.
type Writer struct {
	text   []byte
	family string
}

// Family begins the samples of a name, which are of one type and come together.
func (w *Writer) Family(name, kind, help string) {
	w.family = name
	w.text = append(w.text, "# HELP "+name+" "+escape(help, false)+"\n# TYPE "+name+" "+kind+"\n"...)
}

// Sample writes a value of the family, with labels: names and values in turn.
func (w *Writer) Sample(value float64, labels ...string) { w.sample("", value, labels) }

// Value writes a family of a single sample.
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

// Bool is 1 for what is so and 0 for what is not.
func Bool(b bool) float64 { return float64(b2i(b)) }
