package service

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
)

// The second daemon, which says whether the first tells the truth, is asked through the proxy of the first.
func TestSecondDaemonGoesThroughTheProxy(t *testing.T) {
	var ways []DaemonConfig
	c := Config{Witness: DaemonConfig{Address: "second:1"}, Connect: func(d DaemonConfig) (rpc.Transport, error) {
		ways = append(ways, d)
		return nowhere{}, nil
	}}
	_, err := newLink(&c, DaemonConfig{Address: "first:1", Proxy: "proxy:1"})
	require.NoError(t, err)
	require.Equal(t, []DaemonConfig{{Address: "first:1", Proxy: "proxy:1"}, {Address: "second:1", Proxy: "proxy:1"}}, ways)
}

// Wallets share a way to a daemon when everything is said of it alike.
func TestSameDaemon(t *testing.T) {
	var differ func(change func(*DaemonConfig) reflect.Value)
	differ = func(change func(*DaemonConfig) reflect.Value) {
		var plain, other DaemonConfig
		switch v := change(&other); v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				differ(func(d *DaemonConfig) reflect.Value { return change(d).Field(i) })
			}
			return
		case reflect.String:
			v.SetString("x")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		default:
			require.Fail(t, "a field of a kind that is not looked at", v.Kind())
		}
		require.False(t, plain.same(&other), "%#v", other.SSL)
		twin := other
		require.True(t, twin.same(&other))
	}
	differ(func(d *DaemonConfig) reflect.Value { return reflect.ValueOf(d).Elem() })
}
