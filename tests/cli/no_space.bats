#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# A full disk, a file size limit and a full device are failures that leave nothing behind, for small
# outputs too.

load common

teardown() {
	if mountpoint -q "$BATS_TEST_TMPDIR/here/small" 2>/dev/null; then
		umount "$BATS_TEST_TMPDIR/here/small"
	fi
}

small_disk() {
	only_root
	mkdir small
	mount -t tmpfs -o size=1m tmpfs small 2>/dev/null || skip "no tmpfs can be mounted here"
}

@test "seal and open into a disk of 1 MiB" {
	small_disk
	bytes 3000000 >plain
	sealed sealed.gcm 3000000
	echo old >small/old
	remember
	for force in "" -f; do
		# shellcheck disable=SC2086 # an option or none
		gives 1 gcmcrypt seal $force -K "$KEY" -o small/out plain
		says "gcmcrypt: small/out: No space left on device"
		says_not "after" # known before anything was written
		gives 1 gcmcrypt seal $force -K "$KEY" -o small/out < <(bytes 3000000)
		says "gcmcrypt: small/out: No space left on device"
		says "gcmcrypt: hint: nothing was kept"
		# shellcheck disable=SC2086
		gives 1 gcmcrypt open $force -K "$KEY" -o small/out sealed.gcm
		says "No space left on device"
		unchanged
	done
	gives 1 gcmcrypt seal -f -K "$KEY" -o small/old plain
	unchanged
	run -1 bash -c 'gcmcrypt seal -K "$0" plain -o - >small/redirected' "$KEY"
	assert_output --partial "No space left on device"
	assert_equal "$(cat small/old)" old
}

@test "what does fit is still written" {
	small_disk
	bytes 100000 >plain
	gives 0 gcmcrypt seal -K "$KEY" -o small/out plain
	gives 0 gcmcrypt verify -K "$KEY" small/out
}

@test "a limit on the size of files" {
	bytes 3000000 >plain
	echo old >out
	remember
	run -1 bash -c 'ulimit -f 1000; exec gcmcrypt seal -f -K "$0" -o out plain' "$KEY"
	assert_output --partial "File too large"
	unchanged
	run -1 bash -c 'ulimit -f 1000; exec gcmcrypt seal -K "$0" -o new plain' "$KEY"
	unchanged
}

@test "a full device behind standard output: 0 bytes, 1000 bytes and 10 MB" {
	sealed small.gcm 1000
	sealed large.gcm 10000000
	for size in 0 1000 10000000; do
		bytes "$size" >plain
		run -1 bash -c 'gcmcrypt seal -K "$0" <plain >/dev/full' "$KEY"
		assert_output --partial "No space left on device"
	done
	for file in small.gcm large.gcm; do
		run -1 bash -c 'gcmcrypt open -K "$0" <"$1" >/dev/full' "$KEY" "$file"
		assert_output --partial "No space left on device"
	done
}

@test "a full device behind help, version, info, keygen and bench" {
	sealed plain.gcm 1000
	for command in "--help" "--version" "seal --help" "info plain.gcm" "keygen" \
		"bench --list" "bench --size 64 --seconds 1"; do
		run -1 bash -c 'gcmcrypt $0 >/dev/full' "$command"
		refute_output ""
	done
}

@test "a closed standard output is a failure, and no other file takes its place" {
	bytes 1000 >plain
	sealed sealed.gcm 1000
	remember
	# Of nothing, no write would tell.
	for command in "seal -K $KEY -o -" "open -K $KEY -o -" "open -K $KEY -o - --range 0:0"; do
		run -1 bash -c 'gcmcrypt $0 sealed.gcm >&-' "$command"
	done
	run -1 bash -c 'gcmcrypt open -K "$0" -o - --range 0:0 sealed.gcm 1<plain' "$KEY"
	run -1 bash -c 'gcmcrypt --version >&-'
	unchanged
	run -1 bash -c 'gcmcrypt seal -K "$0" <&-' "$KEY"
	unchanged
	gives 0 bash -c 'gcmcrypt seal -K "$0" plain <&- >&-' "$KEY"
	gives 0 bash -c 'gcmcrypt verify -K "$0" plain.gcm <&- >&- 2>&-' "$KEY"
}
