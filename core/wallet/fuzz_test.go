package wallet_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/xmr"
)

// seedLog returns the log of a wallet with most kinds of changes.
func seedLog(t testing.TB, steps int) [][]byte {
	t.Helper()
	rnd := chaintest.NewRandom("fuzz")
	k := owner(t, "fuzz")
	r := create(t, k, wallet.Lookahead{Major: 1, Minor: 2})
	l := &chaintest.Activity{Owner: k, Accounts: 1, Subaddresses: 2, Burn: true}
	c := chaintest.New("fuzz", xmr.Regtest)
	now := uint64(chaintest.StartTime)
	for range steps {
		randomChange(r, rnd, &c, l, &now)
	}
	return r.log
}

func FuzzDecodeChange(f *testing.F) {
	for _, b := range seedLog(f, 40)[1:] {
		f.Add(b)
	}
	together := wallet.ChangeSet{User: wallet.UserChange{
		Nonces: []wallet.OutputNonces{
			{Key: xmr.PublicKey{1}, Secrets: []keys.Secret{{2}, {3}}}, {Key: xmr.PublicKey{4}},
		},
		CosignerNonces: []wallet.CosignerNonces{{
			Key: xmr.PublicKey{1},
			By:  []wallet.SignerNonces{{Signer: xmr.PublicKey{5}, L: [][32]byte{{6}}, R: [][32]byte{{7}}}},
		}},
	}}
	b, err := together.Encode()
	require.NoError(f, err)
	f.Add(b)
	carrot := found()
	carrot.Chain.Outputs[0].Carrot = true
	b, err = carrot.Encode()
	require.NoError(f, err)
	f.Add(b)
	f.Add([]byte{})
	f.Add([]byte("u"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := wallet.DecodeChange(b)
		if err != nil {
			require.ErrorIs(t, err, wallet.ErrRecord)
			return
		}
		once, err := c.Encode()
		require.NoError(t, err)
		again, err := wallet.DecodeChange(once)
		require.NoError(t, err)
		twice, err := again.Encode()
		require.NoError(t, err)
		require.Equal(t, once, twice)
	})
}

func FuzzDecodeIdentity(f *testing.F) {
	k := owner(f, "fuzz")
	for _, k := range []*keys.Keys{k, viewOnly(f, k)} {
		b, err := wallet.EncodeIdentity(origin(k), near)
		require.NoError(f, err)
		f.Add(b)
	}
	for _, a := range signers(f, 2, 3, 2) {
		o, err := wallet.GroupIdentity(a)
		require.NoError(f, err)
		b, err := wallet.EncodeIdentity(o, near)
		require.NoError(f, err)
		f.Add(b)
	}
	f.Add([]byte("o"))
	f.Fuzz(func(t *testing.T, b []byte) {
		o, l, err := wallet.DecodeIdentity(b)
		if err != nil {
			require.ErrorIs(t, err, wallet.ErrRecord)
			return
		}
		once, err := wallet.EncodeIdentity(o, l)
		require.NoError(t, err)
		o2, l2, err := wallet.DecodeIdentity(once)
		require.NoError(t, err)
		require.Equal(t, l, l2)
		require.Equal(t, o.Keys.ViewSecret(), o2.Keys.ViewSecret())
		require.Equal(t, o.Keys.SpendPublic, o2.Keys.SpendPublic)
		require.Equal(t, o.RestoreHeight, o2.RestoreHeight)
		require.Equal(t, o.Language, o2.Language)
		require.Equal(t, o.Network, o2.Network)
		require.Equal(t, fmt.Sprint(o.Multisig), fmt.Sprint(o2.Multisig))
	})
}

// FuzzReplay replays a valid identity followed by arbitrary records, each preceded by its length.
func FuzzReplay(f *testing.F) {
	log := seedLog(f, 12)
	var all []byte
	for _, b := range log[1:] {
		all = append(binary.LittleEndian.AppendUint16(all, uint16(len(b))), b...)
	}
	f.Add(all[:len(all)/2])
	f.Add(all)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		records := log[:1:1]
		for len(b) > 2 && len(records) < 40 {
			n := min(int(binary.LittleEndian.Uint16(b)), len(b)-2)
			record := b[2 : 2+n]
			b = b[2+n:]
			c, err := wallet.DecodeChange(record)
			if l := c.User.Lookahead; err == nil && l != nil && uint64(l.Major)*uint64(l.Minor) > 100 {
				return // valid, but slow
			}
			records = append(records, record)
		}
		w, err := wallet.Replay(records)
		if err != nil {
			require.ErrorIs(t, err, wallet.ErrRecord)
			return
		}
		require.Equal(t, w.Recounted(), w.Ledger())
		snapshot, err := w.Snapshot()
		require.NoError(t, err)
		again, err := wallet.Replay(snapshot)
		require.NoError(t, err)
		require.Equal(t, w.Dump(true), again.Dump(true))
		w.History()
		for major := range w.Accounts() {
			w.Balances(major, false, 0)
			w.Spendable(major, nil, w.Clock(0))
		}
	})
}

// TestRecordsRefused checks malformed records found by fuzzing.
func TestRecordsRefused(t *testing.T) {
	log := seedLog(t, 5)
	for _, records := range [][][]byte{
		nil,
		{},
		{nil},
		{{}},
		log[1:],
		{log[0], nil},
		{log[0], log[0]},
		{log[0], []byte("x")},
		{append(append([]byte(nil), log[0]...), 0)},
		{log[0], append(append([]byte(nil), log[1]...), 0)},
	} {
		_, err := wallet.Replay(records)
		require.ErrorIs(t, err, wallet.ErrRecord)
	}
	far := func(c wallet.ChangeSet) error {
		b, err := c.Encode()
		require.NoError(t, err)
		_, err = wallet.Replay([][]byte{log[0], b})
		return err
	}
	for _, i := range []keys.Index{
		{Major: 1 << 31}, {Minor: 1 << 31}, {Major: ^uint32(0), Minor: ^uint32(0)}, {Minor: 4},
	} {
		require.ErrorIs(t, far(wallet.ChangeSet{
			User: wallet.UserChange{Labels: []wallet.Label{{Index: i}}},
		}), wallet.ErrRecord)
		require.ErrorIs(t, far(wallet.ChangeSet{Chain: wallet.ChainChange{Used: []keys.Index{i}}}), wallet.ErrRecord)
	}
	require.ErrorIs(t, far(wallet.ChangeSet{
		User: wallet.UserChange{Lookahead: &wallet.Lookahead{Major: 1 << 20, Minor: 1 << 20}},
	}), wallet.ErrRecord)
	_, err := wallet.EncodeIdentity(origin(owner(t, "fuzz")), wallet.Lookahead{Major: 1 << 31, Minor: 1 << 31})
	require.ErrorIs(t, err, wallet.ErrLookahead)
}
