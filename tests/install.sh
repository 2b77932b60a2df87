#!/usr/bin/env bash
# Proves that `cmake --install` puts programs, configuration and units below the prefix that it is
# given, that the units name what lies there, that a configuration which somebody has edited is
# kept, and that the installed engine answers.
#
#   tests/install.sh [cmake [build folder]]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake=${1-cmake}
build=${2-build}
prefix="/opt/rookery at 100%"
failures=0

complain() {
    echo "install: $*" >&2
    failures=$((failures + 1))
}

# Takes the place of the machine's root, so that nothing goes elsewhere whatever has been configured.
tree=$(mktemp -d --tmpdir rookery-install.XXXXXX)
trap 'rm -rf "$tree"' EXIT

install_programs() {
    DESTDIR=$tree "$cmake" --install "$build" --prefix "$prefix"
}

install_programs > /dev/null
configuration=$(find "$tree" -path '*/rookery/cluster.toml')
for file in bin/rookery bin/rookery-master bin/rookery-worker \
    lib/systemd/system/rookery-master.service lib/systemd/system/rookery-worker.service; do
    [[ -f $tree$prefix/$file ]] || complain "$file is missing"
done
[[ -f $configuration ]] || complain "cluster.toml is missing"
count=$(find "$tree" -type f | wc -l)
[[ $count -eq 6 ]] || complain "$count files instead of 6"

for unit in "$tree$prefix"/lib/systemd/system/*.service; do
    mapfile -t paths < <(sed -nE -e 's/%%/%/g' -e 's/^AssertPathExists=//p' \
        -e 's/^ExecStart="([^"]+)" --config "([^"]+)"$/\1\n\2/p' "$unit")
    [[ ${#paths[@]} -eq 3 ]] || complain "${unit##*/} names ${#paths[@]} paths instead of 3"
    for path in "${paths[@]}"; do
        [[ -f $tree$path ]] || complain "${unit##*/} names $path, which is not there"
    done
done

"$tree$prefix/bin/rookery" --config "$configuration" <<< uci | grep -x uciok > /dev/null ||
    complain "the installed engine does not answer uci"

echo '# edited' >> "$configuration"
install_programs > /dev/null
grep -qx '# edited' "$configuration" || complain "an edited cluster.toml was replaced"

((failures == 0)) || exit 1
echo "install: $count files, and an engine that answers"
