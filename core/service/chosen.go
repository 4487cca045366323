package service

import (
	"errors"
	"slices"

	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// ErrChosenOutput reports an output of key_images that a payment cannot spend.
var ErrChosenOutput = errors.New("a chosen output cannot be spent")

// keyImages parses key_images, the list of the only outputs that a payment may spend. It drops repetitions.
func keyImages(list []string) ([]xmr.KeyImage, error) {
	var out []xmr.KeyImage
	seen := map[xmr.KeyImage]bool{}
	for n, text := range list {
		image, err := xmr.ParseKey(text)
		if err != nil {
			return nil, &codedError{walletrpc.Fail(walletrpc.CodeWrongKeyImage,
				"key_images: entry %d is not a key image, which has 64 hexadecimal digits", n), ErrChosenOutput}
		}
		if !seen[image] {
			seen[image] = true
			out = append(out, image)
		}
	}
	return out, nil
}

// spendableOf returns the outputs that can be spent and have one of the key images, in the order of Spendable.
func spendableOf(
	w *wallet.Wallet, images []xmr.KeyImage, account uint32, indices []uint32, clock wallet.Clock,
) []txbuild.Input {
	wanted := map[xmr.PublicKey]bool{}
	for _, image := range images {
		if o, ok := withImage(w, image); ok {
			wanted[o.Key] = true
		}
	}
	return slices.DeleteFunc(w.Spendable(account, indices, clock),
		func(in txbuild.Input) bool { return !wanted[in.Key] })
}

// withImage returns the output with a key image, of which all bytes are known.
func withImage(w *wallet.Wallet, image xmr.KeyImage) (*wallet.OwnedOutput, bool) {
	o, ok := w.OutputByImage(image)
	return o, ok && o.ImageKnown && o.Image == image
}

// chosenInputs returns the outputs with these key images as inputs, or the reason why one of them cannot be spent from
// account and, if there are any, from the addresses with the given indices.
func chosenInputs(
	w *wallet.Wallet, images []xmr.KeyImage, account uint32, indices []uint32, clock wallet.Clock,
) ([]txbuild.Input, error) {
	all := spendableOf(w, images, account, indices, clock)
	if len(all) == len(images) {
		return all, nil
	}
	can := map[xmr.PublicKey]bool{}
	for i := range all {
		can[all[i].Key] = true
	}
	for _, image := range images {
		o, ok := withImage(w, image)
		if !ok {
			return nil, unknownImage(w, image)
		}
		if !can[o.Key] {
			return nil, unspendable(w, o, account, indices, clock)
		}
	}
	return all, nil
}

func unknownImage(w *wallet.Wallet, image xmr.KeyImage) error {
	hint := ""
	if slices.ContainsFunc(w.Outputs(), func(o wallet.OwnedOutput) bool { return !o.ImageKnown }) {
		hint = "; this wallet lacks some key images: import them, or in a multisig wallet the infos of the other " +
			"signers"
	}
	return &codedError{walletrpc.Fail(walletrpc.CodeGenericTransfer,
		"key_images: no output has the key image %s%s", image, hint), ErrChosenOutput}
}

// unspendable returns the reason why o cannot be spent.
func unspendable(
	w *wallet.Wallet, o *wallet.OwnedOutput, account uint32, indices []uint32, clock wallet.Clock,
) error {
	code, kind, reason := walletrpc.CodeGenericTransfer, ErrChosenOutput, "cannot be spent"
	at := o.Address
	switch blocks, seconds := clock.LockedFor(o.UnlockTime, o.Height); {
	case at.Major != account:
		reason = smallfmt.Sprintf("belongs to account %d, not to account %d", at.Major, account)
	case len(indices) > 0 && !slices.Contains(indices, at.Minor):
		reason = smallfmt.Sprintf("belongs to address %d of the account, which subaddr_indices does not list", at.Minor)
	case w.IsSpent(o, true):
		reason = "is spent"
	case w.IsSpent(o, false):
		reason = "is spent by a transaction that is not in a block yet"
	case w.IsFrozen(o):
		reason = "is frozen; thaw it first"
	case blocks > 0:
		code, kind = walletrpc.CodeNotEnoughUnlockedMoney, errors.Join(txbuild.ErrNotUnlocked, ErrChosenOutput)
		reason = smallfmt.Sprintf("is locked for %d more blocks", blocks)
	case seconds > 0:
		code, kind = walletrpc.CodeNotEnoughUnlockedMoney, errors.Join(txbuild.ErrNotUnlocked, ErrChosenOutput)
		reason = smallfmt.Sprintf("is locked for %d more seconds", seconds)
	}
	return &codedError{walletrpc.Fail(code, "key_images: the output with the key image %s %s", o.Image, reason), kind}
}

// notEnough reports whether err means that the outputs do not suffice.
func notEnough(err error) bool {
	return errors.Is(err, txbuild.ErrNotEnough) || errors.Is(err, txbuild.ErrNotUnlocked) ||
		errors.Is(err, txbuild.ErrNotPossible)
}

// chosenTooSmall reports that the chosen outputs do not suffice for the destinations and the fee; a sweep has no
// destinations here, since it only has to pay its fee.
func chosenTooSmall(inputs []txbuild.Input, to []txbuild.Destination) error {
	sum, paid := uint64(0), uint64(0)
	for i := range inputs {
		sum += inputs[i].Amount
	}
	for i := range to {
		paid += to[i].Amount // txbuild has refused amounts that overflow
	}
	what := "its fee"
	if len(to) > 0 {
		what = "the payment of " + xmr.FormatAmount(paid) + " XMR and its fee"
	}
	return &codedError{
		walletrpc.Fail(walletrpc.CodeNotEnoughMoney, "key_images: the chosen outputs hold %s XMR, "+
			"which is not enough for %s", xmr.FormatAmount(sum), what),
		errors.Join(txbuild.ErrNotEnough, ErrChosenOutput),
	}
}
