package service

import (
	"context"
	"io"

	"glim/core/coldset"
	"glim/core/keys"
	"glim/core/wallet"
)

// describeOutput completes the description of an output from before the next hard fork, whose flags are set.
func (o *openWallet) describeOutput(to *coldset.ExportedOutput, list *wallet.OwnedOutput) error {
	in := list.Input()
	out, err := coldset.NewExportedOutput(o.Keys(), &in)
	if err != nil {
		return err
	}
	out.Spent, out.Frozen = to.Spent, to.Frozen
	out.ImageKnown, out.ImageRequested = to.ImageKnown, to.ImageRequested
	*to = out
	return nil
}

// signToday returns key images with signatures of today, which outputs from before the next hard fork have.
func signToday(
	ctx context.Context, random io.Reader, o *openWallet, list []wallet.OwnedOutput,
) ([]coldset.SignedImage, error) {
	outputs := make([]keys.OwnOutput, len(list))
	for i := range list {
		outputs[i] = keys.OwnOutput{Derivation: list[i].Derivation, Index: list[i].Index, Address: list[i].Address,
			Key: list[i].Key}
	}
	return coldset.SignImages(random, o.Keys().WithContext(ctx), outputs)
}
