//go:build nocarrot

package service

import (
	"context"
	"io"

	"glim/core/coldset"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

var errCarrotSpend, errCarrotReserve error // for transactions that it does not read

// A program without Carrot makes no wallets with its keys, and opens none. Of the
// following, exportable and carrotReserve are reached.

func exportable(*keys.Keys) error { return nil }

func carrotReserve(_ *wallet.Wallet, _ walletrpc.GetReserveProofRequest, err error) error { return err }

func newCarrot(io.Reader, xmr.Network) (o wallet.Identity, err error) { return o, nil }

func carrotFromKeys(xmr.Network, *walletrpc.GenerateFromKeysRequest) (k *keys.Keys, text string, err error) {
	return nil, "", nil
}

func carrotSecret(*keys.Keys, string) (text string, known bool, err error) { return "", false, nil }

// Nor does it pay after the next hard fork.

func (o *openWallet) afterFork() (session.Paths, error) { return nil, nil }

func (o *openWallet) signs() bool { return o.Keys().CanSpend() }

func (a *prefetchedOutputs) weigher() txbuild.Weigher { return nil }

func nextCeiling(_ *openWallet, _ xmr.Network, now fee.Ceiling) fee.Ceiling { return now }

func constructNext(
	context.Context, *openWallet, xmr.Network, uint64, uint32, txbuild.Plan, txbuild.Rate, session.Paths,
) (m builtTx, err error) {
	return m, nil
}

func nextMetadata(*wallet.Sent) (string, error) { return "", nil }

func isNext([]byte) bool { return false }

func nextSent(*openWallet, []byte, uint64) (sent wallet.Sent, described bool, err error) {
	return sent, false, nil
}

type nextCold struct {
	active  *active
	relayer *relayer
	network xmr.Network
	random  io.Reader
}

func isNextSet(string) bool { return false }

func unsignedNext(io.Reader, *openWallet, []builtTx) (string, error) { return "", nil }

func (*nextCold) describe(string) (resp walletrpc.DescribeTransferResponse, err error) {
	return resp, nil
}

func (*nextCold) sign(walletrpc.SignTransferRequest) (resp walletrpc.SignTransferResponse, err error) {
	return resp, nil
}

func (*nextCold) submit(
	context.Context, *openWallet, string,
) (resp walletrpc.SubmitTransferResponse, err error) {
	return resp, nil
}

// Nor does it exchange outputs of it and their key images.

func provesImages(k *keys.Keys) bool { return k.CanSpend() }

func encodeNextOutputs(io.Reader, *openWallet, *coldset.OutputSet, []wallet.OwnedOutput) ([]byte, error) {
	return nil, errCarrotSigner
}

func decodeNextOutputs(*openWallet, []byte) (*coldset.OutputSet, error) {
	return nil, coldset.ErrMagic
}

func importedNext(*keys.Keys, *coldset.ExportedOutput) (out wallet.OwnedOutput, err error) {
	return out, errCarrotSigner
}

func proveNextImages(
	context.Context, io.Reader, *openWallet, []wallet.OwnedOutput,
) ([]coldset.SignedImage, error) {
	return nil, errCarrotSigner
}

func verifyNextImage(*wallet.OwnedOutput, *coldset.SignedImage) error { return errCarrotSigner }

func encodeNextImages(io.Reader, *openWallet, *coldset.ImageSet) ([]byte, error) {
	return nil, errCarrotSigner
}

func decodeNextImages(*openWallet, []byte) (*coldset.ImageSet, error) { return nil, coldset.ErrMagic }
