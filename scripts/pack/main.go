// Command pack checks the AAR made by gomobile, splits it by processor and writes checksums.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	pageSize = 16 << 10  // of newer phones, which do not load libraries aligned to smaller pages
	budget   = 6_500_000 // compressed bytes of the library of one processor
)

// systems lists the libraries of every Android version.
var systems = []string{"libc.so", "libm.so", "libdl.so", "liblog.so", "libandroid.so"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack FILE.aar")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// library is the library of one processor.
type library struct {
	abi  string
	size uint64 // compressed
}

// pack checks an AAR and writes, next to it, one for each processor and SHA256SUMS of all.
func pack(name string, say io.Writer) error {
	r, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer r.Close()
	libraries, err := check(&r.Reader)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	made := []string{name}
	for _, l := range libraries {
		fmt.Fprintf(say, "pack: %-12s %.2f MB compressed, pages of 16 KiB\n", l.abi, float64(l.size)/1e6)
		one := strings.TrimSuffix(name, ".aar") + "-" + l.abi + ".aar"
		if err := split(&r.Reader, one, l.abi); err != nil {
			return err
		}
		made = append(made, one)
	}
	var sums bytes.Buffer
	for _, m := range made {
		b, err := os.ReadFile(m)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(b), filepath.Base(m))
	}
	return os.WriteFile(filepath.Join(filepath.Dir(name), "SHA256SUMS"), sums.Bytes(), 0o644)
}

// check returns the libraries of an AAR, or an error.
func check(r *zip.Reader) (libraries []library, err error) {
	for _, want := range []string{"AndroidManifest.xml", "classes.jar", "proguard.txt"} {
		if !slices.ContainsFunc(r.File, func(f *zip.File) bool { return f.Name == want }) {
			return nil, fmt.Errorf("%s is missing", want)
		}
	}
	for _, f := range r.File {
		if path.Ext(f.Name) != ".so" {
			continue
		}
		l := library{path.Base(path.Dir(f.Name)), f.CompressedSize64}
		if l.size > budget {
			return nil, fmt.Errorf("%s has %d bytes compressed, more than %d", f.Name, l.size, budget)
		}
		if err := loads(f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		libraries = append(libraries, l)
	}
	if len(libraries) == 0 {
		return nil, errors.New("the library is missing")
	}
	return libraries, nil
}

// loads returns an error if a library would not load on some phones.
func loads(f *zip.File) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, 1<<28))
	if err != nil {
		return err
	}
	e, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		return err
	}
	found := false
	for _, p := range e.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		found = true
		if e.Class == elf.ELFCLASS64 && p.Align < pageSize {
			return fmt.Errorf("a segment is aligned to %d bytes, not to %d", p.Align, pageSize)
		}
	}
	if !found {
		return errors.New("it has no segments")
	}
	needed, err := e.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, n := range needed {
		if !slices.Contains(systems, n) {
			return fmt.Errorf("it needs %s, which is not part of Android", n)
		}
	}
	return nil
}

// split writes an AAR without the libraries of other processors.
func split(r *zip.Reader, name, abi string) error {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		if path.Ext(f.Name) == ".so" && path.Base(path.Dir(f.Name)) != abi {
			continue
		}
		if err := w.Copy(f); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}
