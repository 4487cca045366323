package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"glim/bindings/native"
)

// ErrNoPages means that a folder does not contain the built web wallet.
var ErrNoPages = errors.New("the built web wallet is missing")

// page is a file of the web wallet.
type page struct {
	kind string
	text []byte
}

// index is the name of the page itself, which also answers "/".
const index = "index.html"

// mark tells the page that it is served by `glim app`.
const mark = `<meta name="glim-app" content="1" />`

// skipped are the files of the web wallet that are not served: engines, because the page uses this process, and what
// installs the page, because its origin differs at each start.
func skipped(name string) bool {
	return path.Ext(name) == ".wasm" || name == "sw.js" || name == "manifest.webmanifest"
}

// kinds are the content types of files. Those of the operating system may be wrong.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".json": "application/json", ".woff2": "font/woff2", ".png": "image/png",
	".txt": "text/plain; charset=utf-8",
}

// readPages returns the files of the web wallet by name. "" is the page itself.
func readPages(files fs.FS) (map[string]page, error) {
	all := map[string]page{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || skipped(name) {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		kind := kinds[path.Ext(name)]
		if kind == "" {
			kind = mime.TypeByExtension(path.Ext(name))
		}
		all[name] = page{kind, text}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the web wallet: %w", err)
	}
	p, found := all[index]
	before, after, ok := bytes.Cut(p.text, []byte("<head>"))
	if !found || !ok {
		return nil, ErrNoPages
	}
	p.text = bytes.Join([][]byte{before, []byte("<head>" + mark), after}, nil)
	all[index], all[""] = p, p
	return all, nil
}

// policy is the content security policy of everything that is served. The page itself has a second one, and the browser
// applies both. Requests go only to this server, so that everything else goes through its proxy.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self' data: blob:; media-src 'self' blob:; worker-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default"

// protect adds the header fields that keep other pages from embedding, reading or controlling what is served.
func protect(h http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      policy,
		"X-Frame-Options":              "DENY",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Cache-Control":                "no-store",
	} {
		h.Set(name, value)
	}
}

// page answers with a file. Files are not secret, but only a person or this page loads them.
func (s *Server) page(r *http.Request, p page) native.Answer {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return refuse(http.StatusMethodNotAllowed)
	}
	if r.Header.Get("Sec-Fetch-Mode") == "navigate" && strings.Contains(r.Header.Get("Sec-Fetch-Dest"), "frame") {
		return refuse(http.StatusForbidden)
	}
	return func(w http.ResponseWriter, r *http.Request) int {
		return send(w, p.kind, p.text, r.Method != http.MethodHead)
	}
}

// send responds with 200 and a body, or only with its header.
func send(w http.ResponseWriter, kind string, body []byte, withBody bool) int {
	protect(w.Header())
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if withBody {
		_, _ = w.Write(body) // if it fails, the client has disconnected
	}
	return http.StatusOK
}
