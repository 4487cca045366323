package native

import (
	"os"

	"glim/core/node"
)

// Machine returns functions that measure the load and the power supply of this machine, for background mining.
func Machine() *node.Machine {
	return &node.Machine{
		Load: func() (l node.Load, err error) {
			stat, err := os.ReadFile("/proc/stat")
			if err != nil {
				return l, err
			}
			self, err := os.ReadFile("/proc/self/stat")
			if err != nil {
				return l, err
			}
			return parseLoad(string(stat), string(self))
		},
		Battery: func() (battery, known bool) { return onBattery(os.DirFS("/sys/class/power_supply")) },
	}
}
