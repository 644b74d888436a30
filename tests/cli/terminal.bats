#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# On a terminal: the passphrase is asked for without an echo, the terminal's own state comes back
# whatever happens, and no sealed or opened data is written to it.

load common

needs() { command -v expect >/dev/null || skip "no expect"; }

# dialogue TEXT ANSWER ... -- COMMAND...: see dialogue.exp.
dialogue() {
	local -a pairs=()
	while [ "$1" != -- ]; do
		pairs+=("$1")
		shift
	done
	shift
	expect -f "$BATS_TEST_DIRNAME/dialogue.exp" $((${#pairs[@]} / 2)) "${pairs[@]}" "$@" </dev/null
}

# Cheap, and without the warning about it.
SEAL=(gcmcrypt seal --kdf-memory 64K --kdf-passes 1 -q)

# A file sealed under "swordfish".
sealed_with_swordfish() {
	echo swordfish >"$AWAY/swordfish"
	bytes 100 | gcmcrypt seal --passphrase-file "$AWAY/swordfish" "${CHEAP[@]}" -o "$1"
}

@test "seal asks twice and shows nothing of what is typed" {
	bytes 100 >plain
	gives 0 dialogue "assphrase: " $'swordfish\r' again $'swordfish\r' -- "${SEAL[@]}" plain
	run ! grep swordfish "$OUT"
	echo swordfish >"$AWAY/swordfish"
	gives 0 gcmcrypt open --passphrase-file "$AWAY/swordfish" -o back plain.gcm
	same back plain
}

@test "two that differ are refused, and nothing is written" {
	bytes 100 >plain
	gives 2 dialogue "assphrase: " $'swordfish\r' again $'swordfysh\r' -- "${SEAL[@]}" plain
	only plain
}

@test "open asks once when it is right" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue "assphrase: " $'swordfish\r' -- gcmcrypt open plain.gcm
	bytes 100 | cmp - plain
	run ! grep swordfish "$OUT"
}

@test "open takes three tries" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue "assphrase: " $'one\r' "assphrase: " $'two\r' "assphrase: " $'swordfish\r' -- \
		gcmcrypt open plain.gcm
	bytes 100 | cmp - plain
	rm plain
	gives 3 dialogue "assphrase: " $'one\r' "assphrase: " $'two\r' "assphrase: " $'three\r' -- \
		gcmcrypt open plain.gcm
	writes "wrong passphrase"
	only plain.gcm
}

@test "verify asks too" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue "assphrase: " $'swordfish\r' -- gcmcrypt verify plain.gcm
}

@test "the prompt goes to the terminal while data goes through pipes" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue "assphrase: " $'swordfish\r' -- \
		bash -c 'set -o pipefail; cat plain.gcm | gcmcrypt open 2>/dev/null | cat >plain'
	bytes 100 | cmp - plain
}

@test "1024 bytes are taken from the terminal, 1025 are not cut to fit" {
	long=$(printf 'x%.0s' {1..1024})
	printf %s "$long" >"$AWAY/long"
	bytes 100 | gcmcrypt seal --passphrase-file "$AWAY/long" "${CHEAP[@]}" -o plain.gcm
	gives 0 dialogue "assphrase: " "$long"$'\r' -- gcmcrypt open plain.gcm
	bytes 100 | cmp - plain
	bytes 100 >new
	run dialogue "assphrase: " "${long}x"$'\r' -- timeout 5 "${SEAL[@]}" new
	assert_failure
	assert_not_exist new.gcm
}

@test "end of input at the prompt is no passphrase" {
	bytes 100 >plain
	run dialogue "assphrase: " $'\x04' -- timeout 5 "${SEAL[@]}" plain
	assert_failure 2
	only plain
}

# An answer that waits until the process of ../away/pid waits for what is typed.
READING='!until [ "$(cut -d" " -f3 /proc/$(cat ../away/pid)/stat)" = S ]; do sleep 0.02; done'

# at_prompt ANSWER STATUS [SETTING]: at seal's prompt ANSWER happens; seal then ends with STATUS and
# the terminal is as it was.
at_prompt() {
	bytes 100 >plain
	dialogue "assphrase: " "$READING" "" "$1" -- bash -c 'trap : INT TERM HUP
		stty $1
		stty -g >../away/before
		bash -c '\''echo $$ >../away/pid; exec gcmcrypt seal plain'\''
		echo $? >../away/status
		stty -g >../away/after' - "${3:-sane}" >"$OUT" 2>"$ERR"
	assert_equal "$(cat "$AWAY/status")" "$2"
	same "$AWAY/before" "$AWAY/after"
	only plain
}

@test "the terminal's state is restored after ^C at the prompt" {
	at_prompt $'\x03' 130
}

@test "the terminal's state is restored after INT, TERM and HUP from elsewhere" {
	for signal in INT TERM HUP; do
		at_prompt "!kill -$signal \$(cat ../away/pid)" $((128 + $(kill -l "$signal")))
	done
}

@test "a terminal that had echo off stays so" {
	at_prompt $'\x03' 130 -echo
	at_prompt '!kill -TERM $(cat ../away/pid)' 143 -echo
	sealed_with_swordfish plain.gcm
	rm plain
	dialogue "assphrase: " $'swordfish\r' -- bash -c 'stty -echo
		stty -g >../away/before; gcmcrypt open plain.gcm; stty -g >../away/after'
	same "$AWAY/before" "$AWAY/after"
	assert_exist plain
}

@test "^Z at the prompt gives the terminal back, and going on asks again" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue "assphrase: " "$READING" "" $'\x1a' "assphrase: " $'swordfish\r' -- bash -c 'set -m
		stty -g >../away/before
		bash -c '\''echo $$ >../away/pid; exec gcmcrypt open plain.gcm'\''
		stty -g >../away/stopped
		fg
		status=$?
		stty -g >../away/after
		exit $status'
	same "$AWAY/before" "$AWAY/stopped"
	same "$AWAY/before" "$AWAY/after"
	bytes 100 | cmp - plain
}

@test "sealed data is not written to a terminal, unless -o - says so" {
	bytes 100 >plain
	gives 2 dialogue -- bash -c 'gcmcrypt seal -K "$0" <plain' "$KEY"
	writes "terminal"
	run ! grep -q GCMC "$OUT"
	gives 0 dialogue -- bash -c 'gcmcrypt seal -K "$0" -o - <plain' "$KEY"
	grep -qa GCMC "$OUT"
}

@test "opened data is not written to a terminal, unless -o - says so" {
	echo "the quick brown fox" | gcmcrypt seal -K "$KEY" >plain.gcm
	gives 2 dialogue -- bash -c 'gcmcrypt open -K "$0" <plain.gcm' "$KEY"
	run ! grep -q "quick" "$OUT"
	gives 0 dialogue -- gcmcrypt open -K "$KEY" -o - plain.gcm
	writes "the quick brown fox"
}

@test "the refusal comes before the passphrase is asked for" {
	bytes 100 >plain
	gives 2 dialogue -- bash -c 'gcmcrypt seal <plain'
}
