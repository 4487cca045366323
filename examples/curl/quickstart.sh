# Build glim, and start a daemon with a private chain in memory and the wallet service.
make build
mkdir -p playground
bin/glim daemon --regtest --offline --fixed-difficulty 1 --rpc-bind-port 48081 2>playground/daemon.log &
bin/glim wallet-rpc --regtest --daemon-address 127.0.0.1:48081 --wallet-dir playground/wallets \
  --rpc-bind-port 48083 --rpc-login me:secret 2>playground/wallet-rpc.log &

# Functions to call the wallet service, with a login, and the daemon. The last line waits until the daemon answers.
wallet() {
  curl -sS --retry 30 --retry-delay 1 --retry-connrefused --digest -u me:secret http://127.0.0.1:48083/json_rpc \
    -d '{"jsonrpc":"2.0","id":"0","method":"'"$1"'","params":'"$2"'}'; echo
}
daemon() {
  curl -sS --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:48081/json_rpc \
    -d '{"jsonrpc":"2.0","id":"0","method":"'"$1"'","params":'"$2"'}'; echo
}
daemon get_info '{}' >/dev/null 2>&1

# Create a wallet and show its seed words.
name=wallet-$(date +%s%N)
wallet create_wallet '{"filename":"'"$name"'","password":"secret","language":"English"}'
wallet query_key '{"key_type":"mnemonic"}'

# Mine 80 blocks to it; rewards are locked for 60 blocks.
address=$(wallet get_address '{"account_index":0}' | sed 's/.*"address":"\([^"]*\)".*/\1/')
for _ in 1 2 3 4; do
  daemon generateblocks '{"amount_of_blocks":20,"wallet_address":"'"$address"'"}' >/dev/null
done
wallet refresh '{}'

# Pay 1.5 XMR to a second account. Amounts are in atomic units of 0.000000000001 XMR.
wallet create_account '{"label":"somebody"}'
somebody=$(wallet get_address '{"account_index":1}' | sed 's/.*"address":"\([^"]*\)".*/\1/')
wallet transfer '{"destinations":[{"amount":1500000000000,"address":"'"$somebody"'"}],"get_tx_key":true}'
wallet get_transfers '{"pending":true,"pool":true,"all_accounts":true}'

# The next block contains the payment.
daemon generateblocks '{"amount_of_blocks":1,"wallet_address":"'"$address"'"}' >/dev/null
wallet refresh '{}'
wallet get_accounts '{}'

# Stop both.
wallet stop_wallet '{}'
curl -sS http://127.0.0.1:48081/stop_daemon -d '{}'; echo
wait
