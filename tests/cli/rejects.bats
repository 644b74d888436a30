#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2153 # common.bash has the names in capitals
#
# What is not exactly a gcmcrypt file is refused with the status that says why: headers, lengths and
# foreign files here, chunks in damage.bats.

load common

@test "the known cases: 58 files, each with its status" {
	[ -n "$VECTORS" ] || skip "GCMCRYPT_VECTORS is not set"
	count=0
	while read -r name want hex; do
		case $name in '#'*) continue ;; esac
		: >case.gcm
		[ "$hex" = - ] || "$PYTHON" -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.argv[1]))' "$hex" >case.gcm
		got=0
		gcmcrypt open -K "$KEY" -o out case.gcm 2>"$ERR" || got=$?
		[ "$got" -eq "$want" ] || fail "$name: $got, not $want: $(cat "$ERR")"
		[ "$want" -eq 0 ] || assert_not_exist out
		got=0
		gcmcrypt verify -K "$KEY" - <case.gcm 2>"$ERR" || got=$?
		[ "$got" -eq "$want" ] || fail "verify $name: $got, not $want"
		rm -f out
		count=$((count + 1))
	done <"$VECTORS/gcmcrypt_v1_cases.txt"
	assert_equal "$count" 58
}

# of_all PATTERN SAID: so many files by that name, and of all of them that was said.
of_all() {
	local files
	# shellcheck disable=SC2206 # a pattern
	files=(variants/$1)
	assert_equal "$(grep -cE "^gcmcrypt: variants/${1//\*/.*}: ($2)" "$ERR")" "${#files[@]}"
}

@test "a flipped bit anywhere in a three-slot header, salt and commitment" {
	bytes 10 >plain
	gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -r "$RECIPIENT" -o good plain
	mkdir variants
	length=$(($(header_bytes good) + 56))
	assert_equal "$length" 404
	"$PYTHON" "$BATS_TEST_DIRNAME/variants.py" flips good variants $length
	gives 6 timeout 60 gcmcrypt verify -K "$KEY" variants/*
	of_all '000[0-9]-*' 'not a gcmcrypt file|made by a' # magic, version, flags
	of_all '001[01]-*' damaged                                       # number of slots
	of_all '001[2-5]-*' 'damaged|ends early'                         # length
	of_all '001[6-9]-*' damaged
	of_all '00[2-9]*' damaged
	of_all '0[1-4]*' damaged
	for file in variants/0008-1 variants/0013-2 variants/0100-4 variants/0390-6; do
		run gcmcrypt open -K "$KEY" -o out "$file"
		assert_failure
		assert_not_exist out
	done
}

@test "every truncation of a small file, each within five seconds" {
	bytes 100 >plain
	sealed good 100
	mkdir variants
	"$PYTHON" "$BATS_TEST_DIRNAME/variants.py" cuts good variants "$(stat -c %s good)"
	gives 5 timeout 60 gcmcrypt verify -K "$KEY" variants/*
	of_all '0000' "input is empty"
	of_all '00*[1-9]' 'ends early'
	of_all '0[1-3]*' 'ends early'
	says "328 of 328 files failed"
	for file in variants/*[05]; do
		got=0
		timeout 5 gcmcrypt open -K "$KEY" <"$file" >>written 2>/dev/null || got=$?
		[ "$got" -eq 5 ] || fail "$file: status $got"
	done
	size_is written 0
}

@test "a plaintext, an empty file, a file of zeros, a text file's CRLF damage" {
	bytes 1000 >plain
	gives 6 gcmcrypt open -K "$KEY" -o out plain
	: >empty
	gives 5 gcmcrypt open -K "$KEY" -o out empty
	head -c 1000 /dev/zero >zeros
	gives 6 gcmcrypt open -K "$KEY" -o out zeros
	sealed good 1000
	sed 's/\r$//' good >text
	gives 6 gcmcrypt open -K "$KEY" -o out text
	assert_not_exist out
}
