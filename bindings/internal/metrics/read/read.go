// Package read reads what package metrics writes, as Prometheus does, for tests.
package read

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	name   = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
	sample = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$`)
	label  = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(,|$)`)
)

// Page reads a page as Prometheus's documents say and returns its samples, by name and labels; an error says what is wrong.
// Source: "Exposition formats", text-based format 0.0.4.
func Page(page string) (map[string]float64, error) {
	samples, kinds, family := map[string]float64{}, map[string]string{}, ""
	if !strings.HasSuffix(page, "\n") {
		return nil, fmt.Errorf("the last line does not end")
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			var help string
			family, help, _ = strings.Cut(rest, " ")
			if kinds[family] != "" || !name.MatchString(family) || help == "" {
				return nil, fmt.Errorf("a family comes twice, has no name or does not say what it is: %s", line)
			}
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			of, kind, _ := strings.Cut(rest, " ")
			if of != family || kind != "counter" && kind != "gauge" && kind != "histogram" {
				return nil, fmt.Errorf("a type of nothing: %s", line)
			}
			for _, suffix := range []string{"_total", "_bucket", "_sum", "_count", "_info"} { // Source: Prometheus, "Metric and label naming", promlint
				if strings.HasSuffix(of, suffix) && (suffix != "_total" || kind != "counter") && (suffix != "_info" || kind != "gauge") {
					return nil, fmt.Errorf("a %s by the name of another kind: %s", kind, of)
				}
			}
			kinds[family] = kind
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("no sample: %q", line)
		}
		of := m[1]
		if kinds[family] == "histogram" {
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				of = strings.TrimSuffix(of, suffix)
			}
		}
		if of != family || kinds[family] == "" {
			return nil, fmt.Errorf("a sample outside its family: %q", line)
		}
		if kinds[family] == "counter" && !strings.HasSuffix(family, "_total") {
			return nil, fmt.Errorf("a counter by another name: %s", family)
		}
		for rest := m[2]; rest != ""; {
			l := label.FindStringSubmatch(rest)
			if l == nil {
				return nil, fmt.Errorf("no label: %q", rest)
			}
			rest = rest[len(l[0]):]
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return nil, err
		}
		key := m[1] + "{" + m[2] + "}"
		if _, twice := samples[key]; twice {
			return nil, fmt.Errorf("a sample comes twice: %q", line)
		}
		samples[key] = value
	}
	return samples, nil
}
