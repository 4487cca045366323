package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// shape is a way to fill a body: make returns a body of about size bytes.
type shape struct {
	kind string
	make func(size int) []byte
}

// repeated returns open, as many copies of item, separated by commas, as size allows, and shut.
func repeated(open, item, shut string, size int) []byte {
	n := max((size-len(open)-len(shut)+1)/(len(item)+1), 1)
	b := make([]byte, 0, size+len(open)+len(item)+len(shut))
	b = append(b, open...)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	return append(b, shut...)
}

// elements are used to fill lists of any type.
var elements = []string{`{}`, `[]`, `1`, `""`, `null`}

// texts are used to fill strings.
var texts = []struct{ kind, item string }{{"letters", "a"}, {"zeros", "0"}, {"escaped bytes", `\u0001`}}

// sample returns the JSON of a harmless value of a member, a valid one if it is known.
func (w *testbed) sample(name string, t reflect.Type) string {
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	if text, known := w.known[name]; known {
		return text
	}
	switch t.Kind() {
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return `"2024-01-01"`
		}
		return "[" + w.sample(strings.TrimSuffix(name, "s"), t.Elem()) + "]"
	case reflect.Struct:
		members := []string{}
		for _, m := range jsonMembers(t) {
			members = append(members, quoted(m.name)+":"+w.sample(m.name, m.kind))
		}
		return "{" + strings.Join(members, ",") + "}"
	case reflect.String:
		return `"x"`
	case reflect.Bool:
		return "true"
	case reflect.Array:
		return `"` + strings.Repeat("0", 64) + `"`
	}
	return "0"
}

// member is a member of a request or an answer.
type member struct {
	name string
	kind reflect.Type
}

// jsonMembers returns the members of a struct, including those of embedded structs.
func jsonMembers(t reflect.Type) (all []member) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && name == "":
			all = append(all, jsonMembers(f.Type)...)
		case f.IsExported() && name != "" && name != "-":
			all = append(all, member{name, f.Type})
		}
	}
	return all
}

// valueShapes returns the ways to fill the value of a member.
func (w *testbed) valueShapes(name string, t reflect.Type) (all []shape) {
	add := func(kind, open, item, shut string) {
		all = append(all, shape{kind, func(size int) []byte { return repeated(open, item, shut, size) }})
	}
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		add("raw, list of []", "[", "[]", "]")
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		typed := w.sample(strings.TrimSuffix(name, "s"), t.Elem())
		items := slices.Clone(elements)
		if !slices.Contains(items, typed) {
			items = append(items, typed)
		}
		for _, e := range items {
			add("list of "+short(e), "[", e, "]")
		}
		if t.Elem().Kind() == reflect.Struct {
			for _, m := range jsonMembers(t.Elem()) {
				if m.kind.Kind() != reflect.Slice || m.kind.Elem().Kind() == reflect.Uint8 {
					continue
				}
				for _, e := range elements {
					add(fmt.Sprintf("list in a list, %s of %s", m.name, e), fmt.Sprintf(`[{%q:[`, m.name), e, "]}]")
				}
				add(fmt.Sprintf("lists of one, %s of []", m.name), "[", fmt.Sprintf(`{%q:[{}]}`, m.name), "]")
			}
		}
	case t.Kind() == reflect.Struct:
		others := 0
		for _, m := range jsonMembers(t) {
			if m.kind.Kind() != reflect.Slice {
				if others++; others > 1 {
					continue // read like the same type outside
				}
			}
			for _, s := range w.valueShapes(m.name, m.kind) {
				all = append(all, shape{m.name + ": " + s.kind, func(size int) []byte {
					return slices.Concat([]byte(fmt.Sprintf(`{%q:`, m.name)), s.make(size), []byte("}"))
				}})
			}
		}
	case t.Kind() == reflect.String || t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		for _, text := range texts {
			all = append(all, shape{"text of " + text.kind, func(size int) []byte {
				return []byte(`"` + strings.Repeat(text.item, max(size/len(text.item), 1)) + `"`)
			}})
		}
	default:
		all = append(all, shape{"long number", func(size int) []byte { return []byte(strings.Repeat("1", size)) }})
	}
	return all
}

func short(text string) string {
	if len(text) > 24 {
		return text[:24] + "…"
	}
	return text
}

// with returns object with a member replaced or added, as text.
func with(object map[string]json.RawMessage, name string, value []byte) []byte {
	b := []byte{'{'}
	for other, text := range object {
		if other != name {
			b = append(append(b, fmt.Sprintf("%q:", other)...), text...)
			b = append(b, ',')
		}
	}
	b = append(b, fmt.Sprintf("%q:", name)...)
	return append(append(b, value...), '}')
}

// paramsShapes returns the ways to fill the parameters of an operation. base has its other members. Shapes that do not
// depend on the operation are complete only for operations without parameters.
func (w *testbed) paramsShapes(t reflect.Type, base map[string]json.RawMessage) (all []shape) {
	plain := t.Kind() == reflect.Struct && t.NumField() == 0
	for _, e := range elements {
		if !plain && e != "{}" && e != "1" {
			continue
		}
		all = append(all, shape{"params: list of " + e, func(size int) []byte { return repeated("[", e, "]", size) }})
	}
	if t.Kind() == reflect.Slice {
		all = append(all, w.valueShapes("params", t)...)
	}
	general := []shape{
		{"params: a long text", func(size int) []byte { return []byte(`"` + strings.Repeat("a", size) + `"`) }},
		{"params: nested lists", func(size int) []byte {
			return []byte(strings.Repeat("[", size/2) + strings.Repeat("]", size/2))
		}},
		{"params: nested objects", func(size int) []byte {
			return []byte(strings.Repeat(`{"a":`, size/6) + "1" + strings.Repeat("}", size/6))
		}},
		{"params: one unknown member again and again", func(size int) []byte {
			return repeated("{", `"a":1`, "}", size)
		}},
		{"params: many unknown members", func(size int) []byte {
			b := []byte{'{'}
			for i := 0; len(b) < size; i++ {
				b = fmt.Appendf(b, `"%x":1,`, i)
			}
			return append(b, `"z":1}`...)
		}},
		{"params: an unknown list of {}", func(size int) []byte { return repeated(`{"a":[`, "{}", "]}", size) }},
		{"params: a long name", func(size int) []byte { return []byte(`{"` + strings.Repeat("a", size) + `":1}`) }},
	}
	if plain {
		all = append(all, general...)
	}
	if t.Kind() != reflect.Struct {
		return all
	}
	numbers := 0
	for i, m := range jsonMembers(t) {
		switch m.kind.Kind() {
		case reflect.Bool:
			continue
		case reflect.Struct, reflect.Slice, reflect.String, reflect.Array:
		default:
			if numbers++; numbers > 1 {
				continue // all numbers are read alike
			}
		}
		for _, s := range w.valueShapes(m.name, m.kind) {
			all = append(all, shape{m.name + ": " + s.kind, func(size int) []byte {
				return with(base, m.name, s.make(size))
			}})
		}
		if i == 0 {
			all = append(all, shape{m.name + ": again and again", func(size int) []byte {
				return repeated("{", fmt.Sprintf("%q:%s", m.name, w.sample(m.name, m.kind)), "}", size)
			}})
		}
		if m.kind.Kind() == reflect.Slice && m.kind.Elem().Kind() != reflect.Uint8 {
			all = append(all, shape{m.name + ": again and again a list of 1000 {}", func(size int) []byte {
				return repeated("{", fmt.Sprintf("%q:[%s{}]", m.name, strings.Repeat("{},", 999)), "}", size)
			}})
		}
	}
	return all
}

// envelopes returns the ways to fill a JSON-RPC call around its parameters.
func envelopes(method string) []shape {
	return []shape{
		{"a long id", func(size int) []byte {
			return []byte(`{"jsonrpc":"2.0","id":"` + strings.Repeat("a", size) + `","method":"` + method + `"}`)
		}},
		{"an id that is a list of []", func(size int) []byte {
			return repeated(`{"jsonrpc":"2.0","method":"`+method+`","id":[`, "[]", "]}", size)
		}},
		{"a long method", func(size int) []byte {
			return []byte(`{"jsonrpc":"2.0","id":"0","method":"` + strings.Repeat("a", size) + `"}`)
		}},
		{"spaces", func(size int) []byte {
			return []byte(strings.Repeat(" ", size) + `{"jsonrpc":"2.0","id":"0","method":"` + method + `"}`)
		}},
		{"a list of calls", func(size int) []byte {
			return repeated("[", `{"id":0,"method":"`+method+`"}`, "]", size)
		}},
		{"method again and again", func(size int) []byte { return repeated("{", `"method":"`+method+`"`, "}", size) }},
		{"params again and again", func(size int) []byte {
			return repeated(`{"id":0,"method":"`+method+`",`, `"params":[{},{},{},{}]`, "}", size)
		}},
		{"not JSON", func(size int) []byte { return []byte(strings.Repeat(`{"`, size/2)) }},
	}
}

// The parts of portable storage that hostile bodies need. Source:
// contrib/epee/include/storages/portable_storage_base.h.
const (
	epeeSignature = "\x01\x11\x01\x01\x01\x01\x02\x01\x01"
	epeeUint64    = 5
	epeeUint8     = 8
	epeeString    = 10
	epeeBool      = 11
	epeeObject    = 12
	epeeArray     = 13
	epeeList      = 0x80
)

// epeeSize encodes a length.
func epeeSize(n int) []byte {
	switch {
	case n < 1<<6:
		return []byte{byte(n << 2)}
	case n < 1<<14:
		return binary.LittleEndian.AppendUint16(nil, uint16(n<<2|1))
	case n < 1<<30:
		return binary.LittleEndian.AppendUint32(nil, uint32(n<<2|2))
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(n)<<2|3)
}

// epeeEntry encodes a named value.
func epeeEntry(name string, kind byte, value []byte) []byte {
	return slices.Concat([]byte{byte(len(name))}, []byte(name), []byte{kind}, value)
}

// epeeBody encodes a message.
func epeeBody(entries ...[]byte) []byte {
	return slices.Concat([]byte(epeeSignature), epeeSize(len(entries)), slices.Concat(entries...))
}

// epeeLists are lists of the shortest elements of each type.
var epeeLists = []struct {
	kind string
	of   byte
	item string
}{
	{"empty objects", epeeObject, "\x00"},
	{"empty texts", epeeString, "\x00"},
	{"truth values", epeeBool, "\x01"},
	{"bytes", epeeUint8, "\x01"},
	{"numbers", epeeUint64, "\x01\x00\x00\x00\x00\x00\x00\x00"},
	{"objects with an unknown field", epeeObject, "\x04\x01a\x08\x01"},
	{"texts of 32 bytes", epeeString, "\x80" + strings.Repeat("\x01", 32)},
}

// epeeValues returns the ways to fill the value of a field: its type and its bytes.
func epeeValues(t reflect.Type, deep int) (all []struct {
	kind string
	make func(size int) (byte, []byte)
}) {
	add := func(kind string, value func(size int) (byte, []byte)) {
		all = append(all, struct {
			kind string
			make func(size int) (byte, []byte)
		}{kind, value})
	}
	lists := epeeLists
	text := true
	switch t.Kind() {
	case reflect.Slice:
	case reflect.String, reflect.Array:
		lists = lists[:1]
	default:
		lists, text = lists[:1], false
	}
	for _, l := range lists {
		// The decoder has limits for the number of objects and texts; shorter lists stay below them.
		for _, most := range []int{1 << 30, 60_000} {
			if most < 1<<30 && (l.of != epeeObject || deep < 2) {
				continue
			}
			add(fmt.Sprintf("list of %s%s", l.kind, map[bool]string{true: ", not too many", false: ""}[most < 1<<30]),
				func(size int) (byte, []byte) {
					n := min(max(size/len(l.item), 1), most)
					return l.of | epeeList, slices.Concat(epeeSize(n), []byte(strings.Repeat(l.item, n)))
				})
		}
	}
	if !text {
		return all
	}
	add("text", func(size int) (byte, []byte) {
		size = size / 32 * 32
		return epeeString, slices.Concat(epeeSize(size), []byte(strings.Repeat("\x01", size)))
	})
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && deep > 0 {
		for _, m := range jsonMembers(t.Elem()) {
			for _, inner := range epeeValues(m.kind, deep-1) {
				add("in an object, "+m.name+": "+inner.kind, func(size int) (byte, []byte) {
					kind, value := inner.make(size)
					return epeeObject | epeeList,
						slices.Concat(epeeSize(1), epeeSize(1), epeeEntry(m.name, kind, value))
				})
			}
			add("objects of one list of an empty object, "+m.name, func(size int) (byte, []byte) {
				item := slices.Concat(epeeSize(1), epeeEntry(m.name, epeeObject|epeeList, []byte{4, 0}))
				n := min(max(size/len(item), 1), 90_000)
				return epeeObject | epeeList, slices.Concat(epeeSize(n), []byte(strings.Repeat(string(item), n)))
			})
		}
	}
	return all
}

// epeeShapes returns the ways to fill a message of type t. base has its other entries by name.
func epeeShapes(t reflect.Type, base map[string][]byte) (all []shape) {
	body := func(name string, entry []byte) []byte {
		entries := [][]byte{}
		for other, e := range base {
			if other != name {
				entries = append(entries, e)
			}
		}
		return epeeBody(append(entries, entry)...)
	}
	names := []member{{"unknown", reflect.TypeFor[string]()}}
	if t.Kind() == reflect.Struct {
		names = append(names, jsonMembers(t)...)
	}
	for _, m := range names {
		for _, v := range epeeValues(m.kind, 2) {
			all = append(all, shape{m.name + ": " + v.kind, func(size int) []byte {
				kind, value := v.make(size)
				return body(m.name, epeeEntry(m.name, kind, value))
			}})
		}
	}
	return append(all,
		shape{"many fields", func(size int) []byte {
			entries := [][]byte{}
			for i := range min(size/10, 1<<16) {
				entries = append(entries, epeeEntry(fmt.Sprintf("%06x", i), epeeUint8, []byte{1}))
			}
			return epeeBody(entries...)
		}},
		shape{"nested objects", func(size int) []byte {
			return []byte(epeeSignature + strings.Repeat("\x04\x01a\x0c", size/4))
		}},
		shape{"nested lists", func(size int) []byte {
			return []byte(epeeSignature + "\x04\x01a" + strings.Repeat("\x8d\x04", size/2))
		}},
		shape{"zeros", func(size int) []byte { return []byte(epeeSignature + strings.Repeat("\x00", size)) }},
	)
}

// epeeSplit returns the entries of a well-formed message, by name.
func epeeSplit(b []byte) (entries map[string][]byte, err error) {
	entries = map[string][]byte{}
	if len(b) < len(epeeSignature) {
		return nil, fmt.Errorf("not portable storage")
	}
	r := &epeeReader{b: b[len(epeeSignature):]}
	for range r.size() {
		from := r.b
		name := string(r.next(int(r.byte())))
		r.skip(r.byte())
		if r.bad {
			break
		}
		entries[name] = from[:len(from)-len(r.b)]
	}
	if r.bad {
		return nil, fmt.Errorf("broken portable storage")
	}
	return entries, nil
}

type epeeReader struct {
	b   []byte
	bad bool
}

func (r *epeeReader) next(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *epeeReader) byte() byte {
	if b := r.next(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *epeeReader) size() int {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	var full [8]byte
	copy(full[:], r.next(1<<(r.b[0]&3)))
	return int(binary.LittleEndian.Uint64(full[:]) >> 2)
}

func (r *epeeReader) skip(kind byte) {
	if kind == epeeArray {
		kind = r.byte()
	}
	n := 1
	if kind&epeeList != 0 {
		n, kind = r.size(), kind&^epeeList
	}
	for i := 0; i < n && !r.bad; i++ {
		switch kind {
		case epeeString:
			r.next(r.size())
		case epeeObject:
			for range r.size() {
				r.next(int(r.byte()))
				r.skip(r.byte())
				if r.bad {
					return
				}
			}
		default:
			width, known := map[byte]int{
				1: 8, 2: 4, 3: 2, 4: 1, epeeUint64: 8, 6: 4, 7: 2, epeeUint8: 1, 9: 8, epeeBool: 1,
			}[kind]
			r.bad = r.bad || !known
			r.next(width)
		}
	}
}
