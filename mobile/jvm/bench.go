package main

import "context"

func (m machine) bench(ctx context.Context) error { return nil }
