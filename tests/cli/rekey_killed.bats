#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2015,SC2030,SC2031 # fail() always fails; counts of one test
#
# rekey killed at any point leaves a file that opens, with the old key or the new one, and nothing
# else but temporaries with a telling name and, in place, the saved header.

load common

# killed_at_random COUNT OPTION...: rekeys from $KEY to $OTHER_KEY, killed so many times, in up to
# half as much time again as it takes by itself; how often it was then old, and how often new.
killed_at_random() {
	local count=$1 took wait silent
	shift
	remember_old
	took=${EPOCHREALTIME/./}
	"$PROGRAM" rekey -q -K "$KEY" --new-key-file "$OTHER_KEY" "$@" plain.gcm
	took=$((${EPOCHREALTIME/./} - took))
	after_kill
	old=0 new=0
	mkfifo "$AWAY/silent"
	exec {silent}<>"$AWAY/silent"
	for ((; count > 0; count--)); do
		"$PROGRAM" rekey -q -K "$KEY" --new-key-file "$OTHER_KEY" "$@" plain.gcm 3>&- &
		# In microseconds.  To start a sleep would take longer than all of it.
		printf -v wait '0.%06d' $((1 + RANDOM * 30 % (took * 3 / 2) % 999999))
		read -rt "$wait" -u "$silent" || true
		kill -KILL $! 2>/dev/null || true
		wait $! || true
		after_kill
	done
	exec {silent}>&-
}

# remember_old: plain.gcm is what it was before; remembered with its header.
remember_old() {
	cp --reflink=never plain.gcm "$AWAY/old.gcm"
	head -c 156 plain.gcm >"$AWAY/header"
}

# Old or new, and whole; then it is old again.
after_kill() {
	local name left=()
	for name in * .[!.]*; do
		case $name in
		plain.gcm | '.[!.]*') ;;
		.plain.gcm*.gcmcrypt-??????) left+=("$name") ;;
		plain.gcm.header-backup)
			same "$name" "$AWAY/header"
			left+=("$name")
			;;
		*) fail "left behind: $name" ;;
		esac
	done
	[ ${#left[@]} -eq 0 ] || rm "${left[@]}"
	if cmp -s plain.gcm "$AWAY/old.gcm"; then
		old=$((old + 1))
	else
		gcmcrypt verify -q -K "$OTHER_KEY" plain.gcm || fail "neither old nor new"
		cmp -i 156 plain.gcm "$AWAY/old.gcm"
		new=$((new + 1))
		cp "$AWAY/old.gcm" plain.gcm
	fi
}

@test "a new file, killed at 50 random moments" {
	local old=0 new=0
	head -c 6000000 /dev/urandom | gcmcrypt seal -K "$KEY" -o plain.gcm
	killed_at_random 50
	[ "$old" -ge 1 ] && [ "$new" -ge 1 ] || fail "$old old, $new new"
}

@test "in place, killed at 50 random moments" {
	local old=0 new=0
	sealed plain.gcm 100000
	killed_at_random 50 --in-place
	[ "$old" -ge 1 ] && [ "$new" -ge 1 ] || fail "$old old, $new new"
}

# at_each_call SIGNAL OPTION...: the same, with that signal at each system call in turn.
at_each_call() {
	local signal=$1 name number got=0
	shift
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	sealed plain.gcm 20000
	remember_old
	traced "$@" -o "$AWAY/trace" || fail "does not run under strace"
	after_kill
	[ "$new" -eq 1 ]
	# As killed.bats does it, from where room for secrets was made: nothing was opened before.
	while read -r name number; do
		got=0
		traced "$@" -o /dev/null -e "trace=$name" -e "inject=$name:signal=$signal:when=$number" || got=$?
		after_signal "$got" "$name $number"
	done < <(awk -F '(' '{ n[$1]++ } /^mlock/ { ours = 1 }
		ours && /^[a-z]/ { print $1, n[$1] }' "$AWAY/trace")
	[ "$old" -ge 30 ] && [ "$new" -ge 3 ] || fail "$old old, $new new"
}
# traced MODE STRACE-OPTION...
traced() {
	strace -qq "${@:2}" "$PROGRAM" rekey -q -K "$KEY" --new-key-file "$OTHER_KEY" ${1:+"$1"} plain.gcm 2>/dev/null
}

@test "a new file, killed at each system call" {
	local old=0 new=0
	after_signal() {
		[ "$1" -eq 137 ] || [ "$1" -eq 0 ] || fail "status $1 at call $2"
		after_kill
	}
	at_each_call KILL ""
}

@test "in place, killed at each system call" {
	local old=0 new=0
	after_signal() {
		[ "$1" -eq 137 ] || [ "$1" -eq 0 ] || fail "status $1 at call $2"
		after_kill
	}
	at_each_call KILL --in-place
}

# ended_or_done STATUS CALL: ended by SIGTERM with all as before, or done as if there had been none.
ended_or_done() {
	local before=$old names=(* .[!.]*)
	case $1 in
	143)
		[ "${names[*]}" = 'plain.gcm .[!.]*' ] || fail "left behind at call $2: ${names[*]}"
		after_kill
		[ "$old" -gt "$before" ] || fail "ended, but new, at call $2"
		;;
	0)
		after_kill
		[ "$old" -eq "$before" ] || fail "done, but old, at call $2"
		;;
	*) fail "status $1 at call $2" ;;
	esac
}

@test "a new file, SIGTERM at each system call: all as before, or done" {
	local old=0 new=0
	after_signal() { ended_or_done "$@"; }
	at_each_call TERM ""
}

@test "in place, SIGTERM at each system call: all as before, or done" {
	local old=0 new=0
	after_signal() { ended_or_done "$@"; }
	at_each_call TERM --in-place
}
