#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016,SC2030,SC2031 # scripts for an inner shell; variables of one test
#
# One rule for every source of a passphrase: one final LF or CRLF is dropped; what is left is 1 to
# 1024 bytes without NUL, CR and LF. And what a command or a variable is to a process that takes its
# passphrase from there.

load common

LONG=$(printf 'x%.0s' {1..1024})

# What a source gives (printf escapes), and what that means: a passphrase, or ! and the message.
EMPTY='!the passphrase is empty'
INSIDE='!a NUL, CR or LF stands inside the passphrase'
TOO_LONG='!the passphrase is longer than 1024 bytes'
FORMS=(
	'swordfish' swordfish
	'swordfish\n' swordfish
	'swordfish\r\n' swordfish
	' sword fish \n' ' sword fish '
	'na\xc3\xafve\xff\n' $'na\xc3\xafve\xff'
	"$LONG" "$LONG"
	"$LONG\\n" "$LONG"
	"$LONG\\r\\n" "$LONG"
	'' "$EMPTY"
	'\n' "$EMPTY"
	'\r\n' "$EMPTY"
	'swordfish\n\n' "$INSIDE"
	'swordfish\r\n\r\n' "$INSIDE"
	'swordfish\r\r\n' "$INSIDE"
	'swordfish\n\r' "$INSIDE"
	'swordfish\r' "$INSIDE"
	'sword\rfish\n' "$INSIDE"
	'sword\nfish\n' "$INSIDE"
	'sword\0fish\n' "$INSIDE"
	'swordfish\0' "$INSIDE"
	'\0swordfish' "$INSIDE"
	"${LONG}x" "$TOO_LONG"
	"${LONG}x\\n" "$TOO_LONG"
	"${LONG}x\\r\\n" "$TOO_LONG"
	"$LONG$LONG$LONG\\n" "$TOO_LONG"
)

# from_SOURCE COMMAND...: COMMAND with that source, which gives what is in $AWAY/typed (and $TYPED).
from_file() { "$@" --passphrase-file "$AWAY/typed"; }
from_fifo() { "$@" --passphrase-file <(cat "$AWAY/typed"); }
from_stdin() { "$@" --passphrase-file - <"$AWAY/typed"; }
from_fd() { "$@" --passphrase-fd 7 7<"$AWAY/typed"; }
# shellcheck disable=SC2002
from_pipe() { cat "$AWAY/typed" | "$@" --passphrase-fd 0; }
from_command() { "$@" --passphrase-command 'cat ../away/typed'; }
from_env() { TYPED=$TYPED "$@" --passphrase-env TYPED; }
# A terminal's line ends where its Enter is, whatever it is made of. What is refused is asked for again.
TRIES=1
from_terminal() {
	local -a pairs=()
	local -i asked
	for ((asked = 0; asked < TRIES; asked++)); do pairs+=("assphrase: " "${TYPED%$'\n'}"$'\r'); done
	expect -f "$BATS_TEST_DIRNAME/dialogue.exp" $TRIES "${pairs[@]}" "$@" </dev/null
}
SOURCES=(file fifo stdin fd pipe command env terminal)

# can_give SOURCE TEXT: whether a source can give that at all.
can_give() {
	case $1-$2 in
	env-*'\0'*) return 1 ;; # it would be another text
	terminal-*[\\]*[\\]* | terminal-*[!n]) return 1 ;; # one line of plain text
	terminal-*) command -v expect >/dev/null ;;
	esac
}

# The sealed files, one a passphrase: sealed_under PASSPHRASE NAME.
sealed_under() {
	printf '%s' "$1" >"$AWAY/meant"
	bytes 10 | gcmcrypt seal --passphrase-file "$AWAY/meant" "${CHEAP[@]}" -f -o "$2"
}

# cell SOURCE MEANT: what that source gives opens what was sealed under MEANT, or is refused in one line.
cell() {
	local -a lines
	case $1-$2 in
	*-!*)
		local TRIES=3
		gives 2 "from_$1" gcmcrypt verify sword.gcm
		if [ "$1" = terminal ]; then
			writes "${2#!}"
		else
			says ": ${2#!}"
			mapfile -t lines <"$ERR"
			assert_equal ${#lines[@]} 1
		fi
		;;
	*) gives 0 "from_$1" gcmcrypt verify meant.gcm ;;
	esac
}

@test "every source with every form of newline, length and byte" {
	local source
	local -i cells=0
	sealed_under swordfish sword.gcm
	for ((i = 0; i < ${#FORMS[@]}; i += 2)); do
		printf '%b' "${FORMS[i]}" >"$AWAY/typed"
		printf -v TYPED '%b' "${FORMS[i]}"
		[[ ${FORMS[i + 1]} == !* ]] || sealed_under "${FORMS[i + 1]}" meant.gcm
		for source in "${SOURCES[@]}"; do
			can_give "$source" "${FORMS[i]}" || continue
			cell "$source" "${FORMS[i + 1]}" || fail "$source: ${FORMS[i]:0:40}"
			cells+=1
		done
	done
	[ "$cells" -ge 172 ]
}

@test "seal takes it from the same places" {
	bytes 10 >plain
	printf 'swordfish\r\n' >"$AWAY/typed"
	TYPED=$'swordfish\r\n'
	sealed_under swordfish other.gcm
	for source in file fifo stdin fd pipe command env; do
		gives 0 "from_$source" gcmcrypt seal "${CHEAP[@]}" -f plain
		says_nothing
		gives 0 gcmcrypt verify --passphrase-file "$AWAY/meant" plain.gcm
	done
}

# Each source once, as options.
ALL_SOURCES=("--passphrase-file ../away/passphrase" "--passphrase-fd 7" "--passphrase-command false" "--passphrase-env HOME")

@test "two sources are an error that names both, before anything is read or run" {
	bytes 10 >plain
	for one in "${ALL_SOURCES[@]}"; do
		for other in "${ALL_SOURCES[@]}"; do
			# shellcheck disable=SC2086,SC2094 # options and their values
			gives 2 gcmcrypt seal $one $other plain 7<"$PASS"
			says "${one%% *}"
			says "${other%% *}"
			[ "$one" = "$other" ] || says ": one source, not two"
		done
	done
	only plain
}

@test "a command and data from descriptor 0: the data is not the command's" {
	bytes 40000 >plain
	gives 0 bash -c 'gcmcrypt seal --passphrase-command "cat; echo swordfish" "$@" <plain' - "${CHEAP[@]}"
	sealed_under swordfish other.gcm
	gcmcrypt open --passphrase-file "$AWAY/meant" <"$OUT" | cmp - plain
}

@test "a command's own words reach standard error; its failure is 8, whatever it printed" {
	sealed_under swordfish sword.gcm
	gives 0 gcmcrypt verify -q --passphrase-command 'echo swordfish; echo unlocking >&2' sword.gcm
	assert_equal "$(cat "$ERR")" unlocking
	for output in : 'echo swordfish' 'echo a; echo' "echo $LONG$LONG"; do
		gives 8 gcmcrypt verify --passphrase-command "$output; echo no >&2; exit 3" sword.gcm
		assert_equal "$(cat "$ERR")" $'no\ngcmcrypt: --passphrase-command: failed with exit status 3'
	done
	gives 8 gcmcrypt verify --passphrase-command 'echo swordfish; kill -9 $$' sword.gcm
	says "gcmcrypt: --passphrase-command: was ended by signal 9 (Killed)"
	gives 8 gcmcrypt verify --passphrase-command no-such-command sword.gcm
	says "gcmcrypt: --passphrase-command: failed with exit status 127"
	for text in -c -x '- swordfish'; do
		gives 8 gcmcrypt verify --passphrase-command "$text" sword.gcm
	done
	gives 8 gcmcrypt open --passphrase-command false sword.gcm
	only sword.gcm
}

@test "no command where it cannot be run: 8" {
	not_sanitized "ulimit"
	[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || skip "needs another user's limits"
	sealed_under swordfish sword.gcm
	for_nobody
	chmod 644 sword.gcm
	gives 8 "${NOBODY[@]}" bash -c 'exec 5<sword.gcm; ulimit -u 0; exec "$0" verify --passphrase-command "echo x" - <&5' "$AWAY/program"
	says "gcmcrypt: --passphrase-command: cannot be run: Resource temporarily unavailable"
}

@test "a command runs once, and only where a passphrase is needed" {
	bytes 10 >plain
	count='echo >>../away/runs; echo swordfish'
	runs() { assert_equal "$(wc -l <"$AWAY/runs")" "$1"; }
	: >"$AWAY/runs"
	gives 0 gcmcrypt seal --passphrase-command "$count" "${CHEAP[@]}" -K "$KEY" -o out.gcm plain
	runs 1
	for name in one two three; do bytes 10 >$name; done
	gives 0 gcmcrypt seal --passphrase-command "$count" "${CHEAP[@]}" one two three
	runs 2
	gives 0 gcmcrypt verify --passphrase-command "$count" one.gcm two.gcm three.gcm out.gcm
	runs 3
	# What the key opens needs none, and neither does what is refused or cannot be opened before.
	gives 0 gcmcrypt verify --passphrase-command "$count" -K "$KEY" out.gcm
	gives 2 gcmcrypt seal --passphrase-command "$count" "${CHEAP[@]}" plain -o out.gcm
	gives 1 gcmcrypt seal --passphrase-command "$count" "${CHEAP[@]}" missing
	gives 6 gcmcrypt verify --passphrase-command "$count" plain
	gives 7 gcmcrypt verify --passphrase-command "$count" --max-kdf-memory 8K out.gcm
	gives 0 gcmcrypt seal -K "$KEY" plain
	gives 3 gcmcrypt verify --passphrase-command "$count" plain.gcm
	runs 3
	# One that failed is not asked again.
	gives 8 gcmcrypt verify --passphrase-command "$count; exit 1" one.gcm two.gcm
	runs 4
	says "2 of 2 files failed"
}

@test "a command that writes without end, or closes its output and goes on, is not left behind" {
	sealed_under swordfish sword.gcm
	gives 2 timeout 20 gcmcrypt verify --passphrase-command 'echo $$ >../away/pid; exec cat /dev/zero' sword.gcm
	says "gcmcrypt: --passphrase-command: the passphrase is longer than 1024 bytes"
	run ! kill -0 "$(cat "$AWAY/pid")"
	gives 0 timeout 20 gcmcrypt verify --passphrase-command 'echo swordfish; exec >&-; sleep 0.3; echo >../away/end' sword.gcm
	assert_exist "$AWAY/end"
}

@test "while data is awaited, no child of the command is left, not even a dead one" {
	[ -d /proc/self/task ] || skip "no /proc"
	sealed_under swordfish sword.gcm
	feed sword.gcm "$(($(stat -c %s sword.gcm) - 5))" gcmcrypt verify --passphrase-command 'echo swordfish; echo >../away/ran'
	await test -e "$AWAY/ran"
	await eval '[ -z "$(cat /proc/$PID/task/*/children)" ]'
	kill -0 "$PID"
	slice sword.gcm "$(($(stat -c %s sword.gcm) - 5))" 5 >&9
	feed_ends
	ended 0
}

@test "signals end a command with the program" {
	sealed_under swordfish sword.gcm
	for signal in INT TERM HUP; do
		rm -f "$AWAY/pid" "$AWAY/told"
		begin env --default-signal gcmcrypt verify --passphrase-command \
			'trap "echo >../away/told; exit 0" INT TERM HUP; echo $$ >../away/pid; while :; do sleep 0.05; done' sword.gcm
		await test -s "$AWAY/pid"
		kill -s $signal "$PID"
		ended $((128 + $(kill -l $signal)))
		assert_exist "$AWAY/told"
		run ! kill -0 "$(cat "$AWAY/pid")"
	done
}

@test "^C at the terminal ends a command and the program" {
	command -v expect >/dev/null || skip "no expect"
	sealed_under swordfish sword.gcm
	expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 2 "" '!until [ -s ../away/pid ]; do sleep 0.02; done' \
		"" $'\x03' bash -c 'trap : INT
		gcmcrypt verify --passphrase-command "echo \$\$ >../away/pid; sleep 60; echo swordfish" sword.gcm
		echo $? >../away/status' </dev/null >"$OUT"
	assert_equal "$(cat "$AWAY/status")" 130
	run ! kill -0 "$(cat "$AWAY/pid")"
}

@test "a command gets default signals, none blocked, and no descriptor but its three" {
	sealed_under swordfish sword.gcm
	gives 0 env --default-signal gcmcrypt verify --passphrase-command 'grep "^Sig[BI]" /proc/self/status >../away/signals
		ls /proc/self/fd >../away/fds; readlink /proc/self/fd/0 >>../away/fds; echo swordfish' sword.gcm 7<"$KEY"
	# ls has the folder open.
	assert_equal "$(tr '\n' ' ' <"$AWAY/fds")" "0 1 2 3 /dev/null "
	# The C library has two signals above these for itself.
	run ! grep -v '0000000$' "$AWAY/signals"
}

@test "a variable that is not there, and names that are none: 2, and the name is not repeated" {
	bytes 10 >plain
	for name in NO_SUCH_VARIABLE '' = HOME= 'HOME=x' ' HOME' 'correct horse'; do
		gives 2 gcmcrypt seal --passphrase-env "$name" plain
		assert_equal "$(grep -c '^gcmcrypt: --passphrase-env: ' "$ERR")" 1
		says_not "$PASSPHRASE"
		says_not HORSE
		[ "$name" != 'correct horse' ] || says_not correct
	done
	# A name that is the beginning of another's, and the other way round.
	HOMES=x gives 2 env -u HOME gcmcrypt seal --passphrase-env HOME plain
	HOMES=x gives 2 gcmcrypt seal --passphrase-env HOMESX plain
	only plain
}

# environ_of PID: its environment block as it is now, a variable a line.
environ_of() { tr '\0' '\n' <"/proc/$1/environ"; }

@test "a variable is overwritten in the environment block, wherever it stands there" {
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	only_root # to look at a process that hides itself
	sealed_under "$PASSPHRASE" sword.gcm
	length=$(($(stat -c %s sword.gcm) - 5))
	export TYPED=$PASSPHRASE KEPT=kept
	feed sword.gcm "$length" gcmcrypt verify --passphrase-env TYPED
	await eval '[ "$(environ_of $PID | grep -c ^TYPED=)" -eq 1 ] && [ "$(environ_of $PID | grep -c "$PASSPHRASE")" -eq 0 ]'
	assert_equal "$(environ_of "$PID" | grep -cx KEPT=kept)" 1
	slice sword.gcm "$length" 5 >&9
	feed_ends
	ended 0
	# Twice in one environment, which no shell makes.
	twice='import ctypes, os, sys
words = [word.encode() for word in sys.argv[1:]]
variables = [b"TYPED=" + os.environb[b"TYPED"], b"KEPT=kept", b"TYPED=the second"]
array = lambda strings: (ctypes.c_char_p * (len(strings) + 1))(*strings)
ctypes.CDLL(None).execve(words[0], array(words), array(variables))'
	feed sword.gcm "$length" "$PYTHON" -c "$twice" "$PROGRAM" verify --passphrase-env TYPED
	await eval '[ "$(environ_of $PID | grep -c ^TYPED=)" -eq 2 ] && [ "$(environ_of $PID | grep -c "$PASSPHRASE\|second")" -eq 0 ]'
	slice sword.gcm "$length" 5 >&9
	feed_ends
	ended 0
}

# looked_at PID: what anybody with the right to could see of a process without its memory.
looked_at() {
	cat "/proc/$1/cmdline" "/proc/$1/environ" "/proc/$1/maps" "/proc/$1/status"
	ls -l "/proc/$1/fd"
}

@test "arguments, environment, mappings, descriptors and the output show no secret, whatever the source" {
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	only_root
	bytes 300000 >plain
	for source in "--passphrase-file ../away/passphrase" "--passphrase-fd 7" "--passphrase-env TYPED" \
		"--passphrase-command cat<../away/passphrase" "-K ../away/key"; do
		case $source in *-env*) export TYPED=$PASSPHRASE ;; *) unset TYPED ;; esac
		case $source in *-fd*) exec 7<"$PASS" ;; *) exec 7>&- ;; esac
		# shellcheck disable=SC2086 # an option and its value
		feed plain 300000 gcmcrypt seal "${CHEAP[@]}" $source
		await eval 'looked_at $PID >$AWAY/seen && ! grep -qa "$PASSPHRASE\|/away/passphrase$\|/away/key$" $AWAY/seen'
		grep -qa gcmcrypt "$AWAY/seen"
		run ! grep -qai "$PASSPHRASE\|$KEY_TEXT" "$AWAY/seen"
		feed_ends
		ended 0
		run ! grep -qai "$PASSPHRASE\|$KEY_TEXT" "$OUT" "$ERR"
	done
	exec 7>&-
}

@test "no child has the variable: neither --from-command's nor what it starts" {
	bytes 10 >plain
	TYPED=swordfish KEPT=kept gives 0 gcmcrypt seal --from-command --passphrase-env TYPED "${CHEAP[@]}" -o out -- env
	printf swordfish >"$AWAY/typed"
	gcmcrypt open --passphrase-file "$AWAY/typed" -o - out >"$OUT"
	writes KEPT=kept
	run ! grep -q 'TYPED\|swordfish' "$OUT"
}
