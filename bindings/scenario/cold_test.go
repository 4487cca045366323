package scenario

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/coldset"
	"glim/core/keys"
)

// signers are a view-only wallet with a daemon (hot), a cold signer without one, and a complete wallet of the same
// keys.
type signers struct {
	hot, cold, full   caller
	oursHot, oursCold bool
	// box, if not nil, translates messages of our view-only wallet into the layout that the installed reference reads:
	// 0.18.1.0 replaced that layout, and ours is the new one.
	box *coldset.Cipher
}

func boxOf(t *testing.T, n byte) *coldset.Cipher {
	t.Helper()
	k, err := keys.FromSeed([32]byte{n, 1, 2, 3, 5, 8, 13, 21})
	require.NoError(t, err)
	return coldset.NewCipher(k, 1)
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	return b
}

// damaged flips a bit of a message.
func damaged(t *testing.T, message string) string {
	t.Helper()
	b := unhex(t, message)
	b[len(b)/2] ^= 1
	return hex.EncodeToString(b)
}

func (s *signers) outputs(t *testing.T, message string) string {
	t.Helper()
	if s.box == nil {
		return message
	}
	set, err := s.box.DecodeOutputs(unhex(t, message))
	require.NoError(t, err)
	old := set.Legacy()
	b, err := s.box.EncodeOutputs(rand.Reader, &old)
	require.NoError(t, err)
	return hex.EncodeToString(b)
}

func (s *signers) unsigned(t *testing.T, message string) string {
	t.Helper()
	require.NotEmpty(t, message)
	if s.box == nil {
		return message
	}
	set, err := s.box.DecodeUnsigned(unhex(t, message))
	require.NoError(t, err)
	b, err := s.box.EncodeUnsigned(rand.Reader, coldset.NewUnsignedSet(set.Transactions, set.Outputs.Legacy()))
	require.NoError(t, err)
	return hex.EncodeToString(b)
}

type imported struct {
	Height  uint64 `json:"height"`
	Spent   uint64 `json:"spent"`
	Unspent uint64 `json:"unspent"`
}

type images struct {
	Offset uint64           `json:"offset"`
	Signed []map[string]any `json:"signed_key_images"`
}

// share brings outputs to the cold signer and key images back.
func (s *signers) share(t *testing.T, all bool) imported {
	t.Helper()
	exported := call[struct {
		Hex string `json:"outputs_data_hex"`
	}](t, s.hot, "export_outputs", object{"all": all}).Hex
	do(t, s.cold, "import_outputs", object{"outputs_data_hex": s.outputs(t, exported)})
	i := call[images](t, s.cold, "export_key_images", object{"all": all})
	return call[imported](t, s.hot, "import_key_images", object{"offset": i.Offset, "signed_key_images": i.Signed})
}

type described struct {
	Summary struct {
		In         uint64        `json:"amount_in"`
		Out        uint64        `json:"amount_out"`
		Change     uint64        `json:"change_amount"`
		Fee        uint64        `json:"fee"`
		Recipients []destination `json:"recipients"`
	} `json:"summary"`
	Desc []json.RawMessage `json:"desc"`
}

type signed struct {
	Set  string   `json:"signed_txset"`
	IDs  []string `json:"tx_hash_list"`
	Keys []string `json:"tx_key_list"`
	Raw  []string `json:"tx_raw_list"`
}

// finish signs a set, submits it and mines its transactions.
func (s *signers) finish(t *testing.T, d *peers.Daemon, message string, wanted []destination) {
	t.Helper()
	set := s.unsigned(t, message)
	about := call[described](t, s.cold, "describe_transfer", object{"unsigned_txset": set})
	if wanted != nil {
		require.ElementsMatch(t, wanted, about.Summary.Recipients)
	}
	require.Equal(t, about.Summary.In, about.Summary.Out+about.Summary.Fee)

	broken := damaged(t, set)
	require.Equal(t, -39, refusal(t, s.cold, "sign_transfer", object{"unsigned_txset": broken}).Code)
	require.Equal(t, -39, refusal(t, s.cold, "describe_transfer", object{"unsigned_txset": broken}).Code)
	require.Equal(t, -26, refusal(t, s.cold, "sign_transfer", object{"unsigned_txset": "x"}).Code)
	require.Equal(t, -29, refusal(t, s.hot, "sign_transfer", object{"unsigned_txset": set}).Code)

	answer := call[signed](t, s.cold, "sign_transfer", object{
		"unsigned_txset": set, "get_tx_keys": true, "export_raw": true,
	})
	require.Len(t, answer.IDs, len(about.Desc))
	require.Len(t, answer.Keys, len(about.Desc))
	require.Len(t, answer.Raw, len(about.Desc))
	require.Equal(t, answer.Keys[0], call[struct {
		Key string `json:"tx_key"`
	}](t, s.cold, "get_tx_key", object{"txid": answer.IDs[0]}).Key)

	broken = damaged(t, answer.Set)
	require.Equal(t, -40, refusal(t, s.hot, "submit_transfer", object{"tx_data_hex": broken}).Code)
	require.Equal(t, -26, refusal(t, s.hot, "submit_transfer", object{"tx_data_hex": "x"}).Code)
	sent := call[struct {
		IDs []string `json:"tx_hash_list"`
	}](t, s.hot, "submit_transfer", object{"tx_data_hex": answer.Set})
	require.Equal(t, answer.IDs, sent.IDs)
	mine(t, d, 1, at(t, nobody, 0, 0))
	refresh(t, s.hot)
	var entry struct {
		Transfer struct{ Type string }
	}
	for _, id := range sent.IDs {
		require.NoError(t, s.hot.JSON(deadline(t), "get_transfer_by_txid", object{"txid": id}, &entry))
		require.Equal(t, "out", entry.Transfer.Type)
	}
}

// A view-only wallet and a cold signer pay together, whichever of the two is ours: outputs, key images, unsigned and
// signed sets pass between them, and both end with the balance of a complete wallet.
func TestColdSigning(t *testing.T) {
	t.Cleanup(func() {
		for _, method := range []string{
			"import_outputs", "import_key_images", "describe_transfer", "sign_transfer", "submit_transfer",
		} {
			if !t.Failed() { // each program accepted the other's messages, with the outcome of a complete wallet
				record(method, false)
			}
		}
	})
	for _, c := range []struct {
		name              string
		oursHot, oursCold bool
	}{{"ours, theirs", true, false}, {"theirs, ours", false, true}, {"ours, ours", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newMined(t)
			if c.oursHot && c.oursCold { // all transactions are ours, so monerod verifies them
				d = newMinedMonerod(t)
			}
			s := newSigners(t, d, c.oursHot, c.oursCold)
			s.spentBefore(t, d)
			s.refusedExports(t)
			s.refusedImages(t)
			s.transfer(t, d)
			s.splitAndSweep(t, d)
		})
	}
}

func newSigners(t *testing.T, d *peers.Daemon, oursHot, oursCold bool) *signers {
	t.Helper()
	s := &signers{oursHot: oursHot, oursCold: oursCold}
	if s.hot = newReference(t, d); oursHot {
		s.hot = newGlim(t, d.URL, options{dir: t.TempDir()})
	}
	if oursCold {
		s.cold = newGlim(t, "", options{})
	} else {
		s.cold = peers.NewWalletRPC(t, nil, peers.Options{})
	}
	if oursHot && !oursCold && !peers.Require(t).Release.AtLeast(0, 18, 1) {
		s.box = boxOf(t, alice)
	}
	s.full = newReference(t, d)
	restore(t, s.cold, "cold", alice)
	restore(t, s.full, "full", alice)
	view := call[struct{ Key string }](t, s.cold, "query_key", object{"key_type": "view_key"}).Key
	do(t, s.hot, "generate_from_keys", object{
		"filename": "hot", "password": "", "address": at(t, alice, 0, 0), "viewkey": view, "restore_height": 0,
	})
	return s
}

// spentBefore spends outputs before the view-only wallet has any key image.
func (s *signers) spentBefore(t *testing.T, d *peers.Daemon) {
	t.Helper()
	refresh(t, s.full)
	pay(t, s.full, []destination{{at(t, bob, 0, 0), 3 * coin}, {at(t, bob, 0, 1), 2 * coin}}, nil)
	mine(t, d, 10, at(t, nobody, 0, 0))
	refresh(t, s.full, s.hot)
	have := ledger(t, s.full)
	require.Greater(t, ledger(t, s.hot).Balance, have.Balance,
		"spent outputs count while their key images are unknown")
	got := s.share(t, true)
	require.Equal(t, have.Balance, got.Unspent)
	require.NotZero(t, got.Spent)
	require.NotZero(t, got.Height)
	require.Equal(t, have, ledger(t, s.hot))
	if s.oursHot {
		compareAll(t, s.full, s.hot, 2)
	}
}

// refusedExports requests exports and imports that need the other wallet's keys.
func (s *signers) refusedExports(t *testing.T) {
	t.Helper()
	if s.oursHot {
		e := refusal(t, s.hot, "export_outputs", object{"all": false, "start": 1})
		require.Equal(t,
			peers.Error{Code: -1, Message: "Incremental mode is incompatible with non-zero start"}, e)
		require.Equal(t, -1, refusal(t, s.hot, "export_key_images", object{"all": true}).Code)
		own := call[struct {
			Hex string `json:"outputs_data_hex"`
		}](t, s.hot, "export_outputs", object{"all": true}).Hex
		require.Equal(t, -1, refusal(t, s.hot, "import_outputs", object{"outputs_data_hex": own}).Code)
	}
}

// refusedImages imports key images with invalid signatures and offsets, which changes nothing.
func (s *signers) refusedImages(t *testing.T) {
	t.Helper()
	if s.oursCold {
		i := call[images](t, s.cold, "export_key_images", object{"all": true})
		i.Signed[0], i.Signed[1] = i.Signed[1], i.Signed[0]
		require.Equal(t, -9,
			refusal(t, s.hot, "import_key_images", object{
				"offset": i.Offset, "signed_key_images": i.Signed,
			}).Code)
		require.Equal(t, -1,
			refusal(t, s.hot, "import_key_images", object{"offset": 1000, "signed_key_images": i.Signed}).Code)
		require.Equal(t, -10,
			refusal(t, s.hot, "import_key_images", object{
				"signed_key_images": []object{{"key_image": "x"}},
			}).Code)
	}
}

// transfer pays three destinations.
func (s *signers) transfer(t *testing.T, d *peers.Daemon) {
	t.Helper()
	to := []destination{{at(t, bob, 0, 0), coin}, {at(t, bob, 1, 2), 2 * coin}, {at(t, carol, 0, 0), 3 * coin}}
	made := call[map[string]any](t, s.hot, "transfer", object{
		"destinations": to, "get_tx_metadata": s.oursHot, "get_tx_hex": s.oursHot,
	})
	require.EqualValues(t, 6*coin, made["amount"])
	require.NotZero(t, made["fee"])
	require.NotZero(t, made["weight"])
	for _, empty := range []string{"tx_key", "tx_blob", "tx_metadata", "multisig_txset"} {
		require.Empty(t, made[empty], empty)
	}
	s.finish(t, d, made["unsigned_txset"].(string), to)
	refresh(t, s.full)
	require.Equal(t, ledger(t, s.full), ledger(t, s.hot))
	if s.oursHot {
		compareAll(t, s.full, s.hot, 2)
		// Imported key images survive closing the wallet and a rescan.
		do(t, s.hot, "close_wallet", nil)
		do(t, s.hot, "open_wallet", object{"filename": "hot", "password": ""})
		require.Equal(t, ledger(t, s.full), ledger(t, s.hot))
		do(t, s.hot, "rescan_blockchain", nil)
		compareAll(t, s.full, s.hot, 2)
	}
	mine(t, d, 10, at(t, nobody, 0, 0))
	refresh(t, s.full, s.hot)

	// The second exchange transfers only new outputs, and the signer's balance follows.
	if s.box == nil { // when it signs a set without outputs, 0.18.0.0 forgets the outputs it has imported
		s.share(t, false)
	}
	s.share(t, true)
	require.Equal(t, ledger(t, s.full).Balance, ledger(t, s.cold).Balance)
}

// splitAndSweep pays with transfer_split and then sweeps the rest.
func (s *signers) splitAndSweep(t *testing.T, d *peers.Daemon) {
	t.Helper()
	one := []destination{{at(t, bob, 0, 0), coin}}
	split := call[struct {
		Set    string   `json:"unsigned_txset"`
		Drafts []string `json:"tx_hash_list"`
	}](t, s.hot, "transfer_split", object{"destinations": one})
	require.Len(t, split.Drafts, 1)
	require.Len(t, split.Drafts[0], 64)
	s.finish(t, d, split.Set, one)
	mine(t, d, 60, at(t, nobody, 0, 0))
	refresh(t, s.full, s.hot)
	require.Equal(t, ledger(t, s.full), ledger(t, s.hot))

	if s.box != nil {
		s.share(t, true) // likewise
	}
	swept := call[struct {
		Set  string   `json:"unsigned_txset"`
		Fees []uint64 `json:"fee_list"`
	}](t, s.hot, "sweep_all", object{"address": at(t, bob, 0, 0), "subaddr_indices_all": true})
	require.NotEmpty(t, swept.Fees)
	s.finish(t, d, swept.Set, nil)
	refresh(t, s.full)
	require.Zero(t, ledger(t, s.hot).Balance)
	require.Zero(t, ledger(t, s.full).Balance)
	if s.oursHot {
		compareAll(t, s.full, s.hot, 2)
	}
}

// TestRelaysMetadataOfTheOtherProgram: each program relays transactions that the other made and did not relay.
func TestRelaysMetadataOfTheOtherProgram(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	mirror, ours := newReference(t, d), newGlim(t, d.URL, options{})
	for _, c := range []caller{mirror, ours} {
		restore(t, c, "alice", alice)
	}
	refresh(t, mirror, ours)
	for i, pair := range [][2]caller{{mirror, ours}, {ours, mirror}, {ours, ours}} {
		made := call[struct {
			ID       string `json:"tx_hash"`
			Metadata string `json:"tx_metadata"`
		}](t, pair[0], "transfer",
			object{"destinations": []destination{{at(t, bob, 0, 1), coin}, {at(t, bob, 2, 1), coin}},
				"do_not_relay": true, "get_tx_metadata": true})
		require.Equal(t, -27, refusal(t, pair[1], "relay_tx", object{"hex": made.Metadata[:400]}).Code, i)
		require.Equal(t, -26, refusal(t, pair[1], "relay_tx", object{"hex": "x"}).Code, i)
		sent := call[struct {
			ID string `json:"tx_hash"`
		}](t, pair[1], "relay_tx", object{"hex": made.Metadata})
		require.Equal(t, made.ID, sent.ID)
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, mirror, ours)
		compareAll(t, mirror, ours, 1)
		mine(t, d, 9, at(t, nobody, 0, 0))
		refresh(t, mirror, ours)
		key := call[struct {
			Key string `json:"tx_key"`
		}](t, pair[1], "get_tx_key", object{"txid": made.ID}).Key
		require.Len(t, key, 64*4, "the main key, and one for each subaddress and for change")
	}
	e := refusal(t, ours, "relay_tx", object{"hex": "00"})
	require.Equal(t, peers.Error{Code: -27, Message: "Failed to parse tx metadata."}, e)
}
