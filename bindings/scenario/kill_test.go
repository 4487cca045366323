package scenario

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// answered is what clients have been told and may rely on.
type answered struct {
	addresses map[[2]uint32]destinationLabel
	sent      map[string]transferred
	calls     int
}

type destinationLabel struct{ address, label string }

// TestKilledAtAnyMoment: however the command is killed, it loses nothing that it has answered: addresses, labels, and
// payments with their keys and destinations.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	mirror := newReference(t, d)
	restore(t, mirror, "alice", alice)
	dir := t.TempDir()
	c := start(t, d, dir)
	do(t, c, "restore_deterministic_wallet", object{"filename": "w", "password": "p", "seed": seed(t, alice)})
	refresh(t, c)

	known := answered{addresses: map[[2]uint32]destinationLabel{}, sent: map[string]transferred{}}
	const seedOfMoments = 20261121
	random := rand.New(rand.NewPCG(seedOfMoments, 1))
	for round := range 12 {
		// Each moment follows a number of answers, so that slow machines get some, too, plus a random time.
		least, after := 1+random.IntN(6), time.Duration(random.IntN(300))*time.Millisecond
		work(t, c, &known, round, least, after)
		<-c.ended
		if round%3 == 2 {
			mine(t, d, 1, at(t, nobody, 0, 0))
		}
		c = start(t, d, dir)
		do(t, c, "open_wallet", object{"filename": "w", "password": "p"})
		check(t, c, known)
	}
	require.Greater(t, known.calls, 24)
	require.NotEmpty(t, known.sent)
	t.Logf("%d calls answered, %d of them payments", known.calls, len(known.sent))

	mine(t, d, 12, at(t, nobody, 0, 0))
	refresh(t, c, mirror)
	check(t, c, known)
	compare(t, mirror, c, "get_height", nil)
	compare(t, mirror, c, "get_balance", object{"account_index": 0, "strict": true}, "label", "num_unspent_outputs")
	compare(t, mirror, c, "get_transfers", object{"in": true, "out": true}, local...)
}

// work calls operations until the process ends, and kills it some time after enough answers.
func work(t *testing.T, c *command, known *answered, round, least int, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var group sync.WaitGroup
	group.Go(func() {
		for c.JSON(ctx, "refresh", nil, nil) == nil {
		}
	})
	answers := 0
	// record records an answer. It returns false if there can be no more answers.
	record := func(err error, note func()) bool {
		var refused *peers.Error
		switch {
		case errors.As(err, &refused) && refused.Code == -37:
			return true // all outputs are pending; there is nothing to record
		case errors.As(err, &refused):
			t.Errorf("refused: %v", err)
			return false
		case err != nil:
			return false
		}
		note()
		known.calls++
		if answers++; answers == least {
			time.AfterFunc(after, func() { _ = c.cmd.Process.Kill() })
		}
		return true
	}
	for i := 0; ; i++ {
		label := fmt.Sprintf("round %d, %d", round, i)
		var made struct {
			Address string `json:"address"`
			Index   uint32 `json:"address_index"`
		}
		err := c.JSON(ctx, "create_address", object{"account_index": 0, "label": label}, &made)
		if !record(err, func() { known.addresses[[2]uint32{0, made.Index}] = destinationLabel{made.Address, label} }) {
			break
		}
		var account struct {
			Address string `json:"address"`
			Index   uint32 `json:"account_index"`
		}
		err = c.JSON(ctx, "create_account", object{"label": label}, &account)
		if !record(err, func() {
			known.addresses[[2]uint32{account.Index, 0}] = destinationLabel{account.Address, label}
		}) {
			break
		}
		again := [2]uint32{0, made.Index}
		err = c.JSON(ctx, "label_address",
			object{"index": object{"major": 0, "minor": made.Index}, "label": label + " again"}, nil)
		if err != nil {
			// Either label may be stored.
			delete(known.addresses, again)
		}
		if !record(err, func() { known.addresses[again] = destinationLabel{made.Address, label + " again"} }) {
			break
		}
		var sent transferred
		err = c.JSON(ctx, "transfer",
			object{"destinations": []destination{{at(t, bob, 0, uint32(i)), coin + uint64(round)}}, "get_tx_key": true},
			&sent)
		if !record(err, func() { known.sent[sent.TxHash] = sent }) {
			break
		}
	}
	_ = c.cmd.Process.Kill() // if there were too few answers in time
	group.Wait()
}

// check requires everything answered to be there.
func check(t *testing.T, c caller, known answered) {
	t.Helper()
	for i, want := range known.addresses {
		got := call[struct {
			Addresses []struct{ Address, Label string }
		}](t, c, "get_address", object{"account_index": i[0], "address_index": []uint32{i[1]}}).Addresses
		require.Len(t, got, 1)
		require.Equal(t, want, destinationLabel{got[0].Address, got[0].Label}, i)
	}
	type entry struct {
		TxID         string
		Destinations []destination
	}
	found := map[string]entry{}
	for _, list := range call[map[string][]entry](t, c, "get_transfers", object{"out": true, "pending": true}) {
		for _, e := range list {
			found[e.TxID] = e
		}
	}
	for id, sent := range known.sent {
		require.Len(t, found[id].Destinations, 1, "payment %s is lost", id)
		require.Equal(t, sent.Amount, found[id].Destinations[0].Amount)
		key := call[struct {
			Key string `json:"tx_key"`
		}](t, c, "get_tx_key", object{"txid": id}).Key
		require.Equal(t, sent.TxKey, key)
	}
}
