package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// drawn are the members of a payment's answer that differ each time it is made, because inputs, keys and decoys are drawn.
var drawn = []string{"tx_hash", "tx_key", "tx_blob", "tx_metadata", "unsigned_txset", "fee", "weight", "key_images",
	"tx_hash_list", "tx_key_list", "tx_blob_list", "tx_metadata_list", "fee_list", "weight_list", "spent_key_images_list"}

// swept are those of a sweep, which sends all but the fee.
var swept = append([]string{"amount", "amount_list"}, drawn...)

func (p *pair) spending(t *testing.T, d *peers.Daemon) {
	q := *p
	q.t = t
	to := func(address string, amount any) object { return object{"address": address, "amount": amount} }
	somebody := at(t, bob, 0, 0)
	integrated := func(id string) string {
		return call[struct {
			Address string `json:"integrated_address"`
		}](t, q.ours, "make_integrated_address", object{"payment_id": id, "standard_address": somebody}).Address
	}
	one := []object{to(somebody, coin)}
	for _, method := range []string{"transfer", "transfer_split"} {
		keys := object{"transfer": "get_tx_key", "transfer_split": "get_tx_keys"}[method].(string)
		// Granted.
		for _, params := range []object{
			{"destinations": one},
			{"destinations": one, keys: true, "get_tx_hex": true, "get_tx_metadata": true},
			{"destinations": []object{to(somebody, coin), to(at(t, bob, 1, 1), 1), to(somebody, coin)}, "priority": 4},
			{"destinations": one, "ring_size": 5, "priority": 1, "subaddr_indices": []int{0, 0}},
			{"destinations": []object{to(integrated("0123456789abcdef"), coin)}},
			{"destinations": []object{to(somebody, "1000000")}},
		} {
			q.alike(method, with(params, "do_not_relay", true), drawn...)
		}
		// Refused.
		for _, params := range []object{
			{}, {"destinations": []object{}}, {"destinations": []object{{}}}, {"destinations": []object{{"address": somebody}}},
			{"destinations": []object{to("", 1)}}, {"destinations": []object{to("x", 1)}}, {"destinations": []object{to(somebody[1:], 1)}},
			{"destinations": []object{to("9wviCeWe2D8XS82k2ovp5EUYLzBt9pYNW2LXUFsZiv8S3Mt21FZ5qQaAroko1enzw3eGr9qC7X1D7Geoo2RrAotYPwq9Gm8", 1)}},
			{"destinations": []object{to(somebody, 0)}}, {"destinations": []object{to(somebody, coin), to(somebody, 0)}},
			{"destinations": []object{to(somebody, coin), to("x", 0)}},
			{"destinations": []object{to(somebody, uint64(1)<<63)}}, {"destinations": []object{to(somebody, uint64(1)<<63), to(somebody, uint64(1)<<63)}},
			{"destinations": []object{to(somebody, ^uint64(0)), to(somebody, 2)}}, {"destinations": []object{to(somebody, ^uint64(0))}},
			{"destinations": one, "payment_id": "x"}, {"destinations": one, "payment_id": "0123456789abcdef"}, {"destinations": one, "payment_id": strings.Repeat("01", 32)},
			{"destinations": []object{to(integrated("0123456789abcdef"), 1)}, "payment_id": "0123456789abcdef"},
			{"destinations": []object{to(integrated("0123456789abcdef"), 1), to(integrated("1123456789abcdef"), 1)}},
			{"destinations": one, "account_index": 4}, {"destinations": one, "account_index": 99}, {"destinations": one, "account_index": nowhere},
			{"destinations": one, "subaddr_indices": []int{3}}, {"destinations": one, "subaddr_indices": []int{999}},
			{"destinations": one, "priority": 5}, {"destinations": one, "priority": 99},
			{"destinations": []object{to(somebody, 1<<55)}}, {"destinations": []object{to("x", 1)}, "account_index": 99},
		} {
			q.alike(method, with(params, "do_not_relay", true), drawn...)
		}
		// Later releases lock nothing any more.
		locking := object{"destinations": one, "unlock_time": 1, "do_not_relay": true}
		do(t, q.reference, method, locking)
		require.Equal(t, peers.Error{Code: -50, Message: "Transaction cannot have non-zero unlock time"}, refusal(t, q.ours, method, locking))
	}
	q.subtracting(somebody)
	for _, params := range []object{
		{"address": somebody}, {"address": somebody, "outputs": 3, "get_tx_keys": true, "get_tx_hex": true, "get_tx_metadata": true},
		{"address": at(t, bob, 1, 1), "outputs": 16, "below_amount": 35183264808960},
		{"address": somebody, "subaddr_indices_all": true, "priority": 1}, {"address": at(t, bob, 2, 2), "subaddr_indices": []int{0}, "below_amount": 35183264808960},
		{}, {"address": "x"}, {"address": somebody, "outputs": 0}, {"address": somebody, "account_index": 4}, {"address": somebody, "account_index": 99},
		{"address": somebody, "subaddr_indices": []int{3}}, {"address": somebody, "subaddr_indices": []int{999}}, {"address": somebody, "below_amount": 1},
		{"address": somebody, "payment_id": "0123456789abcdef"}, {"address": somebody, "payment_id": "x"}, {"address": somebody, "priority": 7},
		{"address": integrated("0123456789abcdef"), "payment_id": "0123456789abcdef"},
	} {
		q.alike("sweep_all", with(params, "do_not_relay", true), swept...)
	}
	outputs := call[struct {
		Transfers []struct {
			KeyImage string `json:"key_image"`
		}
	}](t, q.ours, "incoming_transfers", object{"transfer_type": "available"}).Transfers
	image := outputs[3].KeyImage
	for _, params := range []object{
		{"address": somebody, "key_image": image}, {"address": at(t, bob, 1, 1), "key_image": image, "outputs": 2, "get_tx_key": true, "get_tx_hex": true, "get_tx_metadata": true},
		{"address": somebody, "key_image": image, "outputs": 16},
		{}, {"address": "x", "key_image": image}, {"address": somebody, "key_image": "x"}, {"address": somebody, "key_image": ""}, {"address": somebody},
		{"address": somebody, "key_image": strings.Repeat("01", 32)}, {"address": somebody, "key_image": image, "outputs": 0},
		{"address": somebody, "key_image": image[2:]}, {"address": somebody, "key_image": image, "payment_id": "0123456789abcdef"},
	} {
		q.alike("sweep_single", with(params, "do_not_relay", true), swept...)
	}
	tooMany := object{"address": somebody, "key_image": image, "outputs": 17, "do_not_relay": true} // which the reference finds out late
	require.Equal(t, refusal(t, q.reference, "sweep_single", tooMany).Code, refusal(t, q.ours, "sweep_single", tooMany).Code)
	for _, method := range []string{"sweep_dust", "sweep_unmixable"} {
		q.same(method, nil)
		q.same(method, object{"get_tx_keys": true, "get_tx_hex": true, "get_tx_metadata": true})
	}

	// Frozen outputs are not spent, and there are none to spend when all are.
	for _, method := range []string{"freeze", "thaw", "frozen"} {
		for _, params := range []object{nil, {"key_image": ""}, {"key_image": "x"}, {"key_image": strings.Repeat("01", 32)}, {"key_image": image[2:]}, {"key_image": image + "00"}} {
			q.same(method, params)
		}
	}
	for _, method := range []string{"frozen", "freeze", "freeze", "frozen"} {
		q.same(method, object{"key_image": image})
	}
	q.same("incoming_transfers", object{"transfer_type": "all"})
	q.alike("sweep_single", object{"address": somebody, "key_image": image, "do_not_relay": true}, swept...)
	for _, o := range outputs {
		q.same("freeze", object{"key_image": o.KeyImage})
	}
	q.alike("transfer", object{"destinations": one, "do_not_relay": true}, drawn...)
	q.alike("sweep_all", object{"address": somebody, "do_not_relay": true}, swept...)
	q.same("get_balance", nil)
	for _, o := range outputs {
		q.same("thaw", object{"key_image": o.KeyImage})
	}

	for _, params := range []object{nil, {"hex": ""}, {"hex": "x"}, {"hex": "00"}, {"hex": "zz"}, {"hex": strings.Repeat("01", 500)}, {"hex": "abc"}} {
		q.same("relay_tx", params)
		if params != nil {
			q.same("submit_transfer", object{"tx_data_hex": params["hex"]})
			for _, method := range []string{"sign_transfer", "describe_transfer"} {
				q.same(method, object{"unsigned_txset": params["hex"]})
			}
			q.same("describe_transfer", object{"multisig_txset": params["hex"]})
			q.same("import_outputs", object{"outputs_data_hex": params["hex"]})
		}
	}
	for _, method := range []string{"submit_transfer", "sign_transfer", "describe_transfer", "import_outputs"} {
		q.same(method, nil)
	}
	// Each relays what the other made, so that both know the same but for the keys.
	var sent [2]string
	for i, c := range [][2]caller{{q.ours, q.reference}, {q.reference, q.ours}} {
		made := call[struct {
			Metadata string `json:"tx_metadata"`
			ID       string `json:"tx_hash"`
		}](t, c[0], "transfer", object{"destinations": append(one, to(at(t, alice, 4, 0), 1000)), "do_not_relay": true, "get_tx_metadata": true})
		require.Equal(t, made.ID, call[struct {
			ID string `json:"tx_hash"`
		}](t, c[1], "relay_tx", object{"hex": made.Metadata}).ID)
		sent[i] = made.ID
		mine(t, d, 1, at(t, nobody, 0, 0))
		refresh(t, q.both()...)
		q.same("get_transfer_by_txid", object{"txid": made.ID}, local...)
	}
	record("relay_tx", false)
	// What is not worth its fee stays.
	mine(t, d, 9, at(t, nobody, 0, 0))
	refresh(t, q.both()...)
	dust := call[struct {
		Transfers []struct {
			KeyImage string `json:"key_image"`
		}
	}](t, q.ours, "incoming_transfers", object{"transfer_type": "available", "account_index": 4}).Transfers
	q.same("sweep_all", object{"address": somebody, "account_index": 4})
	q.same("sweep_single", object{"address": somebody, "key_image": dust[0].KeyImage})
	proofs := comparison{alike: []string{"tx_key", "signature"}}
	for method, more := range map[string]object{"get_tx_key": {}, "get_tx_proof": {"address": somebody, "message": "m"}, "get_spend_proof": {"message": "m"}} {
		proofs.ask(t, q.reference, q.ours, method, with(more, "txid", sent[0]), with(more, "txid", sent[1]))
		for _, id := range []string{"", "x", strings.Repeat("ab", 32), sent[0] + "00"} {
			q.same(method, with(more, "txid", id))
		}
	}
	q.alike("get_reserve_proof", object{"all": true, "message": "m"}, "signature")
	q.alike("get_reserve_proof", object{"account_index": 0, "amount": coin}, "signature")
	for _, kind := range []string{"", "spend", "view"} {
		q.alike("sign", object{"data": "text", "signature_type": kind, "address_index": 1}, "signature")
	}
	// A key image that is known needs no proof.
	signed := call[struct {
		Images []object `json:"signed_key_images"`
	}](t, q.ours, "export_key_images", object{"all": true}).Images
	for _, i := range []int{0, 1} { // of itself and of another
		q.same("import_key_images", object{"signed_key_images": []object{with(signed[i], "signature", strings.Repeat("00", 64))}})
	}
	for _, all := range []bool{true, false} {
		q.alike("export_outputs", object{"all": all}, "outputs_data_hex")
		q.alike("export_key_images", object{"all": all}, "signature")
	}
}

// subtracting has destinations pay the fee, which the installed reference does not know yet: a destination named twice pays
// once, and one that is none is refused in the words of later releases.
func (p *pair) subtracting(to string) {
	t := p.t
	t.Helper()
	ask := func(n int, indices ...uint32) object {
		ds := make([]destination, n)
		for i := range ds {
			ds[i] = destination{to, coin}
		}
		return object{"destinations": ds, "subtract_fee_from_outputs": indices, "do_not_relay": true}
	}
	for _, indices := range [][]uint32{{0}, {0, 0}, {1, 0, 1}} {
		made := call[struct {
			Fee, Amount uint64
			ByDest      struct{ Amounts []uint64 } `json:"amounts_by_dest"`
		}](t, p.ours, "transfer", ask(2, indices...))
		require.EqualValues(t, 2*coin, made.Amount+made.Fee)
		require.Len(t, made.ByDest.Amounts, 2)
		require.Less(t, made.ByDest.Amounts[0], uint64(coin))
		require.Equal(t, len(indices) == 3, made.ByDest.Amounts[1] < coin)
	}
	for _, indices := range [][]uint32{{2}, {0, 4294967295}} {
		require.Equal(t, peers.Error{Code: -4, Message: fmt.Sprintf("subtractfeefrom: bad index: %d (indexes are 0-based)", indices[len(indices)-1])},
			refusal(t, p.ours, "transfer", ask(2, indices...)))
	}
	require.Equal(t, peers.Error{Code: -4, Message: "subtractfeefrom transfers cannot be split over multiple transactions yet"},
		refusal(t, p.ours, "transfer", ask(16, 0)))
}
