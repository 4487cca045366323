package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// PostgresUser is the superuser of the servers of StartPostgres. It needs no password.
const PostgresUser = "lws"

// Postgres is a running PostgreSQL server, which only a socket in Dir reaches. It does not wait for the disk.
type Postgres struct {
	Dir   string // of the socket, for PGHOST
	Tools string // folder of the programs

	cmd   *exec.Cmd
	log   *bytes.Buffer
	ended chan error
}

const postgresPatience = 10 * time.Minute

// postgresTools returns the folder with the programs of the newest PostgreSQL that is installed. It returns ErrMissing.
func postgresTools() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	newest := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	if len(found) > 0 {
		return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return newest(a) - newest(b) })), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", fmt.Errorf("%w: PostgreSQL (apt-get install postgresql)", ErrMissing)
}

// StartPostgres starts a server with no databases in a temporary folder. For root, the server runs as another user,
// because PostgreSQL requires it. It returns ErrMissing if PostgreSQL is not installed.
func StartPostgres(ctx context.Context) (p *Postgres, err error) {
	tools, err := postgresTools()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("/tmp", "glim-pg-") // a path of a socket is short
	if err != nil {
		return nil, err
	}
	p = &Postgres{Dir: dir, Tools: tools, log: &bytes.Buffer{}, ended: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	as, err := unprivileged(dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, postgresPatience)
	defer cancel()
	data := filepath.Join(dir, "data")
	create := exec.CommandContext(ctx, filepath.Join(tools, "initdb"), "-D", data, "-U", PostgresUser, "-A", "trust",
		"--no-sync", "--no-locale", "-E", "UTF8")
	create.SysProcAttr, create.Dir = as, dir
	if out, err := create.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	args := []string{"-D", data, "-k", dir}
	for _, set := range []string{"listen_addresses=", "fsync=off", "full_page_writes=off", "shared_buffers=16MB"} {
		args = append(args, "-c", set)
	}
	p.cmd = exec.Command(filepath.Join(tools, "postgres"), args...)
	p.cmd.SysProcAttr, p.cmd.Dir = as, dir
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { p.ended <- p.cmd.Wait() }()
	return p, p.ready(ctx, filepath.Join(data, "postmaster.pid"))
}

// ready waits until the server accepts connections, which it writes to the last line of its file.
func (p *Postgres) ready(ctx context.Context, file string) error {
	for {
		text, _ := os.ReadFile(file) // not written yet
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if strings.TrimSpace(lines[len(lines)-1]) == "ready" {
			return nil
		}
		select {
		case err := <-p.ended:
			return fmt.Errorf("postgres: %w: %s", err, p.log)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), p.Stop())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Create creates a database and returns its URL.
func (p *Postgres) Create(ctx context.Context, name string) (url string, err error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.Tools, "createdb"), "-h", p.Dir, "-U", PostgresUser, name)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("createdb: %w: %s", err, out)
	}
	return fmt.Sprintf("postgres:///%s?host=%s&user=%s", name, p.Dir, PostgresUser), nil
}

// Stop ends the server, which closes all connections, and removes its folder.
func (p *Postgres) Stop() error {
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	select {
	case <-p.ended:
	case <-time.After(postgresPatience):
		_ = p.cmd.Process.Kill()
	}
	return os.RemoveAll(p.Dir)
}
