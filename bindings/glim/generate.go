package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// recipe is a file that describes the wallet to create, from a seed, from keys, or from a view key and an address.
// Errors about it contain no secrets. Source: src/wallet/wallet2.cpp, generate_from_json.
type recipe struct {
	Version        *uint64 `json:"version"`
	Filename       string  `json:"filename"` // path of the new wallet
	ScanFromHeight uint64  `json:"scan_from_height"`
	Password       string  `json:"password"`
	Seed           string  `json:"seed"`
	SeedPassphrase string  `json:"seed_passphrase"`
	SpendKey       string  `json:"spendkey"`
	ViewKey        string  `json:"viewkey"`
	Address        string  `json:"address"`
}

// recipeVersion is the newest version of the format.
const recipeVersion = 1

// maxRecipe limits the size of such a file, in bytes.
const maxRecipe = 1 << 16

// parseRecipe parses and checks a recipe.
func parseRecipe(text []byte) (r recipe, err error) {
	if len(text) > maxRecipe {
		return r, fmt.Errorf("larger than %d bytes", maxRecipe)
	}
	if json.Unmarshal(text, &r) != nil {
		return r, errors.New("not a JSON object, or a member has the wrong type")
	}
	switch {
	case r.Version == nil || r.Filename == "":
		return r, errors.New("version and filename are required")
	case *r.Version > recipeVersion:
		return r, fmt.Errorf("version %d is not supported, only versions up to %d", *r.Version, recipeVersion)
	case r.Seed == "" && r.SpendKey == "" && r.ViewKey == "":
		return r, errors.New("seed, spendkey or viewkey is required")
	case r.Seed != "" && (r.SpendKey != "" || r.ViewKey != ""):
		return r, errors.New("seed cannot be combined with spendkey or viewkey")
	case r.Seed == "" && r.SpendKey == "" && r.Address == "":
		return r, errors.New("a view-only wallet requires viewkey and address")
	}
	return r, nil
}

// complete derives the view key and the address from the spend key, if they are missing.
func (r *recipe) complete(network xmr.Network) error {
	if r.SpendKey == "" {
		return nil
	}
	spend, err := secretOf(r.SpendKey)
	if err != nil {
		return fmt.Errorf("spendkey: %w", err)
	}
	k, err := keys.FromSeed(spend)
	if err == nil && r.ViewKey != "" {
		view, viewErr := secretOf(r.ViewKey)
		if viewErr != nil {
			return fmt.Errorf("viewkey: %w", viewErr)
		}
		k, err = keys.FromSecrets(spend, view)
	}
	if err != nil {
		return errors.New("spendkey or viewkey is not a valid key")
	}
	view := k.ViewSecret()
	r.ViewKey = hex.EncodeToString(view[:])
	if r.Address == "" {
		r.Address = address.Address{Network: network, Spend: k.SpendPublic, View: k.ViewPublic}.String()
	}
	return nil
}

func secretOf(text string) (out [32]byte, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(out) {
		return out, errors.New("not 64 hexadecimal digits")
	}
	return [32]byte(b), nil
}

// generate creates the wallet called name in files, with the configuration c.
func (r recipe) generate(ctx context.Context, c service.Config, files service.Files, name string) (err error) {
	if err := r.complete(c.Network); err != nil {
		return err
	}
	c.Files, c.Opened = files, nil
	s, err := service.New(c, service.DaemonConfig{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if r.Seed != "" {
		return r.restore(ctx, s, name)
	}
	_, err = rpc.Call(ctx, s.Registry(), walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename:      name,
		Address:       r.Address,
		SpendKey:      r.SpendKey,
		ViewKey:       r.ViewKey,
		Password:      r.Password,
		RestoreHeight: r.ScanFromHeight,
	})
	return err
}

// restore creates the wallet from its seed.
func (r recipe) restore(ctx context.Context, s *service.Service, name string) error {
	req := walletrpc.RestoreDeterministicWalletRequest{
		Filename:      name,
		Seed:          r.Seed,
		SeedOffset:    r.SeedPassphrase,
		Password:      r.Password,
		RestoreHeight: r.ScanFromHeight,
	}
	made, err := rpc.Call(ctx, s.Registry(), walletrpc.RestoreDeterministicWallet, req)
	if err == nil && r.Address != "" && made.Address != r.Address {
		err = errors.New("the wallet was created, but its address differs from the one given")
	}
	return err
}
