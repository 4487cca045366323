//go:build !unix

package peers

import "syscall"

// unprivileged returns nil: PostgreSQL runs as any user here.
func unprivileged(string) (*syscall.SysProcAttr, error) { return nil, nil }
