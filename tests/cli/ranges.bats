#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016,SC2153 # scripts for an inner shell; common.bash has the names in capitals
#
# open --range OFF:LEN: exactly those bytes, and none of a file that lost its end.

load common

HEAD=$((156 + 56))   # a key file's header, salt and commitment
FULL=$((16384 + 16)) # a full chunk on disk

# part_is OFFSET LENGTH [OPTION...]: the range of "sealed" is that part of "plain".
part_is() {
	gives 0 gcmcrypt open -K "$KEY" --range "$1:$2" -o - "${@:3}" sealed
	slice plain "$1" "${2:-100000000}" | cmp - "$OUT" || fail "range $1:$2 of $(stat -c %s plain)"
}

# Each part is a file of that name, and all are compared at once.
# shellcheck disable=SC2016 # for python
ARE_PARTS='import os, sys
plain = open("plain", "rb").read()
for name in os.listdir("parts"):
	offset, length = name.split(":")
	want = plain[int(offset):][:int(length or len(plain))]
	assert open("parts/" + name, "rb").read() == want, name
print(len(os.listdir("parts")))'

@test "every part of files around a chunk's length" {
	local -i count=0
	for size in 0 1 16383 16384 16385 32768 40000; do
		bytes $size >plain
		sealed sealed $size
		mkdir parts
		for offset in 0 1 16383 16384 16385 32767 32768 $((size - 1)) $size; do
			[ "$offset" -ge 0 ] && [ "$offset" -le "$size" ] || continue
			for length in 0 1 16384 20000 "" 18446744073709551615; do
				gcmcrypt open -K "$KEY" --range "$offset:$length" -o - sealed >"parts/$offset:$length"
			done
		done
		count+=$("$PYTHON" -c "$ARE_PARTS")
		rm -r parts sealed
	done
	assert_equal "$count" 192
}

@test "parts of a longer file, in any number of threads" {
	bytes 3000000 >plain
	sealed sealed 3000000
	for threads in 1 2 3; do
		part_is 0 "" -T $threads
		part_is 100 2999800 -T $threads
		part_is 524287 524290 -T $threads # beside the batches of threads
		part_is 524288 524288 -T $threads
		part_is 2999999 1 -T $threads
		part_is 1000000 1000000 -T $threads --verify-first
	done
}

@test "K, M and G, and a file as the output" {
	bytes 3000000 >plain
	sealed plain.gcm 3000000
	gives 0 gcmcrypt open -K "$KEY" --range 1M:2K -o part plain.gcm
	slice plain 1048576 2048 | cmp - part
	gives 0 gcmcrypt open -K "$KEY" --range=17K:1G -f -o part plain.gcm
	slice plain 17408 9999999 | cmp - part
	gives 2 gcmcrypt open -K "$KEY" --range 1G: -f -o part plain.gcm
	slice plain 17408 9999999 | cmp - part
}

@test "past the end: status 2, the size, and nothing written" {
	bytes 40000 >"$AWAY/plain"
	sealed sealed 40000
	for range in 40001: 40001:0 1G:1 18446744073709551615:18446744073709551615; do
		gives 2 gcmcrypt open -K "$KEY" --range $range sealed -o out
		says "sealed: --range starts past the end: the plaintext has 40000 bytes"
		only sealed
	done
}

@test "what is no range is refused" {
	sealed sealed 100
	for range in "" : 5 :5 -1:5 +1:5 1:2:3 a:b 01:2 1:02 1:+2 1:-2 "1 :2" 1-2 0x1:2 18446744073709551616: 1T:; do
		gives 2 gcmcrypt open -K "$KEY" --range "$range" -o - sealed
		says "--range: not a range"
		writes_nothing
	done
	gives 2 gcmcrypt verify -K "$KEY" --range 0:1 sealed
	gives 2 gcmcrypt seal -K "$KEY" --range 0:1 sealed
}

# refused STATUS FILE: not even its first byte comes out.
refused() {
	gives "$1" gcmcrypt open -K "$KEY" --range 0:1 -o - "$2"
	writes_nothing
	gives "$1" gcmcrypt open -K "$KEY" --range 0:1 -o never "$2"
	assert_not_exist never
}

@test "the last chunk comes first: cut, extended or damaged at its end, nothing comes out" {
	sealed good 60000
	for chunk in 0 1 3; do
		for beside in 0 1 15 16 1000; do
			head -c $((HEAD + chunk * FULL + beside)) good >bad
			refused 5 bad
			says "chunk $chunk"
		done
	done
	head -c -1 good >bad
	refused 5 bad
	for more in 1 $((FULL - 10000)) $FULL; do
		{
			cat good
			bytes "$more"
		} >bad
		refused 5 bad
	done
	cp good bad
	flip bad $((HEAD + 3 * FULL))
	refused 5 bad
	says "ends early, or its end is damaged: chunk 3 of 4"
}

@test "a damaged chunk counts where the range touches it" {
	bytes 60000 >plain
	sealed sealed 60000
	flip sealed $((HEAD + FULL + 5))
	part_is 0 16384
	part_is 32768 ""
	gives 4 gcmcrypt open -K "$KEY" --range 10: -o - sealed
	says "damaged: chunk 1 of 4 (plaintext bytes 16384-32767); the 16.0 KiB before it were verified and already written"
	slice plain 10 16374 | cmp - "$OUT"
	gives 4 gcmcrypt open -K "$KEY" --range 16384:1 -o - sealed
	writes_nothing
	gives 4 gcmcrypt open -K "$KEY" --range 40000:1 --verify-first -o - sealed
	writes_nothing
}

@test "standard input that is a file, from where it stands; never a pipe" {
	bytes 50000 >plain
	sealed sealed 50000
	{
		echo before
		cat sealed
	} >behind
	gives 0 bash -c '{ read -r _; gcmcrypt open -K "$0" --range 20000:20000; } <behind' "$KEY"
	slice plain 20000 20000 | cmp - "$OUT"
	gives 2 bash -c 'cat sealed | gcmcrypt open -K "$0" --range 0:1' "$KEY"
	says "standard input: is no regular file"
	writes_nothing
}

@test "a part never takes the place of the whole" {
	sealed sealed.gcm 50000
	remember
	gives 2 gcmcrypt open -K "$KEY" --rm --range 0: sealed.gcm
	says "--rm and --range"
	unchanged
}

@test "a bare message has ranges too, and a wrong key opens none" {
	bytes 50000 >plain
	gives 0 gcmcrypt seal --bare -K "$KEY" -o bare plain
	gives 0 gcmcrypt open --bare -K "$KEY" --range 16380:10 -o - bare
	slice plain 16380 10 | cmp - "$OUT"
	gives 3 gcmcrypt open --bare -K "$OTHER_KEY" --range 16380:10 -o - bare
	writes_nothing
}
