#!/usr/bin/env bash
# Proves that each layer uses only the layers above it (ARCHITECTURE.md has the table):
#   1. every #include of a project header names the file's own layer or one above it;
#   2. the pure layers compile where zmq.h, czmq.h, msgpack.h, tbprobe.h, pthread.h and time.h are
#      errors (tests/forbidden). One file of worker/search may include tbprobe.h.
#
#   tests/layers.sh [C compiler]
set -euo pipefail
shopt -s nullglob

cd "$(dirname "${BASH_SOURCE[0]}")/.."
compiler=${1-cc}

# "rank folder": a file may include its own folder and folders of a lower rank.
pure_layers=(
    "0 common/base" "1 common/chess" "2 common/messages" "3 common/timeman" "4 common/root"
    "5 worker/eval" "6 worker/search" "7 master/core" "7 worker/core" "7 uci_bridge/core"
)
outer_layers=(
    "8 common/codec" "9 common/config" "10 common/os" "11 common/transport"
    "12 master" "13 worker" "14 uci_bridge"
)
failures=0

complain() {
    echo "layers: $*" >&2
    failures=$((failures + 1))
}

declare -A rank_of
for layer in "${pure_layers[@]}" "${outer_layers[@]}"; do
    rank_of[${layer#* }]=${layer%% *}
done

check_includes() {
    local folder=$1 rank=$2 file header target
    for file in "$folder"/*.c "$folder"/*.cpp "$folder"/*.h; do
        while read -r header; do
            [[ $header == */* ]] || continue # a neighbour in the same folder
            target=$(dirname "$header")
            [[ -e $header ]] || target=common/$target
            if [[ -z ${rank_of[$target]-} ]]; then
                complain "$file includes $header, which lies in no layer"
            elif [[ $target != "$folder" && ${rank_of[$target]} -ge $rank ]]; then
                complain "$file includes $header, which is not above $folder"
            fi
        done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]+)".*/\1/p' "$file")
    done
}

for layer in "${pure_layers[@]}" "${outer_layers[@]}"; do
    check_includes "${layer#* }" "${layer%% *}"
done

tablebase_files=()
sources=()
for layer in "${pure_layers[@]}"; do
    for file in "${layer#* }"/*.c; do
        if [[ $file == worker/search/* ]] && grep -qE '#\s*include\s*<tbprobe\.h>' "$file"; then
            tablebase_files+=("$file")
        else
            sources+=("$file")
        fi
    done
done
if [[ ${#tablebase_files[@]} -gt 1 ]]; then
    complain "more than one file includes tbprobe.h: ${tablebase_files[*]}"
fi
if [[ ${#sources[@]} -gt 0 ]]; then
    "$compiler" -std=gnu17 -fsyntax-only -Itests/forbidden -Icommon -I. "${sources[@]}" ||
        complain "a pure layer does not compile with the forbidden headers"
fi

if [[ $failures -gt 0 ]]; then
    exit 1
fi
echo "layers: ${#sources[@]} source files of the pure layers, no wrong include"
