//go:build js && wasm

package main

import (
	"syscall/js"

	"glim/core/journal"
	"glim/core/mnemonic"
	"glim/core/mnemonic/languages"
	"glim/core/polyseed"
	polyseeds "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/smallfmt"
	"glim/core/xmr"
	"glim/wasm/host"
)

// options are those with which a page starts an engine and a signer; web/sdk/src/protocol.ts documents them.
type options struct {
	Network  string        `json:"network"`
	Daemon   daemonOptions `json:"daemon"`
	Witness  daemonOptions `json:"witness"`
	Sending  daemonOptions `json:"sending"`
	Scanners int           `json:"scanners"`
	LogLevel int           `json:"logLevel"`
	KDF      *struct {
		Time   uint32 `json:"time"`
		Memory uint32 `json:"memory"`
	} `json:"kdf"`
}

// daemonOptions are those of one daemon.
type daemonOptions struct {
	Address  string `json:"address"`
	Username string `json:"username"`
	Password string `json:"password"`
	Trusted  bool   `json:"trusted"`
}

func (d daemonOptions) config() service.DaemonConfig {
	return service.DaemonConfig{Address: d.Address, Username: d.Username, Password: d.Password, Trusted: d.Trusted}
}

var networks = map[string]xmr.Network{
	"mainnet":  xmr.Mainnet,
	"stagenet": xmr.Stagenet,
	"testnet":  xmr.Testnet,
	"regtest":  xmr.Regtest,
}

func readOptions(outside js.Value) (o options, err error) {
	if err := rpc.Bind([]byte(outside.Get("options").String()), &o); err != nil {
		return o, smallfmt.Errorf("options: %w", err)
	}
	if _, known := networks[o.Network]; !known {
		return o, smallfmt.Errorf("options: there is no network %q", o.Network)
	}
	return o, nil
}

// kdf returns the cost of deriving keys from passwords.
func (o *options) kdf() journal.KDF {
	if o.KDF == nil {
		return journal.DefaultKDF()
	}
	return journal.KDF{Time: o.KDF.Time, MemoryKiB: o.KDF.Memory, Lanes: 1}
}

func seedLanguages(outside js.Value) mnemonic.Languages {
	return languages.Known(func(list string) string { return words(outside, "seeds/"+list) })
}

func polyseedLanguages(outside js.Value) polyseed.Languages {
	return polyseeds.Known(func(list string) string { return words(outside, "polyseeds/"+list) })
}

// words fetches a word list that the package contains next to the program.
func words(outside js.Value, list string) string {
	v, err := host.Try(outside, "words", list)
	if err == nil && v.Type() == js.TypeString && v.String() != "" {
		return v.String()
	}
	outside.Call("log", 3, "the list of words "+list+" cannot be had; seeds in its language are not known")
	return ""
}
