#!/usr/bin/env bash
# Sets everything up, builds Rookery and runs its main job.
#
#   ./run.sh        a real cluster on this machine analyses a position, then ends by itself
#   ./run.sh uci    stays at the UCI prompt
#
# ROOKERY_RUN_PORT=5580 ./run.sh takes another port, up to 32767, where 5579 is in use.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$root/build/bin
# Apart from the default port, so that a cluster which is already at work is left alone.
port=${ROOKERY_RUN_PORT-5579}
address=tcp://127.0.0.1:$port
# A middlegame with plans for both sides.
position='r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8'
movetime_ms=10000

case "${1-}" in
"" | uci) ;;
*)
    echo "run.sh: unknown argument '$1'; expected nothing or uci" >&2
    exit 2
    ;;
esac

if ! [[ $port =~ ^[1-9][0-9]{0,4}$ ]] || ((port > 32767)); then
    echo "run.sh: ROOKERY_RUN_PORT must be a number from 1 to 32767, not '$port'" >&2
    exit 2
fi

# At the UCI prompt stdout belongs to the protocol.
{
    echo "==> Checking packages"
    "$root/scripts/setup.sh" build
    "$root/scripts/build.sh" release
} >&2

if [[ ${1-} == uci ]]; then
    exec "$bin/rookery"
fi

processes=()
# Nothing that was started here outlives the script, however it ends.
end_cluster() {
    kill "${processes[@]}" 2>/dev/null || true
    wait "${processes[@]}" 2>/dev/null || true
}
trap end_cluster EXIT

workers=$(nproc)
((workers < 8)) || workers=8
((workers > 1)) || workers=2

echo "==> Starting one master and $workers workers at $address"
"$bin/rookery-master" --listen "$address" &
processes+=($!)
sleep 0.5
if ! kill -0 "${processes[0]}" 2> /dev/null; then
    echo "run.sh: no master at $address (above is why); for another port: ROOKERY_RUN_PORT=5580" >&2
    exit 1
fi
for ((i = 1; i <= workers; i++)); do
    "$bin/rookery-worker" --master "$address" --slots 1 --name "worker-$i" &
    processes+=($!)
done

echo "==> Analysing for $((movetime_ms / 1000)) seconds: $position"
"$bin/rookery" analyse --cluster "$address" --workers "$workers" --movetime "$movetime_ms" \
    "$position"
