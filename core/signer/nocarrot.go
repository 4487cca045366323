//go:build nocarrot

package signer

import "glim/core/keys"

// imagesRequest returns the operation and its arguments for the key images of outputs.
func imagesRequest(outputs []keys.OwnOutput) (op byte, body []byte) {
	return opImages, appendOutputs(nil, outputs)
}
