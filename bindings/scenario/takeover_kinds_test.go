package scenario

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
	disk "glim/bindings/native/files"
	"glim/core/service"
	"glim/core/walletrpc"
)

// TestTakesOverKeyImages: outputs that a view-only wallet of the reference knows as spent, from imported key images,
// stay spent in glim. The view key alone cannot find spends on the chain.
func TestTakesOverKeyImages(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	h := newSharedFolder(t, d)
	full := newGlim(t, d.URL, options{})
	restore(t, full, "alice", alice)
	refresh(t, full)
	pay(t, full, []destination{{at(t, bob, 0, 0), coin}}, nil)
	mine(t, d, 12, at(t, nobody, 0, 0))
	refresh(t, full)
	exported := call[images](t, full, "export_key_images", object{"all": true})

	reference := h.reference()
	view := call[struct{ Key string }](t, full, "query_key", object{"key_type": "view_key"}).Key
	do(t, reference, "generate_from_keys", object{
		"filename": "watch", "password": "", "address": at(t, alice, 0, 0), "viewkey": view, "restore_height": 0,
	})
	do(t, reference, "refresh", nil)
	do(t, reference, "import_key_images", object{"signed_key_images": exported.Signed})
	do(t, reference, "store", nil)
	balance := ledger(t, reference)
	require.Equal(t, ledger(t, full), balance)
	mirror := h.copied("watch")
	require.NoError(t, reference.Stop())

	ours := h.glim(options{})
	open(t, ours, "watch")
	refresh(t, mirror, ours)
	require.Equal(t, balance, ledger(t, ours))
	for _, kind := range []string{"all", "available", "unavailable"} {
		compare(t, mirror, ours, "incoming_transfers", object{"transfer_type": kind})
	}
	require.NotZero(t, takeoverOf(t, ours).KeyImages)
}

// TestTakesOverASigner continues with a signer of the reference in glim: spent outputs stay spent, the nonces stay with
// the reference, and the group can pay once infos have been exchanged again.
func TestTakesOverASigner(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	h := newSharedFolder(t, d)
	reference := h.reference()
	group := []signer{newSigner(t, d, nil, 70), newSigner(t, d, reference, 71)}
	mine(t, d, 40, at(t, 250, 0, 0))
	address := setUpGroup(t, group, 2)
	fund(t, d, group, address, 3)
	paying := func(maker, signer int) {
		t.Helper()
		exchangeInfos(t, group)
		params := object{"destinations": []destination{{at(t, 240, 0, 0), coin}}}
		made := call[multisigTransfer](t, group[maker], "transfer", params)
		signed := signedBy(t, group, made.Set, signer)
		require.Equal(t, signed.IDs, submitted(t, group[signer], signed.Set))
		mine(t, d, 12, at(t, 250, 0, 0))
		refreshGroup(t, group)
	}
	paying(0, 1)
	exchangeInfos(t, group)
	do(t, reference, "create_address", object{"account_index": 0, "count": 2, "label": "of the group"})
	want := ledger(t, group[0])
	require.Equal(t, want, ledger(t, reference))
	require.NoError(t, reference.Stop())

	ours := h.glim(options{lookahead: closeBy})
	open(t, ours, "signer-71")
	refresh(t, ours)
	require.Equal(t, want, ledger(t, ours))
	require.Contains(t, takeoverOf(t, ours).Left[0], "exchange them anew")
	require.Equal(t, []uint32{3}, createAddresses(t, ours, 1))
	group[1] = signer{ours, false}
	params := object{"destinations": []destination{{at(t, 240, 0, 0), coin}}}
	require.Equal(t, -4, refusal(t, ours, "transfer", params).Code, "infos have to be exchanged first")
	paying(1, 0)
	paying(0, 1)
	require.Equal(t, ledger(t, group[0]), ledger(t, ours))
}

// errDead is the error of a broken disk.
var errDead = errors.New("the disk broke")

// breaking is a folder whose disk breaks at a write: before it, in its middle, or after it but before it is reported.
type breaking struct {
	native.WalletDir
	left *int
	how  int
}

func (b breaking) CreateForTakeover(name string) (service.Storage, error) {
	return b.wrap(b.WalletDir.CreateForTakeover(name))
}

func (b breaking) Open(name string) (service.Storage, error) { return b.wrap(b.WalletDir.Open(name)) }

func (b breaking) wrap(st service.Storage, err error) (service.Storage, error) {
	if err != nil {
		return nil, err
	}
	return breakingFile{st.(*disk.File), b}, nil
}

type breakingFile struct {
	*disk.File
	breaking
}

func (f breakingFile) write(p []byte, write func([]byte) error) error {
	*f.left--
	switch {
	case *f.left > 0:
		return write(p)
	case *f.left < 0 || f.how == 0:
		return errDead
	case f.how == 1:
		p = p[:len(p)/2]
	}
	return errors.Join(write(p), errDead)
}

// Append implements journal.Storage.
func (f breakingFile) Append(p []byte) error { return f.write(p, f.File.Append) }

// Replace implements journal.Storage. It is atomic, so it cannot break in its middle.
func (f breakingFile) Replace(p []byte) error {
	if *f.left == 1 && f.how == 1 {
		*f.left--
		return errDead
	}
	return f.write(p, f.File.Replace)
}

// Truncate implements journal.Storage.
func (f breakingFile) Truncate(size int64) error {
	return f.write(nil, func([]byte) error { return f.File.Truncate(size) })
}

// TestTakingOverFailsAnywhere breaks the disk at each write of an import, before, during and after it. The wallet that
// opens afterwards has imported everything.
func TestTakingOverFailsAnywhere(t *testing.T) {
	t.Parallel()
	h := newSharedFolder(t, newDaemon(t))
	reference := h.reference()
	restore(t, reference, "shop", dave)
	for range 3 {
		createAddresses(t, reference, 60)
	}
	do(t, reference, "label_address", object{"index": object{"major": 0, "minor": 170}, "label": "far"})
	do(t, reference, "set_attribute", object{"key": "k", "value": "v"})
	require.NoError(t, reference.Stop())
	from := files(t, h.wallets(), "shop", "shop.keys")
	folder := func() string {
		dir := t.TempDir()
		for name, content := range from {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
		return dir
	}
	state := func(c caller) string {
		t.Helper()
		var all []json.RawMessage
		for _, method := range []string{"get_takeover", "get_accounts", "get_address", "get_attribute"} {
			params := object{"account_index": 0, "key": "k"}
			all = append(all, call[json.RawMessage](t, c, method, params))
		}
		b, err := json.Marshal(all)
		require.NoError(t, err)
		return string(b)
	}
	now := func() uint64 { return 1 }
	complete := newGlim(t, h.d.URL, options{dir: folder(), now: now})
	open(t, complete, "shop")
	want := state(complete)
	require.Contains(t, want, "far")

	broke := 0
	for how := range 3 {
		for n := 1; ; n++ {
			left, dir := n, folder()
			breaks := func(d native.WalletDir) service.Files { return breaking{d, &left, how} }
			o := options{dir: dir, now: now, files: breaks}
			ours := newGlim(t, h.d.URL, o)
			err := ours.JSON(deadline(t), "open_wallet", object{"filename": "shop", "password": ""}, nil)
			if left > 0 {
				require.NoError(t, err)
				_ = ours.Close()
				break
			}
			require.Error(t, err)
			_ = ours.Close() // as the process ends
			broke++
			again := newGlim(t, h.d.URL, options{dir: dir, now: now})
			open(t, again, "shop")
			require.Equal(t, want, state(again), "write %d, %d", n, how)
			require.NoError(t, again.Close())
			again = newGlim(t, h.d.URL, options{dir: dir, now: now})
			open(t, again, "shop")
			require.Equal(t, want, state(again), "write %d, %d", n, how)
		}
	}
	require.GreaterOrEqual(t, broke, 6, "at least the file and its first change are written")
}

// TestKilledWhileTakingOver kills the command at random moments while it imports a wallet. The wallet that opens
// afterwards has imported everything.
func TestKilledWhileTakingOver(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	h := newSharedFolder(t, d)
	reference := h.reference()
	restore(t, reference, "shop", dave)
	createAddresses(t, reference, 60)
	require.NoError(t, reference.Stop())
	m := newMortal(t, d, "shop", 20261123)
	lost := 0
	for range *crashRounds {
		for name, content := range files(t, h.wallets(), "shop", "shop.keys") {
			require.NoError(t, os.WriteFile(filepath.Join(m.dir, name), []byte(content), 0o600))
		}
		if !m.killedDuring("open_wallet", object{"filename": "shop", "password": ""}, nil) {
			lost++
		}
		m.open()
		report := call[walletrpc.GetTakeoverResponse](t, m, "get_takeover", nil)
		require.EqualValues(t, 61, report.Addresses)
		require.Equal(t, "cache", report.From)
		require.Equal(t, []uint32{61}, createAddresses(t, m, 1))
		do(t, m, "close_wallet", nil)
		for _, name := range []string{"shop.glim", ".shop.glim.lock"} {
			require.NoError(t, os.Remove(filepath.Join(m.dir, name)))
		}
	}
	t.Log(lost, "calls without an answer")
}
