#!/bin/sh
# Opens the shop in Chromium and checks what it shows. "node run.mjs 8000" serves it for your own browser.
set -eu
cd "$(dirname "$0")/../.."

for program in node npm "${CHROMIUM:-chromium}"; do
	command -v "$program" >/dev/null && continue
	echo "examples/pay-button: $program is not installed" >&2
	[ -z "${CI:-}" ] && exit 0
	exit 1
done
CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
export CHROMIUM
[ -e web/sdk/dist/pay-button.js ] || scripts/web build
out=$(node examples/pay-button/run.mjs) || { echo "$out" >&2; exit 1; }
echo "$out"
for line in 'asked for 250000000000 atomic units' \
	'monero:.*?tx_amount=0.25&recipient_name=Orchard&tx_description=Order%2017%3A%20apples'; do
	echo "$out" | grep -qx "$line" || { echo "examples/pay-button: the page does not show: $line" >&2; exit 1; }
done
