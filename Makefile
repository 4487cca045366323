.DEFAULT_GOAL := help
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(MAKEFILE_LIST))

# Tests compare glim with these releases of Monero, the first of which is the reference, and with the one in PATH.
export GLIM_REFERENCE ?= $(shell scripts/reference)

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "%-15s %s\n", $$1, $$2 }'

setup: ## install everything needed to build and test
	@scripts/setup

build: ## build the command into bin/
	go build -o bin/glim ./bindings/glim

gen: ## regenerate code: clients in other languages, the list of dependencies, vector code
	go run ./scripts/gen
	go run ./scripts/dependencies
	go generate ./wasm/kernel
	go run ./scripts/vector core/crypto/edwards/vector_amd64.s core/crypto/keccak/vector_amd64.s

demo: build ## run the demonstration on a private chain; needs only Go
	bin/glim demo

app: ## open the web wallet with a native engine, as glim app does; needs Go and node
	@scripts/app bin/glim
	bin/glim app

test: setup check ## run all checks and tests
	$(MAKE) -j3 --output-sync=target web-test unit cross mobile dropin worker-test race-changed earlier fuzz examples # many wait

check: ## check line lengths and format; run go vet, staticcheck and Biome
	scripts/check

vet: check ## the same as check

cross: ## check the sources for other systems, and run parts on js/wasm
	scripts/cross

unit: ## run the tests of every package
	go test -vet=off -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -timeout 60m ./... # scripts/check runs vet; some tests wait while others compute

# The tests that exchange transactions, proofs, files and multisig messages with the other program.
EXCHANGES = Transfers|Proofs|EverythingEqual|ColdSigning|MultisigSetup|MultisigSpend|TakesOverAddresses|WalletUsedInTurns
EXCHANGES := $(EXCHANGES)|ReferenceOpensWhatWeExport|WalletWithOurDaemon|ReferenceWalletWithOurDaemon

earlier: ## exchange with the release of Monero in PATH, if another one is the reference
	@[ -z "$$GLIM_REFERENCE" ] || GLIM_REFERENCE= go test -vet=off -timeout 60m ./bindings/scenario -run '^Test($(EXCHANGES))$$'

fuzz: ## fuzz every target for FUZZTIME (1s)
	scripts/fuzz

mainnet-data: ## read published data of the main network in the folders of DATA, such as checkouts of monero and cuprate
	@test -n "$(DATA)" || { echo "make mainnet-data DATA=FOLDER[:FOLDER…]" >&2; exit 2; }
	GLIM_MAINNET_DATA="$(DATA)" go test -count 1 ./core/mainnet

race: ## test every package that starts goroutines with the race detector; about twenty minutes
	scripts/race

race-changed: ## the same for changed packages, for at most two minutes
	scripts/race --changed

examples: ## run every example
	scripts/examples

dropin: ## compare glim and the reference with published clients of monero-wallet-rpc; drive glim lws with one
	scripts/dropin

dropin-all: ## the same, also with MoneroPay, which is built first
	scripts/dropin --all

moneropay: ## run MoneroPay on glim and on the reference: invoice, payments, callbacks, refund; compare
	scripts/dropin --moneropay

functional: ## run the functional tests of Monero 0.18.5.1, in SOURCE, with glim as wallet, as daemon and as both
	@test -n "$(SOURCE)" || { echo "make functional SOURCE=FOLDER [PYTHON=python3] [TESTS=LIST] [MODES=LIST]" >&2; exit 2; }
	go run ./scripts/functional $(if $(PYTHON),-python '$(PYTHON)') $(if $(TESTS),-only '$(TESTS)') \
		$(if $(MODES),-modes '$(MODES)') '$(SOURCE)'

monero-ts: ## run monero-ts's tests of its RPC clients, in SOURCE, with glim and the reference, and compare; half an hour
	@test -n "$(SOURCE)" || { echo "make monero-ts SOURCE=FOLDER [SUITES=LIST] [TESTS=PATTERN]" >&2; exit 2; }
	go run ./scripts/monerots $(if $(SUITES),-suites '$(SUITES)') $(if $(TESTS),-only '$(TESTS)') '$(SOURCE)'

mobile: ## bind the engine for Kotlin and Swift, and test it in a JVM
	scripts/mobile

web: ## serve the web wallet on port 8080, with a private chain in the page
	scripts/web-wallet serve

aar: ## build the engine for Android; needs its SDK and NDK
	scripts/aar

xcframework: ## build the engine for iPhones; needs a Mac with Xcode
	scripts/xcframework

bench-mobile: ## measure the mobile engine in a JVM
	scripts/mobile bench

web-test: ## build the package for pages; test it in Node, in Chromium and with bundlers
	scripts/web

recipes: ## install, build and run the recipes for Vite, SvelteKit and Node; needs Chromium
	scripts/recipes

docs: ## build the documentation as a site into web/docs/dist; needs node
	scripts/docs

docs-test: ## build the same site, and test it in Chromium
	scripts/docs test

firefox: ## test the web wallet, the extension and the package for pages in Firefox; half an hour
	scripts/web-wallet firefox
	scripts/web-extension firefox

webkit: ## test the package for pages in WebKitGTK's MiniBrowser; needs webkit2gtk-driver and xvfb
	scripts/webkit

bench-web: ## compare the speed of the package for pages with monero-ts, in Node and Chromium
	scripts/web bench

bench: ## run the benchmarks of every package
	go test -run '^$$' -bench . -benchmem ./...

bench-peers: ## compare with monero-wallet-rpc: sync, transfers, memory; some minutes
	go run ./bindings/bench

bench-load: ## compare response times with many clients and large wallets; makes a chain first
	go run ./bindings/bench -load -rounds 3

bench-multisig: ## compare key exchange and signing of multisig wallets; about ten minutes
	go run ./bindings/bench -multisig -rounds 3

bench-daemon: ## compare the daemon with monerod, on a chain made for it
	go run ./bindings/bench -daemon -rounds 5

bench-hostile: ## measure memory for hostile input of SIZE (8) MiB, as selected by INPUTS; an hour or two
	go run ./bindings/bench -hostile -size $(or $(SIZE),8) -inputs '$(INPUTS)'

audit: ## look for known vulnerabilities of dependencies, on the network
	@scripts/audit

release: ## build all published files into dist/, with SHA256SUMS
	@scripts/release

reproducible: ## build all published files twice, and compare them; some minutes
	@scripts/reproducible

soak: ## run 64 clients against one service for SOAK (1h), with reorganisations, and check the result
	go run ./bindings/soak -lasting $(or $(SOAK),1h)

crash: ## kill the command CRASHES (300) times during its operations, and check that nothing is lost
	go test ./bindings/scenario -count=1 -timeout 10h -run '^Test(Crash|CrashInKeyRounds|MultisigKilledWhileSigning)$$' -crash.rounds $(or $(CRASHES),300)

mutants: ## remove each defence of core/SECURITY.md, or those that match MUTANTS, and see its test fail
	go run ./scripts/mutants -only '$(MUTANTS)'

unusual-shapes: ## send SHAPES (2000) signed transactions of unusual shapes to monerod and glim's daemon, and compare
	go test ./bindings/scenario -count=1 -timeout 10h -v -run '^TestMutatedTransactions$$' -shapes $(or $(SHAPES),2000) -shapes.seed "$$(date)"

forged-answers: ## send every kind of forged answer to one wallet process in ORDERS (40) random orders, and compare
	go test ./bindings/peers/malicious -count=1 -timeout 10h -v -run '^TestForgedAnswersInOneProcess$$' -orders $(or $(ORDERS),40)

audited-curve: ## test with the arithmetic of the audited library (build tag auditedcurve); some minutes
	scripts/audited-curve

dudect: ## measure whether operations on secrets take constant time
	go run ./scripts/dudect

worker: ## build the gateway for Cloudflare Workers, test it with monerod, and measure it
	scripts/worker --all

worker-test: ## the same, with a short test
	scripts/worker

network: ## test a network of six daemons, glim and monerod, through many splits
	go test -count 1 -timeout 2h -v ./bindings/network -args -daemons 6 -rounds 5

bench-network: ## measure how fast glim and monerod learn a chain from each other
	go run ./bindings/bench -network -rounds 3
