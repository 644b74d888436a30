#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# An output gets its name only when its bytes are on disk, and success means that the name is too.

load common

needs() {
	not_sanitized strace
	command -v strace >/dev/null || skip "no strace"
	strace -qq -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# traced STRACE-OPTION... -- COMMAND OPTION...: the trace is $AWAY/trace.
traced() {
	local -a options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	local command=$2
	shift 2
	strace -qq -y -o "$AWAY/trace" -e signal=none "${options[@]}" "$PROGRAM" "$command" "${KERNEL[@]}" "$@"
}

# The number of the first line of the trace, from line START on, that matches.
line_of() {
	local found
	found=$(tail -n "+$2" "$AWAY/trace" | grep -n -m 1 -E "$1" | cut -d: -f1)
	# Called in $(...), where a command that fails does not end the test by itself.
	[ -n "$found" ] || fail "no $1 after line $2 of: $(cat "$AWAY/trace")" || return 1
	echo $((found + $2 - 1))
}

# The file is synced after its last write, then named, then the folder is synced.
in_order() {
	local synced named
	synced=$(line_of '^(fsync|fdatasync)\(.*here/.*\) = 0' "$(grep -n -E '^(write|writev|pwrite64)\(' "$AWAY/trace" |
		grep here | tail -n 1 | cut -d: -f1)")
	named=$(line_of '^(linkat|rename|renameat|renameat2)\(.*= 0' "$synced")
	line_of '^fsync\([0-9]+<[^>]*here>\) = 0' "$named"
}

CALLS=trace=write,writev,pwrite64,fsync,fdatasync,linkat,rename,renameat,renameat2

@test "fsync of the file, then its name, then fsync of the folder" {
	bytes 100000 >plain
	gives 0 traced -e $CALLS -- seal -K "$KEY" plain
	in_order
	gives 0 traced -e $CALLS -- open -K "$KEY" -o out plain.gcm
	in_order
}

@test "the same with -f over an old file, where a rename replaces it in one step" {
	bytes 100000 >plain
	echo old >plain.gcm
	gives 0 traced -e $CALLS -- seal -f -K "$KEY" plain
	in_order
	grep -E '^rename' "$AWAY/trace"
}

@test "and when the file system knows neither nameless files nor renames that do not replace" {
	bytes 100000 >plain
	gives 0 traced -e "$CALLS,openat" -e inject=renameat2:error=EINVAL -- seal -K "$KEY" plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
	only plain plain.gcm
}

@test "an I/O error at the file's fsync keeps nothing" {
	bytes 100000 >plain
	echo old >old
	remember
	for force in "" -f; do
		# shellcheck disable=SC2086 # an option or none
		gives 1 traced -e trace=fsync -e inject=fsync:error=EIO:when=1 -- seal $force -K "$KEY" plain
		says "Input/output error"
		unchanged
	done
	gives 1 traced -e trace=fsync -e inject=fsync:error=EIO:when=1 -- seal -f -K "$KEY" -o old plain
	says "hint: nothing was kept"
	unchanged
}

@test "no other error there is taken for success, nor one when it is closed; EINTR is none" {
	bytes 100000 >plain
	remember
	for error in EINVAL ENOSPC EDQUOT EROFS; do
		gives 1 traced -e trace=fsync -e inject=fsync:error=$error:when=1 -- seal -K "$KEY" plain
		says "hint: nothing was kept"
		unchanged
	done
	gives 0 traced -e trace=close,fsync -- keygen -o key
	number=$(grep '^close' "$AWAY/trace" | grep -n 'here' | head -n 1 | cut -d: -f1)
	rm key
	for error in ENOSPC EDQUOT EIO; do
		gives 1 traced -e trace=close -e inject=close:error=$error:when="$number" -- keygen -o key
		unchanged
		gives 1 traced -e trace=fsync -e inject=fsync:error=$error:when=1 -- keygen -o key
		unchanged
	done
	gives 0 traced -e trace=close -e inject=close:error=EINTR:when="$number" -- keygen -o key
	grep -q INJECTED "$AWAY/trace"
	gives 0 gcmcrypt seal -K key plain
}

@test "one at the folder's fsync: under -f the new file has its name already, and stays" {
	bytes 100000 >plain
	remember
	gives 1 traced -e trace=fsync -e inject=fsync:error=EIO:when=2 -- seal -K "$KEY" plain
	says "hint: nothing was kept"
	unchanged
	echo old >plain.gcm
	gives 1 traced -e trace=fsync -e inject=fsync:error=EIO:when=2 -- seal -f -K "$KEY" plain
	says "hint: the new file is in place, but a crash may lose it"
	says_not "nothing was kept"
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
	only plain plain.gcm
}

@test "a signal while a sync waits ends the program as a signal, not as an I/O error" {
	bytes 100000 >plain
	echo old >old
	remember
	gives 143 env --default-signal=TERM strace -qq -o /dev/null -e trace=fsync \
		-e inject=fsync:error=EINTR:signal=TERM:when=1 "$PROGRAM" seal -K "$KEY" plain
	says_nothing
	unchanged
	gives 143 env --default-signal=TERM strace -qq -o /dev/null -e trace=fsync \
		-e inject=fsync:error=EINTR:signal=TERM:when=1 "$PROGRAM" seal -f -K "$KEY" -o old plain
	says_nothing
	unchanged
	got=0
	env --default-signal=TERM strace -qq -o /dev/null -e trace=fsync \
		-e inject=fsync:error=EINTR:signal=TERM:when=1 "$PROGRAM" seal -K "$KEY" -o - plain >new 2>"$ERR" || got=$?
	assert_equal "$got" 143
	says_nothing
}

# interrupted STATUS CALL OPTION... -- OPTION...: seal with SIGTERM in the first CALL.
interrupted() {
	local want=$1 call=$2
	shift 2
	local -a options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	gives "$want" env --default-signal=TERM strace -qq -o /dev/null -e "trace=$call" \
		-e "inject=$call:signal=TERM${options[*]}" "$PROGRAM" seal -K "$KEY" "$@"
	says_nothing
}

@test "a signal when the name is taken is too late: the output is complete, and so is the run" {
	bytes 100000 >plain
	for point in linkat:when=1 fsync:when=2 fsync:error=EINTR:when=2; do
		interrupted 0 "${point%%:*}" ":${point#*:}" -- plain
		gives 0 gcmcrypt verify -K "$KEY" plain.gcm
		only plain plain.gcm
		rm plain.gcm
	done
	echo old >plain.gcm
	interrupted 0 renameat :when=1 -- -f plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
	# A file that nobody took is no success.
	bytes 100 >second
	rm plain.gcm
	interrupted 143 linkat :when=1 -- plain second
	only plain plain.gcm second
}

@test "an I/O error at any write keeps nothing" {
	bytes 3000000 >plain
	gives 0 traced -e trace=write -- seal -T 1 -K "$KEY" -o out plain
	writes=$(grep -c '^write.*here' "$AWAY/trace")
	[ "$writes" -ge 2 ]
	rm out
	remember
	for ((number = 1; number <= writes; number++)); do
		gives 1 traced -e trace=write -e inject=write:error=EIO:when="$number" -- \
			seal -T 1 -K "$KEY" plain
		says "Input/output error"
		unchanged
	done
}

@test "an I/O error in any thread keeps nothing" {
	bytes 5000000 >plain # ten batches: some thread reads and writes at least four of them
	remember
	for threads in 2 3; do
		# The main thread writes three times: the header and two lines of the message.
		gives 1 traced -f -e trace=write -e inject=write:error=EIO:when=4 -- seal -T $threads -K "$KEY" plain
		says "plain.gcm: Input/output error"
		unchanged
		for number in 1 2 3; do
			gives 1 traced -f -P "$PWD/plain" -e trace=read,pread64 \
				-e inject=read,pread64:error=EIO:when=$number -- \
				seal -T $threads -K "$KEY" plain
			says "plain: Input/output error"
			unchanged
		done
	done
}

# Which of the close calls is the output's: that of the descriptor that was written.
@test "an I/O error at the output's close is a failure" {
	bytes 100000 >plain
	gives 0 traced -e trace=close,fsync -- seal -K "$KEY" plain
	fd=$(grep -m 1 -E '^fsync' "$AWAY/trace" | sed -E 's/^fsync\(([0-9]+).*/\1/')
	number=$(grep '^close' "$AWAY/trace" | grep -n -E "^close\($fd<[^>]*here" | tail -n 1 | cut -d: -f1)
	[ -n "$number" ]
	rm plain.gcm
	gives 1 traced -e trace=close -e inject=close:error=EIO:when="$number" -- seal -K "$KEY" plain
	says "Input/output error"
}

@test "an I/O error at the close of standard output is a failure" {
	bytes 1000 >plain
	gives 0 traced -e trace=close,write -- seal -K "$KEY" -o - plain
	number=$(grep '^close' "$AWAY/trace" | grep -n -E '^close\(1<' | tail -n 1 | cut -d: -f1)
	[ -n "$number" ]
	gives 1 traced -e trace=close -e inject=close:error=EIO:when="$number" -- seal -K "$KEY" -o - plain
}

@test "the folder's fsync: EIO is a failure, the errors that mean nothing are not" {
	bytes 1000 >plain
	for error in EINVAL EOPNOTSUPP ENOENT EROFS; do
		gives 0 traced -e trace=fsync -e inject=fsync:error=$error:when=2 -- seal -K "$KEY" plain
		grep -q INJECTED "$AWAY/trace"
		rm plain.gcm
	done
	gives 1 traced -e trace=fsync -e inject=fsync:error=EIO:when=2 -- seal -K "$KEY" plain
	grep -q INJECTED "$AWAY/trace"
	says "Input/output error"
}

@test "no fsync on FIFOs, devices and pipes" {
	bytes 1000 >plain
	gives 0 traced -e trace=fsync,fdatasync -- seal -K "$KEY" -o /dev/null plain
	run ! grep sync "$AWAY/trace"
	traced -e trace=fsync,fdatasync -- seal -K "$KEY" -o - plain | cat >/dev/null
	run ! grep sync "$AWAY/trace"
}

@test "standard output that is a regular file is synced" {
	bytes 1000 >plain
	traced -e trace=fsync,fdatasync -- seal -K "$KEY" -o - plain >redirected
	grep -E '^f(data)?sync\(1<' "$AWAY/trace"
}

@test "every descriptor is opened so that a child does not inherit it" {
	sealed plain.gcm 1000
	gives 0 traced -e trace=open,openat,openat2 -- open -K "$KEY" plain.gcm
	run ! grep -vE 'O_CLOEXEC|ENOENT' "$AWAY/trace"
}

@test "inputs and outputs are waited for, and none becomes the controlling terminal" {
	bytes 1000 >plain
	mkfifo in out
	# shellcheck disable=SC2094 # in and out are the names of FIFOs
	{ cat plain >in & cat out >"$AWAY/sealed" & } 3>&-
	gives 0 traced -e trace=open,openat,openat2 -- seal -K "$KEY" -o out in
	for name in in out key; do
		grep -E "\"(.*/)?$name\", " "$AWAY/trace" >"$AWAY/opened"
		run ! grep -v O_NOCTTY "$AWAY/opened"
		run ! grep O_NONBLOCK "$AWAY/opened"
	done
	wait
	gcmcrypt open -K "$KEY" <"$AWAY/sealed" | cmp - plain
}

@test "no flag of an inherited descriptor is changed" {
	sealed plain.gcm 1000
	traced -e trace=fcntl -- open -K "$KEY" -o - plain.gcm | cat >/dev/null
	run ! grep -E 'fcntl\([012]<.*F_SETFL' "$AWAY/trace"
}
