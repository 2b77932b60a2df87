#!/usr/bin/env bash
# Proves that a second run of cmake leaves all commands as they were: else whatever builds after it,
# ./test.sh after ./run.sh, compiles everything again.
#
#   tests/configure.sh [cmake]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake=${1-cmake}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for run in first second; do
    "$cmake" -G Ninja -DCMAKE_BUILD_TYPE=Release -S . -B "$folder/build" > /dev/null
    grep -E '^  (FLAGS|INCLUDES|DEFINES|LINK_FLAGS|LINK_LIBRARIES) = ' "$folder/build/build.ninja" \
        > "$folder/$run"
done
[[ -s $folder/first ]]
cmp "$folder/first" "$folder/second"
