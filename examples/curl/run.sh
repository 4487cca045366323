#!/bin/sh
# Runs quickstart.sh, the quick start of the main README, on free ports, and checks its output.
set -eu
cd "$(dirname "$0")/../.."

command -v curl >/dev/null || {
	echo "examples/curl: curl is not installed: apt-get install curl" >&2
	[ -z "${CI:-}" ] && exit 0
	exit 1
}

dir=$(mktemp -d)
out=$dir/out
# At the end, kill both programs by their process IDs and remove the folder.
trap 'for p in $(cat "$dir/pids" 2>/dev/null); do kill "$p" 2>/dev/null || :; done; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# The code blocks of the README must equal the script without its comments.
grep -v '^#\|^$' examples/curl/quickstart.sh >"$dir/script"
awk '/^<!-- quick start -->$/ { on = 1 } /^<!-- end of quick start -->$/ { on = 0 }
	on && /^```/ { block = !block; next } on && block' README.md |
	diff - "$dir/script" >&2 ||
	{ echo "examples/curl: the quick start in README.md differs from examples/curl/quickstart.sh" >&2; exit 1; }

# Check that the ports are free: curl's exit code 7 is a refused connection.
base=$((20000 + $$ % 20000))
for offset in 1 3; do
	code=0
	curl -s -o /dev/null "http://127.0.0.1:$((base + offset))" || code=$?
	[ "$code" = 7 ] || { echo "examples/curl: port $((base + offset)) is taken; run it again" >&2; exit 1; }
done

sed -e "s/48081/$((base + 1))/g; s/48083/$((base + 3))/g" -e "s|playground|$dir|g" \
	-e "s|--retry 30|--retry 120|" -e "s| &\$| \& echo \$! >>$dir/pids|" examples/curl/quickstart.sh >"$dir/quickstart"
sh -eu "$dir/quickstart" >"$out" 2>"$dir/err" || { cat "$out" "$dir/err" "$dir"/*.log >&2; exit 1; }
cat "$out"

expect() {
	grep -q "$1" "$out" || { echo "examples/curl: the output lacks $1" >&2; cat "$dir/err" "$dir"/*.log >&2; exit 1; }
}
expect '"tx_key":"[0-9a-f]\{64\}"'
expect '"type":"pending"'
expect '"label":"somebody","tag":"","unlocked_balance":'
expect '"balance":1500000000000,'
if grep '"error"' "$out" >&2; then
	exit 1
fi
