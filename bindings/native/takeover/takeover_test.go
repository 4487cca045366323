package takeover_test

import (
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"

	"glim/bindings/native/takeover"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/xmr"
)

// drawn appends up to four random values to a list.
func drawn[T any](r *rand.Rand, list *[]T) {
	for range r.Intn(5) {
		v, ok := quick.Value(reflect.TypeFor[T](), r)
		if ok {
			*list = append(*list, v.Interface().(T))
		}
	}
}

func drawnCache(r *rand.Rand) *walletcache.Cache {
	c := &walletcache.Cache{Chain: walletcache.Chain{Offset: r.Uint64() >> r.Intn(64)}}
	drawn(r, &c.Transfers)
	drawn(r, &c.Pending)
	drawn(r, &c.Confirmed)
	drawn(r, &c.Payments)
	drawn(r, &c.TxKeys)
	drawn(r, &c.Labels)
	drawn(r, &c.Table)
	for i := range c.Table { // small, because the wallet derives these addresses
		c.Table[i].Account, c.Table[i].Addresses = c.Table[i].Account%50, c.Table[i].Addresses%50
	}
	drawn(r, &c.Notes)
	drawn(r, &c.Attributes)
	drawn(r, &c.AddressBook)
	drawn(r, &c.Tags)
	drawn(r, &c.AccountTags)
	drawn(r, &c.ColdKeyImages)
	drawn(r, &c.DeviceData)
	return c
}

// FuzzImportedCaches imports several caches with random contents into one wallet. The wallet's log must stay readable
// and yield the same report, and importing the last cache again must change nothing. Neither must importing a cache
// after the wallet's contents were filled in.
func FuzzImportedCaches(f *testing.F) {
	for seed := range int64(100) {
		f.Add(seed)
	}
	full, err := keys.FromSeed([32]byte{1})
	require.NoError(f, err)
	watching, err := keys.ViewOnly(full.ViewSecret(), full.SpendPublic)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, seed int64) {
		r := rand.New(rand.NewSource(seed))
		o := wallet.Identity{Network: xmr.Regtest, Keys: full}
		if r.Intn(2) == 0 {
			o.Keys = watching
		}
		l := wallet.Lookahead{Major: 1 + uint32(r.Intn(3)), Minor: 1 + uint32(r.Intn(3))}
		first, err := wallet.EncodeIdentity(o, l)
		require.NoError(t, err)
		w, log := wallet.New(o, l), [][]byte{first}
		take := func(contents *wallet.CacheContents) {
			for _, c := range contents.TakeOver(w, 1) {
				record, err := c.Encode()
				require.NoError(t, err)
				log = append(log, record)
				w.Commit(c)
			}
		}
		var contents *wallet.CacheContents
		for n := range byte(3) {
			c := drawnCache(r)
			contents = takeover.Contents(c, xmr.Regtest, &o, [32]byte{n + 1})
			c.Wipe()
			take(contents)
			again, err := wallet.Replay(log)
			require.NoError(t, err)
			require.Equal(t, w.Takeover(), again.Takeover())
			require.Equal(t, w.Book(), again.Book())
			require.Equal(t, w.Accounts(), again.Accounts())
		}
		take(contents)
		require.Zero(t, w.Takeover().NewAddresses)
		require.Zero(t, w.Takeover().Changed, "%+v", w.Takeover())

		c := drawnCache(r)
		take(takeover.Contents(c, xmr.Regtest, &o, [32]byte{7}))
		takeover.Fill(c, w.Contents(), &o)
		take(takeover.Contents(c, xmr.Regtest, &o, [32]byte{8}))
		require.Zero(t, w.Takeover().NewAddresses, "a filled cache has what the wallet has")
		require.Zero(t, w.Takeover().Changed, "%+v", w.Takeover())
		require.Len(t, c.Notes, len(w.Contents().Notes))
		require.Len(t, c.AddressBook, len(w.Book()))
	})
}
