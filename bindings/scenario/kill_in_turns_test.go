package scenario

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// texts are entries that a wallet has, by kind and name.
type texts map[[2]string]string

// write makes an entry of a random kind in the wallet of c, and returns what it then has.
func (k *killedInTurns) write(c caller) (name [2]string, text string) {
	k.Helper()
	defer func() { k.made[name] = append(k.made[name], text) }()
	k.written++
	text = fmt.Sprintf("entry %d", k.written)
	switch k.random.IntN(4) {
	case 0:
		made := call[struct {
			Index uint32 `json:"address_index"`
		}](k.T, c, "create_address", object{"account_index": 0, "label": text})
		return [2]string{"label", fmt.Sprint(made.Index)}, text
	case 1:
		id := fmt.Sprintf("%064x", k.random.IntN(20))
		do(k.T, c, "set_tx_notes", object{"txids": []string{id}, "notes": []string{text}})
		return [2]string{"note", id}, text
	case 2:
		key := fmt.Sprint("key ", k.random.IntN(20))
		do(k.T, c, "set_attribute", object{"key": key, "value": text})
		return [2]string{"attribute", key}, text
	default:
		address := at(k.T, bob, 1, uint32(k.written))
		do(k.T, c, "add_address_book", object{"address": address, "description": text})
		return [2]string{"book", address}, text
	}
}

// require requires the wallet of c to have all entries or, with newer, entries of the same name that were made later.
func (k *killedInTurns) require(c caller, all texts, newer bool) {
	k.Helper()
	book := map[string]string{}
	for _, e := range call[struct {
		Entries []struct{ Address, Description string }
	}](k.T, c, "get_address_book", nil).Entries {
		book[e.Address] = e.Description
	}
	labels := map[string]string{}
	for _, a := range call[struct {
		Addresses []struct {
			Label string
			Index uint32 `json:"address_index"`
		}
	}](k.T, c, "get_address", object{"account_index": 0}).Addresses {
		labels[fmt.Sprint(a.Index)] = a.Label
	}
	for name, text := range all {
		var got string
		switch name[0] {
		case "label":
			got = labels[name[1]]
		case "note":
			got = call[struct{ Notes []string }](k.T, c, "get_tx_notes", object{"txids": []string{name[1]}}).Notes[0]
		case "attribute":
			got = call[struct{ Value string }](k.T, c, "get_attribute", object{"key": name[1]}).Value
		case "book":
			got = book[name[1]]
		}
		made := k.made[name]
		if !newer || !slices.Contains(made[slices.Index(made, text):], got) {
			require.Equal(k.T, text, got, name)
		}
	}
}

// killedInTurns is a wallet that the command and the reference use in turn, each until it is killed.
type killedInTurns struct {
	*mortal
	folder  *sharedFolder
	written int
	made    map[[2]string][]string // every text of an entry, in order
	keys    map[string]string      // secret keys of transactions
	all     texts                  // entries that must be in the wallet of glim
	shared  texts                  // entries that must be in the files of the reference
}

func (t texts) addTo(other texts) {
	for name, text := range t {
		other[name] = text
	}
}

// ours uses the wallet with the command, which is killed at a random moment. Entries are in the reference's cache
// once store or close_wallet has answered.
func (k *killedInTurns) ours(round int) {
	k.Helper()
	k.open()
	k.require(k, k.all, false)
	if round%3 == 0 {
		refresh(k.T, k)
		paid := pay(k.T, k, []destination{{at(k.T, bob, 0, 0), coin / 10}}, nil)
		k.keys[paid.TxHash] = paid.TxKey
	}
	for range 1 + k.random.IntN(5) {
		name, text := k.write(k)
		k.all[name] = text
	}
	for id, key := range k.keys {
		require.Equal(k.T, key, call[struct {
			Key string `json:"tx_key"`
		}](k.T, k, "get_tx_key", object{"txid": id}).Key)
	}
	switch k.random.IntN(3) {
	case 0:
		require.NoError(k.T, k.cmd.Process.Kill())
		<-k.ended
	case 1:
		if k.killedDuring("store", nil, nil) {
			k.all.addTo(k.shared)
		}
	default:
		if k.killedDuring("close_wallet", nil, nil) {
			k.all.addTo(k.shared)
		}
	}
	k.kill()
}

// theirs uses the wallet with the reference, which is killed after it has stored some entries.
func (k *killedInTurns) theirs() {
	k.Helper()
	w := peers.NewWalletRPC(k.T, k.d, peers.Options{Dir: k.folder.dir})
	do(k.T, w, "open_wallet", object{"filename": k.wallet, "password": k.password})
	k.require(w, k.shared, true) // an interrupted call may have written later ones
	made := texts{}
	for range 1 + k.random.IntN(4) {
		name, text := k.write(w)
		made[name] = text
	}
	do(k.T, w, "store", nil)
	made.addTo(k.shared)
	made.addTo(k.all)
	// What it has not stored is lost when it is killed. Only such entries are not checked.
	if k.random.IntN(2) == 0 {
		do(k.T, w, "set_attribute", object{"key": "not stored", "value": "lost"})
	}
	require.NoError(k.T, w.Kill())
}

// TestProgramsKilledInTurns uses one folder with glim and the reference in turn. Both are killed at random moments. The
// reference opens its files each time, with everything that glim had when it last stored or closed the wallet. glim has
// every entry that it has answered or that the reference has stored.
func TestProgramsKilledInTurns(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	random := uint64(time.Now().UnixNano())
	t.Logf("the seed of the moments is %d", random)
	k := &killedInTurns{
		mortal: &mortal{
			T: t, d: d, dir: filepath.Join(h.dir, "wallets"), wallet: "w", password: "p",
			random: rand.New(rand.NewPCG(random, 7)), took: map[string]time.Duration{},
		},
		folder: h, made: map[[2]string][]string{}, keys: map[string]string{}, all: texts{}, shared: texts{},
	}
	k.command = start(t, d, k.dir)
	do(t, k, "restore_deterministic_wallet", object{"filename": "w", "password": "p", "seed": seed(t, alice)})
	for round := range 3 * *crashRounds {
		k.ours(round)
		if round%2 == 1 {
			k.theirs()
		}
		k.command = start(t, d, k.dir)
	}
	k.open()
	k.require(k, k.all, false)
	mine(t, d, 2, at(t, nobody, 0, 0))
	refresh(t, k)
	do(t, k, "close_wallet", nil)
	w := peers.NewWalletRPC(t, d, peers.Options{Dir: h.dir})
	do(t, w, "open_wallet", object{"filename": "w", "password": "p"})
	k.require(w, k.all, false)
	for id, key := range k.keys {
		require.Equal(t, key, call[struct {
			Key string `json:"tx_key"`
		}](t, w, "get_tx_key", object{"txid": id}).Key)
	}
}
