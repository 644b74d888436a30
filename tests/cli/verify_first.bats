#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# open --verify-first: nothing of a file that is not right in all of it.

load common

HEAD=$((156 + 56))   # a key file's header, salt and commitment
FULL=$((16384 + 16)) # a full chunk on disk

@test "a good file comes out whole, to a file and to a pipe" {
	for size in 0 100 16384 3000000; do
		bytes $size >plain
		sealed sealed $size
		gives 0 gcmcrypt open --verify-first -K "$KEY" -o back sealed
		same plain back
		gcmcrypt open --verify-first -K "$KEY" <sealed | cmp - plain
		rm sealed back
	done
}

@test "of a bad one nothing comes out, wherever it is bad" {
	sealed good 3000000
	for chunk in 0 1 31 32 100 183; do
		cp good bad
		flip bad $((HEAD + chunk * FULL + 5))
		status=$((chunk == 183 ? 5 : 4))
		gives $status gcmcrypt open --verify-first -K "$KEY" <bad
		says "chunk $chunk of 184"
		says_not "already written"
		writes_nothing
		gives $status gcmcrypt open --verify-first -K "$KEY" -o never bad
		assert_not_exist never
		head -c $((HEAD + chunk * FULL)) good >bad
		gives 5 gcmcrypt open --verify-first -K "$KEY" <bad
		writes_nothing
	done
}

@test "a pipe cannot be read twice" {
	sealed sealed 100
	gives 2 bash -c 'cat sealed | gcmcrypt open --verify-first -K "$0"' "$KEY"
	says "standard input: is no regular file, which --range, --verify-first and --quick need"
	writes_nothing
}

# One thread that sleeps waits for the FIFO's reader: the file was checked.
sleeping() {
	[ "$(cat "/proc/$PID/comm")" = gcmcrypt ] && [ "$(cut -d' ' -f3 "/proc/$PID/stat")" = S ]
}

# change_between COMMAND...: runs it when "sealed" was checked and before it is opened.
change_between() {
	mkfifo fifo
	begin "$PROGRAM" open --verify-first -T 1 -K "$KEY" -o fifo sealed
	await sleeping
	"$@"
	timeout 20 cat fifo >taken
	rm fifo
}

@test "changed after it was checked: the second reading finds it" {
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	sealed sealed 3000000
	bytes 3000000 >plain
	change_between flip sealed $((HEAD + 100 * FULL))
	ended 4
	cmp -n $((100 * 16384)) taken plain
	size_is taken $((100 * 16384))
	flip sealed $((HEAD + 100 * FULL))
	change_between truncate -s -1 sealed
	ended 5
	sealed again 3000000
	mv again sealed
	change_between touch sealed
	ended 1
	says "sealed: changed after --verify-first had checked it"
}
