#!/usr/bin/env bash
# Installs the Debian packages that Rookery needs: the only place where they are listed.
#
#   scripts/setup.sh          what building, running and testing need
#   scripts/setup.sh ci       that, and what .ci/run needs (clang, analysers, cross compilers)
#
# Works as root or through sudo. When everything is there it says nothing and calls no apt.
set -euo pipefail

build_packages=(
    gcc g++ libc6-dev cmake ninja-build pkgconf
    libczmq-dev libzmq3-dev      # transport
    libmsgpack-dev               # codec
    libtomlplusplus-dev          # cluster.toml
    libfathom-dev                # tests: exact endings
    libcmocka-dev                # tests
)
ci_packages=(
    git clang llvm libclang-rt-14-dev clang-format clang-tidy cppcheck shellcheck
    debootstrap                                                       # tests/fresh-machine.sh
    gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static      # tests/arm64.sh
)

fail() {
    echo "setup: $*" >&2
    exit 1
}

case "${1-build}" in
build) wanted=("${build_packages[@]}") ;;
ci) wanted=("${build_packages[@]}" "${ci_packages[@]}") ;;
*) fail "unknown group '$1'; expected build or ci" ;;
esac

command -v dpkg-query > /dev/null || fail "this is no Debian system; install: ${wanted[*]}"

installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${wanted[@]}" \
    2> /dev/null | awk '$2 == "installed" { print $1 }' || true)
missing=()
for package in "${wanted[@]}"; do
    grep -qxF "$package" <<< "$installed" || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $EUID -ne 0 ]]; then
    command -v sudo > /dev/null ||
        fail "packages are missing (${missing[*]}); run this as root or install sudo"
    as_root=(sudo)
fi

echo "==> Installing ${#missing[@]} Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "${as_root[@]}" apt-get update -qq > "$log" 2>&1 ||
    ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" > "$log" 2>&1; then
    cat "$log" >&2
    fail "apt-get failed (its output is above)"
fi
