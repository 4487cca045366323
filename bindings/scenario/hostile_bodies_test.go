package scenario

import (
	little "encoding/binary"
	"fmt"
	"reflect"
	"strings"

	"glim/core/rpc"
)

// largest is the size of the longest body that the daemon reads.
const largest = 1 << 20

// member is a member of a request: its name and whether it is a list.
type member struct {
	name string
	kind reflect.Kind // Slice, or String for all other types
}

func membersOf(request reflect.Type) (all []member) {
	if request.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range members(request) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			kind := reflect.String
			if f.Type.Kind() == reflect.Slice {
				kind = reflect.Slice
			}
			all = append(all, member{name, kind})
		}
	}
	return all
}

// filled repeats a text, separated by commas, up to the longest body.
func filled(open, text, shut string) string {
	n := (largest - len(open) - len(shut) - 1000) / (len(text) + 1)
	return open + strings.Repeat(text+",", n-1) + text + shut
}

// values are tried for every member.
var values = map[string]string{
	"null": "null", "true": "true", "negative": "-1", "fraction": "0.5", "too large": "18446744073709551616",
	"no number": "1e999",
	"largest":   "18446744073709551615", "text": `"x"`, "zeros": `"` + strings.Repeat("0", 64) + `"`, "list": "[]",
	"object": "{}", "list of null": "[null]",
	"objects": `[{},{"a":[{}]}]`, "lists": "[[],[[]]]", "bad letters": "\"\xff\xfe\"", "half a letter": `"\ud800"`,
	"nothing":     "",
	"deep list":   strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
	"deep object": strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000),
}

// large are values of the longest length: lists for members that are lists, and texts for others.
var large = map[reflect.Kind]map[string]string{
	reflect.String: {"long text": filled(`"`, "00000000", `"`)},
	reflect.Slice: { // lists above and below the limit
		"many numbers": filled("[", "0", "]"), "many hashes": filled("[", `"`+strings.Repeat("0", 64)+`"`, "]"),
		"many objects": "[" + strings.Repeat("{},", 100_000) + "{}]",
		"many indices": filled("[", `{"amount":0,"index":1}`, "]"),
	},
}

// plainBodies are bodies that are not an object with members.
func plainBodies() map[string]string {
	bodies := map[string]string{"half": `{"a":`, "noise": strings.Repeat("\x00\x01\xfe{[\"", 1000)}
	for name, v := range values {
		bodies["nothing but "+name] = v
	}
	return bodies
}

// jsonBodies returns the bodies for an operation that reads JSON.
func jsonBodies(op *rpc.Operation) map[string]string {
	bodies := plainBodies()
	for _, f := range membersOf(op.Request) {
		for name, v := range values {
			bodies[f.name+": "+name] = fmt.Sprintf(`{%q:%s}`, f.name, v)
		}
		for name, v := range large[f.kind] {
			bodies[f.name+": "+name] = fmt.Sprintf(`{%q:%s}`, f.name, v)
		}
	}
	if op.Wire != rpc.JSONRPC {
		return bodies
	}
	wrapped := map[string]string{}
	for name, text := range bodies {
		wrapped[name] = fmt.Sprintf(`{"jsonrpc":"2.0","id":"0","method":%q,"params":%s}`, op.Name, text)
		if len(text) < 1000 {
			wrapped["id "+name] = fmt.Sprintf(`{"id":%s,"method":%q}`, text, op.Name)
		}
	}
	return wrapped
}

const epeeHeader = "\x01\x11\x01\x01\x01\x01\x02\x01\x01"

// size encodes a length in epee, in eight bytes or, if it fits, in one.
func size(n uint64) string {
	if n < 64 {
		return string([]byte{byte(n << 2)})
	}
	return string(little.LittleEndian.AppendUint64(nil, n<<2|3))
}

func entry(name string, kind byte, value string) string {
	return string([]byte{byte(len(name))}) + name + string([]byte{kind}) + value
}

// binaryBodies returns the bodies for an operation that reads epee.
func binaryBodies(op *rpc.Operation) map[string]string {
	bodies := map[string]string{
		"header alone": epeeHeader, "half a header": epeeHeader[:5], "no fields": epeeHeader + size(0),
		"more behind":    epeeHeader + size(0) + "more",
		"fields claimed": epeeHeader + size(1<<60), "zeros": epeeHeader + strings.Repeat("\x00", largest-9),
		"ones":               epeeHeader + strings.Repeat("\xff", 5000),
		"objects in objects": epeeHeader + strings.Repeat(size(1)+"\x01a\x0c", 100_000),
		"lists in lists":     epeeHeader + size(1) + "\x01a" + strings.Repeat("\x8d"+size(1), 100_000),
		"many fields": epeeHeader + string(little.LittleEndian.AppendUint32(nil, 50_000<<2|2)) +
			strings.Repeat("\x01a\x08\x01", 50_000),
	}
	for name, text := range plainBodies() {
		bodies[name] = text
	}
	for _, m := range membersOf(op.Request) {
		bodies[m.name+": long text"] = epeeHeader + size(1) +
			entry(m.name, 10, size(largest-1000)+strings.Repeat("\x04", largest-1000))
		bodies[m.name+": many numbers"] = epeeHeader + size(1) +
			entry(m.name, 5|0x80, size(100_000)+strings.Repeat("\x01", 800_000))
	}
	for _, m := range membersOf(op.Request) {
		for _, kind := range []byte{0, 1, 4, 5, 8, 9, 10, 11, 12, 13, 14} {
			for name, value := range map[string]string{
				"small": strings.Repeat("\x01", 8), "claimed": size(1 << 61), "none": size(0), "missing": "",
				"objects": size(60_000) + strings.Repeat("\x00", 60_000),
			} {
				bodies[fmt.Sprintf("%s: type %d, %s", m.name, kind, name)] = epeeHeader + size(1) +
					entry(m.name, kind, value)
				bodies[fmt.Sprintf("%s: list of type %d, %s", m.name, kind, name)] = epeeHeader + size(1) +
					entry(m.name, kind|0x80, value)
			}
		}
	}
	return bodies
}

// vast are bodies of excessive length or depth, for any operation.
var vast = map[string]string{
	"spaces": strings.Repeat(" ", largest), "too deep": strings.Repeat("[", 400_000),
	"deep objects": strings.Repeat(`{"a":`, 200_000),
	"many members": filled("{", `"a":0`, "}"), "a long name": `{"` + strings.Repeat("a", largest-10) + `":1}`,
	"too long":         strings.Repeat("{", 5<<20),
	"epee that claims": epeeHeader + size(1<<61) + strings.Repeat("\x00", 1<<19),
}
