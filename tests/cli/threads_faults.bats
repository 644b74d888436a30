#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016,SC2153 # scripts for an inner shell; common.bash has the names in capitals
#
# -T N: the same messages, statuses and leftovers in any number of threads, whatever goes wrong.

load common

HEAD=$((156 + 56))   # a key file's header, salt and commitment
FULL=$((16384 + 16)) # a full chunk on disk

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
