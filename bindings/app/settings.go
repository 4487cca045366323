package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"glim/bindings/native/files"
)

// maxSettings is the maximum number of keys.
const maxSettings = 64

// SettingsFile stores the page's settings in a file. The origin of the page, and with it what browsers store for it,
// differs at each start.
type SettingsFile struct {
	path string

	mu sync.Mutex
}

// NewSettingsFile returns the settings in the file at path, which need not exist.
func NewSettingsFile(path string) *SettingsFile { return &SettingsFile{path: path} }

func (f *SettingsFile) load() (map[string]string, error) {
	all := map[string]string{}
	text, err := files.Read(f.path, maxSettings*maxMessage)
	if errors.Is(err, files.ErrMissing) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return all, nil
}

// Read implements Settings.
func (f *SettingsFile) Read(key string) (value string, found bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.load()
	value, found = all[key]
	return value, found, err
}

// Write implements Settings.
func (f *SettingsFile) Write(key, value string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.load()
	if err != nil {
		return err
	}
	if _, found := all[key]; !found && len(all) >= maxSettings {
		return fmt.Errorf("there are already %d settings", maxSettings)
	}
	all[key] = value
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return files.Replace(f.path, text)
}
