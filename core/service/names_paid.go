package service

import (
	"context"

	"glim/core/walletrpc"
)

// destinations returns list with addresses in place of names; see address. What is paid, recorded and compared under an
// idempotency key is the address.
func (s *aliases) destinations(
	ctx context.Context, list []walletrpc.Destination,
) (found []walletrpc.Destination, err error) {
	for _, d := range list {
		if d.Address, err = s.address(ctx, d.Address); err != nil {
			return nil, err
		}
		found = append(found, d)
	}
	return found, nil
}
