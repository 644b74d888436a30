#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Names are bytes: every name works, and a message shows no control byte of one.

load common

there_and_back() {
	bytes 100 >"$AWAY/plain"
	cp "$AWAY/plain" "./$1"
	gives 0 gcmcrypt seal -K "$KEY" -- "$1"
	rm "./$1"
	gives 0 gcmcrypt open -K "$KEY" -- "$1.gcm"
	same "./$1" "$AWAY/plain"
}

@test "a newline, an escape sequence, spaces, UTF-8, bytes that are no UTF-8" {
	# shellcheck disable=SC2016
	for name in $'new\nline' $'\e[31mred' ' two  spaces ' 'naïve 文件' $'\xff\xfe' '*' '$(id)' 'a\b' '%s%n'; do
		there_and_back "$name"
	done
}

@test "a leading dash, after --" {
	there_and_back -f
	there_and_back --output
	bytes 10 >--output
	gives 2 gcmcrypt seal -K "$KEY" --output
	gives 0 gcmcrypt seal -f -K "$KEY" ./--output
}

@test "a single dash after -- is standard input still, ./- is a file" {
	bytes 10 >./-
	gives 0 gcmcrypt seal -K "$KEY" ./-
	assert_exist ./-.gcm
	bytes 20 | gcmcrypt seal -K "$KEY" -- - >out
	gives 0 gcmcrypt open -K "$KEY" -o - out
	size_is "$OUT" 20
}

@test "control bytes of a name are escaped in every message" {
	for name in $'new\nline' $'\e[31mred' $'bell\a' $'del\x7f'; do
		gives 1 gcmcrypt seal -K "$KEY" "$name"
		run ! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$ERR"
		assert_equal "$(grep -vc '^gcmcrypt: ' "$ERR")" 0
		printf 'no such file format' >"$name"
		gives 6 gcmcrypt open -K "$KEY" -o out "$name"
		run ! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$ERR"
		assert_equal "$(grep -vc '^gcmcrypt: ' "$ERR")" 0
		gives 2 gcmcrypt "$name"
		run ! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$ERR"
		gives 2 gcmcrypt seal "--$name"
		run ! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$ERR"
		gives 2 gcmcrypt seal --kernel "$name" x
		run ! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$ERR"
	done
}

@test "the bytes at the start of a foreign file are shown as hex" {
	printf '\033[2J' >odd
	gives 6 gcmcrypt open -K "$KEY" -o out odd
	says "(starts with 1b 5b 32 4a)"
}

@test "an empty name is no file" {
	gives 1 gcmcrypt seal -K "$KEY" ""
	bytes 10 >plain
	run gcmcrypt seal -K "$KEY" -o "" plain
	assert_failure
	only plain
}

@test "-.gcm opens to a file named -, not to standard output" {
	echo secret >./-
	gives 0 gcmcrypt seal -K "$KEY" -o ./-.gcm ./-
	rm ./-
	gives 0 gcmcrypt open -K "$KEY" -- -.gcm
	writes_nothing
	only - -.gcm
	assert_equal "$(cat ./-)" secret
	gives 2 gcmcrypt open -K "$KEY" ./-.gcm
	says "./-: already exists"
}

@test "the suffix was forgotten: a hint at the sealed file, and at nothing that is not there" {
	sealed plain.gcm 100
	for command in open verify; do
		gives 1 gcmcrypt $command -K "$KEY" plain
		says "gcmcrypt: plain: No such file or directory"
		says "hint: did you mean plain.gcm?"
		gives 1 gcmcrypt $command -K "$KEY" missing
		says_not "hint:"
	done
	gives 1 gcmcrypt seal -K "$KEY" plain
	says_not "hint:"
	bytes 100 >plain
	gives 6 gcmcrypt verify -K "$KEY" plain
	says "hint: did you mean plain.gcm?"
	gives 6 gcmcrypt open -K "$KEY" - <plain
	says_not "hint:"
}
