package service

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemon"
	"glim/core/rpc"
)

// TestSecondDaemonGoesThroughTheProxy checks that the second daemon is reached through the proxy of the first.
func TestSecondDaemonGoesThroughTheProxy(t *testing.T) {
	var dialed []DaemonConfig
	c := Config{Witness: DaemonConfig{Address: "second:1"}, Connect: func(d DaemonConfig) (rpc.Transport, error) {
		dialed = append(dialed, d)
		return noDaemon{}, nil
	}}
	_, err := c.dialer().dial(DaemonConfig{Address: "first:1", Proxy: "proxy:1"})
	require.NoError(t, err)
	require.Equal(t, []DaemonConfig{{Address: "first:1", Proxy: "proxy:1"}, {Address: "second:1", Proxy: "proxy:1"}},
		dialed)
}

// TestSendingDaemon checks how the daemon is reached that transactions are handed over to: never past a proxy.
func TestSendingDaemon(t *testing.T) {
	first := DaemonConfig{Address: "first:1", Username: "me", Password: "secret", Proxy: "proxy:1"}
	throughOther := first
	throughOther.Proxy = "proxy:2"
	for _, c := range []struct {
		sending  DaemonConfig
		from     DaemonConfig
		expected []DaemonConfig
	}{
		{DaemonConfig{}, first, []DaemonConfig{first}},
		{DaemonConfig{Proxy: "proxy:2"}, first, []DaemonConfig{first, throughOther}},
		{DaemonConfig{Address: "second:1"}, first,
			[]DaemonConfig{first, {Address: "second:1", Proxy: "proxy:1"}}},
		{DaemonConfig{Address: "second:1", Proxy: "proxy:2"}, first,
			[]DaemonConfig{first, {Address: "second:1", Proxy: "proxy:2"}}},
		{DaemonConfig{Address: "second:1"}, DaemonConfig{}, nil},
	} {
		var dialed []DaemonConfig
		d := Config{Sending: c.sending, Connect: func(d DaemonConfig) (rpc.Transport, error) {
			dialed = append(dialed, d)
			return noDaemon{}, nil
		}}
		l, err := d.dialer().dial(c.from)
		require.NoError(t, err)
		require.Equal(t, c.expected, dialed)
		err = l.sender.send(t.Context(), []byte{1})
		require.ErrorIs(t, err, daemon.ErrUnreachable)
		if len(dialed) > 1 {
			require.ErrorContains(t, err, dialed[1].Address)
			require.NotContains(t, err.Error(), "proxy")
		}
	}
}

// TestSameDaemon checks that wallets share a connection only if all members of their configurations are equal.
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
			require.Fail(t, "the test does not handle fields of this kind", v.Kind())
		}
		require.False(t, plain.same(&other), "%#v", other.SSL)
		equal := other
		require.True(t, equal.same(&other))
	}
	differ(func(d *DaemonConfig) reflect.Value { return reflect.ValueOf(d).Elem() })
}
