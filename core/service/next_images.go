//go:build !nocarrot

package service

import (
	"context"
	"io"
	"slices"

	"glim/core/carrot"
	"glim/core/coldset"
	"glim/core/crypto/edwards"
	"glim/core/fcmpbuild"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/wallet"
)

// Outputs and key images of the next hard fork, between a view-only wallet and the holder of its spend key.

// nextImageSigner is a keys.ExternalSigner that proves key images of outputs of the fork.
type nextImageSigner interface {
	SignNextImages(ctx context.Context, outputs []keys.OwnOutput) ([]coldset.SignedImage, error)
}

// maxVaultImages is the largest number of outputs in a request to a nextImageSigner.
const maxVaultImages = 256

// provesImages reports whether a wallet with keys k can prove key images of outputs from before and after the fork.
func provesImages(k *keys.Keys) bool { return carrot.CanSpend(k) }

// encodeNextOutputs returns the message with the outputs of list, whose flags are in set.
func encodeNextOutputs(
	random io.Reader, o *openWallet, set *coldset.OutputSet, list []wallet.OwnedOutput,
) ([]byte, error) {
	if o.group() != nil {
		return nil, errCarrotSigner
	}
	for i := range list {
		l, out := &list[i], &set.Outputs[i]
		if l.Carrot {
			out.Key, out.Index, out.GlobalIndex = l.Key, l.Index, l.GlobalIndex
			out.Amount, out.Address, out.RingCT = l.Amount, l.Address, l.RingCT
			out.Carrot = &coldset.CarrotPart{
				Secret: l.Derivation, Mask: l.Mask, EnoteType: uint8(l.EnoteType), Coinbase: l.Coinbase,
			}
		} else if err := o.describeOutput(out, l); err != nil {
			return nil, err
		}
	}
	return o.messages().EncodeNextOutputs(random, set)
}

// decodeNextOutputs decodes a message of encodeNextOutputs.
func decodeNextOutputs(o *openWallet, message []byte) (*coldset.OutputSet, error) {
	return o.messages().DecodeNextOutputs(message)
}

// importedNext is importedToday for an output of the fork. Its key commits to the amount, except that of a mask, which
// coinbases do not have.
func importedNext(k *keys.Keys, l *coldset.ExportedOutput) (out wallet.OwnedOutput, err error) {
	c := l.Carrot
	out.Address, out.Derivation, out.Mask = l.Address, c.Secret, c.Mask
	out.Carrot, out.EnoteType, out.Coinbase = true, wallet.EnoteType(c.EnoteType), c.Coinbase
	if c.Coinbase {
		out.Mask = edwards.EncodeScalar(edwards.ScalarFromUint64(1))
	}
	in := txbuild.Input{
		Index: l.Index, Amount: l.Amount, Mask: out.Mask, Key: l.Key, Derivation: c.Secret, Address: l.Address,
	}
	opened, err := fcmpbuild.NewCarrotInput(&in, k.SpendKey(l.Address), c.Coinbase)
	if err != nil {
		return out, coldset.ErrMalformed
	}
	r := &opened.Received
	defer edwards.Wipe(r.ExtensionG)
	defer edwards.Wipe(r.ExtensionT)
	if !carrot.Default.Extends(r) {
		return out, coldset.ErrNotOurs
	}
	if k.External() {
		out.Image, err = k.ExternalKeyImage(keys.OwnOutput{
			Address: l.Address, Key: l.Key, Extensions: &keys.Extensions{
				G: edwards.EncodeScalar(r.ExtensionG), T: edwards.EncodeScalar(r.ExtensionT),
			},
		})
		return out, err
	}
	image, ok := carrot.Default.WalletKeyImage(k, l.Address, l.Key, r.ExtensionG)
	if !ok {
		return out, txbuild.ErrViewOnly
	}
	out.Image = image
	return out, nil
}

// proveNextImages returns the key images of list, in its order: with signatures of today where those suffice,
// otherwise with proofs. It returns keys.ErrNoSigner for a vault that makes none, and carrot.ErrMismatch for an output
// that the keys do not open.
func proveNextImages(
	ctx context.Context, random io.Reader, o *openWallet, list []wallet.OwnedOutput,
) ([]coldset.SignedImage, error) {
	k := o.Keys()
	if k.External() {
		return vaultImages(ctx, random, o, list)
	}
	spender, forget, err := fcmpbuild.SpenderOf(k)
	if err != nil {
		return nil, err
	}
	defer forget()
	images := make([]coldset.SignedImage, len(list))
	for i := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if l := &list[i]; !l.Carrot && k.Hierarchy() == nil {
			signed, err := signToday(ctx, random, o, list[i:i+1])
			if err != nil {
				return nil, err
			}
			images[i] = signed[0]
		} else if images[i], err = proveNextImage(random, spender, l); err != nil {
			return nil, err
		}
	}
	return images, nil
}

// vaultImages is proveNextImages for a wallet with today's keys whose spend key is in a vault.
func vaultImages(
	ctx context.Context, random io.Reader, o *openWallet, list []wallet.OwnedOutput,
) ([]coldset.SignedImage, error) {
	k := o.Keys()
	external, ctx, err := k.WithContext(ctx).Signer()
	if err != nil {
		return nil, err
	}
	signer, ok := external.(nextImageSigner)
	if !ok {
		return nil, keys.ErrNoSigner
	}
	var before []wallet.OwnedOutput // from before the fork
	var after []keys.OwnOutput
	for i := range list {
		l := &list[i]
		if !l.Carrot {
			before = append(before, *l)
			continue
		}
		g, t, err := l.CarrotExtensions(k.SpendKey(l.Address))
		if err != nil {
			return nil, err
		}
		after = append(after, keys.OwnOutput{Address: l.Address, Key: l.Key, Extensions: &keys.Extensions{
			G: edwards.EncodeScalar(g), T: edwards.EncodeScalar(t),
		}})
		edwards.Wipe(g)
		edwards.Wipe(t)
	}
	signed, err := signToday(ctx, random, o, before)
	if err != nil {
		return nil, err
	}
	var proven []coldset.SignedImage
	for part := range slices.Chunk(after, maxVaultImages) {
		some, err := signer.SignNextImages(ctx, part)
		if err != nil {
			return nil, err
		}
		if len(some) != len(part) {
			return nil, keys.ErrNoSigner
		}
		proven = append(proven, some...)
	}
	images := make([]coldset.SignedImage, len(list))
	for i := range list {
		from := &signed
		if list[i].Carrot {
			from = &proven
		}
		images[i], *from = (*from)[0], (*from)[1:]
	}
	return images, nil
}

// proveNextImage returns the key image of an output with a proof.
func proveNextImage(
	random io.Reader, spender fcmpbuild.Spender, l *wallet.OwnedOutput,
) (out coldset.SignedImage, err error) {
	in := l.Input()
	format, opened := carrot.LegacyOutput, fcmpbuild.Input{}
	if spend := spender.SpendKey(l.Address); l.Carrot {
		format = carrot.CarrotOutput
		opened, err = fcmpbuild.NewCarrotInput(&in, spend, l.Coinbase)
	} else {
		opened, err = fcmpbuild.NewLegacyInput(&in, spend)
	}
	if err != nil {
		return out, err
	}
	defer edwards.Wipe(opened.Received.ExtensionG)
	defer edwards.Wipe(opened.Received.ExtensionT)
	x, y, err := spender.Opening(&opened.Received, l.Address)
	if err != nil {
		return out, err
	}
	defer edwards.Wipe(x)
	defer edwards.Wipe(y)
	image, proof, err := carrot.Default.ProveKeyImage(random, format, l.Key, x, y)
	out.Image, out.Opening = image, (*[coldset.OpeningSize]byte)(&proof)
	return out, err
}

// verifyNextImage is verifyImage for an output whose key has a part of T.
func verifyNextImage(out *wallet.OwnedOutput, image *coldset.SignedImage) error {
	if image.Opening == nil {
		return carrot.ErrImageProof
	}
	format := carrot.LegacyOutput
	if out.Carrot {
		format = carrot.CarrotOutput
	}
	return carrot.Default.VerifyKeyImage(format, out.Key, image.Image, (*carrot.ImageProof)(image.Opening))
}

// encodeNextImages encodes key images with proofs of the fork among them.
func encodeNextImages(random io.Reader, o *openWallet, set *coldset.ImageSet) ([]byte, error) {
	return o.messages().EncodeNextImages(random, set)
}

// decodeNextImages decodes a message of encodeNextImages.
func decodeNextImages(o *openWallet, message []byte) (*coldset.ImageSet, error) {
	return o.messages().DecodeNextImages(message)
}
