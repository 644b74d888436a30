#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# How far it is: a line on a terminal from the first second on, which is gone in the end; nothing
# where nobody looks; an answer to SIGUSR1 whatever it is doing.

load common

needs() { command -v expect >/dev/null || skip "no expect"; }

# on_terminal COMMAND...: runs it on a terminal of 80 columns, which is left in $OUT.
on_terminal() { expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 0 "$@" </dev/null; }

# drawn: the lines that were drawn on the terminal, one a line. seen: what is on it in the end.
drawn() { tr '\r' '\n' <"$OUT" | grep -aE '(/s| left)$' || :; }
seen() { "$PYTHON" "$BATS_TEST_DIRNAME/screen.py" <"$OUT"; }

# A reader that takes the first bytes of fifo only when it has waited for so many seconds.
slow_reader() {
	mkfifo fifo
	{ sleep "$1" && cat; } <fifo >"$AWAY/read" 3>&- &
}

@test "a pipe on a terminal: bytes, time and speed, then one line of summary" {
	bytes 1000000 >plain
	gives 0 on_terminal bash -c '{ cat plain; sleep 2.2; } | gcmcrypt seal -K "$0" -o out' "$KEY"
	[ "$(drawn | wc -l)" -ge 2 ]
	run ! grep -vE '^gcmcrypt: standard input: [0-9.]+ KiB in 0:0[1-9], [0-9.]+ KiB/s$' <(drawn)
	assert_regex "$(seen)" \
		'^gcmcrypt: standard input: sealed as out \(976\.6 KiB in 0:0[2-9], [0-9.]+ KiB/s\)$'
}

@test "a file of known size: percent, total and time left, for seal, open and verify" {
	bytes 3000000 >plain
	slow_reader 1.7
	gives 0 on_terminal gcmcrypt seal -K "$KEY" -o fifo plain
	wait
	assert_regex "$(drawn | head -n 1)" \
		'^gcmcrypt: plain: [0-9]+%, [0-9.]+ [KM]iB of 2\.9 MiB, [0-9.]+ [KM]iB/s, 0:[0-9][0-9] left$'
	assert_regex "$(seen)" '^gcmcrypt: plain: sealed as fifo \(2\.9 MiB in 0:0[1-9], .*/s\)$'
	rm fifo
	cp "$AWAY/read" sealed
	slow_reader 1.7
	gives 0 on_terminal gcmcrypt open -K "$KEY" -o fifo sealed
	wait
	assert_regex "$(drawn | head -n 1)" '^gcmcrypt: sealed: [0-9]+%, .* of 2\.9 MiB, '
	assert_regex "$(seen)" '^gcmcrypt: sealed: opened as fifo \(2\.9 MiB in 0:0[1-9], .*/s\)$'
	same plain "$AWAY/read"
	gives 0 on_terminal bash -c '{ cat sealed; sleep 1.2; } | gcmcrypt verify -K "$0"' "$KEY"
	assert_regex "$(drawn)" '^gcmcrypt: standard input: .* in 0:0[1-9], '
	assert_regex "$(seen)" '^gcmcrypt: standard input: ok \(184 chunks, 2\.9 MiB in 0:0[1-9], .*/s\)$'
}

@test "what takes less than a second says nothing" {
	bytes 100000 >plain
	gives 0 on_terminal gcmcrypt seal -K "$KEY" plain
	writes_nothing
	gives 0 on_terminal gcmcrypt verify -q -K "$KEY" plain.gcm
	writes_nothing
	gives 0 on_terminal gcmcrypt open -K "$KEY" -o back plain.gcm
	writes_nothing
	same plain back
}

@test "the line is no wider than the terminal, and shows no control bytes" {
	name=$'\033[2J'$(printf -- '-a-very-long-name%.0s' {1..8})
	sealed whole 1000000
	mkfifo "$name"
	for columns in 100 80 60; do
		gives 0 on_terminal bash -c 'stty cols "$1"
			{ cat whole; sleep 1.2; } >"$0" &
			gcmcrypt verify -K "$2" "$0"' "$name" "$columns" "$KEY"
		assert_equal "$(drawn | awk '{ print length($0) }' | sort -u)" $((columns - 1))
	done
	run ! grep -a $'\033' "$OUT"
	assert_regex "$(seen)" '^gcmcrypt: \\x1b\[2J-a-very-.*-long-name: ok '
}

@test "gone before the message of a failure" {
	sealed whole.gcm 1000000
	head -c 900000 whole.gcm >cut.gcm
	gives 5 on_terminal bash -c '{ cat cut.gcm; sleep 1.2; } | gcmcrypt open -K "$0" -o out' "$KEY"
	[ "$(drawn | wc -l)" -ge 1 ]
	assert_equal "$(seen)" "gcmcrypt: standard input: ends early, or its end is damaged: chunk 54 (plaintext from byte 884736)
gcmcrypt: hint: nothing was kept; fetch it again, or save what is there with open --salvage"
	only whole.gcm cut.gcm
}

@test "gone after ^C" {
	gives 130 expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 1 ' in 0:0' $'\x03' \
		bash -c 'trap : INT
			sleep 20 | gcmcrypt seal -K "$0" -o out
			exit $?' "$KEY" </dev/null
	refute_regex "$(seen)" 'gcmcrypt'
	only
}

@test "not for those who pass data on to a terminal's next program" {
	bytes 100 >plain
	gives 0 on_terminal bash -c '{ cat plain; sleep 1.2; } | gcmcrypt seal -K "$0" >out' "$KEY"
	writes_nothing
	gives 0 on_terminal bash -c '{ cat out; sleep 1.2; } | gcmcrypt open -K "$0" | cat >back' "$KEY"
	writes_nothing
	same plain back
}

@test "not for those who type the data" {
	gives 0 expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 2 "" '!sleep 1.3' "" $'text\r\x04' \
		gcmcrypt seal -K "$KEY" -o out </dev/null
	assert_equal "$(seen)" "text"
	gcmcrypt open -K "$KEY" -o - out | cmp - <(echo text)
}

@test "not with -q, nor with --no-progress" {
	for option in -q --no-progress "-q --progress"; do
		gives 0 on_terminal bash -c '{ echo; sleep 1.2; } | gcmcrypt seal -K "$0" -f -o out $1' \
			"$KEY" "$option"
		writes_nothing
	done
	bytes 10 >plain
	gives 2 gcmcrypt seal -K "$KEY" --progress --no-progress plain
	says "--progress and --no-progress"
}

@test "not in the background, but again in the foreground" {
	gives 0 on_terminal bash -c 'set -m
		{ sleep 1.3; echo; } | gcmcrypt seal -K "$0" -o out &
		wait' "$KEY"
	run ! grep -a 'gcmcrypt: ' "$OUT"
	gives 0 on_terminal bash -c 'set -m
		{ sleep 2.5; echo; } | gcmcrypt seal -K "$0" -o out2 &
		sleep 1.2
		fg >../away/fg' "$KEY"
	assert_regex "$(drawn)" '^gcmcrypt: standard input: 0 bytes in 0:0'
	assert_regex "$(seen)" '^gcmcrypt: standard input: sealed as out2 \(1 byte in 0:0[2-9], '
}

@test "nothing without a terminal, as in cron" {
	gives 0 bash -c '{ echo; sleep 1.2; } | setsid gcmcrypt seal -K "$0" -o out' "$KEY"
	says_nothing
	# Standard error goes to a file while a terminal is there.
	gives 0 on_terminal bash -c '{ echo; sleep 1.2; } | gcmcrypt seal -K "$0" -o out2 2>log' "$KEY"
	writes_nothing
	size_is log 0
}

@test "--progress: whole lines in a pipe" {
	gives 0 bash -c '{ echo; sleep 1.2; } | gcmcrypt seal --progress -K "$0" |
		gcmcrypt open -K "$0"' "$KEY"
	assert_regex "$(cat "$ERR")" '^gcmcrypt: standard input: 0 bytes in 0:0[1-9], 0 bytes/s$'
}

@test "--progress: a line on the terminal for standard output too" {
	gives 0 on_terminal bash -c '{ echo; sleep 1.2; } | gcmcrypt seal --progress -K "$0" >out' "$KEY"
	assert_regex "$(drawn)" '^gcmcrypt: standard input: 0 bytes in 0:0[1-9], '
	assert_regex "$(seen)" '^gcmcrypt: standard input: sealed as standard output \(1 byte in 0:0[1-9], '
}

# answered COUNT: so many lines of figures, and nothing else, stand in $ERR.
answered() {
	[ "$(grep -cE '^gcmcrypt: standard input: .* in 0:0[0-9], [0-9.]+ ([KM]iB|bytes)/s$' "$ERR")" -eq "$1" ] &&
		[ "$(wc -l <"$ERR")" -eq "$1" ]
}

@test "USR1 is answered while nothing comes" {
	bytes 1000000 >plain
	feed plain 800000 gcmcrypt seal -K "$KEY"
	for count in 1 2 3; do
		kill -USR1 "$PID"
		await answered "$count"
	done
	grep -q ' KiB in ' "$ERR"
	feed_ends
	ended 0
	gcmcrypt open -K "$KEY" <"$OUT" | cmp - <(bytes 800000)
}

# waiting PID: it is the program, and it waits for something.
waiting() {
	[ "$(cat "/proc/$1/comm")" = gcmcrypt ] && [ "$(cut -d' ' -f3 "/proc/$1/stat")" = S ]
}
# told PID TEXT: asks, and looks whether TEXT is in the answer.
told() {
	kill -USR1 "$1"
	sleep 0.1
	grep -qF "$2" "$ERR"
}

@test "USR1 is answered while nobody reads" {
	head -c 3000000 /dev/zero >plain
	mkfifo "$AWAY/full"
	exec 9<>"$AWAY/full"
	OUT=$AWAY/full begin gcmcrypt seal -K "$KEY" <plain
	await waiting "$PID"
	await told "$PID" " of 2.9 MiB, "
	exec 8<"$AWAY/full"
	exec 9>&-
	timeout 20 gcmcrypt open -K "$KEY" <&8 | cmp - plain
	exec 8<&-
	ended 0
}

@test "a signal ends it while nobody reads what it tells" {
	mkfifo "$AWAY/full"
	exec 8<>"$AWAY/full"
	run ! dd if=/dev/zero of="$AWAY/full" oflag=nonblock status=none
	bytes 1000 >"$AWAY/plain"
	echo old >out
	remember
	for option in --progress --no-progress; do
		feed "$AWAY/plain" 1000 bash -c 'exec gcmcrypt seal "$2" -f -K "$0" -o out 2>"$1" 8>&-' \
			"$KEY" "$AWAY/full" $option
		sleep 1.3
		kill -s USR1 "$PID"
		sleep 0.2
		kill "$PID"
		timeout 10 tail --pid="$PID" -s 0.1 -f /dev/null || kill -s KILL "$PID"
		ended 143
		feed_ends
		unchanged
	done
	exec 8>&-
}

@test "USR1 a thousand times changes no byte" {
	bytes 2000000 >plain
	gcmcrypt seal -K "$KEY" plain
	begin gcmcrypt open -K "$KEY" -o back < <("$PYTHON" -c 'import os, sys, time
sealed = open("plain.gcm", "rb").read()
while not os.path.exists("../away/go"):
    time.sleep(0.01)
for at in range(0, len(sealed), 3000):
    sys.stdout.buffer.write(sealed[at:at + 3000])
    sys.stdout.flush()
    time.sleep(0.001)')
	await waiting "$PID"
	touch "$AWAY/go"
	asked=0
	while kill -USR1 "$PID" 2>"$AWAY/kill"; do asked=$((asked + 1)); done
	ended 0
	same plain back
	[ "$asked" -ge 1000 ] || fail "asked $asked times, answered $(wc -l <"$ERR")"
	[ "$(grep -c 'gcmcrypt: standard input: ' "$ERR")" -ge 100 ]
}

@test "USR1 to one that is quiet, or ignores it, has no answer" {
	bytes 1000000 >plain
	feed plain 800000 gcmcrypt seal -q -K "$KEY"
	kill -USR1 "$PID"
	feed_ends
	ended 0
	says_nothing
	feed plain 800000 env --ignore-signal=USR1 gcmcrypt seal -K "$KEY"
	kill -USR1 "$PID"
	feed_ends
	ended 0
	says_nothing
}

@test "USR1 before there is anything to tell of" {
	mkfifo pass
	bytes 100 >plain
	begin gcmcrypt seal --passphrase-file pass --kdf-memory 64K --kdf-passes 1 plain
	await waiting "$PID"
	for _ in {1..20}; do kill -USR1 "$PID"; done
	cat "$PASS" >pass
	ended 0
	gcmcrypt open --passphrase-file "$PASS" -o - plain.gcm | cmp - plain
}

@test "USR1 at the prompt: what was typed stays" {
	bytes 100 >plain
	gives 0 expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 4 "words: " "sword" \
		"" '!kill -USR1 $(cat ../away/pid)' "" $'fish\r' again $'swordfish\r' \
		bash -c 'echo $$ >../away/pid; exec gcmcrypt seal --kdf-memory 64K --kdf-passes 1 plain' </dev/null
	echo swordfish >"$AWAY/swordfish"
	gcmcrypt open --passphrase-file "$AWAY/swordfish" -o - plain.gcm | cmp - plain
}
