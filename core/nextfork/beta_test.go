package nextfork

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/xmr"
)

// The heights of the fork in testdata/beta.txt.
const betaTree, betaProof = 90, 95

// TestBetaFacts gives our chain the blocks of testdata/beta.txt, which the beta and we made in turns. It accepts and
// refuses the same blocks as the beta, and then has the same top, tree and weight limit.
func TestBetaFacts(t *testing.T) {
	file, err := os.Open("testdata/beta.txt")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	w := newWorld(t, betaTree, betaProof)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	seen := map[string]int{}
	for lines.Scan() {
		blobs, want, ok := strings.Cut(lines.Text(), " : ")
		require.True(t, ok)
		seen[strings.Fields(want)[0]]++
		require.Equal(t, want, w.verdict(strings.Fields(blobs)...), blobs)
	}
	require.NoError(t, lines.Err())
	require.Greater(t, seen["main"], 100)
	require.Greater(t, seen["other"], 5)
	require.Greater(t, seen["refused"], 5)
	w.requireRoots()
}

// verdict adds a block with transactions, all hexadecimal, and returns what the beta says about it: "main" for a new
// top, "other" for a block off the main chain, or "refused". For a new top, the number of blocks, the block's ID, the
// weight limit of the next block and, if that has one, its tree follow.
func (w *world) verdict(blobs ...string) string {
	w.Helper()
	var raw [][]byte
	for _, text := range blobs {
		b, err := hex.DecodeString(text)
		require.NoError(w, err)
		raw = append(raw, b)
	}
	b, err := block.Parse(raw[0])
	require.NoError(w, err)
	w.now = max(w.now, b.Timestamp)
	added, err := w.AddBlock(raw[0], raw[1:]...)
	switch {
	case err != nil:
		return "refused"
	case !added.Main:
		return "other"
	}
	said := ""
	w.View(func(v chain.View) {
		said = fmt.Sprintf("main %d %s %d", v.Height(), added.ID, v.Limits().Limit)
		if t := v.NextTree(); t != nil {
			said += fmt.Sprintf(" %d %x", t.Layers, t.Root)
		}
	})
	return said
}

// beta is a chain of the beta: a program that testdata/README.md describes.
type beta struct {
	*world
	in  *bufio.Writer
	out *bufio.Scanner
	log *os.File
}

// newBeta starts the program that GLIM_BETA_CHAIN names, with the hard forks of w. It returns nil without it.
func newBeta(w *world) *beta {
	w.Helper()
	path := os.Getenv("GLIM_BETA_CHAIN")
	if path == "" {
		w.Log("the comparison with the beta itself is left out: GLIM_BETA_CHAIN does not name a program with its " +
			"chain, which testdata/README.md describes")
		return nil
	}
	args := []string{"data"}
	for _, f := range w.options.Forks {
		args = append(args, strconv.Itoa(int(f.Version)), strconv.FormatUint(f.Height, 10))
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = w.TempDir()
	require.NoError(w, os.Mkdir(cmd.Dir+"/data", 0o700))
	in, err := cmd.StdinPipe()
	require.NoError(w, err)
	out, err := cmd.StdoutPipe()
	require.NoError(w, err)
	require.NoError(w, cmd.Start())
	w.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	r := &beta{world: w, in: bufio.NewWriter(in), out: bufio.NewScanner(out)}
	r.out.Buffer(nil, 16<<20)
	if facts := os.Getenv("GLIM_BETA_FACTS"); facts != "" {
		r.log, err = os.Create(facts)
		require.NoError(w, err)
		w.Cleanup(func() { _ = r.log.Close() })
	}
	return r
}

func (r *beta) ask(words ...string) []string {
	r.Helper()
	_, err := r.in.WriteString(strings.Join(words, " ") + "\n")
	require.NoError(r, err)
	require.NoError(r, r.in.Flush())
	require.True(r, r.out.Scan(), "the program has ended")
	return strings.Fields(r.out.Text())
}

// both adds a block to both chains, which must say the same.
func (r *beta) both(b []byte, txs ...[]byte) string {
	r.Helper()
	blobs := []string{hex.EncodeToString(b)}
	for _, t := range txs {
		blobs = append(blobs, hex.EncodeToString(t))
	}
	said := r.ask(append([]string{"add"}, blobs...)...)
	theirs := said[0]
	if theirs == "main" { // height, ID, layers, root, limit
		theirs = strings.Join([]string{said[0], said[1], said[2], said[5]}, " ")
		height, err := strconv.ParseUint(said[1], 10, 64)
		require.NoError(r, err)
		if r.options.Forks.VersionAt(height) >= consensus.TreeVersion {
			theirs += " " + said[3] + " " + said[4]
		}
	}
	ours := r.verdict(blobs...)
	require.Equal(r, theirs, ours, blobs[0])
	if r.log != nil {
		fmt.Fprintln(r.log, strings.Join(blobs, " "), ":", theirs)
	}
	return ours
}

// TestBeta compares a chain with the beta's, block by block, as it crosses the fork: blocks that the beta made and that
// we made, with and without transactions, branches, and blocks that are not valid.
func TestBeta(t *testing.T) {
	w := newWorld(t, betaTree, betaProof)
	r := newBeta(w)
	if r == nil {
		return // TestBetaFacts compares what it said before
	}
	w.now, w.step = uint64(time.Now().Unix())-3600, 1 // the beta's templates have the time of the machine
	ours := func() { require.Contains(t, r.both(w.template(nil).Append(nil)), "main") }
	theirs := func() {
		said := r.ask("template", w.to.String())
		require.Equal(t, "template", said[0])
		blob, err := hex.DecodeString(said[1])
		require.NoError(t, err)
		b, err := block.Parse(blob)
		require.NoError(t, err)
		require.Equal(t, blob, b.Append(nil))
		hashing, err := b.HashingBlob()
		require.NoError(t, err)
		require.Equal(t, said[2], hex.EncodeToString(hashing))
		mine := w.template(nil)
		require.Equal(t, []any{b.Major, b.Minor, b.Tree}, []any{mine.Major, mine.Minor, mine.Tree})
		require.Equal(t, b.MinerTx.Outputs[0].Amount, mine.MinerTx.Outputs[0].Amount)
		require.Equal(t, b.MinerTx.Weight(), mine.MinerTx.Weight())
		require.Contains(t, r.both(blob), "main")
	}
	for w.height() < 85 {
		ours()
	}
	for w.height() < 99 {
		theirs()
		if h := w.height(); h%2 == 0 && h < 95 { // the transaction arrives with its block
			blob := w.pay(h-80, 0)
			require.Contains(t, r.both(w.withTx(blob).Append(nil), blob), "main")
			continue
		}
		ours()
	}
	late := w.pay(20, 0)
	require.Equal(t, "refused", r.both(w.withTx(late).Append(nil), late))
	for _, change := range []func(*block.Block){
		func(b *block.Block) { b.Tree.Layers++ },
		func(b *block.Block) { b.Tree.Root[3] ^= 1 },
		func(b *block.Block) { b.Major = 17 },
		func(b *block.Block) { b.Minor = 17 },
		func(b *block.Block) { b.MinerTx.Outputs[0].Key = xmr.PublicKey{1} },
		func(b *block.Block) { b.MinerTx.Outputs[0].Key = xmr.PublicKey{31: 0x80} },
		func(b *block.Block) { b.MinerTx.Outputs[0].Amount++ },
		func(b *block.Block) { split(b, 3); b.MinerTx.Outputs[1].Key = b.MinerTx.Outputs[0].Key },
		func(b *block.Block) { b.MinerTx.Extra = append(b.MinerTx.Extra, make([]byte, xmr.MaxExtra)...) },
	} {
		b := w.template(nil)
		change(b)
		require.Equal(t, "refused", r.both(b.Append(nil)))
	}
	many := w.template(nil)
	split(many, 3)
	require.Contains(t, r.both(many.Append(nil)), "main")
	// Branches overtake the main chain, above the fork, and across both of its heights.
	for _, back := range []uint64{3, 6, 14} {
		prev := w.id(w.height() - 1 - back)
		for i := range back + 1 {
			b := w.template(&prev)
			id, err := b.Hash()
			require.NoError(t, err)
			want := "other"
			if i == back {
				want = "main"
			}
			require.Contains(t, r.both(b.Append(nil)), want)
			prev = id
		}
		theirs()
		ours()
	}
	for w.height() < 160 { // rewards in outputs of Carrot unlock, and a second layer begins
		ours()
		theirs()
	}
	w.requireRoots()
}
