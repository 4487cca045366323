package fcmp

import (
	"bufio"
	"compress/gzip"
	"crypto/rand"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
)

// TestWalletTransactions verifies the proofs of transactions that wallets of glim made on a private chain, and of
// altered ones, and says what fcmp_pp_verify of the beta's Rust library said about them. Each line has layers and root
// of the tree, the signed message, the proofs, the number of inputs, a key image and a commitment for each of them, and
// "accepted" or "refused".
func TestWalletTransactions(t *testing.T) {
	file, err := os.Open("testdata/wallets.txt.gz")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	seen := map[string]int{}
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		next := func() string { w := words[0]; words = words[1:]; return w }
		number := func() int {
			n, err := strconv.Atoi(next())
			require.NoError(t, err)
			return n
		}
		read := func() []byte {
			b, err := hex.DecodeString(next())
			require.NoError(t, err)
			return b
		}
		x := Transaction{Root: curvetree.Root{Layers: number()}}
		x.Root.Hash, x.Message = [size]byte(read()), [size]byte(read())
		x.Proof = read()
		for range number() {
			x.KeyImages = append(x.KeyImages, [size]byte(read()))
			x.PseudoOuts = append(x.PseudoOuts, [size]byte(read()))
		}
		want := next()
		seen[want]++
		err := VerifyTransactions(rand.Reader, carrot.Default, []Transaction{x})
		require.Equal(t, want == "accepted", err == nil, "line %d", n)
	}
	require.NoError(t, lines.Err())
	require.Equal(t, map[string]int{"accepted": 13, "refused": 13}, seen)
}
