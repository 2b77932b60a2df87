#!/usr/bin/env bash
# Sets everything up, builds Rookery and runs every test that needs no other engine.
# Arguments go to ctest, for example: ./test.sh -R chess
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

echo "==> Checking packages"
"$root/scripts/setup.sh" build
"$root/scripts/build.sh" release

echo "==> Testing"
data=${ROOKERY_TEST_DATA:-$root/../shared/data}
if [[ ! -d $data ]]; then
    echo "test.sh: $data is not there: tests of public positions, games and tables are skipped"
fi
ctest --test-dir "$root/build" --output-on-failure -j2 "$@"
