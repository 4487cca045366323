package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"debug/elf"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// object returns a library with one segment, an alignment, and incompressible bytes.
func object(t *testing.T, align uint64, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	header := elf.Header64{
		Ident: [elf.EI_NIDENT]byte{
			0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT),
		},
		Type: uint16(elf.ET_DYN), Machine: uint16(elf.EM_AARCH64), Version: uint32(elf.EV_CURRENT),
		Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1,
	}
	require.NoError(t, binary.Write(&b, binary.LittleEndian, header))
	require.NoError(t, binary.Write(&b, binary.LittleEndian, elf.Prog64{Type: uint32(elf.PT_LOAD), Align: align}))
	_, err := io.CopyN(&b, rand.Reader, int64(size))
	require.NoError(t, err)
	return b.Bytes()
}

func aar(t *testing.T, files map[string][]byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "glim.aar")
	f, err := os.Create(name)
	require.NoError(t, err)
	w := zip.NewWriter(f)
	for n, b := range files {
		part, err := w.Create(n)
		require.NoError(t, err)
		_, err = part.Write(b)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	return name
}

func completeAAR(t *testing.T) map[string][]byte {
	return map[string][]byte{
		"AndroidManifest.xml": nil, "classes.jar": nil, "proguard.txt": nil,
		"jni/arm64-v8a/libgojni.so": object(t, 16<<10, 1000), "jni/x86_64/libgojni.so": object(t, 64<<10, 1000),
	}
}

func TestPack(t *testing.T) {
	name := aar(t, completeAAR(t))
	var said strings.Builder
	require.NoError(t, pack(name, &said))
	require.Equal(t, 2, strings.Count(said.String(), "pages of 16 KiB"))
	r, err := zip.OpenReader(filepath.Join(filepath.Dir(name), "glim-arm64-v8a.aar"))
	require.NoError(t, err)
	defer r.Close()
	require.Len(t, r.File, 4)
	sums, err := os.ReadFile(filepath.Join(filepath.Dir(name), "SHA256SUMS"))
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(sums), ".aar\n"))
}

func TestPackRefuses(t *testing.T) {
	for why, change := range map[string]func(map[string][]byte){
		"aligned to 4096": func(m map[string][]byte) {
			m["jni/arm64-v8a/libgojni.so"] = object(t, 4096, 10)
		},
		"more than": func(m map[string][]byte) {
			m["jni/arm64-v8a/libgojni.so"] = object(t, 16<<10, budget)
		},
		"classes.jar is missing":  func(m map[string][]byte) { delete(m, "classes.jar") },
		"proguard.txt is missing": func(m map[string][]byte) { delete(m, "proguard.txt") },
		"bad magic number": func(m map[string][]byte) {
			m["jni/x86_64/libgojni.so"] = []byte("nothing that loads")
		},
		"the library is missing": func(m map[string][]byte) {
			delete(m, "jni/x86_64/libgojni.so")
			delete(m, "jni/arm64-v8a/libgojni.so")
		},
	} {
		files := completeAAR(t)
		change(files)
		require.ErrorContains(t, pack(aar(t, files), io.Discard), why)
	}
}
