package native

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"glim/core/node"
)

var errLoad = errors.New("native: the system's account of its time is not understood")

// parseLoad parses the contents of /proc/stat and /proc/self/stat, which count in the same ticks. Total is the sum of
// user, nice, system and idle time in the first line of stat; Own is the user and system time in self. It returns
// errLoad if a content is malformed.
// Source: proc(5); src/cryptonote_basic/miner.cpp, get_system_times and get_process_time.
func parseLoad(stat, self string) (l node.Load, err error) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	// The name of a program may contain spaces and brackets. After its last bracket, the state and 10 numbers precede
	// the times.
	_, behind, _ := cutLast(self, ")")
	own := strings.Fields(behind)
	if len(fields) < 5 || fields[0] != "cpu" || len(own) < 13 {
		return l, errLoad
	}
	for i, f := range fields[1:5] {
		n, err := strconv.ParseUint(f, 10, 62)
		if err != nil {
			return node.Load{}, errLoad
		}
		l.Total += n
		if i == 3 {
			l.Idle = n
		}
	}
	for _, f := range own[11:13] {
		n, err := strconv.ParseUint(f, 10, 62)
		if err != nil {
			return node.Load{}, errLoad
		}
		l.Own += n
	}
	return l, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// onBattery reports whether the machine runs on battery, from the folder of power supplies. A machine without a battery
// or with mains online does not. known is false if the folder cannot be read or the status of a battery is unknown.
// Source: the kernel's Documentation/ABI/testing/sysfs-class-power; src/cryptonote_basic/miner.cpp, on_battery_power.
func onBattery(supplies fs.FS) (battery, known bool) {
	entries, err := fs.ReadDir(supplies, ".")
	if err != nil {
		return false, false
	}
	read := func(dir, name string) string {
		b, err := fs.ReadFile(supplies, dir+"/"+name)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(b))
	}
	known = true
	for _, e := range entries {
		switch read(e.Name(), "type") {
		case "Mains":
			if read(e.Name(), "online") == "1" {
				return false, true
			}
		case "Battery":
			if read(e.Name(), "scope") == "Device" {
				continue // the battery of a peripheral, such as a mouse
			}
			switch read(e.Name(), "status") {
			case "Discharging":
				battery = true
			case "Charging", "Full", "Not charging":
			default:
				known = false
			}
		}
	}
	return battery, known || battery
}
