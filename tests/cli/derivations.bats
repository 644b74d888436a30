#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# How often Argon2id runs, counted where the program calls it: once for all files of a seal, once
# for each salt and cost when opening, never for what is over a cap or what a key opens.

load common

needs() {
	not_sanitized "LD_PRELOAD"
	[ "$(uname)" = Linux ] || skip "LD_PRELOAD"
	"$CC" -O1 -shared -fPIC -o "$AWAY/count.so" "$BATS_TEST_DIRNAME/count_argon2.c" -ldl
}

# counted STATUS "PASSES KIB ..." COMMAND...: it ends so after these derivations, in their order.
counted() {
	: >"$AWAY/derivations"
	gives "$1" env LD_PRELOAD="$AWAY/count.so" GCMCRYPT_TEST_DERIVATIONS="$AWAY/derivations" \
		timeout 20 "${@:3}"
	assert_equal "$(tr '\n' ' ' <"$AWAY/derivations" | sed 's/ $//')" "$2"
}

# A file of slots as make_header.py has them, which nobody can open.
stranger() {
	"$PYTHON" "$BATS_TEST_DIRNAME/make_header.py" "$@" >file.gcm
	head -c 200 /dev/zero >>file.gcm
}
trying() { counted "$1" "$2" gcmcrypt verify --passphrase-file "$PASS" "${@:3}" file.gcm; }

@test "one for a seal of many files, none without a passphrase" {
	for name in one two three four; do bytes 10 >$name; done
	counted 0 "1 64" gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" one two three four
	counted 0 "1 64" gcmcrypt seal -f --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" one two
	counted 0 "" gcmcrypt seal -f -K "$KEY" one two
	counted 1 "1 64" gcmcrypt seal -f --passphrase-file "$PASS" "${CHEAP[@]}" missing one
}

@test "none for a seal that is refused" {
	bytes 10 >plain
	bytes 10 >plain.gcm
	counted 2 "" gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" plain
	counted 1 "" gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" missing
	counted 2 "" gcmcrypt seal --passphrase-env MISSING "${CHEAP[@]}" plain
	counted 8 "" gcmcrypt seal -f --passphrase-command false "${CHEAP[@]}" plain
}

@test "when opening, one for each salt and cost, in whatever order the files come" {
	for name in one two three; do bytes 10 >$name; done
	gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" one two
	gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 128K --kdf-passes 2 -q three
	counted 0 "1 64" gcmcrypt verify --passphrase-file "$PASS" one.gcm two.gcm one.gcm
	counted 0 "1 64 2 128" gcmcrypt verify --passphrase-file "$PASS" one.gcm three.gcm two.gcm three.gcm
	gcmcrypt seal -f --passphrase-file "$PASS" "${CHEAP[@]}" two
	counted 0 "1 64 1 64" gcmcrypt verify --passphrase-file "$PASS" one.gcm two.gcm one.gcm two.gcm
	# A wrong passphrase costs no more than the right one.
	echo wrong >wrong
	counted 3 "1 64 2 128" gcmcrypt verify --passphrase-file wrong one.gcm three.gcm one.gcm
}

@test "on a terminal one for each try, and one for all files; with --keyref one more" {
	command -v expect >/dev/null || skip "no expect"
	at_terminal() { counted "$1" "$2" expect -f "$BATS_TEST_DIRNAME/dialogue.exp" "${@:3}" </dev/null; }
	bytes 10 | tee one >two
	gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" one two
	at_terminal 0 "1 64 1 64 1 64" 3 "Passphrase: " $'a\r' "Passphrase: " $'b\r' \
		"Passphrase: " "$PASSPHRASE"$'\r' gcmcrypt verify one.gcm two.gcm
	at_terminal 3 "1 64 1 64 1 64" 3 "Passphrase: " $'a\r' "Passphrase: " $'b\r' \
		"Passphrase: " $'c\r' gcmcrypt verify one.gcm two.gcm
	at_terminal 0 "1 64 1 128" 1 "Passphrase: " "$PASSPHRASE"$'\r' \
		gcmcrypt seal -f --keyref one.gcm --kdf-memory 128K --kdf-passes 1 one two
	# A key that opens nothing costs none.
	counted 3 "" gcmcrypt seal -f --keyref one.gcm -K "$KEY" --passphrase-file "$PASS" one
}

@test "more salts than are remembered: every file still opens" {
	bytes 10 >plain
	for number in {1..18}; do
		gcmcrypt seal --passphrase-file "$PASS" --kdf-memory "$((number + 7))K" --kdf-passes 1 -q \
			-o "$number.gcm" plain
	done
	counted 0 "$(for number in {1..18}; do printf '1 %s ' $((number + 7)); done | sed 's/ $//')" \
		gcmcrypt verify --passphrase-file "$PASS" {1..18}.gcm 18.gcm 17.gcm 3.gcm
	counted 0 "$(for number in {1..18} 1 2; do printf '1 %s ' $((number + 7)); done | sed 's/ $//')" \
		gcmcrypt verify --passphrase-file "$PASS" {1..18}.gcm {1..2}.gcm
}

@test "none where a key opens, or where nothing could" {
	bytes 10 >plain
	gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -r "$RECIPIENT" plain
	counted 0 "" gcmcrypt verify --passphrase-file "$PASS" -K "$KEY" plain.gcm
	counted 0 "" gcmcrypt verify --passphrase-file "$PASS" -i "$IDENTITY" plain.gcm
	counted 0 "1 64" gcmcrypt verify --passphrase-file "$PASS" -K "$OTHER_KEY" plain.gcm
	flip plain.gcm 100
	counted 4 "" gcmcrypt verify --passphrase-file "$PASS" plain.gcm
	gcmcrypt seal -f -K "$KEY" plain
	counted 3 "" gcmcrypt verify --passphrase-file "$PASS" plain.gcm
}

@test "equal slots once, at most eight, in the order of the file" {
	stranger 1:8:1 1:8:1 1:8:2 1:8:1
	trying 3 "1 8 1 8"
	slots=()
	for kib in {8..20}; do slots+=("1:$kib:$kib"); done
	stranger "${slots[@]}"
	trying 7 "1 8 1 9 1 10 1 11 1 12 1 13 1 14 1 15"
}

@test "a slot over a cap is skipped, costs nothing, and those behind it still run" {
	stranger 1:4294967295 1:8 4294967295:8 1:9
	trying 7 "1 8 1 9"
	stranger 2:1024:1 50:1024:2 2:1024:3 2:1024:4
	trying 7 "2 1024 2 1024" --max-kdf-cost 4M
	trying 7 "2 1024 2 1024 2 1024" --max-kdf-cost 6M
	stranger 1:1024 1:1025
	trying 7 "1 1024" --max-kdf-memory 1M
	stranger 4294967295:4294967295
	trying 7 ""
}
