package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"glim/bindings/peers"
	"glim/core/keys"
)

// party is a signer of a group of three: one of the reference, one of glim, and the maker of the transactions.
type party struct{ *peers.WalletRPC }

const (
	theirs = iota
	ours
	maker
)

// signing has the reference and glim sign the same transactions with two inputs, which the third signer of the 2-of-3
// group makes. One signature of either completes a transaction, so both can be measured.
func (s *setups) signing(ctx context.Context, d *peers.Daemon) error {
	group, err := s.group(ctx, d)
	for _, p := range group {
		defer func() { _ = p.Kill() }()
	}
	if err != nil {
		return err
	}
	var at struct{ Address string }
	if err := group[maker].JSON(ctx, "get_address", map[string]any{"account_index": 0}, &at); err != nil {
		return err
	}
	foreign := addressOf(ourKeys("foreign"), keys.Index{}).String()
	for _, more := range []struct {
		blocks int
		to     string
	}{{40, foreign}, {2, at.Address}, {62, foreign}} {
		if err := d.Mine(ctx, more.blocks, more.to); err != nil {
			return err
		}
	}
	var wall, cpu [2][]time.Duration
	for round := range s.rounds {
		set, err := group.made(ctx)
		if err != nil {
			return fmt.Errorf("a transaction to sign: %w", err)
		}
		for i := range 2 {
			who := (i + round) % 2
			got, err := group[who].signs(ctx, set)
			if err != nil {
				return fmt.Errorf("signing, %s: %w", []string{"reference", "glim"}[who], err)
			}
			wall[who], cpu[who] = append(wall[who], got.wall), append(cpu[who], got.cpu)
		}
	}
	fmt.Fprintf(s.out, "\na signature of one signer of 2 of 3, for 2 inputs\n\n")
	s.line("time", wall)
	s.line("CPU", cpu)
	return nil
}

type parties []party

// group starts three services and sets up their multisig wallet.
func (s *setups) group(ctx context.Context, d *peers.Daemon) (group parties, err error) {
	for i, name := range []string{"reference", "glim", "maker"} {
		o := peers.Options{Dir: filepath.Join(s.dir, "signing", name)}
		if i != theirs {
			o.Command = []string{s.glim, "wallet-rpc", "--regtest"}
		}
		w, err := peers.StartWalletRPC(ctx, d, o)
		if err != nil {
			return group, err
		}
		group = append(group, party{w})
		if err := w.JSON(ctx, "auto_refresh", map[string]any{"enable": false}, nil); err != nil {
			return group, err
		}
		if err := w.JSON(ctx, "create_wallet", map[string]any{"filename": "signer", "language": "English"},
			nil); err != nil {
			return group, err
		}
	}
	texts, err := group.texts(ctx, "prepare_multisig", "multisig_info", func(int) map[string]any {
		return map[string]any{"enable_multisig_experimental": true}
	})
	for _, method := range []string{"make_multisig", "exchange_multisig_keys", "exchange_multisig_keys"} {
		if err == nil {
			said := texts
			texts, err = group.texts(ctx, method, "multisig_info", func(i int) map[string]any {
				return map[string]any{
					"multisig_info": slices.Delete(slices.Clone(said), i, i+1), "threshold": 2, "password": "",
				}
			})
		}
	}
	return group, err
}

// texts calls a method of each signer and returns one member of the answers.
func (g parties) texts(
	ctx context.Context, method, member string, params func(i int) map[string]any,
) ([]string, error) {
	var texts []string
	for i, p := range g {
		var answer map[string]any
		if err := p.JSON(ctx, method, params(i), &answer); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		text, _ := answer[member].(string)
		texts = append(texts, text)
	}
	return texts, nil
}

// made exchanges infos in the group, and makes a transaction that spends both outputs of the wallet.
func (g parties) made(ctx context.Context) (set string, err error) {
	none := func(int) map[string]any { return nil }
	if _, err = g.texts(ctx, "refresh", "", none); err != nil {
		return "", err
	}
	infos, err := g.texts(ctx, "export_multisig_info", "info", none)
	if err == nil {
		_, err = g.texts(ctx, "import_multisig_info", "", func(i int) map[string]any {
			return map[string]any{"info": slices.Delete(slices.Clone(infos), i, i+1)}
		})
	}
	if err != nil {
		return "", err
	}
	var has struct{ Balance uint64 }
	if err := g[maker].JSON(ctx, "get_balance", map[string]any{"account_index": 0}, &has); err != nil {
		return "", err
	}
	foreign := addressOf(ourKeys("foreign"), keys.Index{}).String()
	var answer struct {
		Set string `json:"multisig_txset"`
	}
	err = g[maker].JSON(ctx, "transfer", map[string]any{
		"destinations": []map[string]any{{"address": foreign, "amount": has.Balance / 4 * 3}}}, &answer)
	return answer.Set, err
}

// signs measures one signature.
func (p party) signs(ctx context.Context, set string) (t taken, err error) {
	before, err := usage(p.PID())
	if err != nil {
		return t, err
	}
	var answer struct {
		Set string   `json:"tx_data_hex"`
		IDs []string `json:"tx_hash_list"`
	}
	began := time.Now()
	if err := p.JSON(ctx, "sign_multisig", map[string]any{"tx_data_hex": set}, &answer); err != nil {
		return t, err
	}
	t.wall = time.Since(began)
	after, err := usage(p.PID())
	t.cpu = after.cpu - before.cpu
	if len(answer.IDs) != 1 {
		return t, fmt.Errorf("the transaction is not complete after one signature")
	}
	return t, err
}
