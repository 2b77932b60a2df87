#!/usr/bin/env bash
# Configures and builds one preset of CMakePresets.json (release by default, into build/).
#
#   scripts/build.sh [PRESET [ninja argument...]]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1-release}
shift || true

echo "==> Building (preset $preset)"
cmake --preset "$preset" --log-level=NOTICE > /dev/null
cmake --build --preset "$preset" -- --quiet "$@"
