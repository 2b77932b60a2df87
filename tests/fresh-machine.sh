#!/usr/bin/env bash
# Proves the two commands on a fresh machine: a minimal Debian 12 made by debootstrap, a clone of
# this repository's HEAD in it and nothing else, then ./run.sh and ./test.sh. Needs root.
#
#   tests/fresh-machine.sh          removes the tree at the end
#   KEEP=1 tests/fresh-machine.sh   leaves it, to look around
#
# The tree gets this machine's apt sources, keys, proxies and name resolution, so that packages come
# from where they come from here.
set -euo pipefail

release=bookworm
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ $EUID -ne 0 ]]; then
    echo "fresh-machine: run this as root (debootstrap and chroot need it)" >&2
    exit 1
fi

tree=$(mktemp -d --tmpdir rookery-fresh.XXXXXX)
clean_up() {
    if [[ ${KEEP-} == 1 ]]; then
        echo "fresh-machine: the tree stays in $tree"
    else
        rm -rf --one-file-system "$tree"
    fi
}
trap clean_up EXIT

# This machine's mirror of the release, or Debian's own.
mirror() {
    local found
    # shellcheck disable=SC2016 # the words in dollars and parentheses are apt's
    found=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' \
        'Identifier: Packages' |
        awk -v release="$release" '$2 == release && $3 == "main" { print $1; exit }')
    echo "${found:-http://deb.debian.org/debian}"
}

copy_into_tree() {
    local path
    for path in "$@"; do
        if [[ -e $path ]]; then
            mkdir -p "$tree$(dirname "$path")"
            cp -aL "$path" "$tree$(dirname "$path")/"
        fi
    done
}

copy_apt_configuration() {
    rm -f "$tree/etc/apt/sources.list"
    copy_into_tree /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/auth.conf \
        /etc/apt/auth.conf.d /etc/apt/keyrings /etc/apt/trusted.gpg.d /usr/share/keyrings \
        /etc/resolv.conf /etc/hosts /etc/ssl/certs
    # Proxies and the like, without hooks that call programs the tree does not have.
    apt-config dump | grep '^Acquire::' > "$tree/etc/apt/apt.conf.d/90host" || true
}

# Runs a command in the tree with its own process list: what it leaves behind dies with it.
in_tree() {
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
        tree=$1
        shift
        mount -t proc proc "$tree/proc"
        mount --rbind /dev "$tree/dev"
        exec chroot "$tree" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
    ' in_tree "$tree" "$@"
}

started=$SECONDS
echo "==> Making a minimal Debian ($release) in $tree"
if ! debootstrap --variant=minbase "$release" "$tree" "$(mirror)" > "$tree.log" 2>&1; then
    cat "$tree.log" >&2
    exit 1
fi
rm -f "$tree.log"
copy_apt_configuration

echo "==> Cloning $(git -C "$root" rev-parse --short HEAD) into it"
git clone -q --no-hardlinks "$root" "$tree/root/rookery"

echo "==> ./run.sh"
in_tree /root/rookery/run.sh | tee "$tree/run.log"
if ! tail -n 1 "$tree/run.log" | grep -qE '^best move: '; then
    echo "fresh-machine: run.sh did not end with a best move" >&2
    exit 1
fi

echo "==> ./test.sh"
tests_started=$SECONDS
in_tree /root/rookery/test.sh
echo "fresh-machine: both commands work; tests $((SECONDS - tests_started)) s," \
    "all $((SECONDS - started)) s"
