#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# rekey: slots go and come, and the payload stays byte for byte.

load common

# Slot bodies and the payload of a file, for comparison: payload FILE.
payload() { tail -c "+$(($(header_bytes "$1") + 1))" "$1"; }
slots() { gcmcrypt info "$1" | sed -n 's/^slot [0-9]* *//p'; }

# opens_with FILE OPTION...: and gives what was sealed.
opens_with() { gcmcrypt open "${@:2}" -o - "$1" | cmp - plain || fail "not as it was: $*"; }
refuses() { gives 3 gcmcrypt verify "${@:2}" "$1"; }

# given: plain.gcm under $KEY, a recipient and a passphrase, of three chunks.
given() {
	bytes 40000 >plain
	gcmcrypt seal -K "$KEY" -r "$RECIPIENT" --passphrase-file "$PASS" "${CHEAP[@]}" plain
	cp plain.gcm "$AWAY/old.gcm"
}

COPIES="copies made before, of a file or its header, still open with the old key; only sealing again revokes it"

@test "the new key takes the place of the one that opened the file; all else stays" {
	given
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" plain.gcm
	says "gcmcrypt: $COPIES"
	writes_nothing
	only plain plain.gcm
	opens_with plain.gcm -K "$OTHER_KEY"
	opens_with plain.gcm -i "$IDENTITY"
	opens_with plain.gcm --passphrase-file "$PASS"
	refuses plain.gcm -K "$KEY"
	payload plain.gcm | cmp - <(payload "$AWAY/old.gcm")
	assert_equal "$(slots plain.gcm)" "$(slots "$AWAY/old.gcm")"
	# The slots that stay are byte for byte as they were; magic, version and flags too.
	slice plain.gcm 0 108 | cmp - <(slice "$AWAY/old.gcm" 0 108)
	slice plain.gcm 208 100 | cmp - <(slice "$AWAY/old.gcm" 208 100)
	run ! cmp -s <(slice plain.gcm 108 100) <(slice "$AWAY/old.gcm" 108 100)
}

@test "each kind of key opens the file, and comes in" {
	given
	echo other >"$AWAY/other-passphrase"
	gives 0 gcmcrypt rekey -q --passphrase-file "$PASS" --new-passphrase-file "$AWAY/other-passphrase" \
		"${CHEAP[@]}" plain.gcm
	refuses plain.gcm --passphrase-file "$PASS"
	opens_with plain.gcm --passphrase-file "$AWAY/other-passphrase"
	gives 0 gcmcrypt rekey -q -i "$IDENTITY" --new-key-file "$OTHER_KEY" plain.gcm
	refuses plain.gcm -i "$IDENTITY"
	gives 0 gcmcrypt rekey -q -K "$OTHER_KEY" --new-recipient "$RECIPIENT" plain.gcm
	refuses plain.gcm -K "$OTHER_KEY"
	opens_with plain.gcm -i "$IDENTITY"
	opens_with plain.gcm -K "$KEY"
	opens_with plain.gcm --passphrase-file "$AWAY/other-passphrase"
}

@test "every source of the new passphrase" {
	bytes 100 >plain
	for how in "--new-passphrase-file $AWAY/typed" "--new-passphrase-file -" "--new-passphrase-fd 0" \
		"--new-passphrase-fd 7" "--new-passphrase-command cat<$AWAY/typed" "--new-passphrase-env TYPED"; do
		gcmcrypt seal -f -K "$KEY" plain
		printf 'sword fish\r\n' >"$AWAY/typed"
		# shellcheck disable=SC2086 # an option and its value
		gives 0 env TYPED="sword fish" gcmcrypt rekey -K "$KEY" $how "${CHEAP[@]}" plain.gcm \
			<"$AWAY/typed" 7<"$AWAY/typed"
		printf 'sword fish' >"$AWAY/meant"
		opens_with plain.gcm --passphrase-file "$AWAY/meant"
		refuses plain.gcm -K "$KEY"
	done
}

@test "passphrases by the one rule; two sources, and one for two passphrases, are refused" {
	given
	remember
	for bad in '' '\n' 'a\0b' 'a\nb' 'a\rb'; do
		# shellcheck disable=SC2059
		printf "$bad" >"$AWAY/typed"
		gives 2 gcmcrypt rekey -K "$KEY" --new-passphrase-file "$AWAY/typed" "${CHEAP[@]}" plain.gcm
		says "gcmcrypt: $AWAY/typed: "
		gives 2 gcmcrypt rekey -K "$KEY" --new-passphrase-fd 7 "${CHEAP[@]}" plain.gcm 7<"$AWAY/typed"
		says "gcmcrypt: --new-passphrase-fd: "
	done
	gives 2 gcmcrypt rekey -K "$KEY" --new-passphrase-file x --new-passphrase-fd 7 plain.gcm
	says "--new-passphrase-file and --new-passphrase-fd: one source, not two"
	gives 2 gcmcrypt rekey -K "$KEY" --new-passphrase-env x --new-passphrase-command x plain.gcm
	says "--new-passphrase-command and --new-passphrase-env: one source, not two"
	gives 2 gcmcrypt rekey -K "$KEY" --new-passphrase --new-passphrase-file x plain.gcm
	says "--new-passphrase asks on the terminal: one source, not two"
	gives 2 gcmcrypt rekey --passphrase-file - --new-passphrase-fd 0 plain.gcm <"$PASS"
	says "standard input: cannot be used twice"
	gives 2 gcmcrypt rekey --passphrase-fd 7 --new-passphrase-fd 7 plain.gcm 7<"$PASS"
	says "two passphrases need two descriptors"
	gives 2 env W="$PASSPHRASE" gcmcrypt rekey --passphrase-env W --new-passphrase-env W plain.gcm
	says "two passphrases need two variables"
	gives 2 gcmcrypt rekey --passphrase-fd 7 --new-passphrase-fd 8 plain.gcm 7< <(cat "$PASS") 8<&7
	says "--new-passphrase-fd: cannot be used twice"
	gives 1 gcmcrypt rekey --passphrase-file missing --new-key-file "$KEY" plain.gcm
	gives 1 gcmcrypt rekey -K "$KEY" --new-key-file missing plain.gcm
	says "gcmcrypt: missing: No such file or directory"
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$PASS" plain.gcm
	gives 2 gcmcrypt rekey -K "$KEY" --new-recipient "$IDENTITY_TEXT" plain.gcm
	says "--new-recipient: not a recipient of the form gcmc1..."
	says_not "GCMC-SECRET"
	gives 8 gcmcrypt rekey -K "$KEY" --new-passphrase-command 'exit 3' "${CHEAP[@]}" plain.gcm
	unchanged
}

@test "a descriptor that nobody handed over is none of rekey's own files" {
	given
	remember
	for fd in 3 4 5 6 7 8 9; do
		gives 1 gcmcrypt rekey --passphrase-file "$PASS" --new-passphrase-fd $fd plain.gcm \
			3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
		says "--new-passphrase-fd: Bad file descriptor"
		gives 1 gcmcrypt rekey --passphrase-fd $fd --new-passphrase-file "$PASS" plain.gcm \
			3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
		says "--passphrase-fd: Bad file descriptor"
	done
	unchanged
}

@test "--add keeps the slot that opened the file" {
	given
	gives 0 gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" plain.gcm
	says_nothing
	opens_with plain.gcm -K "$KEY"
	opens_with plain.gcm -K "$OTHER_KEY"
	assert_equal "$(slots plain.gcm | wc -l)" 4
	payload plain.gcm | cmp - <(payload "$AWAY/old.gcm")
}

@test "a key file that a slot which stays has already gets no other" {
	given
	for _ in 1 2; do
		gives 0 gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" plain.gcm
		opens_with plain.gcm -K "$OTHER_KEY"
		assert_equal "$(slots plain.gcm | grep -c "key file")" 2
	done
	says "plain.gcm: warning: a slot that stays has that new key; it counts once"
	# The slot that goes is none of those.
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" plain.gcm
	assert_equal "$(slots plain.gcm | grep -c "key file")" 1
	opens_with plain.gcm -K "$OTHER_KEY"
	gives 0 gcmcrypt rekey -q -K "$OTHER_KEY" --new-key-file "$OTHER_KEY" plain.gcm
	says_nothing
	opens_with plain.gcm -K "$OTHER_KEY"
}

@test "several keys come in at once" {
	given
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" --new-recipient "$RECIPIENT" \
		--new-passphrase-file "$PASS" "${CHEAP[@]}" plain.gcm
	assert_equal "$(slots plain.gcm | cut -d' ' -f1 | tr -d '\n;')" passphrasepassphrasekeyX25519X25519
	refuses plain.gcm -K "$KEY"
	opens_with plain.gcm -K "$OTHER_KEY"
}

@test "--remove takes out slots by the numbers of info, and not the one that opened the file" {
	given
	gives 0 gcmcrypt rekey -K "$KEY" --remove 3 plain.gcm
	says "$COPIES"
	refuses plain.gcm -i "$IDENTITY"
	opens_with plain.gcm -K "$KEY"
	gives 0 gcmcrypt rekey -K "$KEY" --remove 1 --new-key-file "$OTHER_KEY" plain.gcm
	refuses plain.gcm --passphrase-file "$PASS"
	opens_with plain.gcm -K "$KEY"
	opens_with plain.gcm -K "$OTHER_KEY"
	gives 0 gcmcrypt rekey -K "$OTHER_KEY" --remove 1 plain.gcm
	refuses plain.gcm -K "$KEY"
	opens_with plain.gcm -K "$OTHER_KEY"
	cp "$AWAY/old.gcm" plain.gcm
	gives 0 gcmcrypt rekey -K "$KEY" --remove 1 --remove 2 plain.gcm
	assert_equal "$(slots plain.gcm)" "X25519 recipient"
	opens_with plain.gcm -i "$IDENTITY"
}

@test "the last slot is not taken out, nor one that is not there" {
	given
	remember
	gives 2 gcmcrypt rekey -K "$KEY" --remove 1 --remove 2 --remove 3 plain.gcm
	says "plain.gcm: would be left with no slot that opens it"
	gives 2 gcmcrypt rekey -K "$KEY" --remove 4 plain.gcm
	says "plain.gcm: has no slot 4: there are 3"
	for number in 0 65 -1 +1 01 1K x ""; do
		gives 2 gcmcrypt rekey -K "$KEY" --remove "$number" plain.gcm
		says "--remove: not the number of a slot, 1 to 64"
	done
	unchanged
	# A spare slot opens nothing.
	gcmcrypt seal -K "$KEY" --spare 100 -o spare.gcm plain
	gives 2 gcmcrypt rekey -K "$KEY" --remove 1 spare.gcm
	gives 0 gcmcrypt rekey -K "$KEY" --remove 2 spare.gcm
	assert_equal "$(slots spare.gcm)" "key file"
	gives 0 gcmcrypt rekey -K "$KEY" --remove 1 --new-key-file "$OTHER_KEY" spare.gcm
	opens_with spare.gcm -K "$OTHER_KEY"
}

@test "no new key: refused, unless both can be asked for" {
	given
	remember
	for options in "-K $KEY" "-K $KEY --add" "-K $KEY --add --remove 1" "--passphrase-file $PASS"; do
		# shellcheck disable=SC2086
		gives 2 gcmcrypt rekey $options plain.gcm
		says "no new key is given"
	done
	gives 2 setsid -w gcmcrypt rekey plain.gcm </dev/null
	says "no passphrase given and no terminal to ask on"
	says "hint: use --passphrase-file FILE,"
	gives 2 setsid -w gcmcrypt rekey -K "$KEY" --new-passphrase "${CHEAP[@]}" plain.gcm </dev/null
	says "no passphrase given and no terminal to ask on"
	says "hint: use --new-passphrase-file FILE, --new-passphrase-fd N or --new-key-file KEYFILE"
	unchanged
}

@test "at a terminal: the old passphrase once, the new one twice" {
	command -v expect >/dev/null || skip "no expect"
	given
	echo new >"$AWAY/typed"
	gives 0 expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 3 "Passphrase: " "$PASSPHRASE"$'\r' \
		"words: " $'new\r' "again: " $'new\r' gcmcrypt rekey "${CHEAP[@]}" plain.gcm </dev/null
	opens_with plain.gcm --passphrase-file "$AWAY/typed"
	refuses plain.gcm --passphrase-file "$PASS"
	gives 0 expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 2 "words: " $'newer\r' "again: " $'newer\r' \
		gcmcrypt rekey -K "$KEY" --new-passphrase --new-key-file "$OTHER_KEY" "${CHEAP[@]}" plain.gcm </dev/null
	echo newer >"$AWAY/typed"
	opens_with plain.gcm --passphrase-file "$AWAY/typed"
	opens_with plain.gcm -K "$OTHER_KEY"
	cp plain.gcm "$AWAY/before.gcm"
	gives 2 expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 6 "words: " $'one\r' "again: " $'two\r' \
		"words: " $'one\r' "again: " $'two\r' "words: " $'one\r' "again: " $'two\r' gcmcrypt rekey -K "$OTHER_KEY" --new-passphrase "${CHEAP[@]}" plain.gcm </dev/null
	same plain.gcm "$AWAY/before.gcm"
}

@test "--dry-run prints what would change, and changes nothing" {
	given
	remember
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" --dry-run plain.gcm
	says_nothing
	assert_equal "$(cat "$OUT")" "\
slot 1      passphrase: stays
slot 2      key file, which opened it: goes
slot 3      X25519 recipient: stays
new slot 2  key file: comes
length      348 bytes of header, after 348
written     a new file"
	gives 0 gcmcrypt rekey -K "$KEY" --add --remove 1 --new-passphrase-file "$PASS" "${CHEAP[@]}" \
		--in-place --dry-run plain.gcm
	writes "slot 1      passphrase: goes"
	writes "new slot 3  passphrase: comes"
	writes "in place, the header alone"
	gives 2 gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" --in-place --dry-run plain.gcm
	says "has no room in its header"
	gives 3 gcmcrypt rekey -K "$OTHER_KEY" --new-key-file "$KEY" --dry-run plain.gcm
	gives 1 bash -c "gcmcrypt rekey -K '$KEY' --remove 1 --dry-run plain.gcm >/dev/full"
	says "No space left on device"
	unchanged
}

@test "several files: each, one passphrase, one word about old copies" {
	bytes 100 >plain
	for name in a b c; do gcmcrypt seal -K "$KEY" -o $name plain; done
	cp "$PASS" d
	gives 6 gcmcrypt rekey -K "$KEY" --new-passphrase-file "$PASS" "${CHEAP[@]:0:4}" a d b c
	says "1 of 4 files failed"
	assert_equal "$(grep -c "only sealing again revokes" "$ERR")" 1
	for name in a b c; do opens_with $name --passphrase-file "$PASS"; done
	# One derivation, so one salt.
	slice a 28 16 | cmp - <(slice b 28 16)
	gives 0 gcmcrypt rekey --passphrase-file "$PASS" --new-key-file "$KEY" --dry-run a b
	writes "a:"
	writes "b:"
}

@test "a run that was interrupted goes on with both keys" {
	bytes 100 >plain
	for name in a b; do gcmcrypt seal -K "$KEY" -o $name plain; done
	gcmcrypt rekey -q -K "$KEY" --new-key-file "$OTHER_KEY" a
	gives 0 gcmcrypt rekey -K "$KEY" -K "$OTHER_KEY" --new-key-file "$OTHER_KEY" a b
	for name in a b; do
		opens_with $name -K "$OTHER_KEY"
		assert_equal "$(slots $name)" "key file"
	done
}

@test "of several slots that open, the first goes, and one of a key before one of the passphrase" {
	given
	gives 0 gcmcrypt rekey --passphrase-file "$PASS" -i "$IDENTITY" -K "$KEY" --new-key-file "$OTHER_KEY" --dry-run plain.gcm
	writes "slot 2      key file, which opened it: goes"
}

@test "what open refuses, rekey refuses, by the same exit status" {
	given
	gcmcrypt seal -K "$KEY" --context tuesday -o context plain
	cp plain.gcm header
	flip header 60
	cp plain.gcm start
	flip start $((348 + 30))
	head -c 200 plain.gcm >cut.gcm
	head -c 360 plain.gcm >short
	: >empty
	remember
	gives 3 gcmcrypt rekey -K "$OTHER_KEY" --new-key-file "$KEY" plain.gcm
	says "plain.gcm: no key given opens this file"
	gives 4 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" header
	gives 4 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" start
	gives 4 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" context
	says "another --context"
	gives 5 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" cut.gcm
	gives 5 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" short
	gives 5 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" empty
	gives 6 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" plain
	unchanged
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" --context tuesday context
	opens_with context -K "$OTHER_KEY" --context tuesday
}

@test "what Argon2 may cost: the file's slots, and those that come" {
	given
	remember
	gives 7 gcmcrypt rekey --passphrase-file "$PASS" --new-key-file "$OTHER_KEY" --max-kdf-memory 32K plain.gcm
	gives 2 gcmcrypt rekey -K "$KEY" --new-passphrase-file "$PASS" --kdf-memory 2G plain.gcm
	says "readers refuse such a cost unless told otherwise"
	gives 2 gcmcrypt rekey -K "$KEY" --new-passphrase-file "$PASS" --kdf-memory 64K --kdf-passes 1 \
		--max-kdf-cost 100K plain.gcm
	says "together cost more than readers allow"
	unchanged
	for number in 2 3 4 5 6 7 8; do
		gives 0 gcmcrypt rekey -K "$KEY" --add --new-passphrase-file "$PASS" "${CHEAP[@]}" plain.gcm
	done
	gives 2 gcmcrypt rekey -K "$KEY" --add --new-passphrase-file "$PASS" "${CHEAP[@]}" plain.gcm
	says "more passphrase slots than readers try"
	gives 0 gcmcrypt rekey -K "$KEY" --remove 1 --new-passphrase-file "$PASS" "${CHEAP[@]}" plain.gcm
	opens_with plain.gcm --passphrase-file "$PASS"
}

@test "a header that is full takes no more" {
	bytes 100 >plain
	keys=()
	for number in {1..63}; do
		gcmcrypt keygen -o "$AWAY/key.$number"
		keys+=(--new-key-file "$AWAY/key.$number")
	done
	gcmcrypt seal -K "$KEY" plain
	remember
	gives 2 gcmcrypt rekey -K "$KEY" --add "${keys[@]}" --new-key-file "$OTHER_KEY" plain.gcm
	says "plain.gcm: more than a header can hold, which is 64 slots in 64 KiB"
	gives 2 gcmcrypt rekey -K "$KEY" --add "${keys[@]}" "${keys[@]}" plain.gcm
	says "--new-key-file: more than 64 new keys"
	unchanged
	gives 0 gcmcrypt rekey -K "$KEY" --add "${keys[@]}" plain.gcm
	opens_with plain.gcm -K "$KEY"
	opens_with plain.gcm -K "$AWAY/key.63"
	gives 2 gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" plain.gcm
}

@test "another implementation opens what was rekeyed" {
	"$PYTHON" -c 'import cryptography, argon2' 2>/dev/null || skip "no python3-cryptography"
	given
	gives 0 gcmcrypt rekey -K "$KEY" --new-recipient "$RECIPIENT" --new-key-file "$OTHER_KEY" \
		--new-passphrase-file "$PASS" "${CHEAP[@]}" plain.gcm
	for key in "-K $OTHER_KEY" "-i $IDENTITY" "-p $PASS"; do
		# shellcheck disable=SC2086 # an option and a name
		gives 0 "$PYTHON" "$TESTS/reference/open.py" open $key <plain.gcm
		same "$OUT" plain
	done
}

@test "slots of unknown and reserved types stay, and none of them is enough" {
	[ -n "$VECTORS" ] || skip "no vectors"
	for name in unknown_slot_first reserved_slot_04_skipped; do
		sed -n "s/^$name 0 //p" "$VECTORS/gcmcrypt_v1_cases.txt" |
			"$PYTHON" -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >case.gcm
		slots case.gcm >"$AWAY/slots"
		remember
		gives 2 gcmcrypt rekey -K "$KEY" --remove 2 case.gcm
		says "would be left with no slot that opens it"
		unchanged
		gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" case.gcm
		assert_equal "$(slots case.gcm)" "$(cat "$AWAY/slots")"
		gives 0 gcmcrypt verify -K "$OTHER_KEY" case.gcm
	done
}
