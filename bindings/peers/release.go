package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// ErrMissing means that a program is not installed. Errors that wrap it name the program to install.
var ErrMissing = errors.New("peers: program not installed")

// ReferenceVariable is the environment variable with the folders of the reference programs, separated like those of
// PATH. They are searched before PATH, in this order.
const ReferenceVariable = "GLIM_REFERENCE"

// Release is the version of a reference program, for example 0.18.5.1.
type Release [4]int

// releasePattern matches the version in the output of --version: "Monero 'Fluorine Fermi' (v0.18.5.1-release)".
var releasePattern = regexp.MustCompile(`\(v(\d+)\.(\d+)\.(\d+)\.(\d+)[-)]`)

// AtLeast reports whether r is the release of these numbers or a later one. Missing numbers are 0.
func (r Release) AtLeast(numbers ...int) bool {
	var other Release
	copy(other[:], numbers)
	return slices.Compare(r[:], other[:]) >= 0
}

// String returns the numbers of r separated by dots.
func (r Release) String() string {
	return fmt.Sprintf("%d.%d.%d.%d", r[0], r[1], r[2], r[3])
}

// parseRelease returns the release in the output of --version. ok is false if it contains no version.
func parseRelease(printed string) (r Release, ok bool) {
	found := releasePattern.FindStringSubmatch(printed)
	if found == nil {
		return Release{}, false
	}
	for i := range r {
		var err error
		if r[i], err = strconv.Atoi(found[i+1]); err != nil {
			return Release{}, false
		}
	}
	return r, true
}

// releases caches the release of each program by its path.
var releases sync.Map

// releaseOf runs the program with --version and returns its release.
func releaseOf(path string) (Release, error) {
	if known, ok := releases.Load(path); ok {
		return known.(Release), nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	printed, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	if err != nil {
		return Release{}, fmt.Errorf("peers: %s --version: %w: %s", path, err, printed)
	}
	r, ok := parseRelease(string(printed))
	if !ok {
		return Release{}, fmt.Errorf("peers: %s --version printed no release: %q", path, printed)
	}
	releases.Store(path, r)
	return r, nil
}

// Programs are the paths of the two executables of one release.
type Programs struct {
	Daemon, WalletRPC string
	// Release is the version of the wallet service. The daemon has the same version.
	Release Release
}

// Find returns the reference programs: those of the first folder in GLIM_REFERENCE, otherwise those in PATH. It
// returns ErrMissing, wrapped in one line on what to install, if one is missing, and an error if a program does not
// print its version.
func Find() (Programs, error) {
	for _, dir := range filepath.SplitList(os.Getenv(ReferenceVariable)) {
		return programsIn(dir)
	}
	return inPath()
}

// Releases returns the programs of every release that is installed: those of the folders in GLIM_REFERENCE and then
// those in PATH, without repetitions of a release. The first are the reference, as Find returns them. Errors are those
// of Find; programs missing from PATH are an error only if GLIM_REFERENCE is empty.
func Releases() ([]Programs, error) {
	var all []Programs
	add := func(p Programs) {
		if !slices.ContainsFunc(all, func(other Programs) bool { return other.Release == p.Release }) {
			all = append(all, p)
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv(ReferenceVariable)) {
		p, err := programsIn(dir)
		if err != nil {
			return nil, err
		}
		add(p)
	}
	p, err := inPath()
	switch {
	case err == nil:
		add(p)
	case len(all) == 0 || !errors.Is(err, ErrMissing):
		return nil, err
	}
	return all, nil
}

// programsIn returns the programs in a folder.
func programsIn(dir string) (Programs, error) {
	return lookUp("the folder "+dir+" of "+ReferenceVariable, func(name string) (string, error) {
		return exec.LookPath(filepath.Join(dir, name))
	})
}

// inPath returns the programs in PATH.
func inPath() (Programs, error) {
	return lookUp("PATH", exec.LookPath)
}

// lookUp returns the programs that find finds. place says in an error where it looked.
func lookUp(place string, find func(name string) (string, error)) (Programs, error) {
	var p Programs
	for _, want := range []struct {
		name string
		path *string
	}{{"monerod", &p.Daemon}, {"monero-wallet-rpc", &p.WalletRPC}} {
		found, err := find(want.name)
		if err == nil {
			found, err = filepath.Abs(found)
		}
		if err != nil {
			return Programs{}, fmt.Errorf(
				"%w: no %s in %s; install it with \"apt-get install monero\" on Debian or from getmonero.org/downloads",
				ErrMissing, want.name, place,
			)
		}
		*want.path = found
	}
	daemon, err := releaseOf(p.Daemon)
	if err != nil {
		return Programs{}, err
	}
	if p.Release, err = releaseOf(p.WalletRPC); err != nil {
		return Programs{}, err
	}
	if daemon != p.Release {
		return Programs{}, fmt.Errorf("peers: monerod has version %s and monero-wallet-rpc %s in %s",
			daemon, p.Release, place)
	}
	return p, nil
}
