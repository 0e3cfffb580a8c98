#!/usr/bin/env bash
# Asks a fresh service everything that its reference allows, and much that it does not: no defect, and no status, code or
# field that the reference does not name for the route. Takes schemathesis 4 (https://schemathesis.io):
# `pip install schemathesis`.
#   .ci/fuzz.sh [examples for each operation, 260] [seed, 20261120]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
examples=${1:-260}
seed=${2:-20261120}

data=$(mktemp -d)
QUITTANCE_PORT=0 QUITTANCE_DATA_DIR=$data QUITTANCE_LOG_LEVEL=error QUITTANCE_PAYER_RATE_LIMIT=1000000 \
  node_modules/.bin/node --disable-warning=ExperimentalWarning apps/http/src/main.ts >"$data/service.log" &
service=$!
trap 'kill "$service"; wait "$service"; rm -rf "$data"' EXIT
until [ -s "$data/sandbox.json" ]; do kill -0 "$service" && sleep 0.1 || exit 1; done
fact() { node_modules/.bin/node -p "JSON.parse(fs.readFileSync('$data/sandbox.json')).$1"; }

# `GET /pay/{id}/events` answers without end. The sandbox's clock and faults stay as they are: moved, they end every
# checkout and fail every payment of the other examples.
url=$(fact base_url)
key=$(fact api_key)
cd "$data" || exit 1 # It leaves a folder behind where it runs.
schemathesis run "$url/openapi.json" --header "x-api-key: $key" \
  --phases examples,coverage,fuzzing,stateful --max-examples "$examples" --seed "$seed" --generation-database none \
  --exclude-path-regex '^/pay/[^/]+/events$' --exclude-operation-id postSandboxAdvance \
  --exclude-operation-id postSandboxFaults --continue-on-failure --no-shrink --request-timeout 20 --warnings off \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance
outcome=$?
grep -m 5 'a defect' "$data/service.log" && outcome=1
exit "$outcome"
