package carrot

import (
	"sync"

	"glim/core/crypto/blake2b"
	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// Rules are the choices that differ between published versions of Carrot. They are immutable.
type Rules struct {
	name     string
	personal string // personalisation of HashToPoint

	// T is the second generator of output keys. U and V belong to the proofs of FCMP++; nothing here uses them.
	T, U, V xmr.PublicKey

	t func() *edwards.Point
}

// Versions of the rules. They differ in the hash to points, and so in the generators and in key images.
var (
	// Plain maps to points with Blake2b without personalisation: carrot.md and the beta.
	// Source: src/crypto/generators.cpp, T, U and V; src/crypto/crypto.cpp, unbiased_hash_to_ec.
	Plain = rules("plain Blake2b", "",
		"61b736ce93b62a3d3778ab204da85d3b4cdc07250f5da7e3df2629928134d526",
		"506b23f6d6e530997abcacc6fd347734b14c2bd79bea00eeb04857e8eadd1a8a",
		"6935f413f83109138a7a14b409552d3b76d88fca81bb5927e9a1e130cdfe29f9")

	// Personalised maps to points with the personalisation "Monero": pull request 9559 of
	// github.com/monero-project/monero, branch carrot_core of github.com/jeffro256/monero, commit 97d9e99.
	// Source: the same functions there.
	Personalised = rules("personalised Blake2b", "Monero",
		"dc42e1d3307b2d4b3b02729abe577e231d79478141cb5b310ca9fa6e127616a3",
		"8a948e2854073aa0bcb82f863c80865b5cc9be179723fc1cbf1c25b885597e54",
		"1a423509f7675e912011d14b5610a857ddd588733413b515e003bc4055855bf1")
)

// Default is the version that wallets use.
var Default = Plain

func rules(name, personal string, t, u, v string) *Rules {
	key := func(text string) xmr.PublicKey {
		k, err := xmr.ParseKey(text)
		if err != nil {
			panic("carrot: a generator is not 64 hexadecimal digits")
		}
		return k
	}
	r := &Rules{name: name, personal: personal, T: key(t), U: key(u), V: key(v)}
	r.t = sync.OnceValue(func() *edwards.Point {
		p, ok := inSubgroup(r.T)
		if !ok {
			panic("carrot: generator T is not in the prime-order subgroup")
		}
		return p
	})
	return r
}

// String returns the name of the version.
func (r *Rules) String() string { return r.name }

// HashToPoint returns 8·(map(h₁) + map(h₂)), where h₁ and h₂ are the halves of a Blake2b hash of b with 64 bytes. Its
// time depends on b, which is public. Source: carrot.md, 3.3.2, second hash-to-point function; src/crypto/crypto.cpp,
// unbiased_hash_to_ec.
func (r *Rules) HashToPoint(b []byte) *edwards.Point {
	var h [64]byte
	blake2b.Sum(h[:], nil, r.personal, b)
	p := edwards.MapToPoint([32]byte(h[:32]))
	p.Add(p, edwards.MapToPoint([32]byte(h[32:])))
	return p.MultByCofactor(p)
}

// Format tells how the output of a key image was made.
type Format uint8

// Formats of outputs.
const (
	LegacyOutput Format = iota // from before the fork
	CarrotOutput
)

// KeyImage returns the key image of an output with the secret key x for G. Outputs from before the fork keep the hash
// to points of today; Carrot's have HashToPoint, also for wallets with legacy keys.
// Source: src/carrot_impl/output_opening_types.cpp, use_biased_hash_to_point; src/crypto/crypto.cpp,
// derive_key_image_generator; carrot.md, 8.2.
func (r *Rules) KeyImage(f Format, output xmr.PublicKey, x *edwards.Scalar) xmr.KeyImage {
	p := r.imageGenerator(f, output)
	return p.ScalarMult(x, p).Encode()
}

// outputKey returns x·G + y·T, in constant time.
func (r *Rules) outputKey(x, y *edwards.Scalar) *edwards.Point {
	p := new(edwards.Point).ScalarMult(y, r.t())
	return p.Add(p, new(edwards.Point).ScalarBaseMult(x))
}
