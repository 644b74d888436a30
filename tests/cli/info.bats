#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# info tells what a sealed file says about itself, without a key.

load common

@test "slots in their order, with what a passphrase costs, and the length" {
	bytes 40000 >plain
	gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 2M --kdf-passes 5 -q -K "$KEY" -r "$RECIPIENT" plain
	gives 0 timeout 5 setsid -w gcmcrypt info plain.gcm
	says_nothing
	writes 40000
	writes 348
	assert_equal "$(grep -nE '^slot' "$OUT" | grep -oE 'passphrase|key file|X25519' | tr '\n' ,)" \
		"passphrase,key file,X25519,"
	assert_regex "$(grep passphrase "$OUT")" '2(\.0)? MiB.*5 passes'
	only plain plain.gcm
}

@test "a pipe, and several files" {
	sealed one.gcm 100
	sealed two.gcm 20000
	gives 0 gcmcrypt info <one.gcm
	writes 100
	# shellcheck disable=SC2002
	cat two.gcm | gcmcrypt info - >"$OUT"
	writes 20000
	gives 0 gcmcrypt info one.gcm two.gcm
	writes one.gcm
	writes two.gcm
	writes 20000
}

@test "room that seal left is a spare slot, the last one, and the file opens" {
	bytes 100 >plain
	for bytes in 1 100 60K; do
		gives 0 gcmcrypt seal -f -K "$KEY" -r "$RECIPIENT" --spare "$bytes" plain
		gives 0 gcmcrypt info plain.gcm
		writes "slot 3      spare, $(numfmt --from=iec "$bytes") byte$([ "$bytes" = 1 ] || echo s)"
		writes "overhead    $((56 + 100 + 100 + 4 + $(numfmt --from=iec "$bytes") + 56 + 16)) bytes"
		gives 0 gcmcrypt open -i "$IDENTITY" -o - plain.gcm
		same "$OUT" plain
	done
}

@test "room that does not fit in a header is refused" {
	bytes 100 >plain
	for bytes in 65385 64K 5G; do
		gives 2 gcmcrypt seal -K "$KEY" --spare "$bytes" plain
		says "--spare: more than a header has room for, 65384 bytes"
	done
	gives 2 gcmcrypt seal -K "$KEY" --spare 65377 plain
	says "more than a header can hold, which is 64 slots in 64 KiB"
	only plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" --spare 65384 plain
	rm plain.gcm
	gives 0 gcmcrypt seal -K "$KEY" --spare 65376 plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
	gives 2 gcmcrypt seal --bare -K "$KEY" --spare 100 -o bare plain
	says "--bare makes no header"
	only plain plain.gcm
}

@test "spare, unknown and reserved slots are named" {
	[ -n "$VECTORS" ] || skip "GCMCRYPT_VECTORS is not set"
	for name in spare_last unknown_slot_first reserved_slot_04_skipped; do
		sed -n "s/^$name 0 //p" "$VECTORS/gcmcrypt_v1_cases.txt" |
			"$PYTHON" -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >$name
		gives 0 gcmcrypt info $name
		assert_equal "$(grep -c '^slot' "$OUT")" 2
		writes "key file"
	done
}

@test "files that open would refuse before it asks for a key" {
	sealed plain.gcm 100
	printf 'not ours' >foreign
	gives 6 gcmcrypt info foreign
	: >empty
	gives 5 gcmcrypt info empty
	head -c 150 plain.gcm >short
	gives 5 gcmcrypt info short
	head -c 215 plain.gcm >short
	gives 5 gcmcrypt info short
	cp plain.gcm bad
	flip bad 40
	gives 4 gcmcrypt info bad
	gives 1 gcmcrypt info missing
	gives 4 gcmcrypt info plain.gcm bad foreign
	gives 2 gcmcrypt info .
}

@test "with a key or passphrase: the slot that it opens" {
	bytes 100 >plain
	gcmcrypt seal "${CHEAP[@]}" --passphrase-file "$PASS" -K "$KEY" -r "$RECIPIENT" plain
	gcmcrypt info plain.gcm >"$AWAY/alone"
	run ! grep opened "$AWAY/alone"
	for given in "--passphrase-file $PASS" "-K $KEY" "-i $IDENTITY" "-K $OTHER_KEY -K $KEY"; do
		# shellcheck disable=SC2086 # an option and its argument
		gives 0 timeout 5 setsid -w gcmcrypt info $given plain.gcm
		says_nothing
		kind=$(sed -n 's/^opened *slot \([0-9]*\),.*/\1/p' "$OUT")
		case $given in
		--pass*) kind+=passphrase ;;
		-K*) kind+=key ;;
		*) kind+=X25519 ;;
		esac
		grep -q "^slot ${kind:0:1}  *${kind:1}" "$OUT" || fail "$given: $(cat "$OUT")"
		# All else is what it says without a key.
		run grep -v '^opened' "$OUT"
		assert_output "$(cat "$AWAY/alone")"
	done
	gives 0 gcmcrypt info --passphrase-fd 5 plain.gcm 5<"$PASS"
	writes "opened      slot 1,"
	gives 0 gcmcrypt info -K "$KEY" - <plain.gcm
	writes "opened      slot 2,"
}

@test "with one that does not open: all else is said, and the exit status is that of open" {
	bytes 40000 >plain
	gcmcrypt seal "${CHEAP[@]}" --passphrase-file "$PASS" -K "$KEY" plain
	gcmcrypt info plain.gcm >"$AWAY/alone"
	gives 3 gcmcrypt info -K "$OTHER_KEY" plain.gcm
	says "gcmcrypt: plain.gcm: no key given opens this file"
	same "$OUT" "$AWAY/alone"
	gives 3 gcmcrypt info --passphrase-file "$KEY" plain.gcm
	says "gcmcrypt: plain.gcm: wrong passphrase"
	gives 1 gcmcrypt info -K missing plain.gcm
	writes_nothing
	# A header of a stranger that costs more than the caps.
	"$PYTHON" "$TESTS/cli/make_header.py" 3:4000000 >dear
	gives 7 gcmcrypt info --passphrase-file "$PASS" dear
	says "--max-kdf-memory"
	writes "Argon2id takes 3.8 GiB"
	# The payload is not looked at.
	head -c $(($(header_bytes plain.gcm) + 60)) plain.gcm >cut.gcm
	gives 5 gcmcrypt info -K "$KEY" cut.gcm
	writes "opened      slot 2,"
	# A changed header under a right CHECK.
	tampered >tampered.gcm
	gives 4 gcmcrypt info -K "$KEY" tampered.gcm
	says "damaged: its header was changed after it was sealed"
	run ! grep opened "$OUT"
}

# A header whose slot opens with $KEY and whose MAC is wrong.
tampered() {
	"$PYTHON" -c '
import hashlib, sys
file = bytearray(open(sys.argv[1], "rb").read())
length = int.from_bytes(file[12:16], "big")
file[10:12] = (3).to_bytes(2, "big")
file[12:16] = (length + 4).to_bytes(4, "big")
file[length - 40:length] = bytes(4) + bytes(40)
head = bytes(file[:length - 36])
sys.stdout.buffer.write(head + hashlib.sha512(head).digest()[:8] + bytes(32))' plain.gcm
}

@test "it takes no other option about keys" {
	sealed plain.gcm 100
	for option in --no-such-option -o -f -r; do
		gives 2 gcmcrypt info $option x plain.gcm
	done
}

@test "a redirected file that stands further on: its length counts from there" {
	sealed plain.gcm 40000
	{
		bytes 1000
		cat plain.gcm
	} >both
	gcmcrypt info plain.gcm >"$AWAY/alone"
	gives 0 bash -c '{ dd bs=1000 count=1 of=/dev/null status=none; gcmcrypt info; } <both'
	same "$OUT" "$AWAY/alone"
	flip both $((1000 + 156 + 56))
	# shellcheck disable=SC2016
	gives 4 bash -c '{ dd bs=1000 count=1 of=/dev/null status=none; gcmcrypt verify -K "$0"; } <both' "$KEY"
	says "chunk 0 of 3 "
}
