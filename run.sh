#!/usr/bin/env bash
# Sets everything up, builds Rookery and runs its main job.
#
#   ./run.sh        analyses the starting position for five seconds, then ends by itself
#   ./run.sh uci    stays at the UCI prompt
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

case "${1-}" in
"" | uci) ;;
*)
    echo "run.sh: unknown argument '$1'; expected nothing or uci" >&2
    exit 2
    ;;
esac

# At the UCI prompt stdout belongs to the protocol.
{
    echo "==> Checking packages"
    "$root/scripts/setup.sh" build
    "$root/scripts/build.sh" release
} >&2

if [[ ${1-} == uci ]]; then
    exec "$root/build/bin/rookery"
fi

echo "==> Analysing the starting position for 5 seconds"
"$root/build/bin/rookery" analyse --movetime 5000
