#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# One rule for every source of a passphrase: one final LF or CRLF is dropped; what is left is 1 to
# 1024 bytes without NUL, CR and LF. (The terminal's half of the rule is in terminal.bats.)

load common

# sources TEXT: the passphrase TEXT (printf escapes) through each source, in turn: a command to run.
seal_from_file() { printf '%b' "$1" >"$AWAY/typed" && gcmcrypt seal --passphrase-file "$AWAY/typed" "${CHEAP[@]}" -f -o out.gcm plain; }
seal_from_fd() { printf '%b' "$1" >"$AWAY/typed" && gcmcrypt seal --passphrase-fd 7 "${CHEAP[@]}" -f -o out.gcm plain 7<"$AWAY/typed"; }
seal_from_pipe() { printf '%b' "$1" | gcmcrypt seal --passphrase-fd 0 "${CHEAP[@]}" -f -o out.gcm plain; }
seal_from_fifo() { gcmcrypt seal --passphrase-file <(printf '%b' "$1") "${CHEAP[@]}" -f -o out.gcm plain; }
SOURCES=(seal_from_file seal_from_fd seal_from_pipe seal_from_fifo)

# accepted WRITTEN MEANT: sealed under what a source wrote, it opens under what was meant.
accepted() {
	local source
	printf '%s' "$2" >"$AWAY/meant"
	for source in "${SOURCES[@]}"; do
		gives 0 "$source" "$1"
		gives 0 gcmcrypt open --passphrase-file "$AWAY/meant" -f -o back out.gcm
		same back plain
		rm out.gcm back
	done
}

refused() {
	local source
	for source in "${SOURCES[@]}"; do
		gives 2 "$source" "$1"
		only plain
	done
}

@test "no newline, LF, CRLF" {
	bytes 10 >plain
	accepted 'swordfish' swordfish
	accepted 'swordfish\n' swordfish
	accepted 'swordfish\r\n' swordfish
}

@test "spaces and bytes over 127 count, as they are" {
	bytes 10 >plain
	accepted ' sword fish \n' ' sword fish '
	accepted 'na\xc3\xafve\xff\n' $'na\xc3\xafve\xff'
	printf 'swordfish' >"$AWAY/meant"
	printf 'swordfish ' >"$AWAY/other"
	gives 0 gcmcrypt seal --passphrase-file "$AWAY/meant" "${CHEAP[@]}" plain
	gives 3 gcmcrypt open --passphrase-file "$AWAY/other" -o out plain.gcm
}

@test "only one newline is dropped: a second is an error" {
	bytes 10 >plain
	refused 'swordfish\n\n'
	refused 'swordfish\r\n\r\n'
	refused 'swordfish\r\r\n'
}

@test "CR, LF and NUL inside, a lone final CR" {
	bytes 10 >plain
	refused 'sword\rfish\n'
	refused 'sword\nfish\n'
	refused 'sword\0000fish\n'
	refused 'swordfish\0000'
	refused 'swordfish\r'
}

@test "empty, and nothing but a newline" {
	bytes 10 >plain
	refused ''
	refused '\n'
	refused '\r\n'
}

@test "1024 bytes are taken, 1025 are not, newline or none" {
	bytes 10 >plain
	long=$(printf 'x%.0s' {1..1024})
	accepted "$long" "$long"
	accepted "$long\\n" "$long"
	accepted "$long\\r\\n" "$long"
	refused "${long}x"
	refused "${long}x\\n"
	refused "$long$long$long\\n"
}

@test "a source without end is refused, not read for ever" {
	bytes 10 >plain
	gives 2 timeout 10 gcmcrypt seal --passphrase-file /dev/zero "${CHEAP[@]}" plain
	only plain
}

@test "two sources are an error" {
	bytes 10 >plain
	# shellcheck disable=SC2094 # both are read
	gives 2 gcmcrypt seal --passphrase-file "$PASS" --passphrase-fd 7 plain 7<"$PASS"
	gives 2 gcmcrypt seal --passphrase-file "$PASS" --passphrase-file "$PASS" plain
	only plain
}

@test "passphrase and data both from descriptor 0" {
	gives 2 gcmcrypt seal --passphrase-fd 0 "${CHEAP[@]}" <"$PASS"
	writes_nothing
	gives 2 gcmcrypt seal --passphrase-fd 0 "${CHEAP[@]}" - <"$PASS"
	gives 2 gcmcrypt seal --passphrase-file - "${CHEAP[@]}" <"$PASS"
	sealed plain.gcm 10
	gives 2 gcmcrypt open --passphrase-fd 0 <plain.gcm
	only plain.gcm
}

@test "a descriptor that is not open, or not a number" {
	bytes 10 >plain
	gives 1 gcmcrypt seal --passphrase-fd 77 plain
	# Those that the program itself may have opened by then are none that anybody handed over.
	for number in 3 4 5 6 64 65 66; do
		gives 1 timeout 10 bash -c 'exec 3>&- 4>&- 5>&- 6>&-
			exec gcmcrypt seal --passphrase-fd "$0" -K "$1" -o out plain' $number "$KEY"
		assert_equal "$(cat "$ERR")" "gcmcrypt: --passphrase-fd: Bad file descriptor"
	done
	for number in x -1 +7 07 0x7 7x "" 99999999999999999999; do
		gives 2 gcmcrypt seal --passphrase-fd "$number" plain 7<"$PASS"
	done
	only plain
}

@test "no key and no terminal: exit 2 with a hint, and no wait" {
	bytes 10 >plain
	sealed_with_pass=$AWAY/sealed.gcm
	gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -o "$sealed_with_pass" plain
	gives 2 timeout 5 setsid -w gcmcrypt seal plain
	says "gcmcrypt: no passphrase given and no terminal to ask on"
	says "gcmcrypt: hint: "
	gives 2 timeout 5 setsid -w gcmcrypt open -o out "$sealed_with_pass"
	says "no passphrase given and no terminal to ask on"
	gives 2 timeout 5 setsid -w gcmcrypt verify "$sealed_with_pass"
	only plain
}

@test "an error of the header comes before that of a missing key" {
	printf 'a photo, say' >photo.gcm
	gives 6 timeout 5 setsid -w gcmcrypt open photo.gcm
	: >empty.gcm
	gives 5 timeout 5 setsid -w gcmcrypt open empty.gcm
}

@test "with any key option the terminal is never asked" {
	bytes 10 >plain
	gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" plain
	gives 3 timeout 5 setsid -w gcmcrypt open -K "$KEY" -o out plain.gcm
}

@test "the passphrase shows in no argument and is not asked for on the command line" {
	bytes 10 >plain
	gives 2 gcmcrypt seal --passphrase "$PASSPHRASE" plain
	gives 2 gcmcrypt seal -p "$PASSPHRASE" plain
	only plain
}

@test "a cheap Argon2 warns, -q silences it" {
	bytes 10 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 64K --kdf-passes 1 plain
	says "gcmcrypt: "
	assert_equal "$(wc -l <"$ERR")" 1
	gives 0 gcmcrypt seal -f -q --passphrase-file "$PASS" --kdf-memory 64K --kdf-passes 1 plain
	says_nothing
}
