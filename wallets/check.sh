#!/usr/bin/env bash
# Bundles the wallets anew from the lock file, and compares with the bytes that pages load.
set -euo pipefail
cd "$(dirname "$0")/.."
npm ci --prefix wallets --ignore-scripts --no-audit --no-fund --loglevel=error
bundles=apps/http/src/page/wallets
before=$(sha256sum "$bundles"/*.generated.js)
npm run --silent build:wallets
[ "$before" = "$(sha256sum "$bundles"/*.generated.js)" ] || { echo "$bundles is not what wallets/ builds"; exit 1; }
echo 'the bundles of wallets are what wallets/ builds'
