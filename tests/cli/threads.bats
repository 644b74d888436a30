#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016,SC2153 # scripts for an inner shell; common.bash has the names in capitals
#
# -T N: the same bytes, messages, statuses and leftovers in any number of threads.

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

@test "the first bad chunk is named and nothing of it or after it comes out" {
	bytes 4000000 >plain
	sealed good 4000000
	for threads in 1 2 3 4; do
		for chunk in 0 31 32 95 243; do
			cp good bad
			flip bad $((HEAD + chunk * FULL + 7))
			flip bad $((HEAD + 244 * FULL + 7)) # the last one
			gives 4 gcmcrypt open -T $threads -K "$KEY" <bad
			says "damaged: chunk $chunk of 245"
			size_is "$OUT" $((chunk * CHUNK))
			cmp -n $((chunk * CHUNK)) "$OUT" plain
			gives 4 gcmcrypt verify -T $threads -K "$KEY" bad
			says "damaged: chunk $chunk of 245"
			head -c $((HEAD + chunk * FULL)) good >bad
			gives 5 gcmcrypt open -T $threads -K "$KEY" -o never bad
			assert_not_exist never
		done
	done
}

@test "a bad chunk ends it while the input stays open" {
	sealed bad 2000000
	flip bad $((HEAD + 5 * FULL))
	for threads in 1 2 3 4; do
		feed bad 1000000 gcmcrypt open -T $threads -K "$KEY"
		ended 4
		size_is "$OUT" $((5 * CHUNK))
		feed_ends
	done
}

@test "a signal ends it while threads wait or work, and nothing is left" {
	bytes 3000000 >"$AWAY/plain"
	for threads in 1 2 3 4; do
		feed "$AWAY/plain" 2000000 env --default-signal gcmcrypt seal -T $threads -K "$KEY" -o out
		kill -TERM "$PID"
		ended 143
		feed_ends
		only
		begin env --default-signal gcmcrypt seal -T $threads -K "$KEY" -o out </dev/zero
		sleep 0.1
		kill -INT "$PID"
		ended 130
		only
	done
}

@test "ranges and --verify-first: the same bytes, and of a bad file none" {
	bytes 3000000 >plain
	sealed good 3000000
	cp good bad
	flip bad $((HEAD + 150 * FULL))
	for threads in 2 4; do
		gives 0 gcmcrypt open -T $threads -K "$KEY" --verify-first -o - good
		same "$OUT" plain
		gives 0 gcmcrypt open -T $threads -K "$KEY" --range 500000:1500000 -o - good
		slice plain 500000 1500000 | cmp - "$OUT"
		gives 4 gcmcrypt open -T $threads -K "$KEY" --verify-first -o - bad
		writes_nothing
		gives 4 gcmcrypt open -T $threads -K "$KEY" --verify-first --range 5:600000 -o - bad
		writes_nothing
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

# asked: the process was asked how far it is, and has answered so often.
asked() {
	kill -USR1 "$PID"
	[ "$(grep -c '^gcmcrypt: standard input: .* in 0:' "$ERR")" -ge "$1" ]
}

@test "one that shows how far the others are, by itself and when it is asked" {
	bytes 3000000 >"$AWAY/plain"
	for threads in 2 4; do
		feed "$AWAY/plain" 2000000 gcmcrypt seal -T $threads --progress -K "$KEY"
		for count in 1 2 3 4 5 6; do await asked $count; done
		[ $threads -eq 2 ] || sleep 1.1 # and lines of its own
		head -c 1000000 "$AWAY/plain" >&9
		feed_ends
		ended 0
		cp "$OUT" sealed
		{ head -c 2000000 "$AWAY/plain" && head -c 1000000 "$AWAY/plain"; } >both
		feed sealed 2000000 gcmcrypt open -T $threads --progress -K "$KEY"
		for count in 1 2 3 4 5 6; do await asked $count; done
		tail -c +2000001 sealed >&9
		feed_ends
		ended 0
		same "$OUT" both
	done
}

@test "what was blocked at the start does not keep it from seeing that all is done" {
	bytes 3000000 >plain
	for signal in URG ALRM CHLD; do
		gives 0 timeout 20 env --block-signal=$signal gcmcrypt seal -T 3 -f -K "$KEY" plain
		gives 0 timeout 20 env --block-signal=$signal gcmcrypt open -T 3 -K "$KEY" -o back plain.gcm
		same plain back
		rm back
	done
}

@test "a reader that goes away: status 1 and no message" {
	sealed plain.gcm 3000000
	for threads in 1 2 3 4; do
		run bash -c 'gcmcrypt open -T $1 -K "$0" plain.gcm -o - 2>err | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}' "$KEY" $threads
		assert_output 1
		size_is err 0
	done
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
