#!/bin/sh
# SPDX-License-Identifier: ISC
# start.sh - from a fresh clone to a running gcmcrypt: installs what the build needs, builds in
# ./build, seals and opens a sample, measures this machine.  Asks nothing; a second run installs
# and configures nothing.
set -eu
unset CDPATH
cd "$(dirname "$0")"
. build-aux/setup.sh

setup_install build
setup_configure_script
mkdir -p build
[ -e build/Makefile ] || (cd build && ../configure -q --disable-tests)
make -s -C build -j "$(setup_jobs)"

program=$PWD/build/gcmcrypt
sample=$(mktemp -d)
trap 'rm -rf "$sample"' EXIT
cp README.md "$sample"
cd "$sample"
run() {
	say "\$ gcmcrypt $*"
	"$program" "$@"
}
say
run --version
run keygen -o key
run seal -K key README.md
run open -K key -o copy README.md.gcm
cmp README.md copy
say "The sample came back as it was."
say
run bench
