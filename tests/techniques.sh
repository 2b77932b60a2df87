#!/usr/bin/env bash
# Proves that the techniques that a build can leave out (common/root/techniques.h) are in order:
# each has its constant, the search asks for it, the build knows its name, and no other.
#
#   tests/techniques.sh [cmake]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake=${1-cmake}
header=common/root/techniques.h
failures=0

complain() {
    echo "techniques: $*" >&2
    failures=$((failures + 1))
}

# What the build says when it is told to leave $1 out; nothing when it can.
complaint_about() {
    "$cmake" -DROOKERY_WITHOUT="$1" -P cmake/RookeryTechniques.cmake 2>&1 || true
}

mapfile -t names < <(tests/bench/ablation --list)
[[ ${#names[@]} -gt 0 ]] || complain "tests/bench/ablation lists none"
for name in "${names[@]}"; do
    constant=${name^^}
    constant=${constant//-/_}
    grep -qE "^ +USES_$constant = ROOKERY_WITHOUT != WITHOUT_$constant,$" "$header" ||
        complain "$header lacks USES_$constant = ROOKERY_WITHOUT != WITHOUT_$constant"
    grep -qw "USES_$constant" common/root/*.c worker/search/*.c ||
        complain "no source file asks for USES_$constant"
    [[ -z $(complaint_about "$name") ]] || complain "the build does not know $name"
done
for name in nothing no-such-technique null_move ""; do
    [[ $(complaint_about "$name") == *"no technique '$name'"* ]] ||
        complain "the build knows a technique '$name'"
done

((failures == 0)) || exit 1
echo "techniques: ${#names[@]} in order"
