module glim

go 1.26.0

require (
	filippo.io/edwards25519 v1.2.0
	github.com/miekg/dns v1.1.73
	github.com/piglig/go-qr v1.1.0
	github.com/stretchr/testify v1.12.1
	github.com/syumai/workers v0.31.0
	go.etcd.io/bbolt v1.5.0
	golang.org/x/crypto v0.58.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.60.0 // indirect
)
