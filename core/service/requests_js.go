package service

import "glim/core/rpc"

// registerPaymentRequests lists nothing: pages have no links with several recipients and no receipts, which keeps their
// download small.
func registerPaymentRequests(*rpc.Registry, *proofs) {}
