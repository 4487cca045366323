module glim/mobile/bind

go 1.26.0

replace golang.org/x/exp/shiny => ./shiny

tool (
	golang.org/x/mobile/cmd/gobind
	golang.org/x/mobile/cmd/gomobile
)

require golang.org/x/mobile v0.0.0-20260908204917-8b95e45f8d3e

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/miekg/dns v1.1.73 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

require (
	glim v0.0.0
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.50.0 // indirect
)

replace glim => ../..
