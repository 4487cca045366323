package main

import (
	"context"
	"fmt"
	"strings"

	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// call calls the wallet service over HTTP. Errors include the name of the operation.
func call[Req, Resp any](ctx context.Context, s *stage, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	resp, err := rpc.Call(ctx, s.wallets, m, req)
	if err != nil {
		err = fmt.Errorf("%s: %w", m.Name, err)
	}
	return resp, err
}

// tell runs the demonstration from the first wallet to the last balance.
func (s *stage) tell(ctx context.Context, o *outcome) error {
	words, err := s.aliceMines(ctx, o)
	if err != nil {
		return err
	}
	if err := s.aliceRestores(ctx, words, o); err != nil {
		return err
	}

	s.out.step(
		"Bob makes a wallet",
		"Bob is another person with other keys. He creates an address for Alice only: nobody but the owner can tell "+
			"that two addresses belong to the same wallet.",
	)
	if err := s.create(ctx, "bob"); err != nil {
		return err
	}
	forAlice, err := call(
		ctx,
		s,
		walletrpc.CreateAddress,
		walletrpc.CreateAddressRequest{Count: 1, Label: "from Alice"},
	)
	if err != nil {
		return err
	}
	s.out.facts("wallet", "bob", "address for Alice", forAlice.Address, "balance", money(0))

	hidden := "one of 16 in a ring"
	if s.fork > 0 {
		hidden = "one of all outputs in the chain, which a membership proof shows without naming it"
	}
	s.out.step(
		"Alice sends Bob money",
		"The transaction reveals neither of them nor the amount: the spent output is "+hidden+", and the amount is in "+
			"a commitment. The fee goes to the miner. The transaction key later proves that Alice paid.",
	)
	if err := s.pay(ctx, "alice", "bob", gift, forAlice.Address, &o.Gift); err != nil {
		return err
	}
	s.out.step(
		"Bob sends some back",
		"The same in the other direction: Bob spends the only output he has, and the rest of it returns to him as "+
			"change in the same transaction.",
	)
	if err := s.pay(ctx, "bob", "alice", giftBack, o.Address, &o.Back); err != nil {
		return err
	}

	s.out.step(
		"Both copies of Alice's wallet",
		"The restored copy was closed all the time. It learns from the chain what happened, except the secret keys "+
			"and recipients of transactions, which only the copy that sent them has.",
	)
	if o.AliceEnd, _, err = s.balanceOf(ctx, "alice"); err != nil {
		return err
	}
	if o.RestoredEnd, _, err = s.balanceOf(ctx, "alice-restored"); err != nil {
		return err
	}
	s.out.facts("alice", money(o.AliceEnd), "alice-restored", money(o.RestoredEnd)+verdict(o.AliceEnd == o.RestoredEnd))
	if o.AliceEnd != o.RestoredEnd {
		return fmt.Errorf("the two copies of one wallet disagree")
	}
	_, err = call(ctx, s, walletrpc.CloseWallet, walletrpc.CloseWalletRequest{AutosaveCurrent: true})
	return err
}

// aliceMines creates Alice's wallet and mines to it. It returns the seed words.
func (s *stage) aliceMines(ctx context.Context, o *outcome) (words string, err error) {
	s.out.step(
		"Alice makes a wallet",
		"A wallet is a secret number, and its 25 seed words encode it: anyone who has them has the money, so those of "+
			"a real wallet are written on paper and kept secret. Others pay to the address.",
	)
	// Later blocks are mined to a wallet without a name, which is discarded when it closes.
	if err := s.create(ctx, ""); err != nil {
		return "", err
	}
	if s.miner, err = s.address(ctx); err != nil {
		return "", err
	}
	if err := s.create(ctx, "alice"); err != nil {
		return "", err
	}
	if o.Address, err = s.address(ctx); err != nil {
		return "", err
	}
	seed, err := call(ctx, s, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "mnemonic"})
	if err != nil {
		return "", err
	}
	s.out.facts("wallet", "alice", "address", o.Address, "seed words", seed.Key)

	s.out.step(
		"Alice mines",
		"New money is created by mining: each block pays its miner. The first blocks pay Alice, the others "+
			"another miner, "+fmt.Sprintf(
			"because a reward can be spent only after %d blocks.",
			xmr.CoinbaseUnlock,
		),
	)
	if err := s.mine(ctx, aliceBlocks, o.Address, "blocks for Alice"); err != nil {
		return "", err
	}
	if err := s.mine(ctx, minerBlocks, s.miner, "blocks for another miner"); err != nil {
		return "", err
	}
	if o.Mined, o.Unlocked, err = s.refreshed(ctx); err != nil {
		return "", err
	}
	read, err := call(ctx, s, walletrpc.GetHeight, walletrpc.Empty{})
	if err != nil {
		return "", err
	}
	s.out.facts("height", fmt.Sprint(read.Height, " blocks"), "balance", money(o.Mined), "spendable", money(o.Unlocked))
	return seed.Key, nil
}

// aliceRestores creates Alice's wallet again from its seed words.
func (s *stage) aliceRestores(ctx context.Context, words string, o *outcome) error {
	s.out.step(
		"Alice restores it from the words",
		"As after the loss of a computer: a second wallet of another name gets only the words, and finds its outputs "+
			"in the chain.",
	)
	made, err := call(ctx, s, walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
		Filename: "alice-restored", Password: demoPassword, Seed: words})
	if err != nil {
		return err
	}
	o.RestoredAddress = made.Address
	if o.Restored, _, err = s.refreshed(ctx); err != nil {
		return err
	}
	s.out.facts("wallet", "alice-restored",
		"address", made.Address+verdict(made.Address == o.Address),
		"balance", money(o.Restored)+verdict(o.Restored == o.Mined))
	if made.Address != o.Address || o.Restored != o.Mined {
		return fmt.Errorf("the restored wallet differs from the first")
	}
	return nil
}

// pay sends amount from one wallet to an address of another, and follows the payment until it can be spent.
func (s *stage) pay(ctx context.Context, from, to string, amount uint64, address string, m *payment) (err error) {
	payer, payee := title(from), title(to)
	if m.PaidBefore, _, err = s.balanceOf(ctx, to); err != nil {
		return err
	}
	if m.SenderBefore, _, err = s.balanceOf(ctx, from); err != nil {
		return err
	}
	done := s.out.wait("building, proving and signing the transaction")
	sent, err := call(ctx, s, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: address}}, GetTxKey: true})
	done()
	if err != nil {
		return err
	}
	m.Sent, m.Fee, m.TxID, m.TxKey = sent.Amount, sent.Fee, sent.TxHash, sent.TxKey
	if m.SenderAfter, _, err = s.balance(ctx); err != nil {
		return err
	}
	s.out.facts("to", address, payer+" before", money(m.SenderBefore), "amount", minus(m.Sent), "fee", minus(m.Fee),
		payer+" after", money(m.SenderAfter)+verdict(m.SenderBefore == m.SenderAfter+m.Sent+m.Fee),
		"transaction", m.TxID, "transaction key", m.TxKey)
	if m.SenderBefore != m.SenderAfter+m.Sent+m.Fee {
		return fmt.Errorf("%s's balance does not add up", payer)
	}
	if err := s.onItsWay(ctx, payer, payee, to, m); err != nil {
		return err
	}
	return s.confirm(ctx, payer, payee, from, to, m)
}

// onItsWay shows the transaction in the pool, from both sides. The sender's wallet is open.
func (s *stage) onItsWay(ctx context.Context, payer, payee, to string, m *payment) error {
	s.out.step(
		"The payment is in the pool",
		"The daemon keeps the transaction in its pool until a miner includes it in a block. "+payee+" already "+
			"sees it, but cannot spend it yet: it may never be mined.",
	)
	pending, err := call(ctx, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pending: true})
	if err != nil {
		return err
	}
	m.SeenPending = find(pending.Pending, m.TxID) != nil
	if _, _, err := s.balanceOf(ctx, to); err != nil {
		return err
	}
	pool, err := call(ctx, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pool: true})
	if err != nil {
		return err
	}
	incoming := find(pool.Pool, m.TxID)
	if !m.SeenPending || incoming == nil {
		return fmt.Errorf("the transaction was not seen in the pool")
	}
	m.PoolAmount = incoming.Amount
	s.out.facts(payer+" sees", "pending, not in a block",
		payee+" sees", money(incoming.Amount)+" in the pool, 0 confirmations")
	return nil
}

// confirm mines the transaction, then the blocks that make the money spendable. The receiver's wallet is open.
func (s *stage) confirm(ctx context.Context, payer, payee, from, to string, m *payment) error {
	s.out.step(
		"The payment is confirmed",
		fmt.Sprintf(
			"A block includes the transaction, and each block on top makes it harder to revert. After %d blocks, "+
				"%s can spend the money.",
			confirmations,
			payee,
		),
	)
	show := func() (*walletrpc.TransferEntry, uint64, error) {
		total, unlocked, err := s.refreshed(ctx)
		if err != nil {
			return nil, 0, err
		}
		in, err := call(ctx, s, walletrpc.GetTransferByTxID, walletrpc.GetTransferByTxIDRequest{TxID: m.TxID})
		if err != nil {
			return nil, 0, err
		}
		e := &in.Transfer
		s.out.facts("block", fmt.Sprint(e.Height), "confirmations", fmt.Sprint(e.Confirmations),
			payee+"'s balance", money(total), "spendable", money(unlocked))
		m.PaidAfter, m.Confirmations, m.Confirmed = total, e.Confirmations, e.Type == "in" && e.Height > 0
		return e, unlocked, nil
	}
	if err := s.mine(ctx, 1, s.miner, "block"); err != nil {
		return err
	}
	if _, _, err := show(); err != nil {
		return err
	}
	if err := s.mine(ctx, confirmations-1, s.miner, "blocks on top"); err != nil {
		return err
	}
	_, unlocked, err := show()
	if err != nil {
		return err
	}
	after, _, err := s.balanceOf(ctx, from)
	if err != nil {
		return err
	}
	s.out.facts(payer+"'s balance", money(after)+verdict(after == m.SenderAfter))
	switch {
	case !m.Confirmed || m.PaidAfter != m.PaidBefore+m.Sent || after != m.SenderAfter:
		return fmt.Errorf("the payment did not arrive as it was sent")
	case unlocked != m.PaidAfter:
		return fmt.Errorf("%s's money is still locked after %d blocks", payee, confirmations)
	}
	return nil
}

// find returns the entry of a transaction, or nil.
func find(entries []walletrpc.TransferEntry, id string) *walletrpc.TransferEntry {
	for i := range entries {
		if entries[i].TxID == id {
			return &entries[i]
		}
	}
	return nil
}

func (s *stage) create(ctx context.Context, name string) error {
	req := walletrpc.CreateWalletRequest{Filename: name, Password: demoPassword, Language: "English"}
	_, err := call(ctx, s, walletrpc.CreateWallet, req)
	return err
}

// balanceOf opens a wallet, refreshes it and returns its balance and unlocked balance.
func (s *stage) balanceOf(ctx context.Context, name string) (total, unlocked uint64, err error) {
	req := walletrpc.OpenWalletRequest{Filename: name, Password: demoPassword}
	if _, err := call(ctx, s, walletrpc.OpenWallet, req); err != nil {
		return 0, 0, err
	}
	return s.refreshed(ctx)
}

func (s *stage) refreshed(ctx context.Context) (total, unlocked uint64, err error) {
	if _, err := call(ctx, s, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return 0, 0, err
	}
	return s.balance(ctx)
}

func (s *stage) balance(ctx context.Context) (total, unlocked uint64, err error) {
	b, err := call(ctx, s, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	return b.Balance, b.UnlockedBalance, err
}

func (s *stage) address(ctx context.Context) (string, error) {
	a, err := call(ctx, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	return a.Address, err
}

// mine mines n blocks to an address and shows progress.
func (s *stage) mine(ctx context.Context, n int, address, what string) error {
	progress := s.out.progress("mining "+what, n)
	for done := 0; done < n; {
		some := min(10, n-done)
		if err := s.daemon.Mine(ctx, some, address); err != nil {
			return err
		}
		done += some
		progress(done)
	}
	return nil
}

// money formats an amount with its unit, right-aligned.
func money(atomic uint64) string { return fmt.Sprintf("%18s XMR", xmr.FormatAmount(atomic)) }

// minus formats an amount that leaves.
func minus(atomic uint64) string { return fmt.Sprintf("%18s XMR", "-"+xmr.FormatAmount(atomic)) }

// verdict marks whether a statement holds.
func verdict(holds bool) string {
	if holds {
		return "  ✓"
	}
	return "  ✗ differs"
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
