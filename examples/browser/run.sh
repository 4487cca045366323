#!/bin/sh
# Opens index.html in Chromium and checks its text. "node run.mjs 8000" serves it for your own browser.
set -eu
cd "$(dirname "$0")/../.."

for program in node npm "${CHROMIUM:-chromium}"; do
	command -v "$program" >/dev/null && continue
	echo "examples/browser: $program is not installed" >&2
	[ -z "${CI:-}" ] && exit 0
	exit 1
done
CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
export CHROMIUM
scripts/web build
out=$(node examples/browser/run.mjs) || { echo "$out" >&2; exit 1; }
echo "$out"
for line in 'event for bob: 1.5 XMR, confirmed' 'bob has 1.5 XMR' 'alice can prove it: true, 1.5 XMR'; do
	echo "$out" | grep -qx "$line" || { echo "examples/browser: the page does not show: $line" >&2; exit 1; }
done
