//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"glim/scripts/internal/shell"
)

// suite is a copy of the functional tests and of what runs them.
type suite struct {
	folder string   // of the tests
	tests  []string // names in the order of the release
	python interpreter
	limit  time.Duration
	ports  []int // that the tests' own runner uses
}

// runner is the program of the release that starts the servers and runs tests.
const runner = "functional_tests_rpc.py"

var testList = regexp.MustCompile(`(?m)^DEFAULT_TESTS = \[([^\]]*)\]`)

// edit is a change to the copy of a test.
type edit struct{ without, old, replacement string }

// edits remove the parts of tests that query the public DNS: OpenAlias names.
var edits = map[string]edit{
	"address_book": {
		"the look-up of an OpenAlias name in the public DNS", "'donate@getmonero.org'",
		"'888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H'",
	},
	"validate_address": {
		"look-ups of OpenAlias names in the public DNS", "      self.check_openalias_addresses()\n", "",
	},
}

// copySuite copies the tests of a release to a folder, so that nothing is written to the release.
func copySuite(source, to string) (s suite, err error) {
	s.folder = filepath.Join(to, "tests", "functional_tests")
	for _, part := range []string{"tests/functional_tests", "utils/python-rpc"} {
		if err := os.CopyFS(filepath.Join(to, part), os.DirFS(filepath.Join(source, part))); err != nil {
			return s, fmt.Errorf("%s is not a checkout of Monero: %w", source, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(s.folder, runner))
	if err != nil {
		return s, fmt.Errorf("%s is not a checkout of Monero: %w", source, err)
	}
	list := testList.FindSubmatch(text)
	if list == nil {
		return s, fmt.Errorf("%s has no list of tests", runner)
	}
	for name := range strings.SplitSeq(string(list[1]), ",") {
		s.tests = append(s.tests, strings.Trim(name, " \n'\""))
	}
	for name, e := range edits {
		file := filepath.Join(s.folder, name+".py")
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return s, err
		}
		if !strings.Contains(string(text), e.old) {
			return s, fmt.Errorf("%s.py does not contain %q; this is another release than 0.18.5.1", name, e.old)
		}
		edited := strings.ReplaceAll(string(text), e.old, e.replacement)
		if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
			return s, err
		}
	}
	return s, nil
}

// interpreter is a Python with the modules that the tests import.
type interpreter struct{ path, userBase string }

// modules are the modules of the tests that are not part of Python, with the packages that contain them.
var modules = []struct{ name, pack string }{
	{"requests", "requests"}, {"psutil", "psutil"}, {"monotonic", "monotonic"}, {"zmq", "pyzmq"},
	{"deepdiff", "deepdiff"},
}

// findPython returns the interpreter behind a command, or an error that names the packages to install.
func findPython(ctx context.Context, command string) (p interpreter, err error) {
	var names []string
	for _, m := range modules {
		names = append(names, m.name)
	}
	const question = `import importlib.util, site, sys
print(sys.executable)
print(site.getuserbase())
print(" ".join(m for m in sys.argv[1:] if not importlib.util.find_spec(m)))`
	out, err := exec.CommandContext(ctx, command, append([]string{"-c", question}, names...)...).Output()
	if err != nil {
		return p, fmt.Errorf("-python %s: %w", command, err)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 3 {
		return p, fmt.Errorf("-python %s is not Python", command)
	}
	var missing []string
	for _, m := range modules {
		if strings.Contains(" "+lines[2]+" ", " "+m.name+" ") {
			missing = append(missing, m.pack)
		}
	}
	if len(missing) > 0 {
		return p, fmt.Errorf("%[1]s has no %[2]s; install with: %[1]s -m pip install %[3]s", lines[0],
			strings.Join(missing, ", "), strings.Join(missing, " "))
	}
	return interpreter{path: lines[0], userBase: lines[1]}, nil
}

// fixedPorts are the ports of the servers: RPC, peers, ZeroMQ and publishing of four daemons, and six wallet services.
// Source: tests/functional_tests/functional_tests_rpc.py, 0.18.5.1.
var fixedPorts = func() (all []int) {
	for _, first := range []int{18180, 18280, 18380, 18480} {
		all = append(all, first, first+1, first+2, first+3)
	}
	for i := range 6 {
		all = append(all, 18090+i)
	}
	return all
}()

// portPatience is how long ports of the previous test may stay in use.
const portPatience = time.Minute

// await waits until the ports are free. A foreign server on one of them would be tested.
func (s suite) await(ctx context.Context) error {
	for deadline := time.Now().Add(portPatience); ; {
		used := inUse(s.ports)
		switch {
		case len(used) == 0:
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("ports in use: %s", strings.Join(used, " "))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func inUse(ports []int) (used []string) {
	for _, port := range ports {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			used = append(used, strconv.Itoa(port))
			continue
		}
		_ = l.Close()
	}
	return used
}

// result is the result of a test.
type result struct {
	name, mode string
	passed     bool
	took       time.Duration
	why        string // the error
}

func (r result) line() string {
	word := "pass"
	if !r.passed {
		word = "FAIL"
	}
	return strings.TrimSpace(
		fmt.Sprintf("%-10s %-24s %s %6.1fs  %s", r.mode, r.name, word, r.took.Seconds(), r.why))
}

// run runs one test with servers of its own, which keep their files in dir. An error is no failure of the test.
func (s suite) run(ctx context.Context, dir, name string, p programs) (r result, err error) {
	r.name = name
	if err := s.await(ctx); err != nil {
		return r, err
	}
	if err := makeBuild(dir, p); err != nil {
		return r, err
	}
	output := filepath.Join(dir, "output.log")
	log, err := os.Create(output)
	if err != nil {
		return r, err
	}
	defer log.Close()
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	program := filepath.Join(s.folder, runner)
	c := exec.CommandContext(limited, s.python.path, program, s.python.path, s.folder, dir, name)
	c.Dir, c.Stdout, c.Stderr, c.Env = dir, log, log, s.environment(dir)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	began := time.Now()
	if err := c.Start(); err != nil {
		return r, err
	}
	group := -c.Process.Pid
	c.Cancel = func() error { return syscall.Kill(group, syscall.SIGKILL) }
	failure := c.Wait()
	_ = syscall.Kill(group, syscall.SIGKILL) // servers that the runner left behind
	r.took = time.Since(began)
	if err := ctx.Err(); err != nil {
		return r, err
	}
	text, err := os.ReadFile(output)
	if err != nil {
		return r, err
	}
	switch {
	case limited.Err() != nil:
		r.why = fmt.Sprintf("stopped after %v", s.limit)
	case failure != nil:
		r.why = lastError(string(text))
	case !strings.Contains(string(text), "[TEST PASSED] "+name+"\n"):
		r.why = "the test was not run"
	default:
		r.passed = true
	}
	return r, nil
}

// environment returns the environment of a test. The reference keeps rings in the home folder.
func (s suite) environment(dir string) []string {
	return append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "PYTHONUSERBASE="+s.python.userBase,
		"PYTHONUNBUFFERED=1",
		"MINING_NO_MEASUREMENT=1") // fixed time limits, instead of some derived by a program of the build
}

// makeBuild makes a folder that looks like a build of the release: programs in bin, and folders for logs and files.
func makeBuild(dir string, p programs) error {
	for _, part := range []string{"bin", "tests/functional_tests", "functional-tests-directory", "home"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o700); err != nil {
			return err
		}
	}
	for name, command := range map[string][]string{"monerod": p.daemon, "monero-wallet-rpc": p.wallet} {
		file := filepath.Join(dir, "bin", name)
		if len(command) == 1 {
			if err := os.Symlink(command[0], file); err != nil {
				return err
			}
			continue
		}
		text := fmt.Sprintf("#!/bin/sh\nexec %s \"$@\"\n", shell.Quote(command...))
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			return err
		}
	}
	return nil
}

var frame = regexp.MustCompile(`^  File ".*/functional_tests/\w+\.py", line (\d+)`)

// lastError returns what a failed test printed about the failure: the line of the test and the error, if Python printed
// them.
func lastError(output string) string {
	output, _, _ = strings.Cut(output, "[TEST FAILED]") // what follows is about the servers
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if !strings.Contains(output, "[TEST STARTED]") && len(lines) > 1 { // the servers did not start
		return "no test was started: " + lines[1]
	}
	where, traced := "", false
	for i, line := range lines {
		switch m := frame.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "Traceback "):
			where, traced = "", true
		case traced && m != nil && i+1 < len(lines):
			where = fmt.Sprintf("line %s: %s: ", m[1], strings.TrimSpace(lines[i+1]))
		case traced && !strings.HasPrefix(line, " "):
			return where + line
		}
	}
	return lines[len(lines)-1]
}
