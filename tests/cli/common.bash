# shellcheck shell=bash
# SPDX-License-Identifier: ISC
#
# common.bash - what every bats file of this folder loads first.
#
# Read from the environment: GCMCRYPT (the program), GCMCRYPT_TEST_KERNEL (passed to seal, open and
# verify as --kernel), GCMCRYPT_VECTORS, GCMCRYPT_SRCDIR, GCMCRYPT_SANITIZED, PYTHON.
# A test runs in a folder of its own that holds nothing but what the test puts there; logs and
# helpers lie outside it, in $AWAY.
#
# All this is read, and setup() run, for each test: so little as possible starts another process.

bats_require_minimum_version 1.5.0
# Their own load.bash runs dirname for each of these files.
for part in "${BATS_LIB_PATH:-/usr/lib/bats}"/bats-{support,assert,file}/src/*.bash; do
	# shellcheck disable=SC1090
	source "$part"
done

TESTS=${BATS_TEST_DIRNAME%/*}
PROGRAM=${GCMCRYPT:-$TESTS/../build/gcmcrypt}
[[ $PROGRAM == /* ]] || PROGRAM=$PWD/$PROGRAM
PYTHON=${PYTHON:-python3}
CC=${CC:-cc}
# shellcheck disable=SC2034 # the test files use them
{
	VECTORS=${GCMCRYPT_VECTORS-}
	KERNEL=(${GCMCRYPT_TEST_KERNEL:+--kernel "$GCMCRYPT_TEST_KERNEL"})
	# Argon2 at a cost that no test waits for.
	CHEAP=(--kdf-memory 64K --kdf-passes 1 -q)
	KEY_TEXT=GCMC-FILE-KEY-1X57R6D23T9N5HWXRFE0HFNZ8Z9LRLTKYR46J7UXKAMLVQL0SRA6SKU4A5E
	OTHER_KEY_TEXT=GCMC-FILE-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0SADMK5P
	IDENTITY_TEXT=GCMC-SECRET-KEY-1MEZ0UY24X380F7FJY7K7W5P3ZZU46XKCJFDRZ5G780WRAEED4NSQTCP69S
	RECIPIENT=gcmc1ne7kyckrccg6dhttx39mm09x85nwmuh86qk77zs8m89aej29j4us9qf5ty
	PASSPHRASE='correct horse battery staple'
	CHUNK=16384
}

setup() {
	AWAY=$BATS_TEST_TMPDIR/away
	OUT=$AWAY/stdout
	ERR=$AWAY/stderr
	mkdir "$AWAY" "$AWAY/bin" "$BATS_TEST_TMPDIR/here"
	put_program_on_path
	make_keys
	cd "$BATS_TEST_TMPDIR/here" || return 1
	set -o pipefail
	# A file that cannot always run says so in needs(): skip in setup_file() is a failure.
	! declare -F needs >/dev/null || needs
	trace_failures_only
}

# Bats takes a stack trace before each command, in case that it fails, which cost 8 % of the run; so
# take one after a failure only.  A test that ends by "exit" has none then.  Does nothing with a bats
# that has not these two functions.
# shellcheck disable=SC2034,SC2317 # it reads and calls these
trace_failures_only() {
	declare -F bats_check_status_from_trap bats_capture_stack_trace >/dev/null || return 0
	trap - DEBUG
	BATS_DEBUG_LASTLAST_STACK_TRACE=()
	bats_error_trap() {
		bats_check_status_from_trap
		[ -n "$BATS_DEBUG_LAST_STACK_TRACE_IS_VALID" ] || bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
}

# "gcmcrypt" works by name everywhere, under timeout, env or bash -c too; with a kernel to force it
# is a script, for "gcmcrypt COMMAND ..." alone.
put_program_on_path() {
	if [ ${#KERNEL[@]} -eq 0 ]; then
		ln -s "$PROGRAM" "$AWAY/bin/gcmcrypt"
	else
		# shellcheck disable=SC2016 # for the script to expand
		printf '#!/bin/sh\ncase ${1-} in\nseal|open|verify) c=$1; shift; set -- "$c" %s "$@" ;;\nesac\nexec %q "$@"\n' \
			"${KERNEL[*]}" "$PROGRAM" >"$AWAY/bin/gcmcrypt"
		chmod +x "$AWAY/bin/gcmcrypt"
	fi
	PATH=$AWAY/bin:$PATH
}

# $KEY, $OTHER_KEY, $IDENTITY and $PASS: files with the secrets above.
make_keys() {
	KEY=$AWAY/key
	OTHER_KEY=$AWAY/other-key
	IDENTITY=$AWAY/identity
	PASS=$AWAY/passphrase
	umask 077
	echo "$KEY_TEXT" >"$KEY"
	echo "$OTHER_KEY_TEXT" >"$OTHER_KEY"
	echo "$IDENTITY_TEXT" >"$IDENTITY"
	echo "$PASSPHRASE" >"$PASS"
	umask 022 # of every test, whatever it was outside
}

# bytes N: N bytes of text in which no ten are repeated at another place.
bytes() {
	if [ "$1" -le ${#BYTES} ]; then
		printf %s "${BYTES:0:$1}"
	else
		seq 1000000000 1999999999 | head -c "$1" || [ $? -eq 141 ]
	fi
}
printf -v BYTES '%s\n' {1000000000..1000000099}

# gives STATUS COMMAND...: runs it, keeps its two outputs in $OUT and $ERR, compares the status.
gives() {
	local want=$1 got=0
	shift
	"$@" >"$OUT" 2>"$ERR" || got=$?
	[ "$got" -eq "$want" ] || fail "status $got, not $want: $* [$(head -c 2000 "$ERR")]"
}

# contains FILE TEXT: whether that text stands in a file of text.
contains() {
	local text
	IFS= read -r -d '' text <"$1" || :
	[[ $text == *"$2"* ]]
}

# says TEXT: the last command that "gives" ran wrote TEXT to standard error. says_not: did not.
says() { contains "$ERR" "$1" || fail "not said: $1 [$(head -c 2000 "$ERR")]"; }
says_not() { ! contains "$ERR" "$1" || fail "said: $1 [$(head -c 2000 "$ERR")]"; }
says_nothing() { [ ! -s "$ERR" ] || fail "said: $(head -c 2000 "$ERR")"; }

# writes TEXT: the last command that "gives" ran wrote a line with TEXT to standard output.
writes() { contains "$OUT" "$1" || fail "not written: $1 [$(head -c 2000 "$OUT")]"; }
writes_nothing() { [ ! -s "$OUT" ] || fail "wrote $(stat -c %s "$OUT") bytes"; }

same() { cmp -- "$1" "$2" || fail "$1 and $2 differ"; }
size_is() { assert_equal "$(stat -c %s -- "$1")" "$2"; }
mode_is() { assert_equal "$(stat -c %a -- "$1")" "$2"; }

# snapshot: what the folder is: names, types, modes, inodes and links; sizes, times and contents of
# files. (A temporary that came and went may have touched a folder's time.)
snapshot() {
	find . -mindepth 1 \( -type d -printf '%p %y %m %i\n' -o -printf '%p %y %m %i %s %T@ %l\n' \) | sort
	find . -type f -exec sha256sum {} + | sort
}
remember() { snapshot >"$AWAY/before"; }
unchanged() {
	snapshot >"$AWAY/after"
	diff "$AWAY/before" "$AWAY/after" || fail "the folder changed"
}
# only NAME...: the folder holds these and nothing else.
only() {
	local name names
	shopt -s dotglob globstar nullglob
	names=(**)
	shopt -u dotglob globstar nullglob
	[ ${#names[@]} -eq $# ] || fail "there is not only $*: ${names[*]}"
	for name; do
		[[ -e $name || -L $name ]] || fail "there is no $name: ${names[*]}"
	done
}

# flip FILE OFFSET [MASK]: changes bits of one byte. put FILE OFFSET BYTE...: sets bytes (hex).
flip() {
	local byte
	printf -v byte %02x $(($(od -An -tu1 -j "$2" -N 1 -- "$1") ^ ${3:-1}))
	put "$1" "$2" "$byte"
}
put() {
	local bytes
	printf -v bytes '\\x%s' "${@:3}"
	printf '%b' "$bytes" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# slice FILE OFFSET LENGTH: that part of it.
slice() { tail -c "+$(($2 + 1))" -- "$1" | head -c "$3" || [ $? -eq 141 ]; }

# Length of the header of a sealed file.
header_bytes() { echo $((0x$(od -An -tx1 -j 12 -N 4 -- "$1" | tr -d ' '))); }

# A file of so many bytes, sealed under $KEY: sealed NAME LENGTH.
sealed() { bytes "$2" | gcmcrypt seal -K "$KEY" -o "$1"; }

# recipient_of IDENTITY-FILE: the one that keygen wrote into it.
recipient_of() { sed -n 's/^# recipient: //p' "$1"; }

# feed FILE COUNT COMMAND...: starts the command on a pipe that stays open, as process $PID, and
# returns when the command has read so much of FILE's first COUNT bytes that a pipe holds the rest.
feed() {
	local file=$1 count=$2
	shift 2
	rm -f "$AWAY/feed"
	mkfifo "$AWAY/feed"
	exec 9<>"$AWAY/feed"
	"$@" <"$AWAY/feed" >"$OUT" 2>"$ERR" 3>&- 9>&- &
	PID=$!
	timeout 20 head -c "$count" "$file" >&9 || fail "it does not read [$(cat "$ERR")]"
}
# begin COMMAND...: starts it in the background, as process $PID, with the given standard input.
begin() {
	"$@" <&0 >"$OUT" 2>"$ERR" 3>&- 9>&- &
	PID=$!
}
feed_ends() { exec 9>&-; }
# ended STATUS: the command that was begun or fed ended so.
ended() {
	local got=0
	wait "$PID" || got=$?
	[ "$got" -eq "$1" ] || fail "status $got, not $1 [$(cat "$ERR")]"
}

# await COMMAND...: until it succeeds, for at most 20 seconds.
await() {
	local _
	for _ in {1..1000}; do
		! "$@" || return 0
		sleep 0.02
	done
	fail "never: $*"
}

not_sanitized() { [ "${GCMCRYPT_SANITIZED:-0}" != 1 ] || skip "not under a sanitizer: $1"; }
only_root() { [ "$(id -u)" -eq 0 ] || skip "needs root"; }

# for_nobody: lets another user run $AWAY/program with $AWAY/their-key; "${NOBODY[@]}" COMMAND...: is it.
for_nobody() {
	local folder=$AWAY
	only_root
	"${NOBODY[@]}" true || skip "cannot become another user"
	cp "$PROGRAM" "$AWAY/program"
	cp "$KEY" "$AWAY/their-key"
	chown 65534 "$AWAY/their-key"
	until [ "$folder" = "$(dirname "$BATS_RUN_TMPDIR")" ]; do
		chmod o+x "$folder"
		folder=$(dirname "$folder")
	done
}
NOBODY=(setpriv --reuid 65534 --regid 65534 --clear-groups)

# Whether the kernel under test uses the processor's AES instructions.
is_fast() {
	[ "${GCMCRYPT_TEST_KERNEL:-$(gcmcrypt bench --list | sed -n 's/ .*seal and open use it.*//p')}" != soft ]
}
