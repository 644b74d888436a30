#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# After kill -9 at any point the output is absent, or the old one whole, or the new one whole.

load common

# killed_at_random NAME COMMAND...: kills it 25 times after up to 60 ms. "after_kill" looks each time.
killed_at_random() {
	for _ in {1..25}; do
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
	while read -r name; do
		for known in "$@"; do
			[ "$name" != "$known" ] || continue 2
		done
		[[ $name == .out*.gcmcrypt-* ]] || fail "left behind: $name"
	done < <(find . -mindepth 1 -printf '%P\n')
}

setup_inputs() {
	head -c 20000000 /dev/urandom >plain
	gcmcrypt seal -K "$KEY" -o sealed plain
	sha256sum <plain >"$AWAY/sum"
	echo old >"$AWAY/old"
}

@test "seal without -f, killed at 25 random points" {
	setup_inputs
	after_kill() {
		leftover plain sealed out
		[ ! -e out ] || gcmcrypt verify -K "$KEY" out
		rm -f out .out*
	}
	killed_at_random gcmcrypt seal -K "$KEY" -o out plain
}

@test "open -f over an old file, killed at 25 random points" {
	setup_inputs
	after_kill() {
		leftover plain sealed out
		cmp -s out "$AWAY/old" || [ "$(sha256sum <out)" = "$(cat "$AWAY/sum")" ]
		rm -f .out*
		cp "$AWAY/old" out
	}
	cp "$AWAY/old" out
	killed_at_random gcmcrypt open -f -K "$KEY" -o out sealed
}

@test "killed before and after each call that makes the output final" {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	setup_inputs
	for call in fchmod utimensat fsync linkat rename renameat renameat2 unlinkat close; do
		for number in 1 2 3; do
			for force in "" -f; do
				rm -f out .out*
				[ -z "$force" ] || cp "$AWAY/old" out
				# shellcheck disable=SC2086 # an option or none
				strace -qq -o /dev/null -e "trace=$call" \
					-e "inject=$call:signal=KILL:when=$number" \
					"$PROGRAM" seal $force "${KERNEL[@]}" -K "$KEY" -o out sealed 2>/dev/null || true
				leftover plain sealed out
				if [ -e out ]; then
					cmp -s out "$AWAY/old" || gcmcrypt verify -K "$KEY" out
				else
					[ -z "$force" ]
				fi
			done
		done
	done
}
