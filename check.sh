#!/bin/sh
# SPDX-License-Identifier: ISC
# check.sh - every test there is, from nothing.  Installs what the tests need, asks nothing, and
# ends with one line, "N passed, N failed, N skipped": the sums over these parts.
#
#   part    compiler                         what runs
#   lint    gcc -O2, hardened, -Werror       the rules of tests/lint, and that each can fail
#   dist    the same, from the tarball       make distcheck: unit tests with each kernel, bats
#                                            files with the best, instructions a seal takes;
#                                            and a second tarball is equal
#   clang   clang -O2, hardened, -Werror     unit tests with each kernel; lint rules on objects
#   soft    the same                         with soft, unit tests that work with one kernel
#   asan    gcc -O1, AddressSanitizer and    unit tests with each kernel; bats files with the
#           UndefinedBehaviorSanitizer       kernel soft, those that are about files and keys as
#                                            they may come (all, with leaks: make check-asan)
#   tsan    gcc -O1, ThreadSanitizer         what runs in threads: unit tests and bats files
#
# Everything is built in ./build; the logs stay in ./build/check.  Parts run in two lanes, side by
# side, since much of a part is one program that waits, or that a single processor works at; each
# lane is this script again, with "lane" and the names of its parts.
set -eu
unset CDPATH
cd "$(dirname "$0")"
. build-aux/setup.sh

jobs=$(setup_jobs)
logs=$PWD/build/check
export VERBOSE=1 AM_COLOR_TESTS=no
export GCMCRYPT_VECTORS="${GCMCRYPT_VECTORS-$PWD/../shared/vectors}"

# configured FOLDER CONFIGURE-ARGUMENT... - a clean build folder, whatever it was before.
configured() {
	folder=$1
	shift
	mkdir -p "$folder" && (cd "$folder" && "$OLDPWD/configure" -q "$@" && make -s clean)
}

# What lint looks at, and where the tarball is made.
build() {
	configured build --enable-werror CC=gcc CFLAGS=-O2 && make -C build -j "$jobs"
}

part_lint() {
	make -C build lint
}

# Without the text for debuggers, which tests do not need.
part_dist() {
	make -C build -j "$jobs" distcheck DISTCHECK_CONFIGURE_FLAGS=CFLAGS=-O2 &&
		mv build/gcmcrypt-*.tar.gz "$logs/first.tar.gz" && make -C build dist &&
		cmp build/gcmcrypt-*.tar.gz "$logs/first.tar.gz"
}

part_clang() {
	configured build/clang --enable-werror CC="$(command -v clang-14 || echo clang)" CFLAGS=-O2 &&
		make -C build/clang -j "$jobs" check-unit && make -C build/clang lint-objects
}

part_soft() {
	GCMCRYPT_TEST_KERNEL=soft make -C build/clang -j "$jobs" check-unit-one-kernel
}

part_asan() {
	make -C build asan/Makefile || return
	unit=0
	make -C build/asan -j "$jobs" check-unit || unit=$?
	# To look for leaks takes longer than all else that the program does.
	ASAN_OPTIONS=detect_leaks=0 GCMCRYPT_TEST_KERNEL=soft \
		make -C build/asan -j "$jobs" check-cli-inputs && [ "$unit" -eq 0 ]
}

part_tsan() {
	make -C build -j "$jobs" check-tsan
}

# total WORD LOG - sums the "# WORD: N" lines with which test runs end.  One that failed shows its
# own log before that, which has the same lines.
total() {
	awk -v word="$1:" '/test-suite\.log$/ { inside = 1 } /^Testsuite summary/ { inside = 0 }
		!inside && $1 == "#" && $2 == word { n += $3 } END { print n + 0 }' "$2"
}

# run PART - runs part_PART, leaves what it counted in $counts/PART, and shows its log if it failed.
# A part that stops for any other reason, or in which nothing was tested, has failed too.
run() {
	log=$logs/$1.log started=$(date +%s) status=0
	"part_$1" >"$log" 2>&1 </dev/null || status=$?
	pass=$(($(total PASS "$log") + $(total XFAIL "$log")))
	fail=$(($(total FAIL "$log") + $(total XPASS "$log") + $(total ERROR "$log")))
	skip=$(total SKIP "$log")
	if [ "$fail" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$pass" -eq 0 ]; }; then
		fail=1
	fi
	if [ "$fail" -ne 0 ]; then
		grep -v '^PASS: ' "$log" || :
		say "part $1 FAILED (exit status $status); all of its log: $log"
	fi
	echo "$pass $fail $skip" >"$counts/.$1" && mv "$counts/.$1" "$counts/$1"
	say "$1: $pass passed, $fail failed, $skip skipped ($(($(date +%s) - started)) s)"
}

if [ "${1-}" = lane ]; then
	shift
	for part; do
		run "$part"
	done
	exit
fi

setup_install build tests
setup_configure_script
rm -rf "$logs" build/clang build/asan build/tsan build/gcmcrypt-*.tar.gz
# A run that lost its lanes, and whose lanes go on, finds no place in another's results.
export counts="$logs/counts.$$"
mkdir -p "$counts"
parts='dist
lint clang soft tsan asan'
for part in $parts; do
	echo 0 1 0 >"$counts/$part" # until it has run
done
if build >"$logs/build.log" 2>&1 </dev/null; then
	# Unlike "&", xargs leaves SIGINT as it was to what it starts.
	printf '%s\n' "$parts" | xargs -P 2 -L 1 sh ./check.sh lane || echo 0 1 0 >"$counts/lanes"
	say "kernels that ran, best first:" \
		"$(sed -n 's/^# kernel \(.*\): run$/\1/p' build/asan/tests/unit/test_gcm.log | tr '\n' ' ')"
else
	cat "$logs/build.log"
fi
cat "$counts"/* | awk '{ passed += $1; failed += $2; skipped += $3 }
	END { print passed " passed, " failed " failed, " skipped " skipped"
		exit failed > 0 || passed == 0 }'
