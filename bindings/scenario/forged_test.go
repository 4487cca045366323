package scenario

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/chain"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/tx"
	"glim/core/xmr"
)

// forgery describes how a transaction deviates from the rules. Everything else is valid: its maker has the keys, and it
// is signed as it is.
type forgery struct {
	size   int                                               // of rings; 0 is the required one
	ring   func(members []uint64, realIndex uint64) []uint64 // global indices in the order in which they are written
	prefix func(*tx.Transaction)                             // before anything is signed
	proofs func(*tx.Transaction)                             // before the rings are signed
	pseudo *edwards.Point                                    // added to both pseudo-outputs
	image  *edwards.Point                                    // added to the first key image
	d      *edwards.Point                                    // added to the first auxiliary key image
	signed func(*tx.Transaction)                             // after all is signed
}

// forger has two outputs of alice on a chain.
type forger struct {
	own    []scanned
	chain  []clsag.Member // outputs that may be ring members, by index
	amount uint64         // of both together
}

type scanned struct {
	at     uint64
	amount uint64
	secret *edwards.Scalar
	image  *edwards.Point
}

func newForger(t *testing.T, c *chain.Chain) *forger {
	t.Helper()
	k, err := keys.FromSeed(seedOf(alice))
	require.NoError(t, err)
	f := &forger{}
	c.View(func(v chain.View) {
		for at, o := range v.Outputs(0) {
			if !v.Unlocked(o.Unlock) || o.Height+xmr.SpendableAge > v.Height() {
				break
			}
			f.chain = append(f.chain, clsag.Member{Key: o.Key, Commitment: o.Commitment})
			coinbase := &v.Block(o.Height).Block.MinerTx
			found, err := scan.Run(scan.Job{View: k.ViewSecret(), Txs: []scan.Tx{{Tx: coinbase}}})
			require.NoError(t, err)
			for _, x := range found.Found {
				for _, one := range x.Candidates {
					if one.SpendKey == k.SpendPublic && len(f.own) < 2 {
						secret, _ := k.OutputSecret(one.Derivation, uint64(one.Output), keys.Index{})
						image := edwards.HashToPoint(o.Key)
						amount := coinbase.Outputs[one.Output].Amount
						f.own = append(f.own, scanned{uint64(at), amount, secret, image.ScalarMult(secret, image)})
						f.amount += amount
					}
				}
			}
		}
	})
	require.Len(t, f.own, 2)
	require.Greater(t, len(f.chain), xmr.RingSize+1)
	return f
}

// forgedSpends are the inputs of a forged transaction in the order of their key images.
type forgedSpends struct {
	own    []scanned
	images [][32]byte
	points []*edwards.Point
	rings  [][]clsag.Member
	reals  []int // index of the real member in each ring
}

func randomScalar(t *testing.T) *edwards.Scalar {
	t.Helper()
	s, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	return s
}

// forge returns the transaction that g describes.
func (f *forger) forge(t *testing.T, g forgery) []byte {
	t.Helper()
	const fee = coin / 10
	amounts := []uint64{coin, f.amount - coin - fee}
	masks := []*edwards.Scalar{randomScalar(t), randomScalar(t)}
	x := &tx.Transaction{Version: 2}
	x.Extra = tx.AppendPublicKey(nil, new(edwards.Point).ScalarBaseMult(randomScalar(t)).Encode())
	spends := f.spends(x, g)
	for range amounts {
		x.Outputs = append(x.Outputs, tx.Output{
			Key: new(edwards.Point).ScalarBaseMult(randomScalar(t)).Encode(), Tagged: true,
		})
	}
	if g.prefix != nil {
		g.prefix(x)
	}

	proof, commitments, err := bulletproofsplus.Prove(rand.Reader, amounts, masks)
	require.NoError(t, err)
	x.RingCT = tx.RingCT{
		Type: tx.RingCTBulletproofPlus, Fee: fee, Ecdh: make([]tx.EcdhInfo, len(amounts)), Commitments: commitments,
		Prunable: &tx.Prunable{BulletproofsPlus: []tx.BulletproofPlus{tx.BulletproofPlus(proof)}},
	}
	spends.sign(t, x, g, new(edwards.Scalar).Add(masks[0], masks[1]))
	if g.signed != nil {
		g.signed(x)
	}
	return x.Append(nil)
}

// spends adds the inputs of g to x.
func (f *forger) spends(x *tx.Transaction, g forgery) *forgedSpends {
	own := slices.Clone(f.own)
	s := &forgedSpends{
		own: own, images: make([][32]byte, len(own)), points: make([]*edwards.Point, len(own)),
		rings: make([][]clsag.Member, len(own)), reals: make([]int, len(own)),
	}
	for i := range own {
		s.points[i] = new(edwards.Point).Set(own[i].image)
	}
	if g.image != nil {
		s.points[0].Add(s.points[0], g.image)
	}
	for i := range own {
		s.images[i] = s.points[i].Encode()
	}
	if slices.Compare(s.images[0][:], s.images[1][:]) < 0 {
		slices.Reverse(s.own)
		slices.Reverse(s.images)
		slices.Reverse(s.points)
	}
	for i := range own {
		size := xmr.RingSize
		if g.size != 0 {
			size = g.size
		}
		indices := []uint64{own[i].at}
		for at := uint64(0); len(indices) < size; at++ {
			if at != own[i].at {
				indices = append(indices, at)
			}
		}
		slices.Sort(indices)
		if g.ring != nil {
			indices = g.ring(indices, own[i].at)
		}
		s.reals[i] = slices.Index(indices, own[i].at)
		offsets := make([]uint64, len(indices))
		for j, at := range indices {
			s.rings[i] = append(s.rings[i], f.chain[at])
			offsets[j] = at
			if j > 0 {
				offsets[j] -= indices[j-1]
			}
		}
		x.Inputs = append(x.Inputs, tx.Input{KeyOffsets: offsets, KeyImage: s.images[i]})
	}
	return s
}

// sign adds pseudo-outputs, whose masks have the given sum, and signatures to x.
func (s *forgedSpends) sign(t *testing.T, x *tx.Transaction, g forgery, sum *edwards.Scalar) {
	t.Helper()
	p := x.RingCT.Prunable
	pseudo := []*edwards.Scalar{randomScalar(t), nil}
	pseudo[1] = sum.Subtract(sum, pseudo[0])
	for i := range s.own {
		c := edwards.Commit(pseudo[i], s.own[i].amount)
		if g.pseudo != nil {
			c.Add(c, g.pseudo)
		}
		p.PseudoOuts = append(p.PseudoOuts, c.Encode())
	}
	if g.proofs != nil {
		g.proofs(x)
	}
	message := x.PreMLSAGHash()
	one := edwards.ScalarFromUint64(1)
	for i := range s.own {
		z := new(edwards.Scalar).Subtract(one, pseudo[i]) // a reward's mask is 1
		d := g.d
		if i > 0 {
			d = nil
		}
		n := naively{message, s.rings[i], p.PseudoOuts[i], s.images[i], s.points[i]}
		p.CLSAGs = append(p.CLSAGs, tx.CLSAG(n.sign(t, s.reals[i], s.own[i].secret, z, d)))
	}
}

// naively signs and verifies as the paper describes, with single multiplications only. Source: eprint 2019/654, section
// 4.
type naively struct {
	message   [32]byte
	ring      []clsag.Member
	pseudoOut [32]byte
	keyImage  [32]byte
	image     *edwards.Point
}

// sign tries nonces until a signature verifies: torsion vanishes only for some of them.
func (n naively) sign(t *testing.T, realIndex int, x, z *edwards.Scalar, torsion *edwards.Point) clsag.Signature {
	t.Helper()
	hash := edwards.HashToPoint(n.ring[realIndex].Key)
	full := new(edwards.Point).ScalarMult(z, hash)
	eighth := edwards.NewScalar().Invert(edwards.ScalarFromUint64(8))
	part := new(edwards.Point).ScalarMult(eighth, full)
	if torsion != nil {
		part.Add(part, torsion)
	}
	sig := clsag.Signature{S: make([][32]byte, len(n.ring)), D: part.Encode()}
	muP, muC := n.weights(sig.D)
	for range 1000 {
		nonce, err := edwards.RandomScalar(rand.Reader)
		require.NoError(t, err)
		c := n.challenge(new(edwards.Point).ScalarBaseMult(nonce), new(edwards.Point).ScalarMult(nonce, hash))
		for k := 1; k <= len(n.ring); k++ {
			i := (realIndex + k) % len(n.ring)
			if i == 0 {
				sig.C1 = edwards.EncodeScalar(c)
			}
			if i == realIndex {
				break
			}
			s, err := edwards.RandomScalar(rand.Reader)
			require.NoError(t, err)
			sig.S[i] = edwards.EncodeScalar(s)
			c = n.next(i, c, s, muP, muC, full)
		}
		w := edwards.NewScalar().Multiply(muP, x)
		w.MultiplyAdd(muC, z, w)
		w.Multiply(w, c)
		w.Subtract(nonce, w)
		sig.S[realIndex] = edwards.EncodeScalar(w)
		if n.holds(sig, muP, muC, full) {
			return sig
		}
	}
	t.Fatal("no nonce gives a valid signature")
	return sig
}

func (n naively) holds(sig clsag.Signature, muP, muC *edwards.Scalar, d *edwards.Point) bool {
	c, err := edwards.DecodeScalar(sig.C1)
	if err != nil {
		return false
	}
	for i := range n.ring {
		s, err := edwards.DecodeScalar(sig.S[i])
		if err != nil {
			return false
		}
		c = n.next(i, c, s, muP, muC, d)
	}
	return edwards.EncodeScalar(c) == sig.C1
}

func (n naively) next(i int, c, s, muP, muC *edwards.Scalar, d *edwards.Point) *edwards.Scalar {
	point := func(b [32]byte) *edwards.Point {
		p, err := edwards.DecodePoint(b)
		if err != nil {
			panic(err)
		}
		return p
	}
	times := func(s *edwards.Scalar, p *edwards.Point) *edwards.Point { return new(edwards.Point).ScalarMult(s, p) }
	cP, cC := edwards.NewScalar().Multiply(c, muP), edwards.NewScalar().Multiply(c, muC)
	difference := point(n.ring[i].Commitment)
	difference.Subtract(difference, point(n.pseudoOut))
	l, r := new(edwards.Point).ScalarBaseMult(s), times(s, edwards.HashToPoint(n.ring[i].Key))
	l.Add(l, times(cP, point(n.ring[i].Key)))
	l.Add(l, times(cC, difference))
	r.Add(r, times(cP, n.image))
	return n.challenge(l, r.Add(r, times(cC, d)))
}

func (n naively) hashed(domain string, more ...[32]byte) *edwards.Scalar {
	var first [32]byte
	copy(first[:], domain)
	b := first[:]
	for i := range n.ring {
		b = append(b, n.ring[i].Key[:]...)
	}
	for i := range n.ring {
		b = append(b, n.ring[i].Commitment[:]...)
	}
	for i := range more {
		b = append(b, more[i][:]...)
	}
	return edwards.HashToScalar(b)
}

func (n naively) weights(d [32]byte) (muP, muC *edwards.Scalar) {
	return n.hashed("CLSAG_agg_0", n.keyImage, d, n.pseudoOut), n.hashed("CLSAG_agg_1", n.keyImage, d, n.pseudoOut)
}

func (n naively) challenge(l, r *edwards.Point) *edwards.Scalar {
	return n.hashed("CLSAG_round", n.pseudoOut, n.message, l.Encode(), r.Encode())
}

// smallOrder returns points whose order is two, four and eight.
// Source: eprint 2020/1244, table 5.
func smallOrder(t *testing.T) [3]*edwards.Point {
	t.Helper()
	eight, err := edwards.DecodePoint([32]byte{
		0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
		0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05})
	require.NoError(t, err)
	four := new(edwards.Point).Add(eight, eight)
	return [3]*edwards.Point{new(edwards.Point).Add(four, four), four, eight}
}

// plusOrder adds the group order to a scalar, which gives another encoding of the same number.
func plusOrder(b *[32]byte) {
	minusOne := edwards.EncodeScalar(edwards.NewScalar().Negate(edwards.ScalarFromUint64(1))) // the order minus one
	carry := 1
	for i := range b {
		carry += int(b[i]) + int(minusOne[i])
		b[i] = byte(carry)
		carry >>= 8
	}
}

// forgeries returns transactions that the network must refuse, and unusual ones that it accepts although no wallet
// makes them: both daemons must judge blocks with them alike, or the chain would split.
func forgeries(t *testing.T) (refused, taken map[string]forgery) {
	add := func(b *[32]byte, torsion *edwards.Point) {
		p, err := edwards.DecodePoint(*b)
		require.NoError(t, err)
		*b = p.Add(p, torsion).Encode()
	}
	overlong := xmr.PublicKey{0xee, 31: 0x7f} // the neutral element's y plus the prime
	for i := 1; i < 31; i++ {
		overlong[i] = 0xff
	}
	key := func(k xmr.PublicKey) forgery {
		return forgery{prefix: func(x *tx.Transaction) { x.Outputs[0].Key = k }}
	}
	proof := func(modify func(*tx.BulletproofPlus)) forgery {
		return forgery{proofs: func(x *tx.Transaction) { modify(&x.RingCT.Prunable.BulletproofsPlus[0]) }}
	}
	signature := func(modify func(*tx.CLSAG)) forgery {
		return forgery{signed: func(x *tx.Transaction) { modify(&x.RingCT.Prunable.CLSAGs[0]) }}
	}
	refused = map[string]forgery{
		"rings of 15":                       {size: 15},
		"rings of 17":                       {size: 17},
		"rings of one":                      {size: 1},
		"a key beyond the prime":            key(overlong),
		"a key with the sign of zero":       key(xmr.PublicKey{1, 31: 0x80}),
		"a response beyond the order":       signature(func(c *tx.CLSAG) { plusOrder(&c.S[3]) }),
		"a challenge beyond the order":      signature(func(c *tx.CLSAG) { plusOrder(&c.C1) }),
		"R1 beyond the order":               proof(func(b *tx.BulletproofPlus) { plusOrder(&b.R1) }),
		"S1 beyond the order":               proof(func(b *tx.BulletproofPlus) { plusOrder(&b.S1) }),
		"D1 beyond the order":               proof(func(b *tx.BulletproofPlus) { plusOrder(&b.D1) }),
		"torsion on a point in a challenge": proof(func(b *tx.BulletproofPlus) { add(&b.B, smallOrder(t)[2]) }),
	}
	taken = map[string]forgery{
		"valid":                      {},
		"a ring in descending order": {ring: func(m []uint64, _ uint64) []uint64 { slices.Reverse(m); return m }},
		"a ring with a member twice": {ring: func(m []uint64, realIndex uint64) []uint64 {
			if m[15] = m[0]; !slices.Contains(m, realIndex) {
				m[15] = realIndex
			}
			return m
		}},
		"a key at the neutral element": key(xmr.PublicKey{1}),
		"one key twice":                {prefix: func(x *tx.Transaction) { x.Outputs[0].Key = x.Outputs[1].Key }},
		"pseudo-outputs with torsion":  {pseudo: smallOrder(t)[0]},
	}
	for i, order := range []string{"2", "4", "8"} {
		torsion := smallOrder(t)[i]
		refused["a key image plus torsion of order "+order] = forgery{image: torsion}
		taken["an auxiliary image plus torsion of order "+order] = forgery{d: torsion}
		taken["a key plus torsion of order "+order] = forgery{prefix: func(x *tx.Transaction) {
			add((*[32]byte)(&x.Outputs[0].Key), torsion)
		}}
	}
	return refused, taken
}

// forgedTransactions sends forgeries to monerod and to our daemon, which agree. Accepted ones with unusual rings are
// mined.
func forgedTransactions(t *testing.T, d *peers.Daemon, ours answering, held *chain.Chain) {
	t.Helper()
	f := newForger(t, held)
	both := []daemon{d, ours}
	clean := func() {
		for _, peer := range both {
			do(t, peer, "flush_txpool", nil)
		}
	}
	refused, taken := forgeries(t)
	for name, g := range refused {
		blob := f.forge(t, g)
		for _, peer := range both {
			require.NotEqual(t, "OK", handOver(t, peer, blob).Status, name)
		}
	}
	for name, g := range taken {
		blob := f.forge(t, g)
		for _, peer := range both {
			require.Equal(t, "OK", handOver(t, peer, blob).Status, name)
		}
		if g.ring == nil {
			clean()
			continue
		}
		b := template(t, held)
		require.Len(t, b.TxHashes, 1)
		for _, peer := range both {
			require.NoError(t,
				peer.JSON(deadline(t), "submit_block", []string{hex.EncodeToString(b.Append(nil))}, new(object)), name)
		}
		sameChain(t, d, held, 100)
		for _, peer := range both {
			require.NoError(t, peer.Path(deadline(t), "/pop_blocks", object{"nblocks": 1}, new(object)))
		}
		clean()
	}
}

// TestRewardToInvalidPoint mines a reward to a key that is not a point, which the network accepts, and pays when every
// output may be a decoy: the wallet skips that output and does not treat the daemon as malicious.
func TestRewardToInvalidPoint(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	mine := func(who byte, blocks int) {
		do(t, answering{n.Registry()}, "generateblocks", object{
			"amount_of_blocks": blocks, "wallet_address": at(t, who, 0, 0),
		})
	}
	mine(alice, 1)
	b := template(t, n.Chain())
	b.MinerTx.Outputs[0].Key = xmr.PublicKey{2}
	do(t, answering{n.Registry()}, "submit_block", []string{hex.EncodeToString(b.Append(nil))})
	mine(alice, xmr.RingSize)
	mine(nobody, xmr.CoinbaseUnlock)
	n.Chain().View(func(v chain.View) { require.LessOrEqual(t, len(v.Outputs(0))-xmr.SpendableAge, decoy.Requested) })
	w := newGlimOn(t, n.Registry())
	restore(t, w, "alice", alice)
	refresh(t, w)
	do(t, w, "transfer", object{"destinations": []destination{{at(t, bob, 0, 0), coin}}})
}
