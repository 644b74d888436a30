#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2153 # common.bash has the names in capitals
#
# Chunks that are damaged, cut, swapped, doubled, dropped or appended are refused, and nothing that
# was not verified comes out.

load common

HEAD=$((156 + 56))   # a key file's header, salt and commitment
FULL=$((16384 + 16)) # a full chunk on disk

# open_gives STATUS FILE [BYTES]: so it ends, having written exactly the first BYTES of "plain".
open_gives() {
	gives "$1" timeout 20 gcmcrypt open -K "$KEY" <"$2"
	size_is "$OUT" "${3:-0}"
	cmp -n "${3:-0}" "$OUT" plain || fail "wrong plaintext"
	gives "$1" gcmcrypt open -K "$KEY" -o never "$2"
	assert_not_exist never
	gives "$1" gcmcrypt verify -K "$KEY" "$2"
}

@test "cut at each chunk boundary and a byte beside it" {
	bytes 60000 >plain
	sealed good 60000
	for chunk in 0 1 2 3; do
		for beside in -1 0 1; do
			head -c $((HEAD + chunk * FULL + beside)) good >bad
			# Chunks before the cut come out; that which was cut does not.
			whole=$((beside < 0 ? chunk - 1 : chunk))
			open_gives 5 bad $((whole < 0 ? 0 : whole * CHUNK))
		done
	done
	head -c -1 good >bad
	open_gives 5 bad $((3 * CHUNK))
}

# Five chunks, of which the last is empty, under one key; cut4 has lost nothing but that one.
# cut_at_boundaries SEAL-OPTION...: cut0.gcm to cut4.gcm, each ends where that chunk would begin.
cut_at_boundaries() {
	local chunk start
	bytes $((4 * CHUNK)) >plain
	gcmcrypt seal "$@" -f -K "$KEY" -o good plain
	start=$(($(stat -c %s good) - 4 * FULL - 16))
	for chunk in 0 1 2 3 4; do head -c $((start + chunk * FULL)) good >cut$chunk.gcm; done
}

# each_ends_early COMMAND OPTION...: so it is with all five, and nothing comes out of any.
each_ends_early() {
	gives 5 gcmcrypt "$@" -K "$KEY" cut?.gcm
	writes_nothing
	assert_equal "$(grep -o '^gcmcrypt: cut.*: ends early, or its end is damaged: chunk . ' "$ERR")" \
		"$(printf 'gcmcrypt: cut%s.gcm: ends early, or its end is damaged: chunk %s \n' {0..4}{,})"
}

@test "cut at each chunk boundary: no way of opening takes it, and none gives a byte of what it checks first" {
	for bare in "" --bare; do
		# shellcheck disable=SC2086 # one or no option
		cut_at_boundaries $bare
		while read -ra way; do
			each_ends_early "${way[@]}" $bare
		done <<-'END'
			open -T 1
			open -T 2
			open --verify-first
			open --range 0:1
			open --range 0:1 -T 2 --verify-first
			open --range 65535:1
			open --range 1G:
			verify -T 1
			verify -T 2
			verify --quick
		END
		for chunk in 0 1 2 3 4; do
			# shellcheck disable=SC2086 # one or no option
			gives_whole_chunks $chunk open -T 2 $bare
			[ -z "$bare" ] || continue
			gives_whole_chunks $chunk open -T 1
			gives 5 piped $chunk verify
			gives 5 piped $chunk open -o never
			for first in --verify-first "--range 0:1"; do
				# shellcheck disable=SC2086 # an option and its value
				gives 5 gcmcrypt open $first -K "$KEY" <cut$chunk.gcm
				writes_nothing
			done
		done
		only plain good cut{0..4}.gcm
	done
}
# piped CHUNK COMMAND OPTION...: gcmcrypt, with the file that ends there through a pipe.
piped() { gcmcrypt "${@:2}" -K "$KEY" < <(cat "cut$1.gcm"); }
# gives_whole_chunks CHUNK COMMAND OPTION...: what is opened as it comes was right as far as it went.
gives_whole_chunks() {
	gives 5 piped "$@"
	head -c $(($1 * CHUNK)) plain | cmp - "$OUT"
}

@test "two chunks swapped" {
	bytes 60000 >plain
	sealed good 60000
	{
		slice good 0 $((HEAD + FULL))
		slice good $((HEAD + 2 * FULL)) $FULL
		slice good $((HEAD + FULL)) $FULL
		slice good $((HEAD + 3 * FULL)) $FULL
	} >bad
	open_gives 4 bad "$CHUNK"
}

@test "a chunk doubled" {
	bytes 60000 >plain
	sealed good 60000
	{
		slice good 0 $((HEAD + FULL))
		slice good $HEAD $((4 * FULL))
	} >bad
	open_gives 4 bad "$CHUNK"
}

@test "a chunk dropped: the first, a middle one, the last" {
	bytes 60000 >plain
	sealed good 60000
	{
		slice good 0 $HEAD
		slice good $((HEAD + FULL)) $((3 * FULL))
	} >bad
	open_gives 4 bad 0
	{
		slice good 0 $((HEAD + FULL))
		slice good $((HEAD + 2 * FULL)) $((2 * FULL))
	} >bad
	open_gives 4 bad "$CHUNK"
	head -c $((HEAD + 3 * FULL)) good >bad
	open_gives 5 bad $((3 * CHUNK))
}

@test "1, 16 and 16400 bytes appended to files around a chunk's length" {
	for size in 16383 16384 16385; do
		bytes $size >plain
		sealed good $size
		for more in 1 16 16400; do
			{
				cat good
				bytes $more
			} >bad
			gives_damage bad
		done
		rm good
	done
}

# gives_damage FILE: refused as damaged (4) or as ending early (5), and only whole chunks came out.
gives_damage() {
	local got=0
	gcmcrypt open -K "$KEY" <"$1" >"$OUT" 2>/dev/null || got=$?
	[ "$got" -eq 4 ] || [ "$got" -eq 5 ] || fail "status $got"
	[ $(($(stat -c %s "$OUT") % CHUNK)) -eq 0 ] || fail "a part of a chunk came out"
	cmp -n "$(stat -c %s "$OUT")" "$OUT" plain
	gives "$got" gcmcrypt open -K "$KEY" -o never "$1"
	assert_not_exist never
}

@test "two files joined are not a file" {
	for size in 0 100 16384 50000; do
		bytes $size >plain
		sealed good $size
		cat good good >bad
		gives_damage bad
		rm good
	done
}

@test "a chunk, a payload and a header of another file under the same key" {
	bytes 50000 >plain
	sealed one 50000
	sealed two 50000
	{
		slice one 0 $((HEAD + FULL))
		slice two $((HEAD + FULL)) 100000
	} >bad
	open_gives 4 bad "$CHUNK"
	{
		slice one 0 156
		slice two 156 100000
	} >bad
	open_gives 4 bad 0
}

@test "unverified bytes never come out: a flip in chunk 0, 1 and 3 of five" {
	bytes 80000 >plain
	sealed good 80000
	for chunk in 0 1 3; do
		for at in 0 8000 16383 16384 16399; do
			cp good bad
			flip bad $((HEAD + chunk * FULL + at)) 128
			open_gives 4 bad $((chunk * CHUNK))
		done
	done
	cp good bad
	flip bad $((HEAD + 4 * FULL + 1))
	open_gives 5 bad $((4 * CHUNK))
}

# bad0, bad1, ...: "good" with a bit flipped in that chunk of its 62. cut0, cut1, ...: cut before it.
damage_each_chunk() {
	"$PYTHON" - $HEAD $FULL <<-'END'
		import sys
		head, full = map(int, sys.argv[1:])
		data = open("good", "rb").read()
		for chunk in range(62):
		    at = head + chunk * full
		    open(f"cut{chunk}", "wb").write(data[:at])
		    at += 9
		    open(f"bad{chunk}", "wb").write(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])
	END
}

@test "each chunk of a longer file in turn, damaged or cut off" {
	bytes 1000000 >plain
	sealed good 1000000
	damage_each_chunk
	gives 5 gcmcrypt verify -K "$KEY" bad61 bad{0..60}
	printf 'bad%s: damaged: chunk %s of 62\n' {0..60}{,} >named
	grep -oE 'bad[0-9]+: damaged: chunk [0-9]+ of 62' "$ERR" | diff - named
	says "62 of 62 files failed"
	gives 5 gcmcrypt verify -K "$KEY" cut{0..61}
	assert_equal "$(grep -c '^gcmcrypt: cut.*: ends early' "$ERR")" 62
	for chunk in 15 16 31 32 60; do
		open_gives 4 bad$chunk $((chunk * CHUNK))
		open_gives 5 cut$chunk $((chunk * CHUNK))
	done
}

@test "a message on a pipe says how much was verified and written before" {
	sealed bad 3000000
	flip bad $((HEAD + 128 * FULL))
	gives 4 gcmcrypt open -K "$KEY" <bad
	says "chunk 128"
	says "the 2.0 MiB before it were verified and already written"
}

@test "of several bad chunks the first is named" {
	bytes 80000 >plain
	sealed bad 80000
	for chunk in 4 3 1; do flip bad $((HEAD + chunk * FULL)); done
	open_gives 4 bad "$CHUNK"
	says "chunk 1 of 5"
}
