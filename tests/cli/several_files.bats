#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Several files in one call: all are tried, one derivation serves all of one seal, the failures are
# counted.

load common

@test "each file gets its own output" {
	for name in one two three; do
		bytes 20000 >$name
		echo $name >>$name
	done
	gives 0 gcmcrypt seal -K "$KEY" one two three
	mkdir before
	mv one two three before
	gives 0 gcmcrypt verify -K "$KEY" one.gcm two.gcm three.gcm
	gives 0 gcmcrypt open -K "$KEY" one.gcm two.gcm three.gcm
	for name in one two three; do
		same $name before/$name
	done
}

@test "all are tried; the last line counts the failures" {
	bytes 100 >one
	bytes 100 >three
	gives 1 gcmcrypt seal -K "$KEY" one missing three
	only one three one.gcm three.gcm
	assert_regex "$(tail -n 1 "$ERR")" '^gcmcrypt: 1 of 3 files'
}

@test "no count when nothing failed" {
	bytes 100 >one
	bytes 100 >two
	gives 0 gcmcrypt seal -K "$KEY" one two
	says_nothing
}

@test "one derivation serves all files of a seal: same salt, other file keys" {
	bytes 100 >one
	bytes 100 >two
	gives 0 gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" one two
	slice one.gcm 20 24 >"$AWAY/params"
	slice two.gcm 20 24 | cmp - "$AWAY/params"
	run ! cmp -s <(slice one.gcm 44 64) <(slice two.gcm 44 64)
	run ! cmp -s <(slice one.gcm 148 24) <(slice two.gcm 148 24)
	rm one two
	gives 0 gcmcrypt open --passphrase-file "$PASS" one.gcm two.gcm
}

@test "files of other passphrases and costs in one open: each by its own slot" {
	bytes 100 >one
	bytes 100 >two
	gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 64K --kdf-passes 1 -q one
	gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 128K --kdf-passes 2 -q two
	echo other >other
	bytes 100 | gcmcrypt seal --passphrase-file other "${CHEAP[@]}" -o three.gcm
	rm one two
	gives 3 gcmcrypt open --passphrase-file "$PASS" one.gcm three.gcm two.gcm
	only one two one.gcm two.gcm three.gcm other
}

@test "a file given twice is sealed once and refused once" {
	bytes 100 >one
	gives 2 gcmcrypt seal -K "$KEY" one one
	only one one.gcm
}

@test "-o takes one input" {
	bytes 100 >one
	bytes 100 >two
	remember
	gives 2 gcmcrypt seal -K "$KEY" -o out one two
	gives 2 gcmcrypt open -K "$KEY" -o out one two
	unchanged
}

# Seals one, two and three, where two is a FIFO that holds the run up: returns when it is there.
seal_to_the_second() {
	bytes 100 >one
	bytes 100 >three
	mkfifo two
	exec 9<>two
	env --default-signal gcmcrypt seal -K "$KEY" one two three 2>"$ERR" 3>&- 9>&- &
	await [ -e one.gcm ]
}

@test "the output of each file is complete before the next is read" {
	seal_to_the_second
	gcmcrypt verify -K "$KEY" one.gcm
	only one two three one.gcm
	exec 9>&-
	wait $!
	only one two three one.gcm two.gcm three.gcm
}

@test "a signal stops the whole run, and keeps what was complete" {
	seal_to_the_second
	kill -TERM $!
	got=0
	wait $! || got=$?
	assert_equal "$got" 143
	only one two three one.gcm
	# No count: nobody tried the third.
	says_nothing
}
