#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# Passphrases where there is none, or one too many for a descriptor; what Argon2 may cost to a guesser.
# (What each source may give is in sources.bats.)

load common

@test "a passphrase is bytes, as they are" {
	bytes 10 >plain
	printf 'swordfish' >"$AWAY/meant"
	printf 'swordfish ' >"$AWAY/other"
	gives 0 gcmcrypt seal --passphrase-file "$AWAY/meant" "${CHEAP[@]}" plain
	gives 3 gcmcrypt open --passphrase-file "$AWAY/other" -o out plain.gcm
}

@test "a source without end is refused, not read for ever" {
	bytes 10 >plain
	gives 2 timeout 10 gcmcrypt seal --passphrase-file /dev/zero "${CHEAP[@]}" plain
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
	says "gcmcrypt: hint: use --passphrase-file FILE, --passphrase-fd N or -K KEYFILE"
	gives 2 timeout 5 setsid -w gcmcrypt open -o out "$sealed_with_pass"
	says "no passphrase given and no terminal to ask on"
	says "gcmcrypt: hint: use --passphrase-file FILE, --passphrase-fd N, -K KEYFILE or -i IDENTITY"
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
