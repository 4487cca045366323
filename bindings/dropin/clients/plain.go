package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// passing are members that depend on the time or on random decoys, as each client names them.
var passing = map[string]bool{"timestamp": true, "created_at": true, "weight": true, "tx_size": true}

var (
	hashes = regexp.MustCompile(`[0-9a-f]{64,}`)
	reason = regexp.MustCompile(`^(Failed to open wallet) : .*`) // releases since 0.18.1.0 give a reason
	proofs = regexp.MustCompile(`(?:SigV|(?:In|Out|Spend|Reserve)ProofV)[0-9][1-9A-HJ-NP-Za-km-z]+`)
)

// plain converts a result of a client to JSON that is equal in two runs. Lists of objects are sorted.
func plain(answer any) (any, error) {
	b, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return tidy(v), nil
}

func tidy(v any) any {
	switch v := v.(type) {
	case json.Number:
		return near(v)
	case string:
		return plainText(v)
	case []any:
		objects := false
		for i := range v {
			v[i] = tidy(v[i])
			_, object := v[i].(map[string]any)
			objects = objects || object
		}
		if objects {
			slices.SortFunc(v, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	case map[string]any:
		for name := range v {
			if passing[name] {
				delete(v, name)
				continue
			}
			if fee, ok := v[name].(json.Number); ok && name == "fee" && fee != "0" {
				v[name] = "a fee"
				continue
			}
			v[name] = tidy(v[name])
		}
	}
	return v
}

// plainText replaces random values by their kind.
func plainText(s string) string {
	s = reason.ReplaceAllString(s, "$1")
	s = proofs.ReplaceAllString(s, "<proof>")
	s = hashes.ReplaceAllStringFunc(s, func(h string) string {
		if len(h) > 200 {
			return "<long>"
		}
		return fmt.Sprintf("<%d>", len(h))
	})
	if len(s) > 400 {
		return "<long>"
	}
	return s
}

// near rounds amounts, because fees depend on random decoys. Other numbers stay.
func near(n json.Number) any {
	amount, err := strconv.ParseUint(n.String(), 10, 64)
	switch {
	case err != nil || amount < 1_000_000:
		return n
	case amount < 1_000_000_000:
		return "about nothing"
	}
	return fmt.Sprintf("about %d/100", (amount+5_000_000_000)/10_000_000_000)
}
