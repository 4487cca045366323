package service

import (
	"context"
	"strings"

	"glim/core/mnemonic"
	"glim/core/wallet"
	"glim/core/walletfile"
	"glim/core/walletrpc"
)

// exportKeysFile makes a file of keys for the reference. A wallet's own name would not do: with a file of keys beside it, its own
// file is looked for elsewhere.
func (s *Service) exportKeysFile(ctx context.Context, req walletrpc.ExportKeysFileRequest) (resp walletrpc.ExportKeysFileResponse, err error) {
	s.files.Lock()
	defer s.files.Unlock()
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	switch {
	case s.config.Files == nil:
		return resp, walletrpc.Fail(walletrpc.CodeNoWalletDir, "")
	case req.Filename == "" || strings.ContainsAny(req.Filename, "/\\"):
		return resp, refuse("Invalid filename")
	}
	var origin wallet.Origin
	var ahead wallet.Lookahead
	enabled, depth := false, uint64(0)
	o.View(func(w *wallet.Wallet) {
		origin, ahead, enabled, depth = w.Origin(), w.Lookahead(), w.MultisigEnabled(), w.MaxReorgDepth()
	})
	here, _, err := origin.Keys.Within(ctx).Here()
	if err != nil {
		return resp, err
	}
	if here != origin.Keys {
		defer here.Forget()
	}
	file, err := walletfile.Seal(&walletfile.Wallet{
		Keys: here, Network: origin.Network, Language: s.localName(origin.Language), RestoreHeight: origin.RestoreHeight,
		LookaheadMajor: ahead.Major, LookaheadMinor: ahead.Minor, Multisig: origin.Multisig, EnableMultisig: enabled,
		MaxReorgDepth: &depth,
	}, []byte(req.Password), max(s.config.KeyRounds, walletfile.Rounds), s.config.Random)
	if err != nil {
		return resp, err
	}
	if err := s.config.Files.Export(req.Filename, file); err != nil {
		return resp, fileError(err)
	}
	resp.Filename = req.Filename + ".keys"
	return resp, nil
}

// localName returns a language's name as the reference's files have it: in the language. There are no seeds of twenty-five words in
// some languages of sixteen; English has to do then.
func (s *Service) localName(name string) string {
	if name == "" {
		return ""
	}
	if l := s.config.Languages.Find(name); l != nil {
		return l.LocalName()
	}
	return mnemonic.English().LocalName()
}
