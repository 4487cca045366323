// Command wasm builds a program for browsers as small as it can be without another compiler: functions are not copied into their
// callers, but where cryptography needs it, and the tables that lead from instructions to lines of source are left empty. Of a stack
// trace the functions' names remain.
//
//	go run ./scripts/wasm -o FILE ./wasm/browser
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Functions are copied into their callers in these packages alone, where that is what makes them fast.
var inlined = []string{"filippo.io/...", "golang.org/x/...", "glim/core/crypto/...", "crypto/..."}

func main() {
	out := flag.String("o", "", "the file to write")
	flag.Parse()
	if *out == "" || flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: wasm -o FILE PACKAGE")
		os.Exit(2)
	}
	if err := build(*out, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "wasm:", err)
		os.Exit(1)
	}
}

func build(out, program string) error {
	dir, err := os.MkdirTemp("", "wasm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay, err := flatten(dir, program)
	if err != nil {
		return err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-overlay", overlay, "-o", out, "-gcflags=all=-l"}
	for _, pattern := range inlined {
		args = append(args, "-gcflags="+pattern+"=")
	}
	_, err = goTool(append(args, program)...)
	return err
}

// goTool runs the go command for browsers.
func goTool(args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	return c.Output()
}

// flatten writes every source file of a program and of what it imports on one line into dir, and returns the file that says which
// stands for which. Modules of others are left as they are: the go command allows no other.
func flatten(dir, program string) (string, error) {
	listed, err := goTool("list", "-deps", "-f", `{{if not (and .Module (not .Module.Main))}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{end}}`, program)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, name := range strings.Fields(string(listed)) {
		source, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if bytes.Contains(source, []byte("//go:embed")) {
			continue // the patterns stand for files beside it
		}
		flat, err := onOneLine(source)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		to := filepath.Join(dir, strconv.Itoa(len(replace))+"_"+filepath.Base(name))
		if err := os.WriteFile(to, flat, 0o600); err != nil {
			return "", err
		}
		replace[name] = to
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, overlay, 0o600)
}
