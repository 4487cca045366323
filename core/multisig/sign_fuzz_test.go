package multisig

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/xmr"
)

func FuzzMultisigInfo(f *testing.F) {
	g := newTreasury(f, 2, 2, 1)
	info, err := DecodeInfo(g.signers[0].box, g.export(f, 0))
	require.NoError(f, err)
	f.Add(info.Append(nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		info, err := ParseInfo(b)
		if err != nil {
			return
		}
		require.Equal(t, b, info.Append(nil))
		list, err := g.signers[1].CheckInfos([]*Info{info}, 1)
		if err != nil || len(list[0].Outputs) == 0 {
			return
		}
		if _, err = g.signers[1].KeyImage(
			g.signers[1].keys, &g.outputs[0], [][]xmr.KeyImage{list[0].Outputs[0].Images},
		); err != nil {
			require.ErrorIs(t, err, ErrParts)
		}
	})
}

func FuzzMultisigTxSet(f *testing.F) {
	g := newTreasury(f, 2, 2, 1)
	g.everyone(f)
	set := g.propose(f, 0, 3e11)
	f.Add(set.Append(nil))
	f.Add([]byte{1, 1})
	s := g.signers[1]
	f.Fuzz(func(t *testing.T, b []byte) {
		set, err := ParseTxSet(b)
		if err != nil {
			return
		}
		again, err := ParseTxSet(set.Append(nil))
		require.NoError(t, err)
		require.Equal(t, set, again)
		reviewed, err := Review(g.random, s.keys, s.knowledge(), set)
		if err != nil {
			return
		}
		task, err := s.NewSigningTask(set, reviewed, func(key xmr.PublicKey) []keys.Secret { return s.nonces[key] })
		if err != nil {
			return
		}
		task.Sign(func(key xmr.PublicKey) []keys.Secret { return s.nonces[key] }) // any result is allowed, but no panic
	})
}

// FuzzDecode passes the bytes to both decoders, as a message and as the plain text of a message encrypted with the view
// key, which every signer has.
func FuzzDecode(f *testing.F) {
	g := newTreasury(f, 2, 2, 1)
	c := g.signers[0].box
	decoders := map[string]func([]byte) error{
		magicInfo:  func(m []byte) error { _, err := DecodeInfo(c, m); return err },
		magicTxSet: func(m []byte) error { _, err := DecodeTxSet(c, m); return err },
	}
	f.Add(g.export(f, 1))
	f.Add(append(c.Header(), 0, 0))
	f.Add([]byte(magicTxSet))
	f.Fuzz(func(t *testing.T, b []byte) {
		for magic, decode := range decoders {
			_ = decode(b)
			for _, plain := range [][]byte{b, append(c.Header(), b...)} {
				message, err := c.EncryptMessage(g.random, magic, plain)
				require.NoError(t, err)
				_ = decode(message)
				message[len(magic)] ^= 1
				require.Error(t, decode(message), "a changed message")
			}
		}
	})
}
