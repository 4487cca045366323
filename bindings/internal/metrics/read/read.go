// Package read parses metrics pages for tests, as Prometheus does.
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

// Page parses a page and returns its samples by name and labels. It returns an error if the page is invalid.
// Source: "Exposition formats", text-based format 0.0.4.
func Page(page string) (map[string]float64, error) {
	samples, kinds, family := map[string]float64{}, map[string]string{}, ""
	if !strings.HasSuffix(page, "\n") {
		return nil, fmt.Errorf("the last line is incomplete")
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			var help string
			family, help, _ = strings.Cut(rest, " ")
			if kinds[family] != "" || !name.MatchString(family) || help == "" {
				return nil, fmt.Errorf("a duplicate metric, or one without name or help: %s", line)
			}
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			of, kind, _ := strings.Cut(rest, " ")
			if of != family || kind != "counter" && kind != "gauge" && kind != "histogram" {
				return nil, fmt.Errorf("a type without a metric: %s", line)
			}
			// Source: Prometheus, "Metric and label naming", promlint
			for _, suffix := range []string{"_total", "_bucket", "_sum", "_count", "_info"} {
				allowed := suffix == "_total" && kind == "counter" || suffix == "_info" && kind == "gauge"
				if strings.HasSuffix(of, suffix) && !allowed {
					return nil, fmt.Errorf("a %s with a name for another type: %s", kind, of)
				}
			}
			kinds[family] = kind
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("not a sample: %q", line)
		}
		of := m[1]
		if kinds[family] == "histogram" {
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				of = strings.TrimSuffix(of, suffix)
			}
		}
		if of != family || kinds[family] == "" {
			return nil, fmt.Errorf("a sample outside its metric: %q", line)
		}
		if kinds[family] == "counter" && !strings.HasSuffix(family, "_total") {
			return nil, fmt.Errorf("a counter without _total: %s", family)
		}
		for rest := m[2]; rest != ""; {
			l := label.FindStringSubmatch(rest)
			if l == nil {
				return nil, fmt.Errorf("not a label: %q", rest)
			}
			rest = rest[len(l[0]):]
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return nil, err
		}
		key := m[1] + "{" + m[2] + "}"
		if _, twice := samples[key]; twice {
			return nil, fmt.Errorf("a duplicate sample: %q", line)
		}
		samples[key] = value
	}
	return samples, nil
}
