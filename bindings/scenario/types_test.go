package scenario

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/walletrpc"
)

// unusual are values of every JSON type, and numbers at their limits.
var unusual = []string{
	`null`, `true`, `0`, `-1`, `1.5`, `1e3`, `256`, `4294967296`, `18446744073709551615`, `18446744073709551616`, `""`,
	`"x"`, `"7"`,
	`{}`, `{"a":1}`, `[]`, `[true]`, `[0]`, `[-1]`, `[1.5]`, `[4294967296]`, `["x"]`, `["7"]`, `[{}]`, `[[]]`, `[null]`,
	`[0,"x"]`,
}

// added are members of requests that the installed release of the reference ignores because they are newer or ours.
var added = map[string][]string{
	"transfer": {"subtract_fee_from_outputs", "idempotency_key", "key_images", "change_outputs",
		"allow_links", "mixin"},
	"transfer_split": {"idempotency_key", "key_images", "change_outputs", "allow_links", "mixin"},
	"sweep_all":      {"idempotency_key", "key_images", "allow_links", "mixin"},
	"sweep_single":   {"idempotency_key", "allow_links", "mixin"},
	"export_outputs": {"start", "count"},
	"create_wallet":  {"seed_type"},
	"generate_from_keys": {"restore_date", "master_secret", "view_balance_secret", "partial_spend_key",
		"generate_address_secret"},
	"query_key":                    {"seed_offset"},
	"restore_deterministic_wallet": {"enable_multisig_experimental", "restore_date", "seed_type", "account"},
	"rescan_blockchain":            {"keep_key_images"},
	"import_multisig_info":         {"refresh_after_import"},
	"exchange_multisig_keys":       {"force_update_use_with_caution"},
	"set_daemon":                   {"proxy"},
	"freeze":                       {"label"},
	"thaw":                         {"label"},
	"frozen":                       {"label"},
	"get_accounts":                 {"regex"},
	"add_address_book":             {"payment_id"},
	"edit_address_book":            {"set_payment_id", "payment_id"},
}

// selves are members in which each program describes itself.
var selves = map[string][]string{"get_version": {"version", "release"}, "set_log_categories": {"categories"}}

// unreadable are values that neither service accepts for any member: numbers of more than 64 bits, nested lists, lists
// with null and lists of several types.
var unreadable = []string{`18446744073709551616`, `[[]]`, `[null]`, `[0,"x"]`}

// stricter reports whether we refuse a value that the reference treats as absent: an empty list for a number, a text or
// a switch.
func stricter(member reflect.Type, value string) bool {
	return value == `[]` && member.Kind() != reflect.Slice && member.Kind() != reflect.Struct
}

// TestTypesEqual: both services accept or refuse the same values for every member, except for those listed above. No
// wallet is open, so that accepted requests have no effect.
func TestTypesEqual(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	names, err := served()
	require.NoError(t, err)
	parse := peers.Error{Code: -32700, Message: "Parse error"}
	params := peers.Error{Code: -32602, Message: "Invalid params"}
	n := 0
	for _, m := range walletrpc.Methods() {
		if u := unlike[m.Name]; !names[m.Name] || u.missing.answered && u.missing.refused {
			continue
		}
		for _, f := range members(m.Request) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if slices.Contains(added[m.Name], name) {
				continue
			}
			for _, value := range unusual {
				if m.Name == "open_wallet" && value != "{}" {
					continue // the reference takes seconds if it accepts the request
				}
				n++
				one := map[string]json.RawMessage{name: json.RawMessage(value)}
				switch {
				case slices.Contains(unreadable, value):
					require.Equal(t, parse, refusal(t, reference, m.Name, one), "%s %s %s", m.Name, name, value)
					require.Equal(t, parse, refusal(t, ours, m.Name, one), "%s %s %s", m.Name, name, value)
				case stricter(f.Type, value):
					require.Equal(t, params, refusal(t, ours, m.Name, one), "%s %s %s", m.Name, name, value)
					absent := reference.JSON(deadline(t), m.Name, nil, nil)
					require.Equal(t, absent, reference.JSON(deadline(t), m.Name, one, nil),
						"%s %s %s", m.Name, name, value)
				default:
					compare(t, reference, ours, m.Name, one, selves[m.Name]...)
				}
			}
		}
		for _, params := range []string{`null`, `{}`, `[]`, `{"unknown":1}`, `1`, `"x"`, `[{}]`} {
			if m.Name != "open_wallet" {
				compare(t, reference, ours, m.Name, json.RawMessage(params), selves[m.Name]...)
			}
		}
	}
	require.Greater(t, n, 3000)
}

// members returns the members of a request.
func members(request reflect.Type) (all []reflect.StructField) {
	for i := range request.NumField() {
		if f := request.Field(i); f.Anonymous {
			all = append(all, members(f.Type)...)
		} else {
			all = append(all, f)
		}
	}
	return all
}

// TestNonListCountsAsAbsent: another type where a list belongs counts as absent, even in payments: both services then
// spend from any address, and from the listed one if there is a list.
func TestNonListCountsAsAbsent(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	reference := newReference(t, d)
	ours := newGlim(t, d.URL, options{})
	for _, c := range []caller{reference, ours} {
		restoreFar(t, c, "alice", alice)
	}
	refresh(t, reference, ours)
	destinations := []object{{"amount": 1000, "address": at(t, alice, 0, 1)}}
	refused := func(c caller, method string, params object) (e peers.Error) {
		if err := c.JSON(deadline(t), method, params, nil); err != nil {
			var stated *peers.Error
			require.ErrorAs(t, err, &stated)
			e = *stated
		}
		return e
	}
	for _, value := range []string{
		`3`, `"3"`, `"x"`, `""`, `true`, `false`, `0`, `-1`, `1.5`, `{}`, `{"a":1}`, `null`, `[]`, `[0]`, `[999]`,
		`["0"]`, `[true]`,
	} {
		for method, params := range map[string]object{
			"transfer":       {"destinations": destinations},
			"transfer_split": {"destinations": destinations},
			"sweep_all":      {"address": at(t, alice, 0, 1)},
		} {
			if method != "transfer" && !slices.Contains([]string{`3`, `{}`, `[999]`}, value) {
				continue
			}
			params["do_not_relay"], params["subaddr_indices"] = true, json.RawMessage(value)
			want, got := refused(reference, method, params), refused(ours, method, params)
			require.Equal(t, want, got, "%s %s", method, value)
			require.Equal(t, slices.Contains([]string{`[999]`, `["0"]`, `[true]`}, value), got != peers.Error{},
				"%s %s: %v", method, value, got)
		}
		if value[0] != '[' {
			compare(t, reference, ours, "transfer", object{
				"destinations": json.RawMessage(value), "do_not_relay": true,
			})
		}
	}
	theirs, daemon := newDaemons(t, nil, nil)
	for _, value := range []string{`3`, `"x"`, `""`, `true`, `{}`, `{"a":1}`, `null`, `[]`} {
		for method, member := range map[string]string{
			"set_bans": "bans", "flush_txpool": "txids", "relay_tx": "txids",
		} {
			compare(t, theirs, daemon, method, object{member: json.RawMessage(value)})
		}
	}
}
