package wallet

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// shared are the parts of a wallet that a copy of it shares, and why it may.
var shared = map[string]string{
	"origin.Keys":         constant,
	"origin.Words":        constant,
	"origin.Multisig":     constant,
	"texts":               "it remembers what is made from keys and has a lock of its own",
	"chain.awaited":       replaced,
	"way":                 "every commit makes another",
	"payments[].Amounts":  replaced,
	"spends[]":            replaced,
	"inOrder[]":           replaced,
	"sent[]":              replaced,
	"unmined[]":           replaced,
	"pool[]":              replaced,
	"drafts[]":            replaced,
	"hidden[]":            replaced,
	"takeover":            replaced,
	"payees[]":            replaced,
	"txKeys[].Additional": replaced,
	"cosigning.told[]":    replaced,
	"cosigning.nonces[]":  "what wipes nonces that are used must leave no copy",
	"noted.txs[].Blob":    replaced,
	"noted.txs[].Indices": replaced,
}

const (
	constant = "an origin never changes"
	replaced = "it is put in the place of another and never written to"
)

// TestCloneSharesNothing gives every field of a wallet a value, new fields too, and demands that a copy says the same and shares no map, no
// list and nothing that is pointed to but what is listed above.
func TestCloneSharesNothing(t *testing.T) {
	w := &Wallet{}
	fill(t, reflect.ValueOf(w).Elem(), "")
	w.copied = false // which no change has done
	c := w.clone()
	require.True(t, reflect.DeepEqual(w, c), "a copy is the same")

	own := map[uintptr]string{}
	met := map[string]bool{}
	places(reflect.ValueOf(w).Elem(), "", met, func(at uintptr, path string) { own[at] = path })
	places(reflect.ValueOf(c).Elem(), "", met, func(at uintptr, path string) {
		if of, ok := own[at]; ok {
			t.Errorf("a copy's %s is the wallet's %s", path, of)
		}
	})
	for path := range shared {
		require.True(t, met[path], "there is no %s", path)
	}
}

// fill sets v to something that is not zero; lists and maps get an element, and lists room for more, for what is appended to a list may
// reach into another.
func fill(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.String:
		v.SetString("text")
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), path)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 4))
		for i := range v.Len() {
			fill(t, v.Index(i), path+"[]")
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, path)
		fill(t, value, path+"[]")
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), join(path, v.Type().Field(i).Name))
		}
	case reflect.Pointer:
		if path == "table.late" {
			return // a copy enters what is left
		}
		v.Set(reflect.New(v.Type().Elem()))
		if shared[path] == "" {
			fill(t, v.Elem(), path)
		}
	default:
		t.Fatalf("%s is a %s: say here how to fill it, and in places how it can be shared", path, v.Kind())
	}
}

// places tells of everything that v points to, but for what may be shared.
func places(v reflect.Value, path string, met map[string]bool, tell func(at uintptr, path string)) {
	if shared[path] != "" {
		met[path] = true
		return
	}
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			places(v.Index(i), path, met, tell)
		}
	case reflect.Slice:
		if v.Cap() > 0 {
			tell(v.Pointer(), path)
		}
		for i := range v.Len() {
			places(v.Index(i), path+"[]", met, tell)
		}
	case reflect.Map:
		tell(v.Pointer(), path)
		for i := v.MapRange(); i.Next(); {
			places(i.Value(), path+"[]", met, tell)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			places(v.Field(i), join(path, v.Type().Field(i).Name), met, tell)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			tell(v.Pointer(), path)
			places(v.Elem(), path, met, tell)
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
