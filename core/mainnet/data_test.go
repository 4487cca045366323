package mainnet

import (
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// variable names the environment variable that lists more folders with published data.
const variable = "GLIM_MAINNET_DATA"

// file is one published file.
type file struct {
	path string
	data []byte
}

// folders returns testdata and the folders of GLIM_MAINNET_DATA.
func folders() []string {
	return append([]string{"testdata"}, filepath.SplitList(os.Getenv(variable))...)
}

// published returns the files below all folders whose parent folder has one of the names, decoded if they are
// hexadecimal.
func published(t *testing.T, parents ...string) (files []file) {
	t.Helper()
	for _, folder := range folders() {
		before := len(files)
		require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !contains(parents, filepath.Base(filepath.Dir(path))) {
				return err
			}
			var data []byte
			switch filepath.Ext(path) {
			case ".hex":
				if data, err = os.ReadFile(path); err == nil {
					data, err = hex.DecodeString(strings.TrimSpace(string(data)))
				}
			case ".bin":
				data, err = os.ReadFile(path)
			default:
				return nil
			}
			files = append(files, file{path, data})
			return err
		}))
		require.Greater(t, len(files), before, "%s has no files in folders called %v", folder, parents)
	}
	return files
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

var idInName = regexp.MustCompile(`(?:^|_)([0-9a-f]{6,64})$`)

// requireID compares an ID with the name of its file, which ends with the ID or its first digits, if it has any.
func (f file) requireID(t *testing.T, id string) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path))
	if m := idInName.FindStringSubmatch(name); m != nil && len(m[1]) >= 6 {
		require.Equal(t, m[1], id[:len(m[1])])
	}
}
