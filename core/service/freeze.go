package service

import (
	"context"

	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// frozenOutputs freezes and thaws outputs; a frozen output is not spent.
type frozenOutputs struct{ active *active }

// keyImage parses a key image; verb completes the error text for an empty one.
func keyImage(text, verb string) (xmr.KeyImage, error) {
	if text == "" {
		return xmr.KeyImage{}, walletrpc.Fail(walletrpc.CodeUnknown, "Must specify key image to %s", verb)
	}
	k, err := xmr.ParseKey(text)
	if err != nil {
		return xmr.KeyImage{}, walletrpc.Fail(walletrpc.CodeWrongKeyImage, "")
	}
	return k, nil
}

func (s *frozenOutputs) freeze(_ context.Context, req walletrpc.KeyImageRequest) (empty, error) {
	return empty{}, s.setFrozen(req.KeyImage, "freeze", false)
}

func (s *frozenOutputs) thaw(_ context.Context, req walletrpc.KeyImageRequest) (empty, error) {
	return empty{}, s.setFrozen(req.KeyImage, "thaw", true)
}

func (s *frozenOutputs) setFrozen(text, verb string, thaw bool) error {
	return s.active.change(func(w *wallet.Wallet) (wallet.ChangeSet, error) {
		image, err := keyImage(text, verb)
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
		image, err := keyImage(req.KeyImage, "check if frozen")
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
