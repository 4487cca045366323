package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"glim/core/crypto/edwards"
)

// release is the version of glim. The npm packages and the first heading of core/CHANGELOG.md have the same.
const release = "0.1.0"

// version returns the release, the commit if it was built from a checkout, the Go version, and the platform.
func version() string {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value[:min(12, len(s.Value))] + ", "
			}
		}
	}
	curve := ""
	if edwards.Audited {
		curve = ", auditedcurve"
	}
	return fmt.Sprintf(
		"glim %s (%s%s %s/%s%s)",
		release,
		commit,
		runtime.Version(),
		runtime.GOOS,
		runtime.GOARCH,
		curve,
	)
}
