package files

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// ErrName means that the name could lead out of the wallet folder, or that file systems treat it specially.
var ErrName = errors.New("invalid filename")

// maxName is the maximum length of a name in bytes. File systems allow 255; the names of auxiliary files are longer.
const maxName = 240

// devices are the names that Windows reserves for devices in every folder, with any extension.
var devices = []string{"con", "prn", "aux", "nul", "conin$", "conout$",
	"com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

// Name returns the path of the wallet called name in dir, or ErrName. The same names are refused on every system, so
// that a wallet folder can move: empty ones, those with a separator of any system, a colon, a control character or
// bytes that are not UTF-8, those that start with a dot or end in a dot or space, devices, and very long ones.
func Name(dir, name string) (string, error) {
	bad := func(why string) (string, error) { return "", fmt.Errorf("%w: %s", ErrName, why) }
	switch {
	case name == "":
		return bad("empty")
	case len(name) > maxName:
		return bad(fmt.Sprintf("longer than %d bytes", maxName))
	case !utf8.ValidString(name):
		return bad("not UTF-8")
	case strings.ContainsAny(name, `/\:*?"<>|`):
		return bad(`one of / \ : * ? " < > |`)
	case strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		return bad("a control character")
	case name[0] == '.':
		return bad("starts with a dot")
	case strings.TrimRight(name, ". ") != name:
		return bad("ends in a dot or a space")
	}
	stem, _, _ := strings.Cut(name, ".")
	for _, d := range devices {
		if strings.EqualFold(strings.TrimRight(stem, " "), d) {
			return bad("the name of a device")
		}
	}
	return filepath.Join(dir, name), nil
}
