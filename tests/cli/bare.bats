#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Bare mode: a Cobblestone-256 message and nothing else, under exactly one key file.

load common

@test "the known message" {
	[ -n "$VECTORS" ] || skip "GCMCRYPT_VECTORS is not set"
	sed -n 's/^bare_of_hello = //p' "$VECTORS/gcmcrypt_v1.txt" |
		"$PYTHON" -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >hello.gcm
	gives 0 gcmcrypt open --bare -K "$KEY" hello.gcm
	assert_equal "$(cat hello)" hello
}

@test "there is no header: 56 bytes and the chunks" {
	for size in 0 1 16384; do
		bytes $size >plain
		gives 0 gcmcrypt seal --bare -f -K "$KEY" plain
		size_is plain.gcm $((56 + size + 16 * (size / CHUNK + 1)))
		gives 0 gcmcrypt verify --bare -K "$KEY" plain.gcm
		gives 0 gcmcrypt open --bare -f -K "$KEY" -o back plain.gcm
		same back plain
	done
}

@test "a wrong key or context is 3, damage 4, a cut 5" {
	bytes 50000 >plain
	gcmcrypt seal --bare -K "$KEY" --context a plain
	gives 3 gcmcrypt open --bare -K "$OTHER_KEY" --context a -o out plain.gcm
	gives 3 gcmcrypt open --bare -K "$KEY" --context b -o out plain.gcm
	gives 3 gcmcrypt open --bare -K "$KEY" -o out plain.gcm
	cp plain.gcm bad
	flip bad 100
	gives 4 gcmcrypt open --bare -K "$KEY" --context a -o out bad
	head -c 40000 plain.gcm >bad
	gives 5 gcmcrypt open --bare -K "$KEY" --context a -o out bad
	for length in 0 1 24 55 56 71; do
		head -c $length plain.gcm >bad
		gives 5 gcmcrypt open --bare -K "$KEY" --context a -o out bad
	done
	only plain plain.gcm bad
}

@test "exactly one key file, and no other key" {
	bytes 10 >plain
	gives 2 gcmcrypt seal --bare plain
	gives 2 gcmcrypt seal --bare -K "$KEY" -K "$OTHER_KEY" plain
	gives 2 gcmcrypt seal --bare -r "$RECIPIENT" plain
	gives 2 gcmcrypt seal --bare --passphrase-file "$PASS" plain
	gives 2 gcmcrypt seal --bare -K "$KEY" -r "$RECIPIENT" plain
	only plain
}

@test "bare and not bare do not open each other" {
	bytes 10 >plain
	gcmcrypt seal -K "$KEY" -o normal plain
	gcmcrypt seal --bare -K "$KEY" -o bare plain
	run gcmcrypt open --bare -K "$KEY" -o out normal
	assert_failure
	gives 6 gcmcrypt open -K "$KEY" -o out bare
	assert_not_exist out
}
