#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2153 # common.bash has the names in capitals
#
# -T N: the same bytes, memory and threads as told, in any number of them.

load common

HEAD=$((156 + 56))   # a key file's header, salt and commitment
FULL=$((16384 + 16)) # a full chunk on disk

@test "-T takes a number from 1 to 256, and nothing else" {
	bytes 100 >plain
	for number in 0 257 1000000000000 -1 +1 01 1x 1K 0x1 ""; do
		gives 2 gcmcrypt seal -T "$number" -K "$KEY" plain
		says "--threads: "
	done
	for command in info keygen; do
		gives 2 gcmcrypt $command -T 2
	done
	only plain
	gives 0 gcmcrypt seal -T 256 -K "$KEY" plain
	gives 0 gcmcrypt open --threads 1 -K "$KEY" -f plain.gcm
	bytes 100 | cmp - plain
}

@test "what any number of threads sealed, any number opens, from and to files and pipes" {
	bytes 5000000 >plain
	for threads in 1 2 3 4 9; do
		gives 0 gcmcrypt seal -T $threads -f -K "$KEY" -o sealed plain
		size_is sealed $((HEAD + 5000000 + 16 * (5000000 / CHUNK + 1)))
		gives 0 gcmcrypt verify -T $((10 - threads)) -K "$KEY" sealed
		gives 0 gcmcrypt open -T $((10 - threads)) -f -K "$KEY" -o back sealed
		same back plain
		head -c 5000000 plain | gcmcrypt seal -T $threads -K "$KEY" | gcmcrypt open -T $threads -K "$KEY" | cmp - plain
	done
}

@test "threads read and write in random pieces, interrupted, at random times" {
	not_sanitized "LD_PRELOAD"
	command -v "$CC" >/dev/null || skip "no compiler"
	"$CC" -O1 -shared -fPIC -o "$AWAY/preload.so" "$BATS_TEST_DIRNAME/preload.c" -ldl
	bytes 6000000 >plain
	for threads in 1 2 3 4; do
		hindered=(env LD_PRELOAD="$AWAY/preload.so" GCMCRYPT_TEST_MOST=300000 GCMCRYPT_TEST_NAP=300)
		gives 0 "${hindered[@]}" gcmcrypt seal -T $threads -K "$KEY" plain
		gives 0 "${hindered[@]}" gcmcrypt open -T $threads -K "$KEY" -o back plain.gcm
		same plain back
		# shellcheck disable=SC2002 # pipes are the point
		cat plain | "${hindered[@]}" gcmcrypt seal -T $threads -K "$KEY" |
			"${hindered[@]}" gcmcrypt open -T $threads -K "$KEY" | cmp - plain
		cp plain.gcm bad
		flip bad $((HEAD + 200 * FULL + 3))
		flip bad $((HEAD + 100 * FULL + 3))
		gives 4 "${hindered[@]}" gcmcrypt open -T $threads -K "$KEY" -o - bad
		size_is "$OUT" $((100 * CHUNK))
		cmp -n $((100 * CHUNK)) "$OUT" plain
		says "bad: damaged: chunk 100 of 367"
		rm plain.gcm back
	done
}

@test "--from-command: all of what a command that succeeds writes, and nothing of another's" {
	bytes 3000000 >"$AWAY/plain"
	for threads in 2 4; do
		gives 0 gcmcrypt seal -T $threads --from-command -f -K "$KEY" -o out -- cat "$AWAY/plain"
		gives 0 gcmcrypt open -T $threads -K "$KEY" -o - out
		same "$OUT" "$AWAY/plain"
		gives 8 gcmcrypt seal -T $threads --from-command -K "$KEY" -o never -- sh -c "cat '$AWAY/plain'; exit 3"
		gives 8 gcmcrypt seal -T $threads --from-command -K "$KEY" -- sh -c "cat '$AWAY/plain'; exit 3"
		gives 5 gcmcrypt verify -q -T $threads -K "$KEY" <"$OUT"
	done
	only out
}

tasks_are() { [ "$(find "/proc/$PID/task" -mindepth 1 -maxdepth 1 | wc -l)" -eq "$1" ]; }

@test "as many threads as asked for; one for pipes with a fast kernel, all processors with soft" {
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	not_sanitized "threads of its own"
	cores=$(nproc)
	bytes 3000000 >"$AWAY/plain"
	# tasks N OPTION...
	tasks() {
		# -q: none that shows how far it is.
		feed "$AWAY/plain" 2000000 "$PROGRAM" seal -q -K "$KEY" "${@:2}"
		await tasks_are "$1"
		feed_ends
		ended 0
	}
	tasks 1 -T 1
	tasks 3 -T 2 # and one that watches
	tasks 6 -T 5
	tasks $((cores == 1 ? 1 : cores + 1)) --kernel soft
	! is_fast || tasks 1
}

@test "memory: under 12 MiB with two threads, and 2.5 MiB for each that comes to it" {
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	not_sanitized "peak memory"
	head -c 40000000 /dev/zero >"$AWAY/plain"
	for threads in 1 2 4 8; do
		feed "$AWAY/plain" 39000000 "$PROGRAM" seal -T $threads -K "$KEY"
		peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$PID/status")
		most=$((12 * 1024 + (threads < 2 ? 0 : threads - 2) * 2560))
		[ "$peak" -le $most ] || fail "$threads threads take $peak KiB"
		echo "$threads threads: $peak KiB"
		feed_ends
		ended 0
	done
}

@test "where no thread is to be had, the one there is does it all" {
	only_root
	not_sanitized "memory limits"
	bytes 3000000 >plain
	for kib in 20000 16000 13000; do # some, and none
		gives 0 bash -c "ulimit -v $kib; exec \"\$@\"" - "$PROGRAM" seal -T 20 -f -K "$KEY" plain
		gives 0 gcmcrypt open -K "$KEY" -o back -f plain.gcm
		same back plain
	done
}
