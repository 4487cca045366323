package walletcache

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/chacha"
	"glim/core/xmr"
)

// TestEdit changes each part of caches of every version. The other parts are the same bytes as before.
func TestEdit(t *testing.T) {
	key := NewKey([]byte("p"), 1)
	for version := range uint64(3) {
		for _, size := range []int{0, 1, 3} {
			t.Run(fmt.Sprint(version, " ", size), func(t *testing.T) {
				data := encode(everything(version, size), 0)
				file := sealUnder(&key.key, data, [chacha.IVSize]byte{1})
				c := opened(t, data)
				edit := func(change func(*Cache) []WatchedKey) []byte {
					next, err := key.Edit(file, c.Spend, c.View, rand.Reader, func(c *Cache) ([]WatchedKey, error) {
						return change(c), nil
					})
					require.NoError(t, err)
					plain, err := key.open(next)
					require.NoError(t, err)
					return plain
				}
				require.Equal(t, data, edit(func(*Cache) []WatchedKey { return nil }))
				text := func(k byte) string { return string(bytes.Repeat([]byte{'a' + k}, int(k)*100)) }
				for name, change := range map[string]func(*Cache) []WatchedKey{
					"labels": func(c *Cache) []WatchedKey {
						c.Labels = append(slices.Clone(c.Labels), []string{text(1), ""})
						return nil
					},
					"table": func(c *Cache) []WatchedKey {
						c.Table = append(slices.Clone(c.Table), Watched{77, 2})
						return []WatchedKey{{Index{77, 0}, xmr.PublicKey{7}}, {Index{77, 1}, xmr.PublicKey{8}}}
					},
					"keys": func(c *Cache) []WatchedKey {
						additional := []TxKey{{TxID: xmr.Hash{9}, Key: [32]byte{8}, Additional: [][32]byte{{1}, {2}}}}
						c.TxKeys = append(additional, c.TxKeys...)
						return nil
					},
					"confirmed": func(c *Cache) []WatchedKey {
						c.Confirmed = append(slices.Clone(c.Confirmed), Sent{
							TxID: xmr.Hash{3}, AmountIn: 5, Destinations: []Destination{{Original: "a", Amount: 1}},
							Rings: []Ring{{Offsets: []uint64{3, 200, 1 << 40}}}, Addresses: []uint32{4},
						})
						return nil
					},
					"notes": func(c *Cache) []WatchedKey {
						c.Notes = []Note{{xmr.Hash{1}, text(2)}}
						return nil
					},
					"book": func(c *Cache) []WatchedKey {
						c.AddressBook = []Contact{{Spend: xmr.PublicKey{1}, Description: text(3), HasPaymentID: true}}
						return nil
					},
					"attributes": func(c *Cache) []WatchedKey {
						c.Attributes = append(slices.Clone(c.Attributes), Attribute{text(4), text(5)})
						return nil
					},
					"tags": func(c *Cache) []WatchedKey {
						c.Tags, c.AccountTags = []Tag{{"shop", text(6)}}, []string{"", "shop"}
						return nil
					},
					"images": func(c *Cache) []WatchedKey {
						image := ColdImage{xmr.PublicKey{2}, xmr.KeyImage{3}}
						c.ColdKeyImages = append(slices.Clone(c.ColdKeyImages), image)
						return nil
					},
					"frozen": func(c *Cache) []WatchedKey {
						c.Transfers = slices.Clone(c.Transfers)
						for i := range c.Transfers {
							c.Transfers[i].Frozen = !c.Transfers[i].Frozen
						}
						return nil
					},
				} {
					want := *c
					change(&want)
					next := edit(change)
					require.Equal(t, &want, opened(t, next), name)
					require.Equal(t, name == "frozen" && size == 0, bytes.Equal(next, data), name)
				}
			})
		}
	}
}

// TestEditOfEmpty fills the cache of a wallet that has scanned nothing.
func TestEditOfEmpty(t *testing.T) {
	key := NewKey([]byte("p"), 1)
	spend, view := xmr.PublicKey{1}, xmr.PublicKey{2}
	file, err := key.Empty(spend, view, rand.Reader)
	require.NoError(t, err)
	require.True(t, IsEmpty(file))
	same, err := key.Edit(file, spend, view, rand.Reader, func(*Cache) ([]WatchedKey, error) { return nil, nil })
	require.NoError(t, err)
	require.Equal(t, file, same)
	next, err := key.Edit(file, spend, view, rand.Reader, func(c *Cache) ([]WatchedKey, error) {
		c.Labels = [][]string{{"Primary account", "till"}}
		return []WatchedKey{{Index{}, spend}}, nil
	})
	require.NoError(t, err)
	require.False(t, IsEmpty(next))
	require.NoError(t, Opens(next, []byte("p"), 1))
	require.Less(t, len(next), 1000)
}

func TestEditRefuses(t *testing.T) {
	key, other := NewKey([]byte("p"), 1), NewKey([]byte("q"), 1)
	spend, view := xmr.PublicKey{1}, xmr.PublicKey{2}
	file, err := key.Empty(spend, view, rand.Reader)
	require.NoError(t, err)
	none := func(*Cache) ([]WatchedKey, error) { return nil, nil }
	edit := func(k *Key, file []byte, spend xmr.PublicKey, f func(*Cache) ([]WatchedKey, error)) error {
		next, err := k.Edit(file, spend, view, rand.Reader, f)
		require.Nil(t, next)
		return err
	}
	require.ErrorIs(t, edit(other, file, spend, none), ErrPassword)
	require.ErrorIs(t, edit(key, file, view, none), ErrOwner)
	require.ErrorIs(t, edit(key, file[:len(file)-1], spend, none), ErrFormat)
	early := read(t, "boost-0.16.0.3.archive")
	require.ErrorIs(t, edit(key, early, spend, none), ErrArchive)
	require.ErrorIs(t, edit(key, sealUnder(&key.key, early, [chacha.IVSize]byte{}), spend, none), ErrArchive)
	failed := errors.New("failed")
	require.ErrorIs(t, edit(key, file, spend, func(*Cache) ([]WatchedKey, error) { return nil, failed }), failed)
	require.Equal(t, "[secret]", fmt.Sprint(key))
	key.Wipe()
	require.ErrorIs(t, edit(key, file, spend, none), ErrPassword)
	(*Key)(nil).Wipe()
}
