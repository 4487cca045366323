//go:build tools

package bind

import (
	_ "golang.org/x/mobile/bind"

	_ "glim/mobile/bridge"
)
