#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# How bytes are moved, seen in the system calls: wide pipes, large reads and writes, as many threads
# as pay, and room asked for in time.

load common

needs() {
	not_sanitized strace
	command -v strace >/dev/null || skip "no strace"
	strace -qq -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# traced COMMAND OPTION...: quietly, with no thread that shows how far it is; the trace is $AWAY/trace.
traced() { injected "" "$@"; }
# injected FAULT COMMAND OPTION...: so that a call fails as strace's inject= says.
injected() {
	strace -f -qq -y -s 0 -o "$AWAY/trace" -e signal=none \
		-e trace=fcntl,fadvise64,read,pread64,write,clone,clone3,mmap,brk,fallocate,fstatfs \
		${1:+-e "inject=$1"} "$PROGRAM" "$2" "${KERNEL[@]}" -q -K "$KEY" "${@:3}"
}

# calls PATTERN: how many there are in the trace. A call that another thread's one interrupted begins
# on one line and ends on another.
calls() { grep -cE "^[0-9]+ +$1" "$AWAY/trace" || [ $? -eq 1 ]; }

@test "pipe to pipe with a fast kernel: pipes of 1 MiB, one thread, a write and hardly more reads a batch" {
	is_fast || skip "for kernels that use AES instructions"
	bytes 3000000 >plain
	# shellcheck disable=SC2002 # pipes are the point
	cat plain | traced seal | cat >sealed
	pipes_are_wide 524800
	# shellcheck disable=SC2002
	cat sealed | traced open | cat >back
	pipes_are_wide 524288
	same plain back
}
# pipes_are_wide BATCH: so many bytes go out in each write but the last of six, after that of a header.
pipes_are_wide() {
	for fd in 0 1; do
		[ "$(calls "fcntl\($fd<pipe:.*, F_SETPIPE_SZ, 1048576\) = (1048576|-1 EPERM)")" -eq 1 ] ||
			fail "descriptor $fd: $(cat "$AWAY/trace")"
	done
	assert_equal "$(calls 'clone3?\(')" 0
	assert_equal "$(calls "write\(1<pipe:.*, $1\) = $1")" 5
	[ "$(calls 'write\(1<pipe:')" -le 7 ] || fail "many writes: $(cat "$AWAY/trace")"
	# Asked for a batch at once; how much of it is there is the other side's business.
	assert_equal "$(calls "read\(0<pipe:.*, $((1049088 - $1))\)")" 6
}

@test "regular inputs: the system is told that they are read from front to back, and reads them once" {
	bytes 3000000 >plain
	traced seal -T 1 -o sealed plain
	advised plain
	for threads in 1 3; do
		for command in verify "open -o - --verify-first" "open -o - --range 100:2000000"; do
			# shellcheck disable=SC2086 # a command and its options
			traced $command -T $threads sealed >"$OUT"
			advised sealed
		done
	done
	traced verify -T 3 sealed
	# Six batches, in whatever thread; looks behind the end, which find nothing, do not count.
	{ printf '524800, %s) = 524800\n' $(seq 212 524800 2099412) && echo '524800, 2624212) = 378944'; } >expected
	grep -oE '524800, [0-9]+\) += [1-9][0-9]*$' "$AWAY/trace" | tr -s ' ' | sort -n -k 2 | diff expected -
	traced verify -T 1 - <sealed
	[ "$(calls 'fadvise64\(0<.*here/sealed>, 0, 0, POSIX_FADV_SEQUENTIAL\)')" -ge 1 ]
}
advised() {
	[ "$(calls "fadvise64\([0-9]+<.*here/$1>, 0, 0, POSIX_FADV_SEQUENTIAL\)")" -ge 1 ] ||
		fail "$(cat "$AWAY/trace")"
	[ "$(calls 'fcntl\(.*F_SETPIPE_SZ')" -eq 0 ]
}

@test "file to file: two threads with a fast kernel, all processors with soft, one where one batch is all" {
	cores=$(nproc)
	bytes 3000000 >plain
	head -c 500000 plain >short
	traced seal -o sealed plain
	if is_fast; then started $((cores < 2 ? cores : 2)); else started "$cores"; fi
	injected "" open -f --kernel soft -o back sealed
	started "$cores"
	same plain back
	traced seal -f -o sealed short
	started 1
}
# started COUNT: so many threads did the work, the first one alone or others, and it watched.
started() { assert_equal "$(calls 'clone3?\(')" $(($1 == 1 ? 0 : ($1 < 6 ? $1 : 6))); }

@test "no more memory is asked for when the input is longer" {
	bytes 6000000 >plain
	for threads in 1 2; do
		for length in 3000000 6000000; do
			head -c $length plain | traced seal -T $threads >"$OUT"
			calls '(mmap|brk)\(' >"$AWAY/calls-$length"
		done
		same "$AWAY/calls-3000000" "$AWAY/calls-6000000"
	done
}

@test "seal asks for its output's room before it writes; none is a full disk" {
	bytes 3000000 >plain
	traced seal plain
	! grep -q 'fstatfs(.*TMPFS_MAGIC' "$AWAY/trace" || skip "on tmpfs it looks at what is free"
	grep -oE '(fallocate|write)\([0-9]+<.*here/.*' "$AWAY/trace" >"$AWAY/order"
	assert_regex "$(head -n 1 "$AWAY/order")" '^fallocate\(.*, FALLOC_FL_KEEP_SIZE, 0, 3003156\) = 0$'
	assert_equal "$(grep -c ^fallocate "$AWAY/order")" 1
	rm plain.gcm
	remember
	gives 1 injected fallocate:error=ENOSPC seal plain
	says "gcmcrypt: plain.gcm: No space left on device"
	assert_equal "$(calls 'write\(.*here/')" 0
	unchanged
	# A file system that cannot do it is no reason to fail.
	gives 0 injected fallocate:error=EOPNOTSUPP seal plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
}
