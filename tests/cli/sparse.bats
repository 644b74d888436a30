#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016,SC2153 # scripts for an inner shell; common.bash has the names in capitals
#
# open --sparse: holes for zeros in an output that is a file, and every byte as it should be.

load common

HEAD=$((156 + 56))   # a key file's header, salt and commitment
FULL=$((16384 + 16)) # a full chunk on disk

# kib FILE: the room that it takes on the disk.
kib() { echo $(($(stat -c '%b * %B / 1024' "$1"))); }

# with_holes SIZE: "plain", a file of that size in which three places are not zero; one is at its end.
with_holes() {
	truncate -s "$1" plain
	bytes 10000 | dd of=plain bs=4096 seek=$(($1 / 3)) oflag=seek_bytes conv=notrunc status=none
	bytes 1 | dd of=plain bs=1 seek=$(($1 - 1)) conv=notrunc status=none
	bytes 1 | dd of=plain conv=notrunc status=none
}

# What with_holes makes, byte for byte: to read 1 GiB of a hole takes longer than to make it.
all_bytes_of_holes() {
	bytes 1
	head -c $(($1 / 3 - 1)) /dev/zero
	bytes 10000
	head -c $(($1 - $1 / 3 - 10000 - 1)) /dev/zero
	bytes 1
}

# same_data FILE FILE: what of them is not a hole is the same; zeros count as holes.
same_data() {
	"$PYTHON" - "$1" "$2" <<-'END'
		import os, sys
		def blocks(name):
		    found, at = {}, 0
		    with open(name, "rb", 0) as file:
		        size = os.fstat(file.fileno()).st_size
		        while at < size:
		            try:
		                at = os.lseek(file.fileno(), at, os.SEEK_DATA)
		            except OSError:
		                break
		            end = os.lseek(file.fileno(), at, os.SEEK_HOLE)
		            for at in range(at, end, 4096):
		                block = os.pread(file.fileno(), 4096, at)
		                if block.strip(b"\0"):
		                    found[at] = block
		            at = end
		    return found
		sys.exit(blocks(sys.argv[1]) != blocks(sys.argv[2]))
	END
}

@test "an image of 1 GiB comes back with the room that it took" {
	size=$((1 << 30))
	{ [ "${GCMCRYPT_SANITIZED:-0}" != 1 ] && is_fast; } || size=$((32 << 20))
	with_holes $size
	[ "$(kib plain)" -le 64 ] || skip "no holes on this file system"
	all_bytes_of_holes $size | gcmcrypt seal -K "$KEY" | gcmcrypt open --sparse -K "$KEY" -o back
	size_is back $size
	[ "$(kib back)" -le $(($(kib plain) + 16)) ] || fail "$(kib back) KiB, not $(kib plain)"
	same_data plain back
}

# room_is FILE MOST: it is "plain", in at most so many KiB.
room_is() {
	same plain "$1"
	[ "$(kib "$1")" -le "$2" ] || fail "$1: $(kib "$1") KiB"
}

@test "any number of threads, a file, standard output, ranges; without the option no hole" {
	with_holes 5000000
	[ "$(kib plain)" -le 64 ] || skip "no holes on this file system"
	gcmcrypt seal -K "$KEY" plain
	for threads in 1 2; do
		gives 0 gcmcrypt open --sparse -T $threads -f -K "$KEY" -o out plain.gcm
		room_is out 64
		gcmcrypt open --sparse -T $threads -K "$KEY" -o - plain.gcm >redirected
		room_is redirected 64
	done
	gives 0 gcmcrypt open -f -K "$KEY" -o out plain.gcm
	same plain out
	[ "$(kib out)" -ge 4880 ]
	gives 0 gcmcrypt open --sparse -f --range 5000:4000000 -K "$KEY" -o out plain.gcm
	slice plain 5000 4000000 | cmp - out
	[ "$(kib out)" -le 64 ]
}

@test "what is nothing but zeros has the right length, down to none" {
	for size in 0 1 4096 16384 600000; do
		truncate -s 0 plain
		truncate -s $size plain
		gcmcrypt seal -f -K "$KEY" plain
		gives 0 gcmcrypt open --sparse -f -K "$KEY" -o out plain.gcm
		room_is out 8
		gcmcrypt open --sparse -K "$KEY" <plain.gcm >out
		room_is out 8
	done
}

@test "where an output cannot have holes it gets every byte" {
	with_holes 700000
	gcmcrypt seal -K "$KEY" plain
	gcmcrypt open --sparse -K "$KEY" -o - plain.gcm | cmp - plain
	# To append, to go on in the middle, and to go on at the end.
	bytes 900000 >old
	cp old out
	gcmcrypt open --sparse -K "$KEY" -o - plain.gcm >>out
	cat old plain | cmp - out
	cp old out
	gcmcrypt open --sparse -K "$KEY" -o - plain.gcm 1<>out
	{
		cat plain
		tail -c 200000 old
	} | cmp - out
	{
		echo before
		gcmcrypt open --sparse -K "$KEY" -o - plain.gcm
		echo behind
	} >out
	{
		echo before
		cat plain
		echo behind
	} | cmp - out
}

@test "a failure leaves what it leaves without the option" {
	with_holes 2000000
	gcmcrypt seal -K "$KEY" -o bad.gcm plain
	flip bad.gcm $((HEAD + 20 * FULL))
	gives 4 gcmcrypt open --sparse -K "$KEY" bad.gcm -o never
	assert_not_exist never
	gives 4 gcmcrypt open --sparse -K "$KEY" <bad.gcm
	size_is "$OUT" $((20 * CHUNK))
	cmp -n $((20 * CHUNK)) "$OUT" plain
	says "the 320.0 KiB before it were verified and already written"
}

@test "with --salvage a bad chunk is a hole" {
	bytes 2000000 >plain
	gcmcrypt seal -K "$KEY" -o bad.gcm plain
	head -c $((100 * FULL)) /dev/zero |
		dd of=bad.gcm bs=$FULL seek=$((HEAD + 10 * FULL)) oflag=seek_bytes conv=notrunc status=none
	head -c $((100 * CHUNK)) /dev/zero | dd of=plain bs="$CHUNK" seek=10 conv=notrunc status=none
	for threads in 1 2; do
		gives 4 gcmcrypt open --sparse --salvage -T $threads -f -K "$KEY" -o out bad.gcm
		same plain out
		[ "$(kib out)" -le 500 ] || fail "$(kib out) KiB"
	done
	says "bad: chunks 10-109 of 123"
}
