#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# A named output appears complete or not at all; after any failure the folder is as it was.

load common

# Every way to fail that needs no special machine, for an output named OUTPUT.
@test "seal leaves nothing behind when it fails" {
	bytes 50000 >plain
	remember
	gives 2 gcmcrypt seal --no-such-option plain
	gives 1 gcmcrypt seal -K missing plain
	gives 1 gcmcrypt seal -K "$KEY" missing
	gives 2 gcmcrypt seal -K "$KEY" -o out --require-nonempty /dev/null
	gives 2 gcmcrypt seal --passphrase-file /dev/null -o out plain
	unchanged
}

@test "open leaves nothing behind: wrong key, damage in the first, a middle and the last chunk, a cut" {
	sealed plain.gcm 50000
	cp plain.gcm first.gcm
	flip first.gcm $((156 + 56))
	cp plain.gcm middle.gcm
	flip middle.gcm $((156 + 56 + 16400))
	cp plain.gcm last.gcm
	flip last.gcm $(($(stat -c %s last.gcm) - 1))
	head -c 40000 plain.gcm >cut.gcm
	remember
	gives 3 gcmcrypt open -K "$OTHER_KEY" plain.gcm
	gives 4 gcmcrypt open -K "$KEY" first.gcm
	gives 4 gcmcrypt open -K "$KEY" middle.gcm
	gives 5 gcmcrypt open -K "$KEY" last.gcm
	gives 5 gcmcrypt open -K "$KEY" cut.gcm
	unchanged
}

@test "an old output is untouched when -f fails" {
	sealed plain.gcm 50000
	flip plain.gcm $(($(stat -c %s plain.gcm) - 1))
	echo old >plain
	chmod 640 plain
	remember
	gives 3 gcmcrypt open -f -K "$OTHER_KEY" plain.gcm
	gives 5 gcmcrypt open -f -K "$KEY" plain.gcm
	gives 1 gcmcrypt seal -f -K "$KEY" -o plain missing
	unchanged
}

@test "-f replaces the old output with a new file" {
	bytes 1000 >plain
	echo old >plain.gcm
	ln plain.gcm old
	gives 0 gcmcrypt seal -f -K "$KEY" plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
	assert_equal "$(cat old)" old
	only plain plain.gcm old
}

@test "an output that exists is refused before any key is asked for, and untouched" {
	bytes 1000 >plain
	sealed plain.gcm 1000
	remember
	gives 2 timeout 5 setsid -w gcmcrypt seal plain
	says "plain.gcm"
	says "-f"
	gives 2 gcmcrypt open -K "$KEY" plain.gcm
	says "gcmcrypt: plain: "
	unchanged
}

@test "a signal half way leaves the folder as it was" {
	bytes 400000 >"$AWAY/plain"
	gcmcrypt seal -K "$KEY" <"$AWAY/plain" >"$AWAY/sealed"
	echo old >out
	remember
	for signal in INT TERM HUP; do
		feed "$AWAY/plain" 300000 env --default-signal gcmcrypt seal -f -K "$KEY" -o out
		kill -s "$signal" "$PID"
		ended $((128 + $(kill -l "$signal")))
		feed_ends
		unchanged
		feed "$AWAY/sealed" 300000 env --default-signal gcmcrypt open -f -K "$KEY" -o out
		kill -s "$signal" "$PID"
		ended $((128 + $(kill -l "$signal")))
		feed_ends
		unchanged
		feed "$AWAY/sealed" 300000 env --default-signal gcmcrypt open -K "$KEY" -o new
		kill -s "$signal" "$PID"
		ended $((128 + $(kill -l "$signal")))
		feed_ends
		unchanged
	done
}

@test "open creates nothing before the header has been verified" {
	sealed sealed.gcm 1000
	feed sealed.gcm 150 env --default-signal gcmcrypt open -K "$KEY" -o plain
	only sealed.gcm
	feed_ends
	ended 5
	only sealed.gcm
}

@test "a file that is there by the time of the rename is not replaced without -f" {
	bytes 200000 >"$AWAY/plain"
	feed "$AWAY/plain" 200000 gcmcrypt seal -K "$KEY" -o out
	echo mine >out
	remember
	feed_ends
	ended 2
	unchanged
}

# named_temporary COUNT COMMAND...: feeds it where no file without a name can be given one later, since
# there is no /proc: what is written has a name from the start.
named_temporary() {
	only_root
	not_sanitized "it looks into /proc"
	mkdir -p "$AWAY/empty"
	unshare -m mount --bind "$AWAY/empty" /proc 2>/dev/null || skip "nothing can be mounted here"
	feed "$AWAY/plain" "$1" unshare -m bash -c 'mount --bind "$1" /proc && exec env --default-signal "${@:2}"' \
		- "$AWAY/empty" "${@:2}"
	assert_equal "$(find . -name '.out.gcmcrypt-*' -printf '%m\n')" 600
}

@test "a temporary with a name: private, gone after success and after a signal, replaces nothing" {
	bytes 300000 >"$AWAY/plain"
	named_temporary 200000 gcmcrypt seal -K "$KEY" -o out
	feed_ends
	ended 0
	only out
	gcmcrypt open -K "$KEY" -o - out | cmp - <(bytes 200000)
	rm out
	named_temporary 200000 gcmcrypt seal -K "$KEY" -o out
	kill -TERM "$PID"
	ended 143
	feed_ends
	only
	named_temporary 200000 gcmcrypt seal -K "$KEY" -o out
	echo mine >out
	feed_ends
	ended 2
	only out
	assert_equal "$(cat out)" mine
	named_temporary 200000 gcmcrypt seal -f -K "$KEY" -o out
	feed_ends
	ended 0
	only out
	gcmcrypt verify -K "$KEY" out
}

@test "a symbolic link as output is refused; with -f the link itself is replaced" {
	bytes 1000 >plain
	echo target >target
	ln -s target plain.gcm
	remember
	gives 2 gcmcrypt seal -K "$KEY" plain
	unchanged
	gives 0 gcmcrypt seal -f -K "$KEY" plain
	[ ! -L plain.gcm ]
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
	assert_equal "$(cat target)" target
	ln -s missing dangling
	gives 2 gcmcrypt seal -K "$KEY" -o dangling plain
	only plain target plain.gcm dangling
	gives 0 gcmcrypt seal -f -K "$KEY" -o dangling plain
	[ ! -L dangling ]
	assert_not_exist missing
}

@test "a directory as output is refused, with -f too" {
	bytes 1000 >plain
	mkdir folder
	gives 2 gcmcrypt seal -K "$KEY" -o folder plain
	gives 2 gcmcrypt seal -f -K "$KEY" -o folder plain
	gives 2 gcmcrypt seal -f -K "$KEY" -o folder/ plain
	only plain folder
}

@test "a FIFO is written in place and stays, after success and failure" {
	sealed plain.gcm 100000
	sealed bad.gcm 100000
	flip bad.gcm $((156 + 56 + 16400))
	mkfifo -m 640 fifo
	cat fifo >"$AWAY/got" &
	gives 0 gcmcrypt open -K "$KEY" -o fifo plain.gcm
	wait $!
	bytes 100000 | cmp - "$AWAY/got"
	cat fifo >"$AWAY/got" &
	gives 4 gcmcrypt open -K "$KEY" -o fifo bad.gcm
	wait $!
	size_is "$AWAY/got" 16384
	[ -p fifo ]
	mode_is fifo 640
	only plain.gcm bad.gcm fifo
}

@test "a device is written in place and keeps its node and mode" {
	only_root
	mknod -m 606 null c 1 3 || skip "no device nodes here"
	mknod -m 604 full c 1 7
	bytes 50000 >plain
	remember
	gives 0 gcmcrypt seal -K "$KEY" -o null plain
	gives 1 gcmcrypt seal -K "$KEY" -o full plain
	says "No space left on device"
	gives 1 gcmcrypt seal -f -K "$KEY" -o full plain
	unchanged
}

# disk BYTES: a block device of so many, with a node of its own in this folder.
disk() {
	only_root
	truncate -s "$1" "$AWAY/disk"
	LOOP=$(losetup -f --show "$AWAY/disk" 2>/dev/null) || skip "no loop devices here"
	# shellcheck disable=SC2046 # major and minor number
	mknod -m 640 disk b $(stat -c '0x%t 0x%T' "$LOOP")
}
teardown() { [ -z "${LOOP-}" ] || losetup -d "$LOOP"; }

@test "a block device is read to its end, and written in place; one that is too small is a failure" {
	disk 1048576
	bytes 100000 >plain
	sealed sealed.gcm 100000
	gives 0 gcmcrypt seal -K "$KEY" -o whole disk
	gives 0 gcmcrypt open -K "$KEY" -o - whole
	same "$OUT" "$AWAY/disk"
	sealed big.gcm 1200000
	node=$(stat -c '%F %a %i' disk)
	gives 0 gcmcrypt seal -f -K "$KEY" -o disk plain
	gcmcrypt open -K "$KEY" < <(head -c "$(stat -c %s sealed.gcm)" disk) | cmp - plain
	# The rest of the device is no part of it.
	gives 4 gcmcrypt verify -K "$KEY" disk
	for force in -v -f; do
		gives 1 gcmcrypt open $force -K "$KEY" -o disk big.gcm
		says "No space left on device"
	done
	gives 2 gcmcrypt seal --rm -K "$KEY" -o new disk
	gives 2 gcmcrypt seal -K "$KEY" -o disk "$LOOP" # by its other name
	says "same file"
	assert_equal "$(stat -c '%F %a %i' disk)" "$node"
	only disk plain sealed.gcm big.gcm whole
}

@test "-o - is standard output" {
	bytes 1000 >plain
	gives 0 gcmcrypt seal -K "$KEY" -o - plain
	cp "$OUT" "$AWAY/sealed.gcm"
	gives 0 gcmcrypt open -K "$KEY" -o - "$AWAY/sealed.gcm"
	same "$OUT" plain
	only plain
}

@test "- as input is standard input, and goes to standard output" {
	bytes 1000 >plain
	gives 0 gcmcrypt seal -K "$KEY" - <plain
	cp "$OUT" sealed.gcm
	gives 0 gcmcrypt open -K "$KEY" - <sealed.gcm
	same "$OUT" plain
	gives 0 gcmcrypt verify -K "$KEY" - <sealed.gcm
	only plain sealed.gcm
}

@test "a redirection's file is never removed or renamed" {
	sealed bad.gcm 50000
	flip bad.gcm $((156 + 56 + 16400))
	: >redirected
	before=$(stat -c %i redirected)
	run -4 bash -c 'gcmcrypt open -K "$0" <bad.gcm >redirected 2>/dev/null' "$KEY"
	assert_equal "$(stat -c %i redirected)" "$before"
	size_is redirected 16384
}

@test "an output's name may be as long as the system takes" {
	long=$(printf 'x%.0s' {1..251})
	bytes 1000 >"$long"
	gives 0 gcmcrypt seal -K "$KEY" "$long"
	only "$long" "$long.gcm"
	gives 0 gcmcrypt seal -f -K "$KEY" "$long"
	only "$long" "$long.gcm"
	gives 1 gcmcrypt seal -K "$KEY" "$long.gcm"
	says "File name too long"
	only "$long" "$long.gcm"
}
