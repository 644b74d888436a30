#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# seal --from-command -- CMD: a file only of what a command that succeeded wrote, nothing left
# running, and a command only where one was asked for.

load common

# produce STATUS OUTPUT SCRIPT: seals what a shell with that script writes.
produce() { gives "$1" timeout 20 gcmcrypt seal --from-command -K "$KEY" -o "$2" -- sh -c "$3"; }

# opens_to FILE: what it holds, on standard output.
opens_to() { gcmcrypt open -K "$KEY" -o - "$1"; }

@test "rc 0: its output is sealed, whatever its length, and arguments arrive as they are" {
	for count in 0 1 16383 16384 16385 524287 524288 1200000; do
		bytes "$count" >"$AWAY/plain"
		gives 0 gcmcrypt seal --from-command -f -K "$KEY" -o out -- cat "$AWAY/plain"
		says_nothing
		opens_to out | cmp - "$AWAY/plain"
	done
	gives 0 gcmcrypt seal -K "$KEY" -o args --from-command -- printf '<%s>' -K '' 'a b' -- --force
	assert_equal "$(opens_to args)" "<-K><><a b><--><--force>"
	mode_is out 600
	only out args
}

@test "rc 3: exit 8, its status in the message, nothing kept" {
	echo old >old
	remember
	produce 8 out 'seq 100000; exit 3'
	says "gcmcrypt: sh: failed with exit status 3"
	says "hint: nothing was kept"
	produce 8 out 'exit 3'
	gives 8 timeout 20 gcmcrypt seal --from-command -f -K "$KEY" -o old -- sh -c 'seq 100000; exit 3'
	unchanged
}

@test "killed: exit 8, its signal in the message, nothing kept" {
	remember
	for signal in KILL TERM SEGV PIPE; do
		produce 8 out "seq 100000; kill -s $signal \$\$"
		says "gcmcrypt: sh: was ended by signal $(kill -l $signal) ("
		says "hint: nothing was kept"
	done
	unchanged
}

@test "rc 0 with nothing: sealed, but under --require-nonempty exit 8 and nothing written" {
	produce 0 out :
	assert_equal "$(opens_to out)" ""
	rm out
	for output in out -; do
		gives 8 gcmcrypt seal --from-command --require-nonempty -K "$KEY" -o $output -- true
		says "gcmcrypt: true: succeeded with no output, and --require-nonempty was given"
		writes_nothing
		gives 8 gcmcrypt seal --from-command --require-nonempty -K "$KEY" -o $output -- false
		says "gcmcrypt: false: failed with exit status 1"
		writes_nothing
	done
	only
	gives 0 gcmcrypt seal --from-command --require-nonempty -K "$KEY" -o out -- echo some
	assert_equal "$(opens_to out)" some
}

@test "it cannot be run: exit 8, the reason in the message, nothing kept" {
	echo 'no program' >text
	chmod 755 text
	mkdir folder
	remember
	gives 8 gcmcrypt seal --from-command -K "$KEY" -o out -- no-such-command
	says "gcmcrypt: no-such-command: cannot be run: No such file or directory"
	gives 8 gcmcrypt seal --from-command -K "$KEY" -o out -- ./folder
	says "Permission denied"
	gives 8 gcmcrypt seal --from-command -K "$KEY" -o out -- ./text
	gives 8 gcmcrypt seal --from-command -K "$KEY" -o out -- ''
	unchanged
}

@test "on standard output and a FIFO the last chunk is withheld: it never opens clean" {
	for count in 0 1 16384 100000 1200000; do
		bytes "$count" >"$AWAY/plain"
		for end in 'exit 3' 'kill -9 $$'; do
			gives 8 gcmcrypt seal --from-command -K "$KEY" -- sh -c "cat '$AWAY/plain'; $end"
			says "hint: what was written is cut short, and fails to open at its end"
			cp "$OUT" cut.gcm
			gives 5 gcmcrypt open -K "$KEY" cut.gcm
			gives 5 gcmcrypt verify -K "$KEY" cut.gcm
		done
	done
	mkfifo fifo
	cat fifo >"$AWAY/got" 3>&- &
	gives 8 gcmcrypt seal --from-command -K "$KEY" -o fifo -- sh -c 'seq 100000; exit 3'
	wait $!
	gives 5 gcmcrypt verify -K "$KEY" "$AWAY/got"
	only cut.gcm fifo
}

@test "nothing is run unless it was asked for: -- alone ends the options" {
	for name in 'touch ran' 'sh -c "touch ran"' '; touch ran' '|touch ran' '$(touch ran)'; do
		gives 1 gcmcrypt seal -K "$KEY" -- "$name"
		gives 1 gcmcrypt open -K "$KEY" -- "$name.gcm"
		gives 1 gcmcrypt verify -K "$KEY" -- "$name"
	done
	gives 1 gcmcrypt seal -K "$KEY" -- touch ran
	gives 1 gcmcrypt seal -K "$KEY" -- --from-command touch ran
	gives 1 gcmcrypt seal -K "$KEY" -- -- touch ran
	gives 2 gcmcrypt open --from-command -K "$KEY" -- touch ran
	only
	bytes 100 >--from-command
	gives 0 gcmcrypt seal -K "$KEY" -- --from-command
	only --from-command --from-command.gcm
}

@test "no word before -- is part of the command, and there has to be one behind it" {
	gives 2 gcmcrypt seal --from-command -K "$KEY" -o out touch ran
	says "its command stands behind --"
	gives 2 gcmcrypt seal --from-command touch -K "$KEY" -o out -- ran
	gives 2 gcmcrypt seal touch --from-command -K "$KEY" -o out -- touch ran
	gives 2 gcmcrypt seal --from-command -K "$KEY" -o out
	gives 2 gcmcrypt seal --from-command -K "$KEY" -o out --
	says "no command stands behind --"
	gives 2 env POSIXLY_CORRECT=1 gcmcrypt seal --from-command -K "$KEY" -o out touch ran
	# Here -- is the name of the output, and ends nothing.
	gives 2 gcmcrypt seal --from-command -K "$KEY" -o -- touch ran
	only
}

@test "files and options may still stand in any order, before and behind --" {
	for name in a b c -d; do bytes 10 >./$name; done
	gives 0 gcmcrypt seal a -K "$KEY" b -- c -d
	only a b c -d a.gcm b.gcm c.gcm -d.gcm
}

@test "it is not run when the request, the key or the output is refused" {
	: >out
	gives 2 gcmcrypt seal --from-command -K "$KEY" -o out -- touch ran
	gives 1 gcmcrypt seal --from-command -K missing -o new -- touch ran
	gives 2 gcmcrypt seal --from-command --passphrase-file /dev/null -o new -- touch ran
	gives 1 gcmcrypt seal --from-command -K "$KEY" -o missing/new -- touch ran
	only out
}

@test "it gets descriptors 0, 1 and 2 alone" {
	gives 0 gcmcrypt seal --from-command -K "$KEY" -o out -- \
		"$PYTHON" -c 'import os; print([f for f in range(300) if os.path.exists(f"/proc/self/fd/{f}")])' \
		5<"$PASS" 7<>"$AWAY/seven" 200>"$AWAY/two hundred"
	assert_equal "$(opens_to out)" "[0, 1, 2]"
	gives 0 gcmcrypt seal --from-command -K "$KEY" -o - -- cat <<<"the standard input" # its own
	opens_to "$OUT" | cmp - <(echo "the standard input")
}

@test "the passphrase is on no descriptor and in no variable of it" {
	gives 0 gcmcrypt seal "${CHEAP[@]}" --from-command --passphrase-fd 5 -o fd -- \
		"$PYTHON" -c 'import os; print(os.listdir("/proc/self/fd"), dict(os.environ))' 5<"$PASS"
	gcmcrypt open --passphrase-file "$PASS" -o "$AWAY/seen" fd
	run ! grep -F "$PASSPHRASE" "$AWAY/seen"
	run ! grep -F "'5'" "$AWAY/seen"
	# A file on standard input could be wound back: the command gets an empty one.
	gives 0 gcmcrypt seal "${CHEAP[@]}" --from-command --passphrase-file - -o stdin -- \
		"$PYTHON" -c 'import os; print(os.readlink("/proc/self/fd/0")); os.lseek(0, 0, 0); print(os.read(0, 9))' <"$PASS"
	gcmcrypt open --passphrase-file "$PASS" -o - stdin | cmp - <(printf "/dev/null\nb''\n")
}

@test "it gets the environment as it is" {
	# Not by way of a script, whose shell has variables of its own.
	gives 0 env -i PATH="$PATH" A=1 'B=two words' "$PROGRAM" seal "${KERNEL[@]}" --from-command \
		-K "$KEY" -o out -- env
	opens_to out | sort | cmp - <(env -i PATH="$PATH" A=1 'B=two words' env | sort)
}

# masks ENV-OPTION...: the signal masks that the command sees when gcmcrypt is started so.
masks() {
	gives 0 env "$@" gcmcrypt seal --from-command -f -K "$KEY" -o out -- \
		"$PYTHON" -c 'import signal as s
ours = [s.SIGPIPE, s.SIGXFSZ, s.SIGUSR1, s.SIGCHLD, s.SIGHUP, s.SIGINT, s.SIGTERM, s.SIGALRM]
status = dict(line.split(":\t") for line in open("/proc/self/status") if line.startswith("Sig"))
mask = lambda name: int(status[name], 16)
# Python ignores SIGPIPE and SIGXFSZ for itself and catches SIGINT: see the shell test for those.
print("blocked", mask("SigBlk"))
print("ignored", [n.name for n in ours[2:] if mask("SigIgn") >> (n - 1) & 1])'
	opens_to out
}

@test "it starts with no signal blocked or ignored, but those that were ignored before" {
	assert_equal "$(masks --default-signal)" "blocked 0
ignored []"
	assert_equal "$(masks --default-signal --ignore-signal=HUP,TERM)" "blocked 0
ignored ['SIGHUP', 'SIGTERM']"
	assert_equal "$(masks --default-signal --block-signal=USR1,TERM,INT)" "blocked 0
ignored []"
	# SIGPIPE and SIGXFSZ, which gcmcrypt ignores for itself.
	gives 0 env --default-signal gcmcrypt seal --from-command -K "$KEY" -o ignored -- \
		sed -n 's/^SigIgn:.*\(.......\)$/\1/p' /proc/self/status
	assert_equal "$(opens_to ignored)" 0000000
}

@test "its status is known where SIGCHLD was ignored at the start" {
	gives 8 env --ignore-signal=CHLD gcmcrypt seal --from-command -K "$KEY" -o out -- sh -c 'exit 3'
	says "failed with exit status 3"
	gives 0 env --ignore-signal=CHLD gcmcrypt seal --from-command -K "$KEY" -o out -- true
}

@test "it closes its output but runs on: waited for, and its status counts" {
	produce 8 out 'seq 10; exec >&-; sleep 0.5; exit 3'
	says "failed with exit status 3"
	only
	produce 0 out 'seq 10; exec >&-; sleep 0.5; touch later'
	only out later
	opens_to out | cmp - <(seq 10)
}

# runs PID-FILE: a command wrote its process number there. gone PID-FILE: it has ended and was reaped.
runs() { [ -s "$1" ]; }
gone() { ! kill -0 "$(cat "$1")" 2>/dev/null; }

@test "SIGINT and SIGTERM go to the command too, and gcmcrypt ends by them, leaving nothing" {
	for signal in INT TERM HUP; do
		rm -f "$AWAY/pid" "$AWAY/got"
		begin env --default-signal gcmcrypt seal --from-command -K "$KEY" -o out -- \
			"$PYTHON" -c 'import os, signal, sys, time
def note(number, frame):
    open(sys.argv[2], "w").write(signal.Signals(number).name)
    sys.exit(0)
for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, note)
open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(20)' "$AWAY/pid" "$AWAY/got"
		await runs "$AWAY/pid"
		kill -s $signal "$PID"
		ended $((128 + $(kill -l $signal)))
		assert_equal "$(cat "$AWAY/got")" SIG$signal
		gone "$AWAY/pid"
		only
	done
}

@test "a signal ends the wait for a command that closed its output" {
	begin env --default-signal gcmcrypt seal --from-command -K "$KEY" -o out -- \
		sh -c "exec >&-; echo \$\$ >'$AWAY/pid'; exec sleep 20"
	await runs "$AWAY/pid"
	sleep 0.1
	kill -TERM "$PID"
	ended 143
	gone "$AWAY/pid"
	only
}

@test "a command that heeds no signal is killed after five seconds, a stopped one too" {
	begin env --default-signal gcmcrypt seal --from-command -K "$KEY" -o out -- \
		sh -c "trap '' TERM; echo \$\$ >'$AWAY/pid'; while :; do sleep 1; done"
	other=$PID
	begin env --default-signal gcmcrypt seal --from-command -K "$KEY" -o out -- \
		sh -c "echo \$\$ >'$AWAY/stopped'; kill -STOP \$\$"
	await runs "$AWAY/pid"
	await runs "$AWAY/stopped"
	kill -TERM "$other" "$PID"
	ended 143
	gone "$AWAY/stopped"
	PID=$other ended 143
	gone "$AWAY/pid"
	only
}

@test "a signal while a command is given a moment to end by itself is passed on" {
	only_linux_full
	begin env --default-signal gcmcrypt seal --from-command -K "$KEY" -o /dev/full -- sh -c "
		trap 'echo INT >\"$AWAY/got\"; exit' INT; trap 'echo TERM >\"$AWAY/got\"; exit' TERM
		head -c 2000000 /dev/zero; echo \$\$ >'$AWAY/pid'; while :; do sleep 0.05; done"
	await runs "$AWAY/pid"
	kill -INT "$PID"
	wait "$PID" || :
	gone "$AWAY/pid"
	assert_equal "$(cat "$AWAY/got")" INT
}

@test "the output fails: the command's pipe is closed, it is reaped, and nothing hangs" {
	only_linux_full
	produce 1 /dev/full "echo \$\$ >'$AWAY/pid'; exec yes"
	says "No space left on device"
	gone "$AWAY/pid"
	# It ignores SIGPIPE, and sees that nobody reads.
	produce 1 /dev/full "trap '' PIPE; echo \$\$ >'$AWAY/pid'; yes 2>'$AWAY/yes'; echo \$? >'$AWAY/status'"
	gone "$AWAY/pid"
	assert_equal "$(cat "$AWAY/status")" 1
	# It writes no more, and would sleep on.
	produce 1 /dev/full "echo \$\$ >'$AWAY/pid'; head -c 600000 /dev/zero; exec sleep 100"
	gone "$AWAY/pid"
	only
}
only_linux_full() { [ -c /dev/full ] || skip "no /dev/full"; }

@test "the reader of standard output goes away: exit 1 without a message, the command is reaped" {
	run bash -c 'gcmcrypt seal --from-command -K "$1" -- sh -c "echo \$\$ >\"\$0\"; exec yes" "$2" 2>"$3" |
		head -c 1 >/dev/null; exit "${PIPESTATUS[0]}"' - "$KEY" "$AWAY/pid" "$ERR"
	assert_equal "$status" 1
	says_nothing
	gone "$AWAY/pid"
}

@test "the same while one thread writes and another waits for the command's end" {
	# shellcheck disable=SC2016 # for the inner shells
	run -0 timeout 20 bash -c 'gcmcrypt seal -T 2 --from-command -K "$0" -- \
		sh -c "echo \$\$ >$1; head -c 1500000 /dev/zero; exec >&-; exec sleep 60" | sleep 1
		echo ${PIPESTATUS[0]}' "$KEY" "$AWAY/pid"
	assert_output 1
	gone "$AWAY/pid"
}

@test "gcmcrypt is killed: the command ends by SIGPIPE" {
	begin gcmcrypt seal --from-command -K "$KEY" -o out -- sh -c "echo \$\$ >'$AWAY/pid'; exec yes"
	await runs "$AWAY/pid"
	kill -KILL "$PID"
	ended 137
	await gone "$AWAY/pid"
}

@test "no zombie: whoever starts a command waits for it, on every way out" {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	for script in 'seq 100000' 'exit 3' 'kill -9 $$' 'exec >&-; sleep 0.2'; do
		for output in "$AWAY/out" /dev/full; do
			rm -f "$AWAY/out"
			strace -qq -o "$AWAY/trace" -e trace=wait4,waitid -e signal=none \
				"$PROGRAM" seal --from-command -T 1 "${KERNEL[@]}" -K "$KEY" -o "$output" -- sh -c "$script" 2>/dev/null || true
			tail -n 2 "$AWAY/trace" | grep -E '^wait4\([1-9][0-9]*, .*\) = [1-9][0-9]*$' ||
				fail "not waited for: $(cat "$AWAY/trace")"
		done
	done
}

@test "a slow command, one byte at a time" {
	gives 0 timeout 20 gcmcrypt seal --from-command -K "$KEY" -o out -- \
		sh -c 'for i in 1 2 3 4 5; do printf $i; sleep 0.05; done'
	assert_equal "$(opens_to out)" 12345
}
