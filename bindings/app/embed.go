//go:build app

package app

import (
	"embed"
	"io/fs"
)

// page is the built web wallet, which `make app` copies here.
//
//go:embed page
var embedded embed.FS

// Embedded returns the web wallet in this program, or nil if it is built without it.
func Embedded() fs.FS {
	pages, err := fs.Sub(embedded, "page")
	if err != nil {
		return nil
	}
	return pages
}
