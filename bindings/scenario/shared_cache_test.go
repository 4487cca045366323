package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// aside opens a copy of a wallet's own file in another folder.
func (h *sharedFolder) aside(name string) *glim {
	h.t.Helper()
	other := newSharedFolder(h.t, h.d)
	require.NoError(h.t, os.MkdirAll(other.wallets(), 0o700))
	b, err := os.ReadFile(filepath.Join(h.wallets(), name+".glim"))
	require.NoError(h.t, err)
	require.NoError(h.t, os.WriteFile(filepath.Join(other.wallets(), name+".glim"), b, 0o600))
	ours := other.glim(options{})
	open(h.t, ours, name)
	return ours
}

// TestReferenceHasWhatOursHas gives a wallet of glim content of every kind. The reference opens its folder, and answers
// like glim, once it has read the chain. Then the reference changes the content, and glim finds the changes.
func TestReferenceHasWhatOursHas(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	require.NoError(t, os.MkdirAll(h.wallets(), 0o700))
	ours := h.glim(options{})
	restore(t, ours, "alice", alice)
	refresh(t, ours)
	lived := live(t, d, ours)
	frozen := func(c caller) (images []string) {
		for _, o := range call[struct {
			Transfers []struct {
				Image  string `json:"key_image"`
				Frozen bool
			}
		}](t, c, "incoming_transfers", object{"transfer_type": "all"}).Transfers {
			if o.Frozen {
				images = append(images, o.Image)
			}
		}
		return images
	}
	kept := frozen(ours)
	require.Len(t, kept, 1)
	mine(t, d, 2, at(t, nobody, 0, 0))
	refresh(t, ours)
	do(t, ours, "close_wallet", nil)

	reference, copied := h.reference(), h.aside("alice")
	require.Equal(t, kept, frozen(copied))
	do(t, copied, "thaw", object{"key_image": kept[0]}) // a cache without outputs has none that is frozen
	open(t, reference, "alice")
	refresh(t, reference, copied)
	lived.compare(t, reference, copied)
	require.Equal(t, createAddresses(t, copied, 2), createAddresses(t, reference, 2))
	do(t, reference, "label_address", object{"index": object{"major": 0, "minor": 2}, "label": "theirs"})
	do(t, reference, "delete_address_book", object{"index": 1})
	do(t, reference, "set_tx_notes", object{"txids": []string{lived.txs[0]}, "notes": []string{"read"}})
	do(t, reference, "untag_accounts", object{"accounts": []int{2}})
	do(t, reference, "set_attribute", object{"key": "one", "value": "other"})
	require.NoError(t, reference.Stop())

	open(t, ours, "alice")
	require.Equal(t, kept, frozen(ours))
	book := call[struct{ Entries []object }](t, ours, "get_address_book", nil).Entries
	require.Len(t, book, 2)
	do(t, ours, "close_wallet", nil)
	before := files(t, h.wallets(), "alice")
	reference, copied = h.reference(), h.aside("alice")
	open(t, reference, "alice")
	require.Equal(t, kept, frozen(reference), "its cache has the output now")
	require.Zero(t, call[struct {
		Fetched uint64 `json:"blocks_fetched"`
	}](t, reference, "refresh", nil).Fetched, "glim keeps what it has read")
	refresh(t, copied)
	lived.compare(t, reference, copied)
	require.NoError(t, reference.Stop())
	open(t, ours, "alice")
	do(t, ours, "store", nil)
	do(t, ours, "close_wallet", nil)
	require.NotEqual(t, before, files(t, h.wallets(), "alice"), "the reference has stored it")
}

// TestReferenceHasImagesOfOurs imports key images into a view-only wallet of glim. The reference opens its folder and
// knows them when it has read the chain.
func TestReferenceHasImagesOfOurs(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	require.NoError(t, os.MkdirAll(h.wallets(), 0o700))
	full := newGlim(t, d.URL, options{})
	restore(t, full, "full", alice)
	refresh(t, full)
	pay(t, full, []destination{{at(t, bob, 0, 0), coin}}, nil)
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, full)
	ours := h.glim(options{})
	view := call[struct{ Key string }](t, full, "query_key", object{"key_type": "view_key"}).Key
	do(t, ours, "generate_from_keys", object{
		"filename": "view", "password": "", "address": at(t, alice, 0, 0), "viewkey": view,
	})
	refresh(t, ours)
	images := call[struct {
		Images []object `json:"signed_key_images"`
	}](t, full, "export_key_images", object{"all": true}).Images
	do(t, ours, "import_key_images", object{"signed_key_images": images})
	require.Equal(t, ledger(t, full).Balance, ledger(t, ours).Balance)
	do(t, ours, "close_wallet", nil)

	reference := peers.NewWalletRPC(t, d, peers.Options{Dir: h.dir})
	open(t, reference, "view")
	refresh(t, reference)
	require.Equal(t, ledger(t, full).Balance, ledger(t, reference).Balance)
}
