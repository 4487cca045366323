package multisig

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// cosigner holds the parts of a signer's wallet that signing needs.
type cosigner struct {
	*Account
	keys   *keys.Keys
	box    *coldset.Cipher
	nonces map[xmr.PublicKey][]keys.Secret
	known  map[xmr.PublicKey]*InputData
}

// treasury is a group with outputs.
type treasury struct {
	signers []*cosigner
	outputs []txbuild.Input
	random  io.Reader
}

func newTreasury(t testing.TB, threshold, total, outputs int) *treasury {
	t.Helper()
	g := &treasury{random: source(uint64(100*threshold + total))}
	for _, a := range setUp(t, threshold, total) {
		k, err := a.Keys()
		require.NoError(t, err)
		g.signers = append(g.signers, &cosigner{
			Account: a, keys: k, box: coldset.NewCipher(k, 1), nonces: map[xmr.PublicKey][]keys.Secret{},
			known: map[xmr.PublicKey]*InputData{},
		})
	}
	k := g.signers[0].keys
	for n := range outputs {
		at := keys.Index{Minor: uint32(n)}
		spend, view := k.Address(at)
		d, err := edwards.Derive(g.scalar(t), view)
		require.NoError(t, err)
		key, err := d.PublicKey(uint64(n), spend)
		require.NoError(t, err)
		g.outputs = append(g.outputs, txbuild.Input{
			Index: uint64(n), GlobalIndex: uint64(100000 + 1000*n), Amount: 1e12 * uint64(n+1), Key: key, Derivation: d,
			Address: at,
			Height:  100, RingCT: true, Mask: edwards.EncodeScalar(keys.CommitmentMask(d.Scalar(uint64(n)))),
		})
	}
	return g
}

func (g *treasury) scalar(t testing.TB) *edwards.Scalar {
	t.Helper()
	s, err := edwards.RandomScalar(g.random)
	require.NoError(t, err)
	return s
}

func (g *treasury) point(t testing.TB) [32]byte {
	return new(edwards.Point).ScalarBaseMult(g.scalar(t)).Encode()
}

func (g *treasury) position(key xmr.PublicKey) (uint64, bool) {
	n := slices.IndexFunc(g.outputs, func(in txbuild.Input) bool { return in.Key == key })
	return uint64(n), n >= 0
}

// export generates nonces of signer n and returns its info as a message.
func (g *treasury) export(t testing.TB, n int) []byte {
	t.Helper()
	s := g.signers[n]
	info := &Info{Signer: s.Self()}
	for _, out := range g.outputs {
		var err error
		s.nonces[out.Key], err = s.NewNonces(g.random, out.Key)
		require.NoError(t, err)
		output, err := s.NewOutputInfo(out.Key, s.nonces[out.Key])
		require.NoError(t, err)
		require.Len(t, output.Nonces, s.NonceCount())
		info.Outputs = append(info.Outputs, output)
	}
	b, err := info.Encode(g.random, s.box)
	require.NoError(t, err)
	return b
}

// hear imports other signers' info into signer n.
func (g *treasury) hear(t testing.TB, n int, messages ...[]byte) {
	t.Helper()
	s := g.signers[n]
	var list []*Info
	for _, m := range messages {
		info, err := DecodeInfo(s.box, m)
		require.NoError(t, err)
		list = append(list, info)
	}
	list, err := s.CheckInfos(list, len(g.outputs))
	require.NoError(t, err)
	for i := range g.outputs {
		known, parts := new(InputData), [][]xmr.KeyImage(nil)
		for _, info := range list {
			known.Nonces = append(known.Nonces, SignerNonces{info.Signer, info.Outputs[i].Nonces})
			parts = append(parts, info.Outputs[i].Images)
		}
		known.Image, err = s.KeyImage(s.keys, &g.outputs[i], parts)
		require.NoError(t, err)
		s.known[g.outputs[i].Key] = known
	}
}

// everyone exports and imports the info of all signers.
func (g *treasury) everyone(t testing.TB) {
	t.Helper()
	var messages [][]byte
	for n := range g.signers {
		messages = append(messages, g.export(t, n))
	}
	for n := range g.signers {
		g.hear(t, n, messages...)
	}
}

// plan returns a settled plan that pays amount out of all outputs.
func (g *treasury) plan(t testing.TB, amount uint64) (txbuild.Plan, []decoy.Ring) {
	t.Helper()
	k := g.signers[0].keys
	payee := wallets(t, 9)[8]
	plan := txbuild.Plan{
		Inputs: g.outputs, Fee: 3e7,
		Destinations: []txbuild.Destination{
			{
				Address: address.Address{Network: xmr.Regtest, Spend: payee.SpendPublic, View: payee.ViewPublic},
				Amount:  amount,
			},
		},
		Change: address.Address{Network: xmr.Regtest, Spend: k.SpendPublic, View: k.ViewPublic},
	}
	plan.Destinations[0].Text = plan.Destinations[0].Address.String()
	var rings []decoy.Ring
	for _, in := range g.outputs {
		r := decoy.Ring{Real: int(in.GlobalIndex) % xmr.RingSize}
		for i := range xmr.RingSize {
			m := decoy.Member{
				Index:      in.GlobalIndex - uint64(r.Real) + uint64(i),
				Key:        g.point(t),
				Commitment: g.point(t),
			}
			if i == r.Real {
				m.Key, m.Commitment = in.Key, in.Commitment()
			}
			r.Members = append(r.Members, m)
		}
		rings = append(rings, r)
	}
	e, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), []uint64{20000, 80000, 320000, 4000000}, fee.Quantum)
	require.NoError(t, err)
	plan, err = txbuild.Settle(g.random, k, plan, rings, txbuild.Rate{Fees: e, Priority: fee.Slow})
	require.NoError(t, err)
	return plan, rings
}

// propose makes a transaction of signer n that pays amount, and returns the set.
func (g *treasury) propose(t testing.TB, n int, amount uint64) *TxSet {
	t.Helper()
	s := g.signers[n]
	plan, rings := g.plan(t, amount)
	var known []InputData
	for _, in := range plan.Inputs {
		known = append(known, *s.known[in.Key])
	}
	p, err := s.Propose(g.random, s.keys, plan, rings, known, g.position)
	require.NoError(t, err)
	return g.pass(t, n, s.NewSet([]*coldset.PendingTx{p.Pending}))
}

// pass encodes and decodes a set.
func (g *treasury) pass(t testing.TB, n int, set *TxSet) *TxSet {
	t.Helper()
	b, err := set.Encode(g.random, g.signers[n].box)
	require.NoError(t, err)
	out, err := DecodeTxSet(g.signers[n].box, b)
	require.NoError(t, err)
	return out
}

func (s *cosigner) knowledge() ReviewContext {
	return ReviewContext{Network: xmr.Regtest, Image: func(key xmr.PublicKey) (xmr.KeyImage, bool) {
		k, ok := s.known[key]
		if !ok {
			return xmr.KeyImage{}, false
		}
		return k.Image, true
	}}
}

// task reviews the set as signer n.
func (g *treasury) task(n int, set *TxSet) (*SigningTask, error) {
	s := g.signers[n]
	reviewed, err := Review(g.random, s.keys, s.knowledge(), set)
	if err != nil {
		return nil, err
	}
	return s.NewSigningTask(set, reviewed, func(key xmr.PublicKey) []keys.Secret { return s.nonces[key] })
}

// sign removes the nonces of signer n and signs the set.
func (g *treasury) sign(t testing.TB, n int, set *TxSet) (*TxSet, []Finished) {
	t.Helper()
	task, err := g.task(n, set)
	require.NoError(t, err)
	taken := map[xmr.PublicKey][]keys.Secret{}
	for _, key := range task.Outputs() {
		taken[key] = g.signers[n].nonces[key]
		delete(g.signers[n].nonces, key)
	}
	out, finished, err := task.Sign(func(key xmr.PublicKey) []keys.Secret { return taken[key] })
	require.NoError(t, err)
	return g.pass(t, n, out), finished
}

// TestCosign signs and finishes a transaction with every sufficient subset of the signers, in different orders.
func TestCosign(t *testing.T) {
	for _, size := range []struct{ m, n int }{{1, 2}, {2, 2}, {2, 3}, {3, 3}, {3, 4}, {2, 4}, {3, 5}} {
		t.Run(fmt.Sprintf("%d of %d", size.m, size.n), func(t *testing.T) {
			g := newTreasury(t, size.m, size.n, 2)
			numbers := make([]xmr.PublicKey, size.n)
			for i := range numbers {
				numbers[i][0] = byte(i)
			}
			groups := combinations(numbers, size.m)
			for _, chosen := range [][]xmr.PublicKey{groups[0], groups[len(groups)-1]} {
				slices.Reverse(chosen)
				g.everyone(t)
				set := g.propose(t, int(chosen[0][0]), 2e12)
				require.Len(t, set.Transactions[0].MultisigSigs, len(combinations(numbers[1:], size.m-1)))
				var finished []Finished
				for i, by := range chosen[1:] {
					before := len(set.Signers)
					set, finished = g.sign(t, int(by[0]), set)
					require.Len(t, set.Signers, before+1)
					require.Equal(t, i == len(chosen)-2, len(finished) == 1, "the last one finishes it")
				}
				reviewed, err := Review(g.random, g.signers[0].keys, g.signers[0].knowledge(), set)
				require.NoError(t, err)
				require.NoError(t, reviewed[0].Verify())
				if size.m > 1 {
					_, id, err := tx.ParseWithHash(set.Transactions[0].Tx.Append(nil))
					require.NoError(t, err)
					require.Equal(t, finished[0].ID, id)
				}
			}
		})
	}
}

// TestKeyImageOfParts: the key image from all signers' parts equals that of the group's spend key.
func TestKeyImageOfParts(t *testing.T) {
	g := newTreasury(t, 2, 3, 2)
	g.everyone(t)
	var accounts []*Account
	for _, s := range g.signers {
		accounts = append(accounts, s.Account)
	}
	whole := edwards.EncodeScalar(spendSecret(accounts))
	k, err := keys.FromSecrets(whole, g.signers[0].ViewSecret())
	require.NoError(t, err)
	for _, in := range g.outputs {
		want, ok, err := k.KeyImage(in.Derivation, in.Index, in.Address, in.Key)
		require.NoError(t, err)
		require.True(t, ok)
		for _, s := range g.signers {
			require.Equal(t, want, s.known[in.Key].Image)
		}
	}
}

// TestNonceIsUsedOnce: a signer signs one set per export, and no other set with the same outputs.
func TestNonceIsUsedOnce(t *testing.T) {
	g := newTreasury(t, 2, 3, 1)
	g.everyone(t)
	first, second := g.propose(t, 0, 3e11), g.propose(t, 0, 4e11)
	third := g.propose(t, 2, 5e11)
	signed, _ := g.sign(t, 1, first)
	for _, set := range []*TxSet{second, third, first} {
		_, err := g.task(1, set)
		require.ErrorIs(t, err, ErrExport)
	}
	_, err := g.task(1, signed)
	require.ErrorIs(t, err, ErrSigned)
	_, err = g.task(2, signed)
	require.ErrorIs(t, err, ErrFull)
	// A set with one nonce in two MultisigSigs needs it twice.
	attempts := third.Transactions[0].MultisigSigs
	third.Transactions[0].MultisigSigs = append(attempts, attempts...)
	_, err = g.task(0, third)
	require.ErrorIs(t, err, ErrExport)
	// After another export signing works again.
	g.everyone(t)
	g.sign(t, 1, g.propose(t, 2, 3e11))
	_, err = g.task(1, second)
	require.ErrorIs(t, err, ErrExport)
}

// TestSignerWithoutInfo: a signer whose info was missing when the set was made cannot sign it.
func TestSignerWithoutInfo(t *testing.T) {
	g := newTreasury(t, 2, 3, 1)
	messages := [][]byte{g.export(t, 0), g.export(t, 1), g.export(t, 2)}
	g.hear(t, 0, messages[1])
	set := g.propose(t, 0, 3e11)
	require.Len(t, set.Transactions[0].MultisigSigs, 1)
	_, err := g.task(2, set)
	require.ErrorIs(t, err, ErrExport)
	_, finished := g.sign(t, 1, set)
	require.Len(t, finished, 1)

	g.hear(t, 0, messages[1], messages[2])
	set = g.propose(t, 0, 3e11)
	set.Transactions[0].MultisigSigs = set.Transactions[0].MultisigSigs[:1] // the attempt of signer 0 and one other
	left := 1
	if slices.Contains(set.Transactions[0].MultisigSigs[0].Ignore, g.signers[2].Self()) {
		left = 2
	}
	_, err = g.task(left, set)
	require.ErrorIs(t, err, ErrLeftOut)
}

// TestInfosRefused refuses infos that no honest signer sends.
func TestInfosRefused(t *testing.T) {
	g := newTreasury(t, 2, 3, 2)
	foreign := newTreasury(t, 2, 4, 2)
	s := g.signers[0]
	_, err := DecodeInfo(s.box, foreign.export(t, 1))
	require.ErrorIs(t, err, coldset.ErrSeal)
	order8, err := edwards.DecodePoint([32]byte(torsioned(t, xmr.PublicKey(g.point(t)))))
	require.NoError(t, err)
	bad := order8.Encode()
	for name, c := range map[string]struct {
		change func(one, other *Info)
		want   error
	}{
		"a torsioned L":    {func(one, _ *Info) { one.Outputs[1].Nonces[0].L = bad }, ErrNonce},
		"a torsioned R":    {func(one, _ *Info) { one.Outputs[1].Nonces[0].R = bad }, ErrNonce},
		"a torsioned part": {func(one, _ *Info) { one.Outputs[0].Images[0] = bad }, ErrNonce},
		"no point":         {func(one, _ *Info) { one.Outputs[0].Nonces[1].L = [32]byte{2} }, ErrNonce},
		"nothing":          {func(one, _ *Info) { one.Outputs[0].Nonces[1].R = identity }, ErrNonce},
		"one nonce twice": {
			func(one, _ *Info) { one.Outputs[0].Nonces[1] = one.Outputs[0].Nonces[0] }, ErrNonce,
		},
		"one for two outputs": {
			func(one, _ *Info) { one.Outputs[1].Nonces[1] = one.Outputs[0].Nonces[0] }, ErrNonce,
		},
		"another signer's nonce": {
			func(one, other *Info) { one.Outputs[0].Nonces[0] = other.Outputs[0].Nonces[0] }, ErrNonce,
		},
		"foreign signer": {func(one, _ *Info) { one.Signer = foreign.signers[3].Self() }, ErrForeignSigner},
		"own infos only": {
			func(one, other *Info) { one.Signer, other.Signer = s.Self(), s.Self() }, ErrMissing,
		},
		"two of one, and too few": {
			func(one, other *Info) { one.Signer, other.Signer = s.Self(), s.Self() }, ErrMissing,
		},
		"one part twice": {
			func(one, _ *Info) { one.Outputs[0].Images[0] = one.Outputs[0].Images[1] }, ErrNonce,
		},
		"another's part": {func(one, other *Info) {
			one.Outputs[0].Images[0] = xmr.KeyImage(other.Outputs[1].Nonces[0].L)
		}, ErrNonce},
	} {
		var list []*Info
		for _, n := range []int{1, 2} {
			info, err := DecodeInfo(s.box, g.export(t, n))
			require.NoError(t, err)
			list = append(list, info)
		}
		c.change(list[0], list[1])
		_, err := s.CheckInfos(list, 2)
		if name == "another's part" { // only the sum of all parts shows this
			require.NoError(t, err)
			_, err = s.KeyImage(
				s.keys, &g.outputs[0], [][]xmr.KeyImage{list[0].Outputs[0].Images, list[1].Outputs[0].Images},
			)
			require.ErrorIs(t, err, ErrParts, name)
			continue
		}
		require.ErrorIs(t, err, c.want, name)
	}
	info, err := DecodeInfo(s.box, g.export(t, 1))
	require.NoError(t, err)
	_, err = s.KeyImage(s.keys, &g.outputs[0], nil)
	require.ErrorIs(t, err, ErrParts, "too few parts")
	list, err := s.CheckInfos([]*Info{info, info}, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Len(t, list[0].Outputs, 1)
}

// TestSetsRefused changes a set in many ways before another signer signs it; the signer refuses it.
func TestSetsRefused(t *testing.T) {
	g := newTreasury(t, 2, 3, 2)
	g.everyone(t)
	good := g.propose(t, 0, 2e12)
	_, err := g.task(1, good)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(set *TxSet, p *coldset.PendingTx)
		want   error
	}{
		"no transaction": {func(set *TxSet, _ *coldset.PendingTx) { set.Transactions = nil }, ErrEmpty},
		"no attempts":    {func(_ *TxSet, p *coldset.PendingTx) { p.MultisigSigs = nil }, ErrEmpty},
		"one output twice": {func(set *TxSet, p *coldset.PendingTx) {
			set.Transactions = append(set.Transactions, *p)
		}, txbuild.ErrMismatch},
		"signed by a foreign signer": {
			func(set *TxSet, _ *coldset.PendingTx) { set.Signers[0] = xmr.PublicKey(g.point(t)) }, ErrForeignSigner,
		},
		"another payee": {func(_ *TxSet, p *coldset.PendingTx) { swapPayee(t, g, p) }, txbuild.ErrMismatch},
		"another transaction": {
			func(_ *TxSet, p *coldset.PendingTx) { p.Tx = g.propose(t, 0, 2e12).Transactions[0].Tx },
			txbuild.ErrMismatch,
		},
		"another fee":    {func(_ *TxSet, p *coldset.PendingTx) { p.Fee++ }, coldset.ErrMalformed},
		"other payments": {func(_ *TxSet, p *coldset.PendingTx) { p.Payments = nil }, coldset.ErrMalformed},
		"foreign change": {func(_ *TxSet, p *coldset.PendingTx) {
			p.Construction.Change.Spend[0]++
			p.Change = p.Construction.Change
		}, coldset.ErrChange},
		"another secret key": {func(_ *TxSet, p *coldset.PendingTx) { p.Key[0] ^= 1 }, txbuild.ErrMismatch},
		"other entropy":      {func(_ *TxSet, p *coldset.PendingTx) { p.Entropy[0] ^= 1 }, txbuild.ErrMismatch},
		"another key image": {
			func(_ *TxSet, p *coldset.PendingTx) { p.Construction.Sources[0].Multisig[3][0] ^= 1 }, txbuild.ErrMismatch,
		},
		"another's output": {
			func(_ *TxSet, p *coldset.PendingTx) { p.Construction.Sources[0].Real ^= 1 }, coldset.ErrNotOurs,
		},
		"an unlock time": {
			func(_ *TxSet, p *coldset.PendingTx) { p.Construction.UnlockTime = 9 }, coldset.ErrUnsupported,
		},
		"missing nonce": {func(_ *TxSet, p *coldset.PendingTx) {
			a := &p.MultisigSigs[0]
			a.TotalG[0] = a.TotalG[0][1:]
		}, ErrSet},
		"missing input": {func(_ *TxSet, p *coldset.PendingTx) {
			a := &p.MultisigSigs[0]
			a.Responses = a.Responses[1:]
		}, ErrSet},
		"response not reduced": {func(_ *TxSet, p *coldset.PendingTx) {
			p.MultisigSigs[0].Responses[0] = [32]byte{31: 0xff}
		}, ErrSet},
		"two final attempts": {func(_ *TxSet, p *coldset.PendingTx) {
			p.MultisigSigs[0].Ignore, p.MultisigSigs[1].Ignore = nil, nil
		}, ErrExport},
	} {
		set := g.pass(t, 0, good)
		c.change(set, &set.Transactions[0])
		_, err := g.task(1, set)
		require.ErrorIs(t, err, c.want, name)
	}
	know := g.signers[1].knowledge()
	know.Image = func(xmr.PublicKey) (xmr.KeyImage, bool) { return xmr.KeyImage(g.point(t)), true }
	_, err = Review(g.random, g.signers[1].keys, know, g.pass(t, 0, good))
	require.ErrorIs(t, err, ErrImage, "the key image differs from that of this signer")
}

// TestWrongResponsesAreRefused: errors that a review cannot find are detected in the finished signature, although the
// nonces are then used up.
func TestWrongResponsesAreRefused(t *testing.T) {
	g := newTreasury(t, 2, 3, 2)
	for name, change := range map[string]func(a *coldset.MultisigSig){
		"another sum of nonces": func(a *coldset.MultisigSig) { a.TotalG[0][0] = g.point(t) },
		"another response":      func(a *coldset.MultisigSig) { a.Responses[0] = edwards.EncodeScalar(g.scalar(t)) },
		"a share not used": func(a *coldset.MultisigSig) {
			a.Keys = append(a.Keys, publicOf(g.signers[1].shares[0]), publicOf(g.signers[1].shares[1]))
		},
	} {
		g.everyone(t)
		set := g.propose(t, 0, 2e12)
		for i := range set.Transactions[0].MultisigSigs {
			change(&set.Transactions[0].MultisigSigs[i])
		}
		task, err := g.task(1, set)
		require.NoError(t, err, name)
		_, _, err = task.Sign(func(key xmr.PublicKey) []keys.Secret { return g.signers[1].nonces[key] })
		require.ErrorIs(t, err, txbuild.ErrMismatch, name)
	}
}

func swapPayee(t testing.TB, g *treasury, p *coldset.PendingTx) {
	t.Helper()
	at := slices.IndexFunc(p.Construction.Outputs, func(d coldset.DestinationEntry) bool { return d.Original != "" })
	other := wallets(t, 8)[7]
	p.Construction.Outputs[at].Spend, p.Construction.Outputs[at].View = other.SpendPublic, other.ViewPublic
}

// TestFreshNonces: every nonce of proposals and responses is derived separately.
func TestFreshNonces(t *testing.T) {
	g := newTreasury(t, 2, 2, 1)
	seen := map[keys.Secret]bool{}
	for _, random := range []io.Reader{g.random, zeros{}} {
		for _, s := range g.signers {
			for _, key := range []xmr.PublicKey{g.outputs[0].Key, xmr.PublicKey(g.point(t))} {
				list, err := s.freshNonces(random, key, 8)
				require.NoError(t, err)
				for _, n := range list {
					require.False(t, seen[n])
					seen[n] = true
				}
			}
		}
	}
}

// TestProposerWithoutRandomness makes proposals with constant randomness: no nonce is used for two challenges, which
// would reveal the proposer's part of the key.
func TestProposerWithoutRandomness(t *testing.T) {
	g := newTreasury(t, 2, 4, 1)
	s, in := g.signers[0], g.outputs[0]
	plan, rings := g.plan(t, 1e11)
	seen := map[[32]byte]bool{}
	for range 2 { // the others export new nonces each time
		g.everyone(t)
		p, err := s.Propose(same{}, s.keys, plan, rings, []InputData{*s.known[in.Key]}, g.position)
		require.NoError(t, err)
		require.Len(t, p.Pending.MultisigSigs, 3)
		for _, a := range p.Pending.MultisigSigs {
			for j, total := range a.TotalG[0] {
				sum, err := edwards.DecodePoint(total)
				require.NoError(t, err)
				other, err := edwards.DecodePoint(a.UsedL[j])
				require.NoError(t, err)
				own := sum.Subtract(sum, other).Encode()
				require.False(t, seen[own], "a nonce for two challenges")
				seen[own] = true
			}
		}
	}
}

// same is a stuck source of randomness.
type same struct{}

func (same) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 0x25
	}
	return len(b), nil
}

// zeros is a broken source of randomness.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func BenchmarkCosign(b *testing.B) {
	g := newTreasury(b, 2, 3, 2)
	g.everyone(b)
	set := g.propose(b, 0, 2e12)
	for b.Loop() {
		task, err := g.task(1, set)
		require.NoError(b, err)
		_, finished, err := task.Sign(func(key xmr.PublicKey) []keys.Secret { return g.signers[1].nonces[key] })
		require.NoError(b, err)
		require.Len(b, finished, 1)
	}
}
