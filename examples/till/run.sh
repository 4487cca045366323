#!/bin/sh
# Opens the till in Chromium, makes two sales and pays them.
set -eu
cd "$(dirname "$0")/../.."

for program in node npm "${CHROMIUM:-chromium}"; do
	command -v "$program" >/dev/null && continue
	echo "examples/till: $program is not installed" >&2
	[ -z "${CI:-}" ] && exit 0
	exit 1
done
CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
export CHROMIUM
[ -e web/sdk/dist/index.js ] || scripts/web build
exec node examples/till/run.mjs
