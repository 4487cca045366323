package session_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/journal"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/xmr"
)

// transfers logs n transfers in changes of a hundred: payments of one output each, a third of them spent, ten in a
// block, with notices that they are confirmed and unlocked.
func transfers(t testing.TB, s *session.Session, n int) {
	t.Helper()
	rnd := chaintest.NewRandom("transfers")
	for i := 0; i < n; i += 100 {
		require.NoError(t, s.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return hundred(rnd, i), nil, nil
		}))
	}
}

func hundred(rnd *chaintest.Random, first int) (c wallet.ChangeSet) {
	for j := first; j < first+100; j++ {
		h := uint64(j/10 + 1)
		o := wallet.OwnedOutput{
			TxID: rnd.Bytes32(), GlobalIndex: uint64(j) * 50, Amount: 1 + rnd.Uint64()%(1<<40),
			Mask: rnd.Bytes32(), Key: rnd.Bytes32(), Image: rnd.Bytes32(), ImageKnown: true,
			Derivation: rnd.Bytes32(), Height: h, Timestamp: 1_700_000_000, RingCT: true,
		}
		c.Chain.Outputs = append(c.Chain.Outputs, o)
		p := wallet.Payment{
			TxID: o.TxID, Amount: o.Amount, Amounts: []uint64{o.Amount}, Height: h, Timestamp: o.Timestamp,
		}
		c.Chain.Payments = append(c.Chain.Payments, p)
		notice := wallet.Notice{
			Kind: wallet.NoticeConfirmed, TxID: p.TxID, Amount: p.Amount, Height: h, Timestamp: p.Timestamp,
		}
		c.Notices.Add = append(c.Notices.Add, notice)
		notice.Kind = wallet.NoticeUnlocked
		c.Notices.Add = append(c.Notices.Add, notice)
		if j%3 == 0 {
			c.Chain.Spends = append(c.Chain.Spends, wallet.Spend{
				TxID: rnd.Bytes32(), AmountIn: o.Amount, Height: h, Indices: []uint32{0},
				Images: []xmr.KeyImage{o.Image},
			})
		}
		if j%10 == 0 {
			c.Chain.Blocks = append(c.Chain.Blocks, wallet.BlockID{Height: h, Hash: rnd.Bytes32()})
		}
	}
	return c
}

// again opens a wallet from content, which the storage does not copy.
func again(t testing.TB, content []byte) *session.Session {
	t.Helper()
	s, err := session.Open(&journal.Memory{Content: content}, []byte("password"), host())
	require.NoError(t, err)
	return s
}

// BenchmarkOpen opens a wallet with fifty thousand transfers and the default lookahead, from the log of its changes
// and from the snapshot that Close writes. The cost of the password is not included, see BenchmarkDefaultKDF of
// package journal.
func BenchmarkOpen(b *testing.B) {
	const n = 50_000
	st := journal.NewMemory()
	o := wallet.Identity{Network: xmr.Regtest, Keys: owner(b), RestoreHeight: 1}
	s, err := session.Create(st, []byte("password"), journal.WeakestKDF(), o, wallet.DefaultLookahead, host())
	require.NoError(b, err)
	transfers(b, s, n)
	log := st.Content
	require.NoError(b, s.Close())
	for _, c := range []struct {
		name    string
		content []byte
	}{{"log", log}, {"snapshot", st.Content}} {
		b.Run(c.name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			s := again(b, c.content)
			runtime.GC()
			runtime.ReadMemStats(&after)
			s.View(func(w *wallet.Wallet) { require.Len(b, w.Outputs(), n) })
			for b.Loop() {
				again(b, c.content)
			}
			b.ReportMetric(float64(len(c.content))/n, "stored-B/transfer")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "heap-B/transfer")
			runtime.KeepAlive(s)
		})
	}
}
