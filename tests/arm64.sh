#!/usr/bin/env bash
# Proves that 64-bit ARM computes the same: a cross build with Debian's arm64 libraries, run under
# qemu, must pass the tests of the pure layers and equal this machine's build to the last node in
# perft and bench.
#
#   tests/arm64.sh          build, test, compare
#   tests/arm64.sh build    build only, into build-arm64/
#
# The arm64 libraries are fetched with apt but only unpacked, into build-arm64/sysroot: the
# machine's own package state stays as it is.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$PWD/build-arm64
sysroot=$build/sysroot

libraries=(
    libc6-dev libstdc++6 libczmq-dev libzmq3-dev libmsgpack-dev libtomlplusplus-dev libfathom-dev
    libcmocka-dev
)
# What the two builds must agree in. Kiwipete has castling, promotion, en passant and pins.
perft_cases=(
    "5 startpos"
    "4 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
)

fetch_sysroot() {
    local apt=$build/apt wanted="${libraries[*]}" archive
    [[ -e $sysroot/wanted && $(< "$sysroot/wanted") == "$wanted" ]] && return
    echo "==> Fetching Debian's arm64 libraries"
    rm -rf "$apt" "$sysroot"
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$sysroot"
    : > "$apt/state/status"
    local options=(
        -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=
        -o Dir::State="$apt/state" -o Dir::State::status="$apt/state/status"
        -o Dir::Cache="$apt/cache" -o Debug::NoLocking=1
        -o APT::Update::Post-Invoke::= -o DPkg::Post-Invoke::=
    )
    apt-get "${options[@]}" update
    apt-get "${options[@]}" --no-install-recommends --download-only -y install "${libraries[@]}" \
        > "$apt/log" 2>&1 || { cat "$apt/log" >&2; exit 1; }
    for archive in "$apt"/cache/archives/*.deb; do
        dpkg-deb --extract "$archive" "$sysroot"
    done
    echo "$wanted" > "$sysroot/wanted"
    rm -rf "$apt"
}

# The lines of perft and bench that say how many nodes there were.
node_counts() {
    local case depth fen
    for case in "${perft_cases[@]}"; do
        read -r depth fen <<< "$case"
        if [[ $fen == startpos ]]; then
            "$@" perft "$depth"
        else
            "$@" perft "$depth" "$fen"
        fi | grep -viE 'second|time'
    done
    "$@" bench 2>&1 | grep '^Nodes searched'
}

fetch_sysroot
echo "==> Cross building for arm64"
cmake -S . -B "$build" -G Ninja --log-level=NOTICE --no-warn-unused-cli -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64-linux-gnu.cmake -DROOKERY_SYSROOT="$sysroot" > /dev/null
cmake --build "$build" -- --quiet
[[ ${1-} == build ]] && exit 0

echo "==> Testing the pure layers under qemu"
# worker_worker starts programs, which emulation of one process cannot.
ctest --test-dir "$build" --output-on-failure -j2 -E 'oracle|^worker_worker$' \
    -L '^(base|chess|messages|timeman|root|worker|master|codec|config)$'

scripts/build.sh release
echo "==> Comparing perft and bench"
node_counts build/bin/rookery > "$build/counts-native"
node_counts qemu-aarch64-static -L "$sysroot" "$build/bin/rookery" > "$build/counts-arm64"
if ! diff -u "$build/counts-native" "$build/counts-arm64"; then
    echo "arm64: node counts differ (above)" >&2
    exit 1
fi
echo "arm64: equal to the last node: $(tail -n 1 "$build/counts-arm64")"
