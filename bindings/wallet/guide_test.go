package wallet_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var codeBlock = regexp.MustCompile("(?ms)^```(go|sh)\n(.*?)^```$")

// prologue is the program around the blocks of the guide. It declares the names that they use.
const prologue = `package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

var _ = []any{errors.Is, fmt.Println, log.Print, slog.Default, time.Now, rpc.CodeParse, walletrpc.Sign}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	ctx := context.Background()
	chain, err := regtest.New()
	if err != nil {
		return err
	}
	defer chain.Close()
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	m, err := wallet.NewManager(wallet.Config{Network: wallet.Regtest, Folder: folder, Transport: chain,
		Refresh: time.Second, Names: wallet.Names{Off: true}})
	if err != nil {
		return err
	}
	defer m.Close()
	fund := func(name string) (*wallet.Wallet, string, error) {
		w, err := m.Create(ctx, name, "")
		if err != nil {
			return nil, "", err
		}
		address, err := w.Address(ctx)
		if err != nil {
			return nil, "", err
		}
		if err := chain.Fund(ctx, 20, address); err != nil {
			return nil, "", err
		}
		return w, address, w.Sync(ctx, nil)
	}
	w, _, err := fund("mine")
	if err != nil {
		return err
	}
	customer, friend, err := fund("customer")
	if err != nil {
		return err
	}
	if err := w.Sync(ctx, nil); err != nil {
		return err
	}
	pay := func(to string, amount wallet.Amount) error {
		p, err := customer.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: to, Amount: amount}}})
		if err != nil {
			return err
		}
		_, err = p.Confirm(ctx)
		go func() {
			for range 300 { // mine blocks while the program waits for them
				time.Sleep(300 * time.Millisecond)
				_ = chain.Mine(ctx, 1, "")
			}
		}()
		return err
	}
	_, _, _ = w, friend, pay
`

// readmeProgram returns a program with the Go code of the README. The test compiles it but does not run it, because it
// uses the public network.
func readmeProgram(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	var code []string
	for _, m := range codeBlock.FindAllStringSubmatch(string(page), -1) {
		if m[1] == "go" {
			code = append(code, m[2])
		}
	}
	require.Len(t, code, 1)
	return "package main\n\nimport (\n\"context\"\n\"fmt\"\n\"log\"\n\n\"glim/bindings/wallet\"\n)\n\n" +
		"func check(err error) {\nif err != nil {\nlog.Fatal(err)\n}\n}\n\n" +
		"func main() { pay(context.Background(), \"\", 1) }\n\n" +
		"func pay(ctx context.Context, address string, amount wallet.Amount) {\n" + code[0] + "}\n"
}

// TestEmbedding runs the guide EMBEDDING.md: its commands and its program in a new module, then each of its other
// blocks in order.
func TestEmbedding(t *testing.T) {
	guide, err := os.ReadFile("../EMBEDDING.md")
	require.NoError(t, err)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	pieces := prologue
	var script strings.Builder
	programs, blocks := 0, 0
	for _, m := range codeBlock.FindAllStringSubmatch(string(guide), -1) {
		kind, text := m[1], m[2]
		switch {
		case kind == "sh":
			script.WriteString(strings.ReplaceAll(text, "glim-source", root))
		case strings.HasPrefix(text, "package main\n"):
			programs++
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600))
		default:
			blocks++
			pieces += "\tif err := func() error {\n" + text + "return nil\n}(); err != nil {\n"
			pieces += fmt.Sprintf("return fmt.Errorf(\"block %d: %%w\", err)\n}\n", blocks)
		}
	}
	require.Equal(t, 1, programs)
	require.Greater(t, blocks, 6)
	require.Equal(t, strings.Count(string(guide), "\n```")/2,
		programs+blocks+strings.Count(string(guide), "\n```sh\n"), "a block is not run")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "pieces"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pieces", "main.go"), []byte(pieces+"\treturn nil\n}\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "front"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "front", "main.go"), []byte(readmeProgram(t)), 0o600))
	script.WriteString("go vet ./...\ngo run ./pieces\n")

	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-euc", script.String())
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	cmd.WaitDelay = time.Minute
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "the seed is (secret)")
	require.Contains(t, string(out), "paid\n")
}
