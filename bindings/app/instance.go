package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"glim/bindings/native/files"
)

// Running describes an app to a second start of the command. It is a file that only its owner can read.
type Running struct {
	Host   string `json:"host"`
	Owner  Token  `json:"owner"`
	Folder string `json:"folder"`
}

// Instance is the place of the running app of a network in the user's folder for running programs.
type Instance struct {
	folder, network string
	lock            io.Closer
}

// RuntimeFolder returns the user's folder for running programs, which other users cannot read. It creates it.
// Source: XDG Base Directory Specification, $XDG_RUNTIME_DIR.
func RuntimeFolder(getenv func(string) string) (string, error) {
	parent := getenv("XDG_RUNTIME_DIR")
	if parent == "" {
		var err error
		if parent, err = os.UserCacheDir(); err != nil {
			return "", err
		}
	}
	folder := filepath.Join(parent, "glim")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return "", err
	}
	if !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s must be a folder that only you can read: chmod 700 %s", folder, folder)
	}
	return folder, nil
}

// NewInstance returns the place of the app of a network in folder, see RuntimeFolder.
func NewInstance(folder, network string) *Instance {
	return &Instance{folder: folder, network: network}
}

func (i *Instance) path(kind string) string { return filepath.Join(i.folder, "app-"+i.network+kind) }

// Claim makes this process the running app of the network. It returns files.ErrLocked if another process is. The lock
// ends with the process, so that a file which a killed process left is not taken for a running app: another user's
// program may listen at its port.
func (i *Instance) Claim() error {
	lock, err := files.Lock(i.path(".lock"))
	if err != nil {
		return err
	}
	i.lock = lock
	return i.remove()
}

// Announce writes the file for second starts.
func (i *Instance) Announce(r Running) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return files.Replace(i.path(".json"), text)
}

// Release removes the files of this process.
func (i *Instance) Release() error {
	err := i.remove()
	return errors.Join(err, i.lock.Close())
}

// remove removes the file for second starts and the pages with tickets.
func (i *Instance) remove() error {
	pages, err := filepath.Glob(i.path("-*.html"))
	for _, path := range append(pages, i.path(".json")) {
		if e := os.Remove(path); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// Find returns the app that another process runs. It waits until that process has announced itself or ctx ends.
func (i *Instance) Find(ctx context.Context) (r Running, err error) {
	for {
		text, err := files.Read(i.path(".json"), 1<<16)
		if err == nil && json.Unmarshal(text, &r) == nil {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, errors.Join(errors.New("another glim app is starting or ending; try again"), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Ticket asks a running app for a ticket.
func (r Running) Ticket(ctx context.Context) (Token, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.Host+"/app/ticket", http.NoBody)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+string(r.Owner))
	client := http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err != nil {
		return "", err
	}
	var out struct {
		Ticket Token `json:"ticket"`
	}
	if resp.StatusCode != http.StatusOK || json.Unmarshal(body, &out) != nil || out.Ticket == "" {
		return "", fmt.Errorf("the running app answered %s", resp.Status)
	}
	return out.Ticket, nil
}

// Address returns the address that opens the page with a ticket. The ticket is after #, which browsers send to no
// server, and in no referrer.
func Address(host string, t Token) string { return "http://" + host + "/#" + string(t) }

// Page writes a file that leads the browser to an address, readable only by its owner, and returns its path. The
// address itself must not be an argument of a program, because other users of the machine can read those. The file
// stays until the app ends: its ticket is good for one session, and not for long.
func (i *Instance) Page(address string) (string, error) {
	f, err := os.CreateTemp(i.folder, "app-"+i.network+"-*.html")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">`+
		`<title>glim</title><meta http-equiv="refresh" content="0; url=%[1]s"><a href="%[1]s">glim</a>`+"\n", address)
	return f.Name(), errors.Join(err, f.Close())
}

// Openers returns the commands that open a file in the user's browser, in order of preference.
func Openers(system string) [][]string {
	switch system {
	case "darwin":
		return [][]string{{"open"}}
	case "windows":
		return [][]string{{"rundll32", "url.dll,FileProtocolHandler"}}
	}
	return [][]string{{"xdg-open"}, {"sensible-browser"}, {"x-www-browser"}}
}
