#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2153 # common.bash has the names in capitals
#
# keygen: key files, identities, recipients and words, and where they go.

load common

@test "keygen makes a key file, private under any umask" {
	(umask 000 && gives 0 gcmcrypt keygen -o key)
	mode_is key 600
	assert_equal "$(grep -c '^GCMC-FILE-KEY-1[02-9AC-HJ-NP-Z]\{58\}$' key)" 1
	bytes 100 >plain
	gives 0 gcmcrypt seal -K key plain
	says_nothing
	gives 0 gcmcrypt open -K key -o back plain.gcm
	same plain back
}

@test "keygen --identity names the recipient in the file and on standard error" {
	gives 0 gcmcrypt keygen --identity -o id
	mode_is id 600
	assert_equal "$(grep -c '^GCMC-SECRET-KEY-1[02-9AC-HJ-NP-Z]\{58\}$' id)" 1
	recipient=$(recipient_of id)
	assert_regex "$recipient" '^gcmc1[02-9ac-hj-np-z]{58}$'
	says "$recipient"
	bytes 100 >plain
	gives 0 gcmcrypt seal -r "$recipient" plain
	gives 0 gcmcrypt open -i id -o back plain.gcm
	same plain back
}

@test "keygen --recipient -i prints the recipients of an identity file" {
	gives 0 gcmcrypt keygen --recipient -i "$IDENTITY"
	assert_equal "$(cat "$OUT")" "$RECIPIENT"
	gcmcrypt keygen --identity -o two 2>/dev/null
	cat "$IDENTITY" >>two
	gives 0 gcmcrypt keygen --recipient -i two
	assert_equal "$(wc -l <"$OUT")" 2
	writes "$RECIPIENT"
	cp "$OUT" "$AWAY/printed"
	gives 0 gcmcrypt keygen --recipient -i two -o recipients
	same recipients "$AWAY/printed"
}

@test "keygen --words: a line of seven words, or N, whose bits are said on standard error" {
	syllable='[bdghjkvz][aiou][flmnrstx]'
	umask 077
	gives 0 gcmcrypt keygen --words
	cp "$OUT" words
	assert_equal "$(cat "$ERR")" "gcmcrypt: 7 words out of 8192: 91 bits"
	gives 0 gcmcrypt keygen --words -q
	says_nothing
	run ! cmp -s words "$OUT"
	cat "$OUT" >>words
	assert_equal "$(grep -cxE "$syllable$syllable(-$syllable$syllable){6}" words)" 2
	assert_equal "$(wc -l <words)" 2
	gives 0 gcmcrypt keygen --words=1 -o one
	assert_equal "$(grep -cxE "$syllable$syllable" one)" 1
	mode_is one 600
	says "gcmcrypt: 1 word out of 8192: 13 bits"
	says "warning: fewer than 5 words can be guessed"
	gives 0 gcmcrypt keygen --words=128
	says "128 words out of 8192: 1664 bits"
	says_not warning
	assert_equal "$(wc -c <"$OUT")" $((128 * 7))
	# By the rule in the manual, whose example follows it too.
	cat words "$OUT" >"$AWAY/lines"
	grep -xE "\.Dl $syllable.*" "$GCMCRYPT_SRCDIR/man/gcmcrypt.1" | cut -c5- >>"$AWAY/lines"
	"$PYTHON" -c 'import sys
lines = sys.stdin.read().split()
assert len(lines) == 4, lines
for word in "-".join(lines).split("-"):
    places = [letters.index(c) for letters, c in zip(["bdghjkvz", "aiou", "flmnrstx"] * 2, word)]
    assert sum(places[:5]) % 8 == places[5], word' <"$AWAY/lines" || fail "$(cat "$AWAY/lines")"
	# The longest is a passphrase still.
	cp "$OUT" longest
	gives 0 gcmcrypt seal --passphrase-file longest "${CHEAP[@]}" words
	gives 0 gcmcrypt verify --passphrase-file longest words.gcm
}

@test "keygen --words: what makes no sense" {
	for count in 0 129 "" x +7 07 1K 18446744073709551617; do
		gives 2 gcmcrypt keygen --words="$count"
		says "gcmcrypt: --words: not a plain decimal number of words, 1 to 128"
		writes_nothing
	done
	gives 2 gcmcrypt keygen --words 5
	says "keygen takes no FILE"
	says "hint: how many words goes behind a =: --words=N"
	gives 2 gcmcrypt keygen --words --identity
	gives 2 gcmcrypt keygen --words --recipient -i "$IDENTITY"
	gives 2 gcmcrypt keygen --word
	: >taken
	gives 2 gcmcrypt keygen --words -o taken
	only taken
	size_is taken 0
}

@test "keygen writes to standard output too, and never the same key twice" {
	gcmcrypt keygen >one
	gcmcrypt keygen -o - >two
	run ! cmp -s one two
	bytes 100 >plain
	chmod 600 one
	gives 0 gcmcrypt seal -K one plain
}

@test "keygen warns when a redirection made a file that others can read" {
	for kind in "" --identity; do
		for mode in 022 027 037; do
			# shellcheck disable=SC2086 # an option or none
			(umask $mode && gcmcrypt keygen $kind >key 2>"$ERR")
			says "gcmcrypt: standard output: warning: others can read this secret; chmod 600 keeps it"
			rm key
		done
		# shellcheck disable=SC2086
		(umask 077 && gcmcrypt keygen $kind >key 2>"$ERR")
		says_not warning
		# shellcheck disable=SC2086
		(umask 022 && gcmcrypt keygen $kind | cat >pipe) 2>"$ERR"
		says_not warning
		# shellcheck disable=SC2086
		(umask 022 && gcmcrypt keygen -q $kind >key2 2>"$ERR")
		says_nothing
		rm key key2
	done
	# A recipient is no secret.
	(umask 022 && gcmcrypt keygen --recipient -i "$IDENTITY" >recipient 2>"$ERR")
	says_nothing
}

@test "keygen does not replace a file, but with -f" {
	echo old >key
	remember
	gives 2 gcmcrypt keygen -o key
	gives 2 gcmcrypt keygen --identity -o key
	unchanged
	gives 0 gcmcrypt keygen -f -o key
	grep -q GCMC-FILE-KEY-1 key
	mode_is key 600
}
