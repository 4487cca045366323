.DEFAULT_GOAL := help
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(MAKEFILE_LIST))

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "%-12s %s\n", $$1, $$2 }'

setup: ## install what building and testing need
	@scripts/setup

build: ## build the command into bin/
	go build -o bin/glim ./bindings/glim

gen: ## write again what programs write: clients in other languages, vector code
	go run ./scripts/gen
	go run ./scripts/dependencies
	go generate ./wasm/kernel
	go run ./scripts/vector core/crypto/edwards/vector_amd64.s core/crypto/keccak/vector_amd64.s

demo: build ## run the demonstration on a private chain; needs nothing but Go
	bin/glim demo

test: setup check cross unit fuzz race-changed examples ## everything that must hold
	$(MAKE) -j2 --output-sync=target web-test mobile dropin worker-test # one waits while the other computes

check: ## format, go vet, staticcheck, and Biome for TypeScript
	scripts/check

vet: check ## the same as check

cross: ## compile for browser, phones, 32 bits and other desktops
	scripts/cross

unit: ## the tests of every package
	go test -vet=off -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -timeout 40m ./... # scripts/check vets; some wait while others compute

fuzz: ## fuzz every target for FUZZTIME (1s)
	scripts/fuzz

race: ## run the tests of every package that starts goroutines under the race detector; takes some twenty minutes
	scripts/race

race-changed: ## the same for the packages that changed since the last landing, for two minutes at most
	scripts/race --changed

examples: ## run every example
	scripts/examples

dropin: ## drive glim and the reference with published clients of monero-wallet-rpc
	scripts/dropin

dropin-all: ## the same, and MoneroPay, which is built first
	scripts/dropin --all

mobile: ## bind the engine for Kotlin and Swift, and let a JVM live with it
	scripts/mobile

web: ## serve the web wallet on port 8080; its private chain runs in the page, nothing else is needed
	scripts/web-wallet serve

aar: ## build the engine for Android; needs its SDK and NDK, and says which
	scripts/aar

xcframework: ## build the engine for iPhones; needs a Mac with Xcode
	scripts/xcframework

bench-mobile: ## measure the bound engine in a JVM
	scripts/mobile bench

web-test: ## build the package for pages and test it in Node, in Chromium and with bundlers
	scripts/web

bench-web: ## measure the package for pages beside monero-ts, in Node and in Chromium
	scripts/web bench

bench: ## measure every package
	go test -run '^$$' -bench . -benchmem ./...

bench-peers: ## measure beside monero-wallet-rpc: sync, transfers, memory; takes some minutes
	go run ./bindings/bench

bench-load: ## measure many clients at once and large wallets, beside the real programs; a chain is made first
	go run ./bindings/bench -load -rounds 3

bench-multisig: ## measure key exchange and signing of multisig wallets beside the real program; takes some ten minutes
	go run ./bindings/bench -multisig -rounds 3

bench-daemon: ## measure the daemon beside monerod, on a chain made for it
	go run ./bindings/bench -daemon -rounds 5

bench-hostile: ## measure what hostile requests, answers, blocks, texts and messages of SIZE (8) MiB cost in memory; those alone that INPUTS matches; takes an hour or two
	go run ./bindings/bench -hostile -size $(or $(SIZE),8) -inputs '$(INPUTS)'

audit: ## look for known weaknesses of what is built with; asks the network, and says what it could not ask
	@scripts/audit

release: ## build what is published into dist/, with SHA256SUMS
	@scripts/release

reproducible: ## build what is published twice, in different folders, and compare the bytes; takes some minutes
	@scripts/reproducible

soak: ## let 64 clients live with one service for SOAK (1h) on a chain that is reorganised; nothing may be lost
	go run ./bindings/soak -lasting $(or $(SOAK),1h)

crash: ## kill the command CRASHES (300) times while it reads, pays, signs with others and writes its files anew; nothing may be lost
	go test ./bindings/scenario -count=1 -timeout 10h -run '^Test(Crash|CrashInKeyRounds|MultisigKilledWhileSigning)$$' -crash.rounds $(or $(CRASHES),300)

mutants: ## take each remedy of core/SECURITY.md out of the source and see its test fail; those alone that MUTANTS is part of
	go run ./scripts/mutants -only '$(MUTANTS)'

strange: ## hand SHAPES (2000) signed transactions of strange shapes to monerod and to glim's daemon, which have to agree
	go test ./bindings/scenario -count=1 -timeout 10h -v -run '^TestMutatedTransactions$$' -shapes $(or $(SHAPES),2000) -shapes.seed "$$(date)"

lies: ## tell one wallet process every lie of a daemon in ORDERS (40) random orders, and compare it with one that heard none
	go test ./bindings/peers/liar -count=1 -timeout 10h -v -run '^TestLiesToOneProcess$$' -orders $(or $(ORDERS),40)

audited-curve: ## test what touches secrets with the audited library's arithmetic (build tag auditedcurve); takes some minutes
	scripts/audited-curve

dudect: ## measure whether what takes secrets takes the same time whatever they are
	go run ./scripts/dudect

worker: ## build the gateway for Cloudflare Workers, try it in their runtime before a real monerod, and measure it
	scripts/worker --all

worker-test: ## the same, the short way
	scripts/worker

network: ## live with a network of six daemons, glim and monerod in turn, through many splits
	go test -count 1 -timeout 2h -v ./bindings/network -args -daemons 6 -rounds 5

bench-network: ## measure how fast daemons learn a chain from a peer, glim and monerod from each other
	go run ./bindings/bench -network -rounds 3
