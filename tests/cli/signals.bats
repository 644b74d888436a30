#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Signals ignored at the start stay ignored; the others end the program by that signal, after it has
# cleaned up.

load common

# with_signal DISPOSITION SIGNAL: seal half way, then the signal.
with_signal() {
	bytes 300000 >"$AWAY/plain"
	feed "$AWAY/plain" 200000 env "--$1-signal=$2" gcmcrypt seal -K "$KEY" -o out
	kill -s "$2" "$PID"
}

@test "ignored at the start: it goes on to the end" {
	for signal in HUP INT TERM; do
		with_signal ignore $signal
		feed_ends
		ended 0
		gcmcrypt open -K "$KEY" -o - out | cmp - <(bytes 200000)
		rm out
	done
}

@test "the default: it ends by the signal, and cleans up first" {
	for signal in HUP INT TERM QUIT XCPU ALRM USR2 VTALRM PROF IO; do
		with_signal default $signal
		ended $((128 + $(kill -l $signal)))
		feed_ends
		only
	done
}

@test "under -f, with a temporary that has a name, too" {
	bytes 300000 >"$AWAY/plain"
	echo old >out
	remember
	for signal in TERM USR2 VTALRM PROF IO RTMIN RTMAX; do
		feed "$AWAY/plain" 200000 env --default-signal=$signal gcmcrypt seal -f -K "$KEY" -o out
		[ "$(find . -name '.out.gcmcrypt-*' | wc -l)" -eq 1 ]
		kill -s $signal "$PID"
		ended $((128 + $(kill -l $signal)))
		feed_ends
		unchanged
	done
}

# deriving PID: Argon2 is at work: its memory is there.
deriving() { [ "$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status")" -gt 65000 ]; }

@test "Argon2 that takes minutes ends at once" {
	bytes 100 >plain
	for signal in INT TERM HUP; do
		begin env --default-signal=$signal gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 64M \
			--kdf-passes 100000 --max-kdf-cost 10000G plain
		await deriving "$PID"
		kill -s $signal "$PID"
		timeout 5 tail --pid="$PID" -s 0.1 -f /dev/null
		ended $((128 + $(kill -l $signal)))
		only plain
	done
}

@test "USR1 does not disturb" {
	with_signal default USR1
	feed_ends
	ended 0
	gcmcrypt open -K "$KEY" -o - out | cmp - <(bytes 200000)
}

@test "a parent sees the signal itself, not just a status" {
	bytes 200000 >plain
	run -0 timeout 20 "$PYTHON" -c 'import os, signal, subprocess, sys
child = subprocess.Popen(["gcmcrypt", "seal", "-K", sys.argv[1], "-o", "out"],
                         stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
child.stdin.write(open("plain", "rb").read())
child.stdin.flush()
child.send_signal(signal.SIGTERM)
sys.exit(child.wait() != -signal.SIGTERM)' "$KEY"
	only plain
}

@test "while the input is opened: a FIFO that nobody writes" {
	mkfifo fifo
	begin env --default-signal gcmcrypt seal -K "$KEY" fifo
	await sleeping "$PID"
	kill -TERM "$PID"
	ended 143
	only fifo
}

@test "while the output is opened: a FIFO that nobody reads" {
	bytes 10 >plain
	mkfifo fifo
	begin env --default-signal gcmcrypt seal -K "$KEY" -o fifo plain
	await sleeping "$PID"
	kill -TERM "$PID"
	ended 143
	[ -p fifo ]
}

@test "while the passphrase is read: a FIFO that nobody writes" {
	bytes 10 >plain
	mkfifo fifo
	begin env --default-signal gcmcrypt seal --passphrase-file fifo plain
	await sleeping "$PID"
	kill -TERM "$PID"
	ended 143
	only plain fifo
}

@test "while a pipe is full that nobody reads" {
	head -c 3000000 /dev/zero >plain
	mkfifo "$AWAY/full"
	exec 9<>"$AWAY/full"
	OUT=$AWAY/full begin env --default-signal gcmcrypt seal -K "$KEY" <plain
	await sleeping "$PID"
	kill -TERM "$PID"
	ended 143
	exec 9>&-
}

# sleeping PID: it is the program, and it waits for something.
sleeping() {
	[ "$(cat "/proc/$1/comm")" = gcmcrypt ] && [ "$(cut -d' ' -f3 "/proc/$1/stat")" = S ]
}

@test "no core dump: the limit is zero whatever it was" {
	only_root # to look at a process that hides itself
	bytes 300000 >"$AWAY/plain"
	feed "$AWAY/plain" 200000 bash -c "ulimit -c unlimited; exec gcmcrypt seal -K '$KEY' -o out"
	grep -E '^Max core file size +0 +0 ' "/proc/$PID/limits"
	# Locked, which AddressSanitizer keeps from happening; neither for a forked process nor for a dump.
	local locked=' lo '
	[ "${GCMCRYPT_SANITIZED:-0}" != 1 ] || locked=
	grep -E "^VmFlags:.*$locked.*wf dd" "/proc/$PID/smaps"
	kill -ABRT "$PID"
	ended 134
	feed_ends
	assert_equal "$(find . -name 'core*')" ""
}

@test "its memory and descriptors are hidden from its own user" {
	for_nobody
	bytes 300000 >"$AWAY/plain"
	feed "$AWAY/plain" 200000 "${NOBODY[@]}" "$AWAY/program" seal -K "$AWAY/their-key"
	for file in environ maps mem; do
		run ! "${NOBODY[@]}" cat "/proc/$PID/$file"
	done
	run ! "${NOBODY[@]}" ls "/proc/$PID/fd"
	feed_ends
	ended 0
}
