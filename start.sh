#!/bin/sh
# SPDX-License-Identifier: ISC
# start.sh - from a fresh clone to a running gcmcrypt: installs what the build needs, builds in
# ./build, seals and opens a sample, measures this machine.  Asks nothing; a second run installs
# and configures nothing.
set -eu
cd "$(dirname "$0")"
. build-aux/setup.sh

setup_install build
setup_configure_script
mkdir -p build
[ -e build/Makefile ] || (cd build && ../configure -q --disable-tests)
make -s -C build -j "$(setup_jobs)"

sample=$(mktemp -d)
trap 'rm -rf "$sample"' EXIT
run() {
	say "\$ gcmcrypt $*"
	build/gcmcrypt "$@"
}
say
run --version
run keygen -o "$sample/key"
run seal -K "$sample/key" -o "$sample/README.md.gcm" README.md
run open -K "$sample/key" -o "$sample/README.md" "$sample/README.md.gcm"
cmp README.md "$sample/README.md"
say "The sample came back as it was."
say
run bench
