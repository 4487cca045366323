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

// logFile is a log file with rotation: a file that has reached its maximum size is renamed to include the time, and a
// new one is started. The oldest renamed files are removed.
// Source: contrib/epee/src/mlog.cpp, mlog_configure and generate_log_filename.
type logFile struct {
	path     string
	maxSize  int64 // bytes; 0 for no limit
	maxFiles int   // including the current one; 0 for no limit
	now      func() time.Time

	mu   sync.Mutex
	file *os.File
	size int64
}

func openLogFile(path string, maxSize int64, maxFiles int, now func() time.Time) (*logFile, error) {
	if native.IsWalletFile(path) { // appended lines would damage it
		return nil, fmt.Errorf("%s is a wallet file", path)
	}
	// The reference creates missing folders, too. Source: external/easylogging++/easylogging++.cc, File::createPath.
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

// Write writes one line, completely and to a single file.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.maxSize > 0 && l.size > 0 && l.size+int64(len(line)) > l.maxSize {
		l.rotate()
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	return n, err
}

// rotate renames the file and starts a new one. If that fails, it keeps using the old one, because logging must go on.
func (l *logFile) rotate() {
	name := l.path + "-" + l.now().UTC().Format("2006-01-02-15-04-05")
	if _, err := os.Lstat(name); err == nil {
		return // at most one file a second
	}
	if os.Rename(l.path, name) != nil {
		return
	}
	old := l.file
	if l.begin() != nil {
		return // continue with the renamed file
	}
	_ = old.Close() // all lines have been written
	l.removeOldest()
}

// removeOldest removes the oldest of the renamed files. Their names sort by age.
func (l *logFile) removeOldest() {
	if l.maxFiles == 0 {
		return
	}
	dir, base := filepath.Split(l.path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return // it is tried again after the next rotation
	}
	var rotated []string
	for _, e := range entries {
		if at, ok := strings.CutPrefix(e.Name(), base+"-"); ok {
			if _, err := time.Parse("2006-01-02-15-04-05", at); err == nil {
				rotated = append(rotated, e.Name())
			}
		}
	}
	slices.Sort(rotated)
	for len(rotated) > l.maxFiles-1 {
		_ = os.Remove(filepath.Join(dir, rotated[0])) // likewise
		rotated = rotated[1:]
	}
}

// Close closes the file.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
