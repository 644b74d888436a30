#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# seal --keyref FILE: a secret that does not open FILE seals nothing.

load common

# ref.gcm opens with $PASS, $KEY and $IDENTITY; plain is to be sealed.
prepare() {
	bytes 100 >plain
	gcmcrypt seal --passphrase-file "$PASS" -K "$KEY" -r "$RECIPIENT" "${CHEAP[@]}" -o ref.gcm plain
	echo swordfysh >"$AWAY/wrong"
}

# refused STATUS OPTION...: and nothing is made.
refused() {
	gives "$1" gcmcrypt seal "${CHEAP[@]}" --keyref ref.gcm "${@:2}" plain
	only plain ref.gcm
}

@test "what opens the file seals; one wrong secret among several does not" {
	prepare
	for option in "--passphrase-file $PASS" "-K $KEY" "-K $KEY --passphrase-file $PASS"; do
		# shellcheck disable=SC2086 # options and their values
		gives 0 gcmcrypt seal -f --keyref ref.gcm $option "${CHEAP[@]}" plain
		says_nothing
		# shellcheck disable=SC2086
		gives 0 gcmcrypt verify $option plain.gcm
	done
	rm plain.gcm
	refused 3 --passphrase-file "$AWAY/wrong"
	assert_equal "$(cat "$ERR")" "gcmcrypt: ref.gcm: wrong passphrase
gcmcrypt: hint: --keyref: nothing was sealed"
	refused 3 -K "$OTHER_KEY"
	says "gcmcrypt: ref.gcm: the key given does not open this file"
	refused 3 -K "$KEY" -K "$OTHER_KEY"
	says "gcmcrypt: ref.gcm: one of the keys given does not open this file"
	refused 3 -K "$KEY" --passphrase-file "$AWAY/wrong"
	says "ref.gcm: wrong passphrase"
	refused 3 -K "$OTHER_KEY" --passphrase-file "$PASS"
	says "ref.gcm: the key given does not open this file"
}

@test "a recipient cannot be checked, nor can a bare file" {
	prepare
	refused 2 -r "$RECIPIENT"
	says "--keyref: a recipient cannot be checked without its identity"
	says "hint: "
	echo "$RECIPIENT" >"$AWAY/recipients"
	refused 2 -K "$KEY" -R "$AWAY/recipients"
	refused 2 --bare -K "$KEY"
	says "--keyref looks at a header, and --bare has none"
}

@test "a file that is not there, not sealed, damaged, or too dear says so" {
	prepare
	flip ref.gcm 100
	refused 4 -K "$KEY"
	says "ref.gcm: damaged: its header is not as it was written"
	cp plain ref.gcm
	refused 6 -K "$KEY"
	says "ref.gcm: not a gcmcrypt file"
	sealed ref2.gcm 100
	mv ref2.gcm ref.gcm
	refused 3 --passphrase-file "$PASS"
	says "ref.gcm: no passphrase opens this file: it has no passphrase slot"
	gcmcrypt seal -q -f --passphrase-file "$PASS" --kdf-memory 4M --kdf-passes 1 -o ref.gcm plain
	refused 7 --passphrase-file "$PASS" --max-kdf-memory 2M
	says "hint: to allow it: --max-kdf-memory 4M"
	rm ref.gcm
	gives 1 gcmcrypt seal --keyref ref.gcm -K "$KEY" plain
	says "gcmcrypt: ref.gcm: No such file or directory"
	gives 2 gcmcrypt seal --keyref . -K "$KEY" plain
	gives 2 gcmcrypt seal --keyref - -K "$KEY" <plain
	says "standard input: cannot be used twice"
	only plain
}

@test "it is looked at once for all files, and before a command runs" {
	prepare
	cp plain more
	gives 3 gcmcrypt seal --keyref ref.gcm --passphrase-file "$AWAY/wrong" "${CHEAP[@]}" plain more
	assert_equal "$(grep -c "wrong passphrase" "$ERR")" 1
	says "2 of 2 files failed"
	gives 3 gcmcrypt seal --from-command --keyref ref.gcm -K "$OTHER_KEY" -o out -- touch ran
	only plain more ref.gcm
	# The old version of the output, by way of a pipe too.
	gives 0 gcmcrypt seal -f --keyref ref.gcm -K "$KEY" -o ref.gcm plain
	gives 0 gcmcrypt seal --keyref - -K "$KEY" plain more <ref.gcm
	gives 0 gcmcrypt verify -K "$KEY" ref.gcm plain.gcm more.gcm
}

@test "on a terminal it is asked for as open does: once, and three tries" {
	command -v expect >/dev/null || skip "no expect"
	prepare
	gives 0 expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 5 \
		"Passphrase: " $'\r' "Passphrase: " $'wrong\r' "Passphrase: " "$PASSPHRASE"$'\r' \
		"status 0" "" "Passphrase: " $'\x03' bash -c 'trap : INT
			'"gcmcrypt seal ${CHEAP[*]} --keyref ref.gcm plain"'
			echo status $?
			gcmcrypt seal -f --keyref ref.gcm plain
			[ $? -eq 130 ]' </dev/null
	writes "the passphrase is empty"
	writes "ref.gcm: wrong passphrase; try again"
	gives 0 gcmcrypt verify --passphrase-file "$PASS" plain.gcm
	only plain ref.gcm plain.gcm
}
