package native

import (
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"glim/core/node"
)

const selfStat = "4711 (a (name) here) S 1 4711 4711 0 -1 4194560 100 0 0 0 21 13 0 0 20 0 8 0 100 1000 50"

func TestLoad(t *testing.T) {
	l, err := parseLoad("cpu  10 20 30 400 50 0 1 2 0 0\ncpu0 1 2 3\n", selfStat)
	require.NoError(t, err)
	require.Equal(t, node.Load{Total: 460, Idle: 400, Own: 34}, l)
	for _, bad := range [][2]string{
		{
			"", selfStat,
		}, {"cpu 1 2 3", selfStat}, {"cpu0 1 2 3 4", selfStat}, {"cpu 1 2 3 x", selfStat}, {"cpu 1 2 3 -4", selfStat},
		{"cpu 1 2 3 4", ""}, {"cpu 1 2 3 4", "1 (a) S 1"}, {"cpu 1 2 3 4", "1 (a) S 1 2 3 4 5 6 7 8 9 10 x y"},
	} {
		_, err := parseLoad(bad[0], bad[1])
		require.ErrorIs(t, err, errLoad, bad)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("cpu  10 20 30 400\n", selfStat)
	f.Fuzz(func(t *testing.T, stat, self string) {
		if l, err := parseLoad(stat, self); err == nil && l.Idle > l.Total {
			t.Fatalf("%+v", l)
		}
	})
}

func TestBattery(t *testing.T) {
	supply := func(pairs ...string) fstest.MapFS {
		m := fstest.MapFS{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1] + "\n")}
		}
		return m
	}
	for name, c := range map[string]struct {
		fs             fstest.MapFS
		battery, known bool
	}{
		"none": {supply("readme", ""), false, true},
		"mains": {
			supply("AC/type", "Mains", "AC/online", "1", "BAT0/type", "Battery", "BAT0/status", "Discharging"), false,
			true,
		},
		"mains off": {
			supply("AC/type", "Mains", "AC/online", "0", "BAT0/type", "Battery", "BAT0/status", "Discharging"), true,
			true,
		},
		"charging": {supply("BAT0/type", "Battery", "BAT0/status", "Charging"), false, true},
		"one of two": {
			supply("BAT0/type", "Battery", "BAT0/status", "Full", "BAT1/type", "Battery", "BAT1/status", "Discharging"),
			true, true,
		},
		"unknown status": {supply("BAT0/type", "Battery", "BAT0/status", "Unknown"), false, false},
		"of a device": {
			supply("hid/type", "Battery", "hid/status", "Discharging", "hid/scope", "Device"), false, true,
		},
	} {
		battery, known := onBattery(c.fs)
		require.Equal(t, []bool{c.battery, c.known}, []bool{battery, known}, name)
	}
}

// TestMachine checks the measurements of this machine, if its system is supported.
func TestMachine(t *testing.T) {
	m := Machine()
	require.Equal(t, runtime.GOOS == "linux", m != nil)
	if m == nil {
		return
	}
	first, err := m.Load()
	require.NoError(t, err)
	require.Positive(t, first.Total)
	for later := first; later.Total == first.Total || later.Own == first.Own; {
		later, err = m.Load()
		require.NoError(t, err)
		require.GreaterOrEqual(t, later.Idle, first.Idle)
	}
	m.Battery()
}
