package multisig

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// crowd holds the secrets of all signers of a group, and computes their messages directly: the key of some signers in a
// round is the product of their secrets, times eight for each multiplication.
type crowd struct {
	threshold, total int
	wallets          []*keys.Keys
	base             []*edwards.Scalar
	rounds           [][]string    // the message of each signer, by round from the first
	spend            xmr.PublicKey // zero for large groups
}

// secretOf returns the product of the secrets of the signers whose bits are set.
func (c *crowd) secretOf(set uint) *edwards.Scalar {
	eight, product := edwards.ScalarFromUint64(8), edwards.ScalarFromUint64(1)
	for i, n := 0, 0; i < c.total; i++ {
		if set>>i&1 == 0 {
			continue
		}
		if product.Multiply(product, c.base[i]); n > 0 {
			product.Multiply(product, eight)
		}
		n++
	}
	return product
}

func newCrowd(t testing.TB, threshold, total int) *crowd {
	c := &crowd{threshold: threshold, total: total, wallets: wallets(t, total)}
	random := source(4)
	last := total - threshold + 1
	self := make([]xmr.PublicKey, total)
	var first []string
	for i, k := range c.wallets {
		base, _, err := initialSecrets(k)
		require.NoError(t, err)
		c.base, self[i] = append(c.base, base), publicOf(base)
		text, err := Prepare(random, k)
		require.NoError(t, err)
		first = append(first, text)
	}
	c.rounds = append(c.rounds, first)
	var all []xmr.PublicKey // parts of the spend key
	for round := 2; round <= last; round++ {
		said := make([][]xmr.PublicKey, total)
		for set := range uint(1) << total {
			if bits.OnesCount(set) != round {
				continue
			}
			key := publicOf(c.secretOf(set))
			if round == last {
				key = publicOf(blindedSecret((*[32]byte)(&key)))
				all = append(all, key)
			}
			for i := range total {
				if set>>i&1 == 1 {
					said[i] = append(said[i], key)
				}
			}
		}
		texts := make([]string, total)
		for i, list := range said {
			m := KexMessage{Round: uint32(round), Signer: self[i], Keys: list}
			var err error
			texts[i], err = m.Sign(random, c.base[i])
			require.NoError(t, err)
		}
		c.rounds = append(c.rounds, texts)
	}
	sortKeys(all)
	if len(all) > 1000 {
		return c // each coefficient is a hash of all keys: too much for a test
	}
	sum := edwards.Identity()
	for _, k := range all {
		hashed := slices.Clone(k[:])
		for _, other := range all {
			hashed = append(hashed, other[:]...)
		}
		p, err := edwards.DecodePoint(k)
		require.NoError(t, err)
		sum.Add(
			sum, p.VarTimeDoubleScalarBaseMult(edwards.HashToScalar(hashed, aggregation[:]), p, edwards.NewScalar()),
		)
	}
	c.spend = sum.Encode()
	return c
}

// run takes signer 0 through all rounds except the last, and returns its account.
func (c *crowd) run(t testing.TB) *Account {
	a, _, err := Make(source(5), c.wallets[0], uint32(c.threshold), c.rounds[0][1:])
	require.NoError(t, err)
	for _, texts := range c.rounds[1:] {
		a, _, err = a.Exchange(source(6), texts[1:], false)
		require.NoError(t, err)
	}
	return a
}

// TestLargeGroups: the keys of a signer in a large group follow their definition.
func TestLargeGroups(t *testing.T) {
	for _, s := range []struct{ m, n int }{{2, 5}, {4, 8}, {7, 10}, {9, 14}, {14, 16}} {
		t.Run(fmt.Sprintf("%d of %d", s.m, s.n), func(t *testing.T) {
			c := newCrowd(t, s.m, s.n)
			a := c.run(t)
			require.True(t, a.Complete())
			require.Len(t, a.Shares(), ShareCount(uint32(s.n), uint32(s.m)))
			if c.spend != (xmr.PublicKey{}) {
				require.Equal(t, c.spend, a.Spend())
			}
			back, err := Decode(a.Encode())
			require.NoError(t, err)
			require.Equal(t, a.Encode(), back.Encode())
		})
	}
}

// BenchmarkOneOf measures all key rounds of one signer.
func BenchmarkOneOf(b *testing.B) {
	for _, s := range []struct{ m, n int }{{2, 3}, {3, 5}, {8, 16}} {
		b.Run(fmt.Sprintf("%d-of-%d", s.m, s.n), func(b *testing.B) {
			c := newCrowd(b, s.m, s.n)
			for b.Loop() {
				c.run(b)
			}
		})
	}
}
