#!/bin/sh
# Makes the files that compose.yaml mounts as secrets, unless they exist. Run it in the folder of compose.yaml.
set -eu
umask 077
# Nobody but the owner enters the folder. The containers' users read the files in it, which are mounted one by one.
mkdir -p secrets
chmod 700 secrets
make() {
  [ -e "secrets/$1" ] && return
  printf '%s' "$2" >"secrets/$1"
  chmod 444 "secrets/$1"
}
make postgres_password "$(openssl rand -hex 24)"
make database_url "postgres://quittance:$(cat secrets/postgres_password)@postgres:5432/quittance"
make master_key "$(openssl rand -hex 32)"
