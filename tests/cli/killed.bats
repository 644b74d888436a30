#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2015 # fail() always fails
#
# After kill -9 at any point the output is absent, or the old one whole, or the new one whole; after
# any other signal nothing else is left either.

load common

# killed_at_random COUNT COMMAND...: kills it so many times after up to 60 ms. "after_kill" looks each time.
killed_at_random() {
	local count=$1
	shift
	for ((; count > 0; count--)); do
		"$@" 2>/dev/null 3>&- &
		sleep "0.0$((RANDOM % 60 / 10))$((RANDOM % 10))"
		kill -KILL $! 2>/dev/null || true
		wait $! || true
		after_kill
	done
}

# leftover NAME...: the folder may hold these, and temporaries with a telling name.
leftover() {
	local name known
	for name in * .[!.]*; do
		for known in "$@" '.[!.]*'; do
			[ "$name" != "$known" ] || continue 2
		done
		[[ $name == .out*.gcmcrypt-* ]] || fail "left behind: $name"
	done
}

setup_inputs() {
	head -c 20000000 /dev/urandom >plain
	gcmcrypt seal -K "$KEY" -o sealed plain
	echo old >"$AWAY/old"
}

@test "seal without -f, killed at 50 random points" {
	setup_inputs
	after_kill() {
		leftover plain sealed out
		[ ! -e out ] || gcmcrypt verify -K "$KEY" out
		rm -f out .out*
	}
	killed_at_random 50 gcmcrypt seal -K "$KEY" -o out plain
}

@test "open -f over an old file, killed at 25 random points" {
	setup_inputs
	after_kill() {
		leftover plain sealed out
		cmp -s out "$AWAY/old" || same out plain
		rm -f .out*
		cp "$AWAY/old" out
	}
	cp "$AWAY/old" out
	killed_at_random 25 gcmcrypt open -f -K "$KEY" -o out sealed
}

# under_strace FOLDER STRACE-OPTION...: seals to out there, under -f in the folder old.
under_strace() {
	local force=()
	[ "$1" != old ] || force=(-f)
	(cd "$1" && exec strace -qq "${@:2}" "$PROGRAM" seal "${KERNEL[@]}" -K "$KEY" -o out "${force[@]}" \
		../plain) 2>/dev/null
}

# at_each_call SIGNAL: seals in the folder new, and at the same time over an old file in the folder
# old, with that signal at each system call in turn; "look FOLDER STATUS CALL" looks afterwards.
at_each_call() {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	bytes 20000 >plain
	mkdir new old
	echo old >old/out
	in_folder new "$1" 3>&- &
	in_folder old "$1"
	wait $!
}
in_folder() {
	local name number got early=0 whole=0
	under_strace "$1" -o "$AWAY/$1"
	is_whole "$1"
	# Each call by its name and its number among those of that name. Not the loader's, which come
	# first, and not the many that install a handler each.
	while read -r name number; do
		got=0
		under_strace "$1" -o /dev/null -e "trace=$name" -e "inject=$name:signal=$2:when=$number" ||
			got=$?
		look "$1" "$got" "$name $number"
	done < <(awk -F '(' '{ n[$1]++ } /^fcntl\(0, F_GETFD/ { ours = 1 }
		ours && /^[a-z]/ && ($1 != "rt_sigaction" || n[$1] % 8 == 0) { print $1, n[$1] }' "$AWAY/$1")
	[ "$early" -ge 50 ] && [ "$whole" -ge 3 ] || fail "$early as before, $whole whole"
}

# is_old FOLDER: the output is as before. is_whole FOLDER: it is new and complete; it is then put back.
is_old() { if [ "$1" = new ]; then [ ! -e new/out ]; else [ "$(<old/out)" = old ]; fi; }
is_whole() {
	gcmcrypt open -K "$KEY" -o - "$1/out" | cmp - plain || return 1
	rm "$1/out"
	[ "$1" = new ] || echo old >old/out
}
# Counts how often either was the case: a test that never got that far shows nothing.
old_or_whole() {
	if is_old "$1" 2>/dev/null; then early=$((early + 1)); else
		is_whole "$1" && whole=$((whole + 1))
	fi
}

@test "killed at each system call of a small seal" {
	look() {
		local name
		[ "$2" -eq 137 ] || [ "$2" -eq 0 ] || fail "status $2 at call $3"
		old_or_whole "$1" || fail "neither old nor whole: $1, call $3"
		for name in "$1"/* "$1"/.*; do
			case $name in
			"$1/out" | "$1/*" | "$1/.*" | "$1/." | "$1/..") ;;
			"$1"/.out.gcmcrypt-??????) rm "$name" ;;
			*) fail "left behind at call $3: $name" ;;
			esac
		done
	}
	at_each_call KILL
}

@test "SIGTERM at each system call of a small seal: ended by it with all as before, or done" {
	look() {
		local name
		case $2 in
		143) is_old "$1" && early=$((early + 1)) || fail "not as before: $1, call $3" ;;
		0) is_whole "$1" && whole=$((whole + 1)) || fail "not whole: $1, call $3" ;;
		*) fail "status $2 at call $3" ;;
		esac
		for name in "$1"/* "$1"/.*; do
			case $name in
			"$1/out" | "$1/*" | "$1/.*" | "$1/." | "$1/..") ;;
			*) fail "left behind at call $3: $name" ;;
			esac
		done
	}
	at_each_call TERM
}
