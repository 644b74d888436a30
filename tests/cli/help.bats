#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Help, version, and what the command line takes and refuses.

load common

COMMANDS=(seal open verify info keygen rekey bench)

@test "--help of the program and of every command: standard output, exit 0" {
	for option in --help -h; do
		gives 0 gcmcrypt $option
		says_nothing
		for command in "${COMMANDS[@]}"; do writes "  $command "; done
	done
	for command in "${COMMANDS[@]}"; do
		for option in --help -h; do
			gives 0 gcmcrypt "$command" $option
			says_nothing
			writes "gcmcrypt $command"
			writes "--help"
		done
	done
}

@test "help wins over missing operands and keys, but not over a wrong option" {
	gives 0 gcmcrypt seal -K missing --help nowhere
	gives 2 gcmcrypt seal --no-such-option --help
}

@test "--version: the first line is gcmcrypt X.Y.Z" {
	for option in --version -V; do
		gives 0 gcmcrypt $option
		assert_regex "$(head -n 1 "$OUT")" '^gcmcrypt [0-9]+\.[0-9]+\.[0-9]+$'
		gives 0 gcmcrypt seal $option
		assert_regex "$(head -n 1 "$OUT")" '^gcmcrypt [0-9]+\.[0-9]+\.[0-9]+$'
	done
}

@test "help and version into a full device fail" {
	for command in --help --version "seal --help" "bench -h"; do
		got=0
		# shellcheck disable=SC2086 # a command and an option
		gcmcrypt $command >/dev/full 2>"$ERR" || got=$?
		assert_equal "$got" 1
		says "No space left on device"
	done
}

@test "lines of help fit into 100 columns" {
	for command in "" "${COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # a command or none
		gcmcrypt $command --help | awk 'length > 100 { print; bad = 1 } END { exit bad }'
	done
}

@test "every option in a command's help is one that it takes" {
	for command in "${COMMANDS[@]}"; do
		while read -r option value _; do
			case $value in [A-Z]*) set -- "$option" 1 ;; *) set -- "$option" ;; esac
			got=0
			gcmcrypt "$command" "$@" --help >/dev/null 2>"$ERR" || got=$?
			# A value may be refused; the option may not be unknown.
			says_not "unknown option"
		done < <(gcmcrypt "$command" --help | grep -oE -- '--[a-z-]+( [A-Z]+)?')
	done
}

# Sentences that are never printed as they stand: others, with numbers and names, take their place,
# or the system's words, or there is no message.
UNPRINTED='COMMAND|OPEN|READ|CREATE|WRITE|SYNC|SIGNAL|BROKEN_PIPE|USAGE|NOTHING_OPENS|BAD_KEY|BAD_PASSPHRASE|KDF_COST|KDF_MEMORY|KERNEL_WRONG'

@test "the manual explains every sentence of errors.def" {
	local -i count=0
	sed -n '/^\.Sh DIAGNOSTICS/,/^\.Sh SEE ALSO/p' "$TESTS/../man/gcmcrypt.1" >"$AWAY/manual"
	tr '\n' ' ' <"$TESTS/../src/cli/errors.def" | grep -oE 'ERROR\(FAULT_[A-Z_]+, [0-9]+, *"[^"]+"' |
		grep -vE "^ERROR.FAULT_($UNPRINTED)," | cut -d'"' -f2 >"$AWAY/sentences"
	while read -r sentence; do
		count+=1
		grep -qF -e "$sentence" "$AWAY/manual" || fail "not in DIAGNOSTICS: $sentence"
	done <"$AWAY/sentences"
	[ "$count" -ge 20 ]
}

# synonym TYPED MEANT
synonym() {
	gives 2 gcmcrypt "$1" x
	says "gcmcrypt: unknown command '$1'; did you mean '$2'?"
}

@test "an unknown command is answered with the one that was meant" {
	for typed in encrypt enc -e -c; do synonym $typed seal; done
	for typed in decrypt dec -d -x; do synonym $typed open; done
	for typed in test check -t; do synonym $typed verify; done
	for typed in list inspect -l; do synonym $typed info; done
	synonym genkey keygen
	for typed in speed benchmark; do synonym $typed bench; done
	synonym passwd rekey
}

@test "other unknown commands, abbreviations and capitals" {
	for typed in frobnicate sea s SEAL Seal "seal "; do
		gives 2 gcmcrypt "$typed"
		says "unknown command '$typed'"
		says "hint: see gcmcrypt --help"
	done
}

@test "an option in the place of the command: a hint where it belongs" {
	for typed in -z -v -q --verbose --key-file=x -; do
		gives 2 gcmcrypt "$typed" verify
		says "unknown command '$typed'"
		says "hint: options come after the command: gcmcrypt verify -v"
	done
}

@test "long options by their full name only" {
	bytes 100 >plain
	for option in --outpu=x --out=x --key=$KEY --key-fil=$KEY --forc --f --quie --verb --rec=x; do
		gives 2 gcmcrypt seal -K "$KEY" "$option" plain
		says "${option%%=*}"
	done
	gives 2 gcmcrypt seal --hel
	gives 2 gcmcrypt --vers
	gives 2 gcmcrypt bench --lis
	only plain
}

@test "GNU forms: --name=value, -Kvalue, options behind operands, grouped letters, --" {
	bytes 100 >plain
	gives 0 gcmcrypt seal --key-file="$KEY" --output=one plain
	gives 0 gcmcrypt seal -K"$KEY" -otwo plain
	gives 0 gcmcrypt seal plain -K "$KEY" -o three
	gives 0 gcmcrypt seal -fqo three -K "$KEY" plain
	gives 0 gcmcrypt seal -K "$KEY" -- plain
	gives 2 gcmcrypt seal --force=yes -K "$KEY" plain
	only plain one two three plain.gcm
}

@test "an option that is another command's is refused" {
	sealed plain.gcm 100
	gives 2 gcmcrypt open -r "$RECIPIENT" plain.gcm
	gives 2 gcmcrypt verify -o out -K "$KEY" plain.gcm
	gives 2 gcmcrypt verify -f -K "$KEY" plain.gcm
	gives 2 gcmcrypt seal -i "$IDENTITY" plain.gcm
	gives 2 gcmcrypt keygen -K "$KEY"
	gives 2 gcmcrypt keygen operand
	gives 2 gcmcrypt bench operand
	only plain.gcm
}

@test "-k is not needed, and says so" {
	bytes 100 >plain
	gives 2 gcmcrypt seal -k -K "$KEY" plain
	says "originals are always kept; -k is not needed"
	only plain
}

@test "numbers in plain decimal with K, M or G, and nothing else" {
	bytes 100 >plain
	for number in +3 03 0x3 3.0 3e0 -3 " 3" "3 " 3k 3KB 3KiB K "" 3KM; do
		gives 2 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory "$number" plain
		gives 2 gcmcrypt seal --passphrase-file "$PASS" --kdf-passes "$number" plain
		gives 2 gcmcrypt open --passphrase-file "$PASS" --max-kdf-memory "$number" plain.gcm
		gives 2 gcmcrypt open --passphrase-file "$PASS" --max-kdf-cost "$number" plain.gcm
		gives 2 gcmcrypt bench --size "$number"
	done
	only plain
	gives 0 gcmcrypt seal -q --passphrase-file "$PASS" --kdf-memory 8192 --kdf-passes 1 plain
	gives 0 gcmcrypt seal -fq --passphrase-file "$PASS" --kdf-memory 8K --kdf-passes 1 plain
	gives 0 gcmcrypt seal -fq --passphrase-file "$PASS" --kdf-memory 8M --kdf-passes 1 plain
}

@test "a kernel by name: those of bench --list, no other" {
	bytes 100000 >plain
	while read -r name usable _; do
		[ "${usable%,}" = yes ] || {
			gives 2 gcmcrypt seal --kernel "$name" -K "$KEY" -o out plain
			continue
		}
		gives 0 gcmcrypt seal --kernel "$name" -K "$KEY" -f -o "$name.gcm" plain
		for file in *.gcm; do
			gives 0 gcmcrypt open --kernel "$name" -K "$KEY" -o - "$file"
			same "$OUT" plain
		done
	done < <(gcmcrypt bench --list)
	assert_exist soft.gcm
	for name in nonsense "" SOFT sof; do
		gives 2 gcmcrypt seal --kernel "$name" -K "$KEY" -o out plain
	done
	assert_not_exist out
}

@test "no configuration, no variable with options" {
	bytes 100 >plain
	gives 0 env GCMCRYPT_OPTIONS=--force GCMCRYPT=-f GCMCRYPT_PASSPHRASE=x POSIXLY_CORRECT=1 \
		gcmcrypt seal -K "$KEY" plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
}

@test "-v says more, -q less, errors stay" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -v -K "$KEY" plain
	[ -s "$ERR" ]
	run ! grep -v '^gcmcrypt: ' "$ERR"
	gives 0 gcmcrypt seal -q -f -K "$KEY" plain
	says_nothing
	gives 1 gcmcrypt seal -q -K "$KEY" missing
	says "gcmcrypt: missing: "
}

@test "every line of every message starts with the program's name" {
	bytes 100 >plain
	run bash -c "cd '$PWD'
		gcmcrypt; gcmcrypt x; gcmcrypt seal --bad; gcmcrypt seal -K; gcmcrypt open plain
		gcmcrypt seal -K missing plain; gcmcrypt seal -r bad plain; gcmcrypt verify -K '$KEY' plain"
	run ! grep -v '^gcmcrypt: ' <<<"$output"
}
