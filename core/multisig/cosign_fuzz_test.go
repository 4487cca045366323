package multisig

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/coldset"
	"glim/core/keys"
	"glim/core/xmr"
)

func FuzzSharedInfo(f *testing.F) {
	g := newTreasury(f, 2, 2, 1)
	info, err := g.signers[0].box.DecodeSharedInfo(g.export(f, 0))
	require.NoError(f, err)
	f.Add(info.Append(nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		info, err := coldset.ParseSharedInfo(b)
		if err != nil {
			return
		}
		require.Equal(t, b, info.Append(nil))
		list, err := g.signers[1].CheckInfos([]*coldset.SharedInfo{info}, 1)
		if err != nil || len(list[0].Outputs) == 0 {
			return
		}
		if _, err = g.signers[1].KeyImage(g.signers[1].keys, &g.outputs[0], [][]xmr.KeyImage{list[0].Outputs[0].Images}); err != nil {
			require.ErrorIs(t, err, ErrParts)
		}
	})
}

func FuzzSharedSet(f *testing.F) {
	g := newTreasury(f, 2, 2, 1)
	g.everyone(f)
	set := g.propose(f, 0, 3e11)
	f.Add(set.Append(nil))
	f.Add([]byte{1, 1})
	s := g.signers[1]
	f.Fuzz(func(t *testing.T, b []byte) {
		set, err := coldset.ParseSharedSet(b)
		if err != nil {
			return
		}
		again, err := coldset.ParseSharedSet(set.Append(nil))
		require.NoError(t, err)
		require.Equal(t, set, again)
		reviewed, err := Review(g.random, s.keys, s.knowledge(), set)
		if err != nil {
			return
		}
		task, err := s.NewTask(set, reviewed, func(key xmr.PublicKey) []keys.Secret { return s.nonces[key] })
		if err != nil {
			return
		}
		task.Sign(func(key xmr.PublicKey) []keys.Secret { return s.nonces[key] }) // whatever it says, it does not panic
	})
}
