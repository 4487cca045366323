package service

import (
	"context"
	"slices"

	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// frozenOutputs freezes and thaws outputs; a frozen output is not spent.
type frozenOutputs struct{ active *active }

// keyImage parses the key image of a request, which has no label; verb completes the error text for an empty one.
func keyImage(req *walletrpc.KeyImageRequest, verb string) (xmr.KeyImage, error) {
	if req.Label != "" {
		return xmr.KeyImage{}, refuse("key_image and label are mutually exclusive")
	}
	if req.KeyImage == "" {
		return xmr.KeyImage{}, walletrpc.Fail(walletrpc.CodeUnknown, "Must specify key image to %s", verb)
	}
	k, err := xmr.ParseKey(req.KeyImage)
	if err != nil {
		return xmr.KeyImage{}, walletrpc.Fail(walletrpc.CodeWrongKeyImage, "")
	}
	return k, nil
}

// noneLabelled replaces wallet.ErrNoSuchOutput, whose text is about key images.
func noneLabelled(err error) error {
	return refusalFor(err, map[error]string{
		wallet.ErrNoSuchOutput: "No output was received at an address with this label"})
}

func (s *frozenOutputs) freeze(_ context.Context, req walletrpc.KeyImageRequest) (empty, error) {
	return empty{}, s.setFrozen(req, "freeze", false)
}

func (s *frozenOutputs) thaw(_ context.Context, req walletrpc.KeyImageRequest) (empty, error) {
	return empty{}, s.setFrozen(req, "thaw", true)
}

func (s *frozenOutputs) setFrozen(req walletrpc.KeyImageRequest, verb string, thaw bool) error {
	return s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		if req.Label != "" && req.KeyImage == "" {
			c, err := w.DecideFreezeLabel(req.Label, thaw)
			return c, noneLabelled(err)
		}
		image, err := keyImage(&req, verb)
		if err != nil {
			return wallet.ChangeSet{}, err
		}
		return w.DecideFreeze(image, thaw)
	})
}

func (s *frozenOutputs) frozen(
	_ context.Context, req walletrpc.KeyImageRequest,
) (resp walletrpc.FrozenResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		if req.Label != "" && req.KeyImage == "" {
			list := w.Labelled(req.Label)
			if len(list) == 0 {
				return noneLabelled(wallet.ErrNoSuchOutput)
			}
			resp.Frozen = !slices.ContainsFunc(list, func(o *wallet.OwnedOutput) bool { return !w.IsFrozen(o) })
			return nil
		}
		image, err := keyImage(&req, "check if frozen")
		if err != nil {
			return err
		}
		o, ok := w.OutputByImage(image)
		if !ok {
			return wallet.ErrNoSuchOutput
		}
		resp.Frozen = w.IsFrozen(o)
		return nil
	})
	return resp, err
}
