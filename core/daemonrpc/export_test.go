package daemonrpc

import (
	"encoding/json"

	"glim/core/smallfmt"
	"glim/core/xmr"
)

// UnpackHashes returns the hashes that PackHashes packed. Errors: ErrBlob.
func UnpackHashes(raw json.RawMessage) ([]xmr.Hash, error) {
	b, err := UnquoteBlob(raw)
	if err != nil {
		return nil, err
	}
	if len(b)%32 != 0 {
		return nil, smallfmt.Errorf("%w: %d bytes of hashes", ErrBlob, len(b))
	}
	hashes := make([]xmr.Hash, len(b)/32)
	for i := range hashes {
		copy(hashes[i][:], b[32*i:])
	}
	return hashes, nil
}
