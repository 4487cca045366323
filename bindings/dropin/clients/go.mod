module glim/bindings/dropin/clients

go 1.26

require (
	github.com/monero-ecosystem/go-monero-rpc-client v0.0.0-20200124164006-0afb4abdfc3c
	gitlab.com/moneropay/go-monero v1.1.2
	gitlab.com/moneropay/moneropay/v2 v2.5.1
)

require (
	github.com/gorilla/rpc v1.2.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
)
