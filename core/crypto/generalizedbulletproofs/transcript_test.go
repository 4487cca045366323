package generalizedbulletproofs

import (
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/blake2b"
	"glim/core/crypto/keccak"
)

// randomness returns a source that is the same in every run.
func randomness() io.Reader { return rand.NewChaCha8([32]byte{2}) }

// noRandomness is a source that fails.
var noRandomness = iotest.ErrReader(errors.New("no randomness"))

// TestGenerators compares generators with those of the Rust library: a hash of the first ones, and single ones.
func TestGenerators(t *testing.T) {
	text, err := os.ReadFile("testdata/generators.txt")
	require.NoError(t, err)
	lines := 0
	for line := range strings.Lines(string(text)) {
		w := strings.Fields(line)
		if w[0] == "#" {
			continue
		}
		lines++
		n, err := strconv.Atoi(w[2])
		require.NoError(t, err)
		var g, h [][]byte
		add := func(list *[][]byte, x, y [size]byte) { *list = append(*list, append(x[:], y[:]...)) }
		if w[0] == "Selene" {
			seleneGenerators(n / 2)
			gs, hs := seleneGenerators(n)
			for i := range gs {
				x, y, _ := gs[i].XY()
				add(&g, x.Bytes(), y.Bytes())
				x, y, _ = hs[i].XY()
				add(&h, x.Bytes(), y.Bytes())
			}
		} else {
			heliosGenerators(n / 2)
			gs, hs := heliosGenerators(n)
			for i := range gs {
				x, y, _ := gs[i].XY()
				add(&g, x.Bytes(), y.Bytes())
				x, y, _ = hs[i].XY()
				add(&h, x.Bytes(), y.Bytes())
			}
		}
		list := g
		if w[1] == "H" {
			list = h
		}
		var all []byte
		for _, b := range list {
			all = append(all, b...)
		}
		hash := keccak.Sum256(all)
		require.Equal(t, w[3], hex.EncodeToString(hash[:]), line)
	}
	require.Equal(t, 4, lines)
}

// TestValueAndBlind compares the generators of values and blinds with those of the Rust library.
// Source: its generated files selene_generators.rs and helios_generators.rs, the x coordinates.
func TestValueAndBlind(t *testing.T) {
	hx, _, _ := heliosValue().XY()
	hb, _, _ := HeliosBlind().XY()
	sx, _, _ := seleneValue().XY()
	sb, _, _ := SeleneBlind().XY()
	for want, got := range map[string][size]byte{
		"3005e48c258a5c452cf7b41f691142a159a5dcbed86357b8cc4ed9640f938d7e": hx.Bytes(),
		"2c3f7aac1d3d274c06018b7dd016e6b2065ef00e2137454e8c8f520a13895e68": hb.Bytes(),
		"56bed3b4f4159fa5c57bea84ec937e60c04a7d8abbf8ddd0fb1f5c5b64c04709": sx.Bytes(),
		"2a0dde153044f69b21c74352259182b32fb560ac12608336f92927a5ff82e509": sb.Bytes(),
	} {
		require.Equal(t, want, hex.EncodeToString(got[:]))
	}
}

// TestTranscript compares challenges with hashes of the bytes that were read.
func TestTranscript(t *testing.T) {
	proof := make([]byte, 3*size)
	proof[0], proof[size] = 1, 2
	tr := NewTranscript([32]byte{3}, proof)
	_, err := tr.SeleneCommitments(1) // x = 1
	require.NoError(t, err)
	scalars, err := tr.seleneScalars(1)
	require.NoError(t, err)
	require.Equal(t, byte(2), scalars[0].Bytes()[0])
	require.Len(t, tr.Rest(), size)
	first, second := tr.Challenge(), tr.Challenge()

	var b []byte
	b = append(b, make([]byte, 32)...)
	b[0] = 3
	b = append(b, 1, 0, 0, 0, 0, 0, 0, 0, kindPoint)
	b = append(b, proof[:size]...)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0, kindScalar)
	b = append(b, proof[size:2*size]...)
	b = append(b, kindChallenge)
	require.Equal(t, hashOf(b), first)
	require.Equal(t, hashOf(append(b, kindChallenge)), second)
}

// TestReductionOfEncodings refuses scalars that are not reduced, and encodings of no point.
func TestReductionOfEncodings(t *testing.T) {
	b := make([]byte, size)
	for i := range b {
		b[i] = 0xff
	}
	_, err := NewTranscript([32]byte{}, b).heliosScalars(1)
	require.ErrorIs(t, err, ErrProof)
	_, err = NewTranscript([32]byte{}, b).seleneScalars(1)
	require.ErrorIs(t, err, ErrProof)
	_, err = NewTranscript([32]byte{}, b).HeliosCommitments(1)
	require.ErrorIs(t, err, ErrProof)
	_, err = NewTranscript([32]byte{}, b).SeleneCommitments(1)
	require.ErrorIs(t, err, ErrProof)
}

// TestWithoutRandomness verifies with a source of randomness that fails.
func TestWithoutRandomness(t *testing.T) {
	_, err := randomHelios(noRandomness)
	require.Error(t, err)
	_, err = randomSelene(noRandomness)
	require.Error(t, err)
}

func hashOf(b []byte) (hash [64]byte) {
	blake2b.Sum(hash[:], nil, "", b)
	return hash
}
