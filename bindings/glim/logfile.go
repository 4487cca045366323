package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"glim/bindings/native"
)

// logFile is a file of lines that does not grow without end: when it is large it gets the time behind its name, and another is begun.
// Of those with the time behind their names the oldest go.
// Source: contrib/epee/src/mlog.cpp, mlog_configure and generate_log_filename.
type logFile struct {
	path     string
	maxSize  int64 // bytes; 0 for no end
	maxFiles int   // kept, the one written included; 0 for all
	now      func() time.Time

	mu   sync.Mutex
	file *os.File
	size int64
}

func openLogFile(path string, maxSize int64, maxFiles int, now func() time.Time) (*logFile, error) {
	if native.IsWalletFile(path) { // lines behind it would damage it
		return nil, fmt.Errorf("%s is a wallet", path)
	}
	// The reference makes missing folders, too. Source: external/easylogging++/easylogging++.cc, File::createPath.
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l := &logFile{path: path, maxSize: maxSize, maxFiles: maxFiles, now: now}
	return l, l.begin()
}

func (l *logFile) begin() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	l.file, l.size = f, info.Size()
	return nil
}

// Write writes one line, whole, into one file.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.maxSize > 0 && l.size > 0 && l.size+int64(len(line)) > l.maxSize {
		l.turn()
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	return n, err
}

// turn puts the file aside and begins another. Where the disk does not let it, the old one is written on: a log must not end.
func (l *logFile) turn() {
	name := l.path + "-" + l.now().UTC().Format("2006-01-02-15-04-05")
	if _, err := os.Lstat(name); err == nil {
		return // a second has one file at most
	}
	if os.Rename(l.path, name) != nil {
		return
	}
	old := l.file
	if l.begin() != nil {
		return // what is written goes behind the new name
	}
	_ = old.Close() // every line reached it
	l.drop()
}

// drop removes the oldest of the files put aside. Their names are their age.
func (l *logFile) drop() {
	if l.maxFiles == 0 {
		return
	}
	dir, base := filepath.Split(l.path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return // the next time, then
	}
	var aside []string
	for _, e := range entries {
		if at, ok := strings.CutPrefix(e.Name(), base+"-"); ok {
			if _, err := time.Parse("2006-01-02-15-04-05", at); err == nil {
				aside = append(aside, e.Name())
			}
		}
	}
	slices.Sort(aside)
	for len(aside) > l.maxFiles-1 {
		_ = os.Remove(filepath.Join(dir, aside[0])) // likewise
		aside = aside[1:]
	}
}

// Close ends it.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
