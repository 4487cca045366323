package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"glim/bindings/native"
	"glim/core/address"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// recipe is a file that says which wallet to make: of a seed, of keys, or of a view key and an address. Its errors tell nothing that is
// secret. Source: src/wallet/wallet2.cpp, generate_from_json.
type recipe struct {
	Version        *uint64 `json:"version"`
	Filename       string  `json:"filename"` // where the wallet is made
	ScanFromHeight uint64  `json:"scan_from_height"`
	Password       string  `json:"password"`
	Seed           string  `json:"seed"`
	SeedPassphrase string  `json:"seed_passphrase"`
	SpendKey       string  `json:"spendkey"`
	ViewKey        string  `json:"viewkey"`
	Address        string  `json:"address"`
}

// recipeVersion is the newest there is.
const recipeVersion = 1

// maxRecipe bounds such a file, in bytes.
const maxRecipe = 1 << 16

// parseRecipe reads a file that says which wallet to make.
func parseRecipe(text []byte) (r recipe, err error) {
	if len(text) > maxRecipe {
		return r, fmt.Errorf("more than %d bytes", maxRecipe)
	}
	if json.Unmarshal(text, &r) != nil {
		return r, errors.New("not a JSON object, or a member is of another kind than it should be")
	}
	switch {
	case r.Version == nil || r.Filename == "":
		return r, errors.New("version and filename are needed")
	case *r.Version > recipeVersion:
		return r, fmt.Errorf("version %d; up to %d is known", *r.Version, recipeVersion)
	case r.Seed == "" && r.SpendKey == "" && r.ViewKey == "":
		return r, errors.New("one of seed, spendkey and viewkey is needed")
	case r.Seed != "" && (r.SpendKey != "" || r.ViewKey != ""):
		return r, errors.New("seed excludes spendkey and viewkey")
	case r.Seed == "" && r.SpendKey == "" && r.Address == "":
		return r, errors.New("a wallet that only sees needs viewkey and address")
	}
	return r, nil
}

// complete fills in what follows from the spend key: the view key, unless it is another's, and the address.
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
		view, gone := secretOf(r.ViewKey)
		if gone != nil {
			return fmt.Errorf("viewkey: %w", gone)
		}
		k, err = keys.FromSecrets(spend, view)
	}
	if err != nil {
		return errors.New("spendkey or viewkey: no key")
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

// generate makes the wallet that the recipe says, as c has wallets made, and returns where it is.
func (r recipe) generate(ctx context.Context, c service.Config) (files service.Files, name string, err error) {
	if err := r.complete(c.Network); err != nil {
		return nil, "", err
	}
	dir, name := filepath.Split(r.Filename)
	files = native.WalletDir(filepath.Clean(dir))
	c.Files, c.Opened = files, nil
	s, err := service.New(c, service.DaemonConfig{})
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if r.Seed != "" {
		var made walletrpc.RestoreDeterministicWalletResponse
		made, err = rpc.Call(ctx, s.Registry(), walletrpc.RestoreDeterministicWallet, walletrpc.RestoreDeterministicWalletRequest{
			Filename: name, Seed: r.Seed, SeedOffset: r.SeedPassphrase, Password: r.Password, RestoreHeight: r.ScanFromHeight})
		if err == nil && r.Address != "" && made.Address != r.Address {
			err = errors.New("the wallet was made, and its address is not the one named")
		}
		return files, name, err
	}
	_, err = rpc.Call(ctx, s.Registry(), walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename: name, Address: r.Address, SpendKey: r.SpendKey, ViewKey: r.ViewKey, Password: r.Password, RestoreHeight: r.ScanFromHeight})
	return files, name, err
}
