package signer

import "glim/core/keys"

// PlaceAt is a place that nobody opened.
func PlaceAt(p Post, k *keys.Keys) *Place { return &Place{post: p, own: k.Address} }
