package helioselene

import (
	"encoding/hex"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// vectors returns the lines of testdata/vectors.txt for a field or curve, split into words.
func vectors(t *testing.T, name string) (lines [][]string) {
	text, err := os.ReadFile("testdata/vectors.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); words[0] == name {
			lines = append(lines, words[1:])
		}
	}
	require.Greater(t, len(lines), 100)
	return lines
}

func unhex(t *testing.T, text string) (b [size]byte) {
	decoded, err := hex.DecodeString(text)
	require.NoError(t, err)
	require.Len(t, decoded, size)
	return [size]byte(decoded)
}

func TestElementVectors(t *testing.T) {
	checkElementVectors[Element](t, vectors(t, "element"))
}

func TestElement25519Vectors(t *testing.T) {
	checkElementVectors[Element25519](t, vectors(t, "element25519"))
}

func checkElementVectors[E any, P elementOps[E]](t *testing.T, lines [][]string) {
	decode := func(text string) P {
		e := P(new(E))
		require.NoError(t, e.SetBytes(unhex(t, text)))
		return e
	}
	encode := func(e *E) string {
		b := P(e).Bytes()
		return hex.EncodeToString(b[:])
	}
	kinds := map[string]int{}
	for _, w := range lines {
		kinds[w[0]]++
		v := P(new(E))
		switch w[0] {
		case "decode":
			require.Equal(t, w[2] == "ok", v.SetBytes(unhex(t, w[1])) == nil, w[1])
		case "unary":
			a := decode(w[1])
			require.Equal(t, w[3], encode(v.Negate(a)))
			require.Equal(t, w[5], encode(v.Add(a, a)))
			require.Equal(t, w[7], encode(v.Square(a)))
			if v.Invert(a); w[9] == "none" {
				require.True(t, v.IsZero())
			} else {
				require.Equal(t, w[9], encode(v))
			}
			root := v.Sqrt(a)
			require.Equal(t, w[11] != "none", root)
			if root {
				require.Equal(t, w[11], encode(v))
			}
			require.Equal(t, w[13], strconv.Itoa(int(a.IsOdd())))
		case "binary":
			a, b := decode(w[1]), decode(w[2])
			require.Equal(t, w[4], encode(v.Add(a, b)))
			require.Equal(t, w[6], encode(v.Subtract(a, b)))
			require.Equal(t, w[8], encode(v.Multiply(a, b)))
		case "wide":
			b, err := hex.DecodeString(w[1])
			require.NoError(t, err)
			require.Equal(t, w[2], encode(v.SetWide((*[wide]byte)(b))))
		default:
			t.Fatal(w[0])
		}
	}
	require.Len(t, kinds, 4)
}

func TestHeliosVectors(t *testing.T) { c := helios(); c.checkVectors(t) }
func TestSeleneVectors(t *testing.T) { c := selene(); c.checkVectors(t) }

func (c *testCurve[G, S, C, P, T]) checkVectors(t *testing.T) {
	decode := func(text string) *G {
		p, err := c.decode(unhex(t, text))
		require.NoError(t, err)
		return p
	}
	encode := func(p *G) string {
		b := P(p).Encode()
		return hex.EncodeToString(b[:])
	}
	kinds := map[string]int{}
	for _, w := range vectors(t, c.name) {
		kinds[w[0]]++
		v := P(new(G))
		switch w[0] {
		case "point":
			p := decode(w[1])
			x, y, ok := P(p).XY()
			require.Equal(t, w[3] != "none", ok)
			if ok {
				require.Equal(t, unhex(t, w[3]), elementBytes(&x))
				require.Equal(t, unhex(t, w[5]), elementBytes(&y))
			}
			require.Equal(t, w[7], encode(v.Negate(p)))
			require.Equal(t, w[9], encode(v.Double(p)))
		case "add":
			require.Equal(t, w[3], encode(v.Add(decode(w[1]), decode(w[2]))))
		case "decode":
			p, err := c.decode(unhex(t, w[1]))
			require.Equal(t, w[2] == "refused", err != nil, w[1])
			if err == nil {
				require.Equal(t, w[2], encode(p))
			}
		case "mult":
			s := c.scalar(littleEndian(unhexSlice(t, w[1])))
			require.Equal(t, w[3], encode(v.ScalarMult(&s, decode(w[2]))))
			require.Equal(t, w[3], encode(v.VarTimeMultiScalarMult([]S{s}, []G{*decode(w[2])})))
		case "multiexp":
			n, err := strconv.Atoi(w[1])
			require.NoError(t, err)
			scalars, points := make([]S, n), make([]G, n)
			p, s := P(new(G)).Add(c.base(), P(new(G)).Double(c.base())), big.NewInt(0x1234567+int64(n))
			for i := range n {
				s.Mul(s, s).Add(s, big.NewInt(1)).Mod(s, c.order)
				scalars[i], points[i] = c.scalar(s), *p
				p = P(new(G)).Add(P(new(G)).Double(p), c.base())
			}
			require.Equal(t, w[2], encode(v.VarTimeMultiScalarMult(scalars, points)))
			if n < 70 {
				require.Equal(t, w[2], encode(v.MultiScalarMult(scalars, points)))
			}
		default:
			t.Fatal(w[0])
		}
	}
	require.Len(t, kinds, 5)
}

func unhexSlice(t *testing.T, text string) []byte {
	b := unhex(t, text)
	return b[:]
}
