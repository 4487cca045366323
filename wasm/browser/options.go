//go:build js && wasm

package main

import (
	"syscall/js"

	"glim/core/journal"
	"glim/core/mnemonic"
	"glim/core/mnemonic/languages"
	"glim/core/polyseed"
	sixteen "glim/core/polyseed/languages"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/xmr"
	"glim/wasm/host"
)

// options are what a page starts an engine and a signer with; web/sdk/src/protocol.ts says what they mean.
type options struct {
	Network string `json:"network"`
	Daemon  struct {
		Address  string `json:"address"`
		Username string `json:"username"`
		Password string `json:"password"`
		Trusted  bool   `json:"trusted"`
	} `json:"daemon"`
	Scanners int `json:"scanners"`
	LogLevel int `json:"logLevel"`
	KDF      *struct {
		Time   uint32 `json:"time"`
		Memory uint32 `json:"memory"`
	} `json:"kdf"`
}

var networks = map[string]xmr.Network{"mainnet": xmr.Mainnet, "stagenet": xmr.Stagenet, "testnet": xmr.Testnet, "regtest": xmr.Regtest}

func readOptions(outside js.Value) (o options, err error) {
	if err := rpc.Bind([]byte(outside.Get("options").String()), &o); err != nil {
		return o, say.Errorf("options: %w", err)
	}
	if _, known := networks[o.Network]; !known {
		return o, say.Errorf("options: there is no network %q", o.Network)
	}
	return o, nil
}

// kdf is how hard passwords are to guess.
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
	return sixteen.Known(func(list string) string { return words(outside, "polyseeds/"+list) })
}

// words fetches a list of words that the package has beside the program.
func words(outside js.Value, list string) string {
	v, err := host.Try(outside, "words", list)
	if err == nil && v.Type() == js.TypeString && v.String() != "" {
		return v.String()
	}
	outside.Call("log", 3, "the list of words "+list+" cannot be had; seeds in its language are not known")
	return ""
}
