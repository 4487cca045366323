//go:build nocarrot

package signer

import "glim/core/keys"

// imagesRequest is not reached: without Carrot, a wallet has no outputs of the next hard fork.
func imagesRequest([]keys.OwnOutput) (op byte, body []byte) { return 0, nil }
