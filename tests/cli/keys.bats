#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2153 # common.bash has the names in capitals
#
# Key files, identities and recipients: what is read, what is refused.

load common

@test "the known texts of known keys" {
	[ -n "$VECTORS" ] || skip "GCMCRYPT_VECTORS is not set"
	# The header of the vectors opens with the key texts of common.bash: header, then payload.
	value() { sed -n "s/^$1 = //p" "$VECTORS/gcmcrypt_v1.txt"; }
	unhex() { "$PYTHON" -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))'; }
	echo "$(value header)$(value payload_of_empty)" | unhex >file.gcm
	gives 0 gcmcrypt open -K "$KEY" -o by-key file.gcm
	gives 0 gcmcrypt open -i "$IDENTITY" -o by-identity file.gcm
	gives 0 gcmcrypt open --passphrase-file "$PASS" -o by-passphrase file.gcm
	size_is by-key 0
}

@test "comments, blank lines, CRLF, no final newline, lower case" {
	bytes 100 >plain
	sealed plain.gcm 100
	umask 077
	printf '# a comment\r\n\r\n%s\r\n' "$KEY_TEXT" >crlf
	printf '\n# one\n#two\n\n%s' "$KEY_TEXT" >no-newline
	echo "${KEY_TEXT,,}" >lower
	for key in crlf no-newline lower; do
		gives 0 gcmcrypt open -K $key -f -o back plain.gcm
		same back plain
	done
	gcmcrypt seal -r "$RECIPIENT" -o to-recipient plain
	printf '# recipient: %s\r\n%s' "$RECIPIENT" "$IDENTITY_TEXT" >id
	gives 0 gcmcrypt open -i id -f -o back to-recipient
	gives 0 gcmcrypt seal -r "${RECIPIENT^^}" -f -o to-recipient plain
	gives 0 gcmcrypt open -i id -f -o back to-recipient
	same back plain
}

# no_key TEXT: not a key file, whatever command reads it.
no_key() {
	printf '%b' "$1" >"$AWAY/bad"
	chmod 600 "$AWAY/bad"
	gives 2 gcmcrypt seal -K "$AWAY/bad" plain
	says "$AWAY/bad"
	gives 2 gcmcrypt open -K "$AWAY/bad" -o out sealed.gcm
	only plain sealed.gcm
}

@test "malformed key files" {
	bytes 100 >plain
	sealed sealed.gcm 100
	no_key ''
	no_key '# nothing but a comment\n'
	no_key 'nonsense\n'
	no_key "$KEY_TEXT\\n$KEY_TEXT\\n"
	no_key "$KEY_TEXT\\n$OTHER_KEY_TEXT\\n"
	no_key "$KEY_TEXT trailing\\n"
	no_key "${KEY_TEXT%?}\\n"
	no_key "${KEY_TEXT}Q\\n"
	no_key "${KEY_TEXT/X57R/X57S}\\n"
	no_key "${KEY_TEXT/FILE/file}\\n"
	no_key "$KEY_TEXT\\0000\\n"
	no_key "$KEY_TEXT\\n\\0377\\n"
	# Right checksum over a set padding bit.
	no_key 'GCMC-FILE-KEY-1X57R6D23T9N5HWXRFE0HFNZ8Z9LRLTKYR46J7UXKAMLVQL0SRA63T2PGFT\n'
	# The other kinds.
	no_key "$IDENTITY_TEXT\\n"
	no_key "$RECIPIENT\\n"
}

@test "a key file over 64 KiB is refused, not cut" {
	bytes 100 >plain
	umask 077
	{
		echo "$KEY_TEXT"
		printf '#%.0s' {1..65536}
	} >large
	gives 2 gcmcrypt seal -K large plain
	gives 2 timeout 10 gcmcrypt seal -K /dev/zero plain
	only plain large
	{
		echo "$KEY_TEXT"
		printf '#%.0s' {1..65000}
	} >fits
	gives 0 gcmcrypt seal -K fits plain
}

@test "a key file where an identity belongs, and the other way round" {
	bytes 100 >plain
	gcmcrypt seal -r "$RECIPIENT" -o sealed.gcm plain
	gives 2 gcmcrypt open -i "$KEY" -o out sealed.gcm
	gives 2 gcmcrypt open -K "$IDENTITY" -o out sealed.gcm
	echo "$IDENTITY_TEXT" >recipients
	gives 2 gcmcrypt seal -R recipients plain
	gives 2 gcmcrypt seal -r "$IDENTITY_TEXT" plain
	run ! grep -q "$IDENTITY_TEXT" "$ERR"
	only plain sealed.gcm recipients
}

@test "malformed, low-order and non-canonical recipients" {
	bytes 100 >plain
	for bad in "" gcmc1 "${RECIPIENT%?}" "${RECIPIENT}q" "${RECIPIENT/ne7k/ne7l}" "${RECIPIENT/gcmc/GCMC}" age1x; do
		gives 2 gcmcrypt seal -r "$bad" plain
	done
	# 0, 1, the two points of order 8, p - 1, p, p + 9, bit 255 set: right checksums all.
	for bad in gcmc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq6dhr3c \
		gcmc1qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqut84t8 \
		gcmc1ur4h5lpmgxu2u9jku0a0r87ydtdqnr0tnsetrlvxvgz3vh6fhqqqv3qrrl \
		gcmc1t7wft09r2zxzfvwsk92eeql0tvzyghxytqwgapkcyf8dm5ylz9ts5msnla \
		gcmc1anlllllllllllllllllllllllllllllllllllllllllllllllllalsmxpa3p \
		gcmc1ahlllllllllllllllllllllllllllllllllllllllllllllllllalsaq3tt7 \
		gcmc17mlllllllllllllllllllllllllllllllllllllllllllllllllalsgge68j \
		gcmc1ne7kyckrccg6dhttx39mm09x85nwmuh86qk77zs8m89aej29jhuspymnsa; do
		gives 2 gcmcrypt seal -r "$bad" plain
	done
	only plain
}

@test "a recipients file: several, comments, CRLF; none is an error, one bad line names itself" {
	bytes 100 >plain
	gcmcrypt keygen --identity -o other 2>/dev/null
	recipient_of other >recipients
	printf '\r\n# ours\r\n%s' "$RECIPIENT" >>recipients
	gives 0 gcmcrypt seal -R recipients plain
	assert_equal "$(header_bytes plain.gcm)" 256
	for identity in other "$IDENTITY"; do
		gives 0 gcmcrypt open -i "$identity" -f -o back plain.gcm
		same back plain
	done
	: >none
	gives 2 gcmcrypt seal -f -R none plain
	printf '%s\nnonsense\n' "$RECIPIENT" >bad
	gives 2 gcmcrypt seal -f -R bad plain
	says bad
}

@test "-K, -r and -i may be repeated; an identity file may hold several" {
	bytes 100 >plain
	gcmcrypt keygen --identity -o other 2>/dev/null
	gives 0 gcmcrypt seal -K "$KEY" -K "$OTHER_KEY" -r "$RECIPIENT" \
		-r "$(recipient_of other)" plain
	assert_equal "$(header_bytes plain.gcm)" 456
	for option in "-K $KEY" "-K $OTHER_KEY" "-i $IDENTITY" "-i other"; do
		# shellcheck disable=SC2086 # an option and its value
		gives 0 gcmcrypt open $option -f -o back plain.gcm
		same back plain
	done
	gcmcrypt seal -f -r "$RECIPIENT" plain
	cat "$IDENTITY" >>other
	gives 0 gcmcrypt open -i other -f -o back plain.gcm
	gives 0 gcmcrypt open -K "$OTHER_KEY" -i other -f -o back plain.gcm
}

@test "equal keys given twice: a warning, one slot" {
	bytes 100 >plain
	cp "$KEY" copy
	gives 0 gcmcrypt seal -K "$KEY" -K copy plain
	says "warning"
	assert_equal "$(header_bytes plain.gcm)" 156
	gives 0 gcmcrypt seal -f -r "$RECIPIENT" -r "${RECIPIENT^^}" plain
	says "warning"
	assert_equal "$(header_bytes plain.gcm)" 156
	printf '%s\n' "$RECIPIENT" "$RECIPIENT" >recipients
	gives 0 gcmcrypt seal -f -r "$RECIPIENT" -R recipients plain
	assert_equal "$(grep -c ': warning: the same key was given before; it counts once' "$ERR")" 2
	assert_equal "$(header_bytes plain.gcm)" 156
	# Other keys beside them stay.
	gives 0 gcmcrypt seal -f -q -K "$KEY" -K copy -r "$RECIPIENT" plain
	says_nothing
	assert_equal "$(header_bytes plain.gcm)" 256
}

@test "a recovery passphrase beside keys: each opens alone, and the key without Argon2" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -r "$RECIPIENT" -K "$KEY" --passphrase-file "$PASS" "${CHEAP[@]}" plain
	assert_equal "$(header_bytes plain.gcm)" 348
	gives 0 gcmcrypt info plain.gcm
	assert_equal "$(grep -c '^slot [123] ' "$OUT")" 3
	for option in "-K $KEY" "-i $IDENTITY" "--passphrase-file $PASS"; do
		# shellcheck disable=SC2086 # an option and its value
		gives 0 gcmcrypt open $option -f -o back plain.gcm
		same back plain
	done
	# The passphrase's cost is no matter for the others.
	for option in "-K $KEY" "-i $IDENTITY"; do
		# shellcheck disable=SC2086
		gives 0 gcmcrypt verify $option --max-kdf-memory 8K plain.gcm
	done
	gives 7 gcmcrypt verify --passphrase-file "$PASS" --max-kdf-memory 8K plain.gcm
}

@test "a reserved slot is skipped, whatever is in it, and its length is checked" {
	"$PYTHON" "$BATS_TEST_DIRNAME/make_header.py" 1:8 >cheap
	header() { # header LENGTH: a slot of type 4, then that passphrase slot, with a right CHECK
		"$PYTHON" -c 'import hashlib, sys
slots = b"\4\0" + int(sys.argv[1]).to_bytes(2, "big") + b"\xa5" * int(sys.argv[1])
slots += open("cheap", "rb").read()[16:108]
header = b"\x89GCMC\r\n\x1a\1\0\0\2" + (56 + len(slots)).to_bytes(4, "big") + slots
sys.stdout.buffer.write(header + hashlib.sha512(header).digest()[:8] + bytes(272))' "$1"
	}
	header 1184 >reserved.gcm
	gives 3 gcmcrypt open --passphrase-file "$PASS" reserved.gcm
	says "wrong passphrase"
	gives 3 gcmcrypt open -K "$KEY" -i "$IDENTITY" reserved.gcm
	for length in 0 96 1183 1185; do
		header $length >reserved.gcm
		gives 4 gcmcrypt open --passphrase-file "$PASS" reserved.gcm
		says "damaged: its header is not as it was written"
	done
	only cheap reserved.gcm
}

@test "more keys than a header has slots" {
	bytes 100 >plain
	keys=()
	for number in {1..65}; do
		gcmcrypt keygen -o "$AWAY/key$number"
		keys+=(-K "$AWAY/key$number")
	done
	gives 2 gcmcrypt seal "${keys[@]}" plain
	only plain
	gives 0 gcmcrypt seal "${keys[@]:0:128}" plain
	gives 0 gcmcrypt verify -K "$AWAY/key64" plain.gcm
}

@test "a secret that others can read gets a warning, once, and works" {
	bytes 100 >plain
	cp "$KEY" key
	cp "$PASS" pass
	cp "$IDENTITY" id
	for mode in 640 604 644; do
		chmod $mode key pass id
		gives 0 gcmcrypt seal -f -K key plain
		says "key"
		says "warning"
		assert_equal "$(grep -c warning "$ERR")" 1
		gives 0 gcmcrypt seal -f -q -K key plain
		says_nothing
		gcmcrypt seal -f -r "$RECIPIENT" plain
		gives 0 gcmcrypt open -i id -f -o back plain.gcm
		says "warning"
	done
	chmod 600 key id
	gives 0 gcmcrypt seal -f -K key plain
	says_nothing
}

@test "no warning about a secret that its owner lends to a group or by a list, as systemd does" {
	for_nobody
	bytes 100 >plain
	cp "$KEY" lent
	chmod o+x .
	chown 0:65534 lent
	for mode in 440 640; do
		chmod $mode lent
		gives 0 "${NOBODY[@]}" "$AWAY/program" seal -K lent -o - plain
		says_nothing
	done
	chmod 444 lent
	gives 0 "${NOBODY[@]}" "$AWAY/program" seal -K lent -o - plain
	says "gcmcrypt: lent: warning: others can read this secret"
}

@test "a key from a FIFO or a descriptor's name" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -K <(cat "$KEY") plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
}

@test "no key text appears in messages" {
	umask 077
	echo "${KEY_TEXT/X57R/X57S}" >bad
	bytes 100 >plain
	gives 2 gcmcrypt seal -v -K bad plain
	run ! grep -qi "6D23T9N5HWX" "$ERR"
}

@test "a key file that is not there: sealing is told how to make one, opening is not" {
	sealed plain.gcm 10
	gives 1 gcmcrypt seal -K missing plain.gcm
	says "gcmcrypt: missing: No such file or directory"
	says "hint: gcmcrypt keygen -o FILE makes a key file"
	for command in "open -K" "verify -K" "seal -R"; do
		# shellcheck disable=SC2086 # a command and an option
		gives 1 gcmcrypt $command missing plain.gcm
		says_not "hint:"
	done
}
