#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# An independent program, tests/reference/open.py, opens what gcmcrypt seals, and the other way
# round.

load common

REFERENCE=$TESTS/reference/open.py

needs() {
	"${PYTHON:-python3}" -c 'import argon2, cryptography' 2>/dev/null ||
		skip "$PYTHON lacks argon2 or cryptography"
}

reference() { "$PYTHON" "$REFERENCE" "$@"; }
# The reference seals with 256 MiB and three passes; where a test needs no more than a slot: cheaply.
cheap_reference() {
	"$PYTHON" -c 'import runpy, sys
source = open(sys.argv[1]).read().replace("\nCOST = ", "\nCOST = bytes([0, 0, 0, 1, 0, 0, 0, 64])  # ", 1)
sys.argv = sys.argv[1:]
exec(compile(source, sys.argv[0], "exec"))' "$REFERENCE" "$@"
}

@test "it opens what gcmcrypt seals: passphrase, key file, X25519, at lengths around a chunk" {
	for size in 0 1 16383 16384 16385 50000; do
		bytes $size >plain
		gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -r "$RECIPIENT" <plain >file
		reference open -p "$PASS" <file >back
		same back plain
		reference open -K "$KEY" <file >back
		same back plain
		reference open -i "$IDENTITY" <file >back
		same back plain
	done
}

@test "gcmcrypt opens what it seals" {
	for size in 0 1 16383 16384 16385 50000; do
		bytes $size >plain
		cheap_reference seal -p "$PASS" -K "$KEY" -r "$RECIPIENT" <plain >file
		for option in "--passphrase-file $PASS" "-K $KEY" "-i $IDENTITY"; do
			# shellcheck disable=SC2086 # an option and its value
			gives 0 gcmcrypt open $option -o - file
			same "$OUT" plain
		done
	done
}

@test "its own cost is gcmcrypt's default" {
	bytes 10 >plain
	reference seal -p "$PASS" <plain >file
	gives 0 gcmcrypt open --passphrase-file "$PASS" -o - file
	same "$OUT" plain
	gcmcrypt seal --passphrase-file "$PASS" <plain >ours
	assert_equal "$(slice file 20 8 | od -An -tx1)" "$(slice ours 20 8 | od -An -tx1)"
}

@test "context and bare mode agree" {
	bytes 20000 >plain
	gcmcrypt seal -K "$KEY" --context naïve <plain >file
	reference open -K "$KEY" --context naïve <file | cmp - plain
	run ! reference open -K "$KEY" <file
	reference seal -K "$KEY" --context naïve <plain >file
	gcmcrypt open -K "$KEY" --context naïve <file | cmp - plain
	gcmcrypt seal --bare -K "$KEY" --context x <plain >file
	reference open --bare -K "$KEY" --context x <file | cmp - plain
	reference seal --bare -K "$KEY" --context x <plain >file
	gcmcrypt open --bare -K "$KEY" --context x <file | cmp - plain
}

@test "keys and identities from keygen" {
	bytes 100 >plain
	gcmcrypt keygen -o key
	gcmcrypt keygen --identity -o id 2>/dev/null
	reference seal -K key -r "$(sed -n 's/^# recipient: //p' id)" <plain >file
	for option in "-K key" "-i id"; do
		# shellcheck disable=SC2086 # an option and its value
		reference open $option <file | cmp - plain
		# shellcheck disable=SC2086
		gcmcrypt open $option <file | cmp - plain
	done
}

@test "it makes the files of the known answers, and opens or refuses each known case" {
	[ -n "$VECTORS" ] || skip "GCMCRYPT_VECTORS is not set"
	run -0 "$PYTHON" "$BATS_TEST_DIRNAME/reference_answers.py" "$REFERENCE" "$VECTORS"
	assert_output "4 files made, 12 opened, 58 cases"
}

@test "it refuses damage, a cut and a wrong key, and writes no unverified byte" {
	bytes 50000 >plain
	sealed file 50000
	cp file bad
	flip bad $((156 + 56 + 16400 + 7))
	run ! reference open -K "$KEY" <bad
	reference open -K "$KEY" <bad >out 2>/dev/null || true
	[ "$(stat -c %s out)" -le 16384 ]
	head -c 40000 file >bad
	run ! reference open -K "$KEY" <bad
	run ! reference open -K "$OTHER_KEY" <file
	echo wrong >wrong
	run ! reference open -p wrong <file
}

@test "it is short enough to be read" {
	[ "$(wc -l <"$REFERENCE")" -lt 120 ]
}
