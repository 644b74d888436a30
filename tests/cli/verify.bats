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
		assert_equal "$(cat "$ERR")" "gcmcrypt: bad.gcm: damaged: chunk $chunk of 43 (plaintext bytes $((16384 * chunk))-$((16384 * chunk + 16383))), file bytes $(chunk_at $chunk)-$(($(chunk_at $((chunk + 1))) - 1))
gcmcrypt: hint: use another copy, or save the good chunks with open --salvage"
	done
}

@test "what to do next, in one line for each file that is not right" {
	sealed good.gcm 40000
	for name in four five header; do cp good.gcm $name.gcm; done
	flip four.gcm "$(chunk_at 1)"
	flip five.gcm "$(chunk_at 2)"
	flip header.gcm 40
	head -c 200 good.gcm >cut.gcm
	gives 4 gcmcrypt verify -K "$KEY" four.gcm good.gcm five.gcm header.gcm cut.gcm
	assert_equal "$(grep hint "$ERR")" "gcmcrypt: hint: use another copy, or save the good chunks with open --salvage
gcmcrypt: hint: fetch it again, or save what is there with open --salvage
gcmcrypt: hint: use another copy, or put back a saved header with rekey --restore-header; no key was tried
gcmcrypt: hint: fetch the file again"
	# open says the same, after what became of the output.
	gives 4 gcmcrypt open -K "$KEY" four.gcm five.gcm
	says "hint: nothing was kept; use another copy, or save the good chunks with open --salvage"
	says "hint: nothing was kept; fetch it again, or save what is there with open --salvage"
	gives 4 gcmcrypt open -K "$KEY" <four.gcm
	says "hint: use another copy, or save the good chunks with open --salvage"
}

@test "several files in any number of threads: a line each, in their order; the first failure is the status" {
	sealed one.gcm 1500000
	sealed two.gcm 100
	cp one.gcm damaged.gcm
	for chunk in 90 60; do flip damaged.gcm "$(chunk_at $chunk)"; done
	head -c "$(chunk_at 70)" one.gcm >cut.gcm
	gcmcrypt seal -K "$OTHER_KEY" -o theirs.gcm two.gcm
	damaged="gcmcrypt: damaged.gcm: damaged: chunk 60 of 92 (plaintext bytes 983040-999423), file bytes 984212-1000611"
	cut="gcmcrypt: cut.gcm: ends early, or its end is damaged: chunk 70 (plaintext from byte 1146880), file from byte 1148212"
	one="gcmcrypt: one.gcm: ok (92 chunks, 1.4 MiB)"
	for threads in 1 2 3 4; do
		gives 4 gcmcrypt verify -T $threads -K "$KEY" one.gcm damaged.gcm two.gcm cut.gcm one.gcm
		writes_nothing
		assert_equal "$(grep -v hint: "$ERR")" "$one
$damaged
gcmcrypt: two.gcm: ok (1 chunk, 100 bytes)
$cut
$one
gcmcrypt: 2 of 5 files failed"
	done
	gives 5 gcmcrypt verify -q -T 2 -K "$KEY" one.gcm cut.gcm missing theirs.gcm damaged.gcm
	assert_equal "$(grep -v hint: "$ERR")" "$cut
gcmcrypt: missing: No such file or directory
gcmcrypt: theirs.gcm: no key given opens this file
$damaged
gcmcrypt: 4 of 5 files failed"
	for first in "3 theirs" "1 missing"; do
		gives "${first% *}" gcmcrypt verify -T 2 -K "$KEY" one.gcm "${first#* }.gcm" cut.gcm damaged.gcm
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

@test "--quick: key, length and end, whatever is in between" {
	sealed plain.gcm 700000
	gives 0 gcmcrypt verify --quick -K "$KEY" plain.gcm
	writes_nothing
	assert_equal "$(cat "$ERR")" "gcmcrypt: plain.gcm: header, key and last chunk ok (43 chunks, 683.6 KiB)"
	gives 0 gcmcrypt verify --quick -q -K "$KEY" - <plain.gcm
	says_nothing
	flip plain.gcm "$(chunk_at 20)"
	gives 0 gcmcrypt verify --quick -K "$KEY" plain.gcm
	gives 4 gcmcrypt verify -K "$KEY" plain.gcm
	only plain.gcm
}

@test "--quick: another key, a damaged start, a damaged or missing end" {
	sealed plain.gcm 40000
	gives 3 gcmcrypt verify --quick -K "$OTHER_KEY" plain.gcm
	for place in 30 100 $((156 + 30)); do
		cp plain.gcm bad.gcm
		flip bad.gcm $place
		gives 4 gcmcrypt verify --quick -K "$KEY" bad.gcm
	done
	cp plain.gcm bad.gcm
	flip bad.gcm "$(chunk_at 2)"
	gives 5 gcmcrypt verify --quick -K "$KEY" bad.gcm
	says "chunk 2 of 3 (plaintext from byte 32768), file from byte $(chunk_at 2)"
	# Cut at and around every chunk, and inside the last one; and grown.
	for chunk in 0 1 2; do
		for length in -1 0 1 15 16 17 100; do
			head -c $(($(chunk_at $chunk) + length)) plain.gcm >cut.gcm
			gives 5 gcmcrypt verify --quick -K "$KEY" cut.gcm
		done
	done
	for more in 1 16 16400; do
		{
			cat plain.gcm
			head -c $more /dev/zero
		} >long.gcm
		gives 5 gcmcrypt verify --quick -K "$KEY" long.gcm
	done
}

@test "--quick with a passphrase, an identity, a context, a bare message" {
	bytes 20000 >plain
	gcmcrypt seal "${CHEAP[@]}" --passphrase-file "$PASS" --context a -o one plain
	gives 0 gcmcrypt verify --quick --passphrase-file "$PASS" --context a one
	gives 4 gcmcrypt verify --quick --passphrase-file "$PASS" --context b one
	gcmcrypt seal -r "$RECIPIENT" -o two plain
	gives 0 gcmcrypt verify --quick -i "$IDENTITY" two
	gcmcrypt seal --bare -K "$KEY" -o three plain
	gives 0 gcmcrypt verify --quick --bare -K "$KEY" three
	gives 3 gcmcrypt verify --quick --bare -K "$OTHER_KEY" three
}

@test "--quick needs a regular file, and reads little of it" {
	sealed plain.gcm 100
	# shellcheck disable=SC2002
	gives 2 bash -c 'cat plain.gcm | gcmcrypt verify --quick -K "$0"' "$KEY"
	says "standard input: is no regular file, which --range, --verify-first and --quick need"
	# A hole of 64 GiB in the middle: all of it could not be read in this time.
	sealed big.gcm 32768
	truncate -s $(($(chunk_at 4000000) + 100)) big.gcm
	gives 5 timeout 5 gcmcrypt verify --quick -K "$KEY" big.gcm
	says "chunk 4000000 of 4000001 "
}
