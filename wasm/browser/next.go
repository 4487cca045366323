//go:build js && wasm && !nocarrot

package main

import (
	"context"
	"errors"

	"glim/core/carrot"
	"glim/core/keys"
	"glim/core/service"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletpaths"
	"glim/wasm/host"
)

// passedFork returns false, because this program reads chains that have passed the next hard fork.
func passedFork(error) bool { return false }

// pathsSuffix is that of the file with the paths of a wallet's outputs. It can be removed: blocks are then read again.
const pathsSuffix = ".paths"

// paths is service.Config.Paths: wallets can pay after the next hard fork.
func (e *engine) paths(name string, k *keys.Keys) session.Paths {
	var stored walletpaths.Store
	if name != "" {
		stored = pathsFile{&files{e.host.Get("files")}, name + pathsSuffix}
	}
	return &pagePaths{walletpaths.New(carrot.Default, k, stored, host.Random{}), e}
}

// pagePaths handles messages of the worker while a proof is made, so that a call can be cancelled.
type pagePaths struct {
	*walletpaths.Paths
	engine *engine
}

// Build is walletpaths.Paths.Build.
func (p *pagePaths) Build(
	ctx context.Context, read func(func(*wallet.Wallet)), k *keys.Keys, r session.NextRequest,
) (wallet.Sent, error) {
	return p.Paths.Build(&breathing{ctx, p.engine}, read, k, r)
}

// breathing is a context that handles pending messages whenever it is asked for its error, as provers do between their
// steps.
type breathing struct {
	context.Context
	engine *engine
}

// Err returns the context's error.
func (b *breathing) Err() error {
	if err := b.Context.Err(); err != nil {
		return err
	}
	b.engine.breathe()
	return b.Context.Err()
}

// pathsFile implements walletpaths.Store with a file of the host. The wallet's own file is locked while it is open.
type pathsFile struct {
	files *files
	name  string
}

// Load returns the content of the file. It returns service.ErrNoWallet if the file does not exist.
func (p pathsFile) Load() ([]byte, error) {
	st, err := p.files.open("open", p.name)
	if err != nil {
		return nil, err
	}
	b, err := st.Load()
	return b, errors.Join(err, st.Close())
}

// Save replaces the content of the file.
func (p pathsFile) Save(b []byte) error {
	st, err := p.files.open("open", p.name)
	if errors.Is(err, service.ErrNoWallet) {
		st, err = p.files.open("create", p.name)
	}
	if err != nil {
		return err
	}
	return errors.Join(st.Replace(b), st.Close())
}
