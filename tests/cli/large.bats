#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Beyond 4 GiB, where 32 bits end.

load common

LENGTH=$((5 * (1 << 30) + 12345))
needs_speed() {
	not_sanitized "too slow"
	is_fast || skip "the portable kernel would take minutes"
}
zeros() { dd if=/dev/zero bs=1M iflag=count_bytes count=$LENGTH status=none; }
# how_many_zeros: the length of standard input, in which there is nothing else.
how_many_zeros() {
	"$PYTHON" -c 'import sys
zeros, count = bytes(1 << 18), 0
while data := sys.stdin.buffer.read(len(zeros)):
    assert data == zeros[:len(data)], count
    count += len(data)
print(count)'
}

@test "5 GiB and a bit through pipes: sealed by one thread, what two open is what it was" {
	needs_speed
	zeros | gcmcrypt seal -T 1 -K "$KEY" | gcmcrypt open -T 2 -K "$KEY" | how_many_zeros >count
	assert_equal "$(cat count)" $LENGTH
}

@test "the same, sealed by two threads: the length that it must have" {
	needs_speed
	assert_equal "$(zeros | gcmcrypt seal -T 2 -K "$KEY" | wc -c)" \
		$((156 + 56 + LENGTH + 16 * (LENGTH / CHUNK + 1)))
}

# of_lines OFFSET LENGTH [OPTION...]: that range of "large" is what sparse.py says.
of_lines() {
	gives 0 gcmcrypt open -K "$KEY" --range "$1:$2" -o - "${@:3}" large
	seq -f %015.0f $(($1 / 16)) $((($1 + $2) / 16)) | slice - $(($1 % 16)) "$2" | cmp - "$OUT" ||
		fail "range $1:$2"
}

@test "ranges beside 4 and 64 GiB, of plaintext and of file, in one that is a hole elsewhere" {
	"$PYTHON" -c 'import cryptography' 2>/dev/null || skip "$PYTHON lacks cryptography"
	gib=$((1 << 30))
	# Chunks 0 and 1; those in which 4 GiB of file and of plaintext end, 40 from each on; 64 GiB.
	last=$((64 * gib / CHUNK + 3))
	astride=$((4 * gib / 16400))
	"$PYTHON" "$BATS_TEST_DIRNAME/sparse.py" "$TESTS/reference/open.py" "$KEY" large $last 0 1 \
		$(seq $((astride - 1)) $((astride + 39))) \
		$(seq $((4 * gib / CHUNK - 1)) $((4 * gib / CHUNK + 39))) \
		$(seq $((64 * gib / CHUNK - 1)) $((last - 1)))
	size_is large $((156 + 56 + last * 16400 + 160 + 16))
	of_lines 16380 10
	of_lines $((4 * gib - 1)) 2
	of_lines $((4 * gib)) 1
	of_lines $((4 * gib - CHUNK + 5)) 600000 -T 1
	of_lines $((4 * gib - CHUNK + 5)) 600000 -T 2
	# The chunk that stands astride 4 GiB of file, and those around.
	of_lines $((astride * CHUNK - 100)) 600000 -T 2
	of_lines $((64 * gib - 9)) $((CHUNK + 20))
	of_lines $((last * CHUNK + 159)) 1
	gives 0 gcmcrypt open -K "$KEY" --range 64G: -o - large
	seq -f %015.0f $((4 * gib)) $((4 * gib + 3 * 1024 + 9)) | cmp - "$OUT"
	gives 0 gcmcrypt open -K "$KEY" --range $((last * CHUNK + 160)): -o - large
	writes_nothing
	gives 2 gcmcrypt open -K "$KEY" --range $((last * CHUNK + 161)): -o - large
	says "past the end: the plaintext has $((last * CHUNK + 160)) bytes"
	# Into the hole, and behind it.
	hole=$((4 * gib / CHUNK + 40))
	gives 4 gcmcrypt open -K "$KEY" --range $((hole * CHUNK - 10)):20 -o - large
	says "damaged: chunk $hole of $((last + 1)) (plaintext bytes $((hole * CHUNK))-$((hole * CHUNK + CHUNK - 1)))"
	seq -f %015.0f $((hole * 1024 - 1)) $((hole * 1024)) | slice - 6 10 | cmp - "$OUT"
	gives 4 gcmcrypt open -K "$KEY" --range $((64 * gib - 2 * CHUNK + 1)):1 -o - large
	writes_nothing
	gives 0 gcmcrypt verify --quick -K "$KEY" large
	says "large: header, key and last chunk ok ($((last + 1)) chunks, 64.0 GiB)"
	# Cut there: nothing of what is whole.
	truncate -s $((156 + 56 + (4 * gib / CHUNK + 1) * 16400)) large
	gives 5 gcmcrypt open -K "$KEY" --range 0:1 -o - large
	says "ends early, or its end is damaged: chunk $((4 * gib / CHUNK + 1)) (plaintext from byte $((4 * gib + CHUNK)))"
	writes_nothing
}
