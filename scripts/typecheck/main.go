// Command typecheck type-checks packages for other systems, with everything that they import. It finds what a build for
// a system would report about sources that this system does not compile, in a fraction of the time, because it
// generates no code. Assembly is not checked.
//
//	typecheck GOOS/GOARCH[,GOOS/GOARCH...] PACKAGES...
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "typecheck: typecheck GOOS/GOARCH[,GOOS/GOARCH...] PACKAGES...")
		os.Exit(2)
	}
	for _, system := range strings.Split(os.Args[1], ",") {
		if err := check(".", system, os.Args[2:]); err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", system, err)
			os.Exit(1)
		}
	}
}

// listed is what go list says about a package.
type listed struct {
	Dir, ImportPath string
	GoFiles, SFiles []string
	ImportMap       map[string]string
	Standard        bool
	Module          *struct{ Main bool } // absent in the standard library
	Error           *struct{ Err string }
}

// check type-checks the packages and their dependencies in the module of a folder for a system.
func check(folder, system string, patterns []string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return errors.New("a system is GOOS/GOARCH")
	}
	sizes := types.SizesFor("gc", goarch)
	if sizes == nil {
		return errors.New("unknown architecture")
	}
	fields := "-json=Dir,ImportPath,GoFiles,SFiles,ImportMap,Standard,Module,Error"
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", fields}, patterns...)...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	world := world{fset: token.NewFileSet(), sizes: sizes, packages: map[string]*types.Package{"unsafe": types.Unsafe}}
	for d := json.NewDecoder(bytes.NewReader(out)); ; { // dependencies come before the packages that import them
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return errors.Join(world.errs...)
		} else if err != nil {
			return err
		}
		world.add(p)
	}
}

// world holds the packages of a system.
type world struct {
	fset     *token.FileSet
	sizes    types.Sizes
	packages map[string]*types.Package
	errs     []error
}

// add type-checks a package. The bodies of functions of the standard library are ignored.
func (w *world) add(p listed) {
	if p.ImportPath == "unsafe" {
		return
	}
	if p.Error != nil {
		w.errs = append(w.errs, errors.New(p.Error.Err))
		return
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(w.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			w.errs = append(w.errs, err)
			return
		}
		files = append(files, f)
		if p.Module != nil && p.Module.Main && len(p.SFiles) == 0 {
			w.bodies(f)
		}
	}
	config := types.Config{
		Importer: importer{w, p.ImportMap}, Sizes: w.sizes, IgnoreFuncBodies: p.Standard,
		Error: func(err error) {
			if !p.Standard {
				w.errs = append(w.errs, err)
			}
		},
	}
	w.packages[p.ImportPath], _ = config.Check(p.ImportPath, w.fset, files, nil) // Error is told of errors
}

// bodies reports functions without a body in a package without assembly.
func (w *world) bodies(f *ast.File) {
	for _, d := range f.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
			w.errs = append(w.errs, fmt.Errorf("%s: %s has no body", w.fset.Position(f.Pos()), f.Name.Name))
		}
	}
}

// importer finds the packages that one package imports.
type importer struct {
	*world
	vendored map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if other, ok := i.vendored[path]; ok {
		path = other
	}
	if p := i.packages[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s has not been read", path)
}
