#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# verify: one line a file on standard error, with where the first bad chunk is.

load common

# Where chunk $1 starts in a file sealed under one key file.
chunk_at() { echo $((156 + 56 + 16400 * $1)); }

@test "one line a file, none with -q, nothing on standard output" {
	sealed one.gcm 100
	sealed two.gcm 40000
	gives 0 gcmcrypt verify -K "$KEY" one.gcm two.gcm
	writes_nothing
	assert_equal "$(cat "$ERR")" "gcmcrypt: one.gcm: ok (1 chunk, 100 bytes)
gcmcrypt: two.gcm: ok (3 chunks, 39.1 KiB)"
	gives 0 gcmcrypt verify -q -K "$KEY" one.gcm two.gcm
	says_nothing
	gives 0 gcmcrypt verify -K "$KEY" <two.gcm
	assert_equal "$(cat "$ERR")" "gcmcrypt: standard input: ok (3 chunks, 39.1 KiB)"
	only one.gcm two.gcm
}

@test "the first bad chunk, with its bytes in the plaintext and in the file" {
	sealed plain.gcm 700000
	for chunk in 0 1 31 32 33 41; do
		cp plain.gcm bad.gcm
		flip bad.gcm $(($(chunk_at $chunk) + 16399))
		[ $chunk -eq 41 ] || flip bad.gcm "$(chunk_at 42)"
		gives 4 gcmcrypt verify -K "$KEY" bad.gcm
		assert_equal "$(cat "$ERR")" "gcmcrypt: bad.gcm: damaged: chunk $chunk of 43 (plaintext bytes $((16384 * chunk))-$((16384 * chunk + 16383))), file bytes $(chunk_at $chunk)-$(($(chunk_at $((chunk + 1))) - 1))"
	done
}

@test "an end that is missing or damaged, and where it should be" {
	sealed plain.gcm 40000
	flip plain.gcm "$(chunk_at 2)"
	gives 5 gcmcrypt verify -K "$KEY" plain.gcm
	says "chunk 2 of 3 (plaintext from byte 32768), file from byte $(chunk_at 2)"
	head -c 20000 plain.gcm >cut.gcm
	gives 5 gcmcrypt verify -K "$KEY" cut.gcm
	says "chunk 1 of 2 (plaintext from byte 16384), file from byte $(chunk_at 1)"
}

@test "a bare message starts where its file does" {
	bytes 40000 | gcmcrypt seal --bare -K "$KEY" -o bare
	flip bare $((56 + 16400))
	gives 4 gcmcrypt verify --bare -K "$KEY" bare
	says "file bytes 16456-32855"
}
