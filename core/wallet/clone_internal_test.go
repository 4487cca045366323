package wallet

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// shared lists the parts of a wallet that a clone shares, and why.
var shared = map[string]string{
	"identity.Keys":        constant,
	"identity.Words":       constant,
	"identity.Multisig":    constant,
	"texts":                "it caches what is computed from keys and has its own lock",
	"chain.awaited":        replaced,
	"pending":              "every commit makes a new one",
	"payments[].Amounts":   replaced,
	"spends[]":             replaced,
	"inOrder[]":            replaced,
	"sent[]":               replaced,
	"unmined[]":            replaced,
	"pool[]":               replaced,
	"drafts[]":             replaced,
	"ringRecords[]":        replaced,
	"takeover":             replaced,
	"shared":               replaced,
	"payees[]":             replaced,
	"txKeys[].Additional":  replaced,
	"cosigning.received[]": replaced,
	"cosigning.nonces[]":   "used nonces are wiped, and no copy may remain",
	"noted.txs[].Blob":     replaced,
	"noted.txs[].Indices":  replaced,
}

const (
	constant = "an identity never changes"
	replaced = "it is replaced, never modified"
)

// TestCloneSharesNothing sets every field of a wallet, including new ones, and checks that a clone is equal and
// shares no map, slice or pointer target except those in shared.
func TestCloneSharesNothing(t *testing.T) {
	w := &Wallet{}
	fill(t, reflect.ValueOf(w).Elem(), "")
	w.copied = false // set only during a change
	c := w.clone()
	require.True(t, reflect.DeepEqual(w, c), "a clone is equal")

	own := map[uintptr]string{}
	met := map[string]bool{}
	places(reflect.ValueOf(w).Elem(), "", met, func(at uintptr, path string) { own[at] = path })
	places(reflect.ValueOf(c).Elem(), "", met, func(at uintptr, path string) {
		if of, ok := own[at]; ok {
			t.Errorf("%s of a clone shares memory with %s of the wallet", path, of)
		}
	})
	for path := range shared {
		require.True(t, met[path], "there is no %s", path)
	}
}

// fill sets v to a non-zero value. Maps and slices get an element, and slices spare capacity, because an append to
// one may overwrite elements of another.
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
			return // the clone completes the table
		}
		v.Set(reflect.New(v.Type().Elem()))
		if shared[path] == "" {
			fill(t, v.Elem(), path)
		}
	default:
		t.Fatalf("%s is a %s: add it to fill, and to places if it can be shared", path, v.Kind())
	}
}

// places reports everything that v points to, except what may be shared.
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
