#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# seal --digest and --digest-file: what sha256sum would say of the sealed bytes.

load common

@test "what sha256sum says, for every length, with any number of threads" {
	for length in 0 1 16383 16384 16385 524287 524288 524289 3000000; do
		bytes $length >"$length"
		for threads in 1 3; do
			gives 0 gcmcrypt seal -f -T $threads -K "$KEY" --digest "$length"
			sha256sum "$length.gcm" | cmp - "$ERR"
		done
	done
}

@test "a file of lines that sha256sum -c takes; standard error has no word of it" {
	bytes 40000 >one
	bytes 700000 >two
	mkdir folder
	: >folder/three
	gives 0 gcmcrypt seal -K "$KEY" --digest-file sums one two folder/three
	says_nothing
	writes_nothing
	mode_is sums 600
	sha256sum one.gcm two.gcm folder/three.gcm | cmp - sums
	sha256sum -c --strict --quiet sums
	flip two.gcm 300000
	run ! sha256sum -c --quiet sums
	only folder folder/three folder/three.gcm one one.gcm sums two two.gcm
}

@test "--digest and --digest-file together; -q silences neither" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -q -K "$KEY" --digest --digest-file sums plain
	same "$ERR" sums
	sha256sum plain.gcm | cmp - sums
}

@test "names are escaped as sha256sum does" {
	for name in $'new\nline' 'back\slash' 'back\nslash' $'carriage\rreturn' $'end\r' $'\\' ' lead' '*star' $'latin\xe9' '-x' $'a\\\n\r\\b'; do
		bytes 100 >"./$name"
		gives 0 gcmcrypt seal -K "$KEY" --digest -- "$name"
		sha256sum -- "$name.gcm" | cmp - "$ERR"
		gives 0 gcmcrypt seal -f -K "$KEY" --digest-file "$AWAY/sums" -- "$name"
		sha256sum -- "$name.gcm" | cmp - "$AWAY/sums"
		sha256sum -c --strict --status "$AWAY/sums"
	done
}

@test "standard output is -" {
	bytes 100000 >plain
	gcmcrypt seal -K "$KEY" --digest <plain 2>"$ERR" | cat >out
	sha256sum <out | cmp - "$ERR"
	gives 0 gcmcrypt seal -K "$KEY" --digest-file sums -o - plain
	sha256sum <"$OUT" | cmp - sums
	sha256sum -c --strict --status sums <"$OUT"
}

@test "the lines on standard output, while the outputs have names" {
	bytes 100 >one
	bytes 40000 >two
	gives 0 gcmcrypt seal -K "$KEY" --digest-file - one two
	says_nothing
	sha256sum one.gcm two.gcm | cmp - "$OUT"
	gives 2 gcmcrypt seal -K "$KEY" --digest-file - <one
	writes_nothing
	says "needs another name"
	gives 2 gcmcrypt seal -K "$KEY" --digest-file - -o - one
	writes_nothing
}

@test "bare, with a passphrase, from a command, into a FIFO" {
	bytes 40000 >plain
	gives 0 gcmcrypt seal --bare -K "$KEY" --digest -o bare plain
	sha256sum bare | cmp - "$ERR"
	gives 0 gcmcrypt seal "${CHEAP[@]}" --passphrase-file "$PASS" --digest -o pass plain
	sha256sum pass | cmp - "$ERR"
	gives 0 gcmcrypt seal --from-command -K "$KEY" --digest -o command -- cat plain
	sha256sum command | cmp - "$ERR"
	mkfifo fifo
	cat fifo >taken &
	gives 0 gcmcrypt seal -K "$KEY" --digest -o fifo plain
	wait $!
	assert_equal "$(cat "$ERR")" "$(sha256sum <taken | cut -d' ' -f1)  fifo"
}

@test "an existing file stays without -f, and nothing is sealed; with -f it is replaced" {
	bytes 100 >plain
	echo old >sums
	remember
	gives 2 gcmcrypt seal -K "$KEY" --digest-file sums plain
	says "gcmcrypt: sums: already exists"
	unchanged
	gives 0 gcmcrypt seal -f -K "$KEY" --digest-file sums plain
	sha256sum plain.gcm | cmp - sums
	only plain plain.gcm sums
}

@test "what cannot be created is refused before anything is sealed" {
	bytes 100 >plain
	mkdir folder
	remember
	gives 2 gcmcrypt seal -K "$KEY" --digest-file folder plain
	gives 1 gcmcrypt seal -K "$KEY" --digest-file missing/sums plain
	gives 1 gcmcrypt seal -K "$KEY" --digest-file "" plain
	unchanged
}

@test "it is neither input nor output nor key" {
	bytes 100 >plain
	bytes 100 >other
	cp "$KEY" key
	ln -s plain link
	remember
	for same in plain ./plain link plain.gcm ./plain.gcm "$PWD/plain.gcm" key; do
		for force in -q -f; do
			gives 2 gcmcrypt seal $force -K key --digest-file "$same" plain
			unchanged
		done
	done
	gives 2 gcmcrypt seal -f -K key --digest-file out -o out plain
	says "out: is the output too; --digest-file needs another name"
	unchanged
	# Of another file than the one in hand, before or behind it, and standard input too.
	for files in "plain other" "other plain" "plain -"; do
		# shellcheck disable=SC2086,SC2094 # two names; nothing is written
		gives 2 gcmcrypt seal -f -K key --digest-file other $files <other
		says "other: is the input too; --digest-file needs another name"
		unchanged
	done
	# shellcheck disable=SC2094
	gives 2 gcmcrypt seal -f -K key --digest-file other -o out <other
	unchanged
	# An output of that name is kept, and so is what was sealed before.
	bytes 200 >other.gcm
	cp other.gcm "$AWAY/kept"
	gives 2 gcmcrypt seal -f -K key --digest-file ./other.gcm plain other
	says "./other.gcm: is the output too; --digest-file needs another name"
	same other.gcm "$AWAY/kept"
	gives 0 gcmcrypt verify -K key plain.gcm
}

@test "of several files those that were sealed; of none no file" {
	bytes 100 >one
	bytes 100 >two
	gives 1 gcmcrypt seal -K "$KEY" --digest --digest-file sums one missing two
	sha256sum one.gcm two.gcm | cmp - sums
	grep -v '^gcmcrypt: ' "$ERR" | cmp - sums
	remember
	gives 2 gcmcrypt seal -K "$KEY" --digest-file more one two
	gives 1 gcmcrypt seal -K missing --digest-file more one
	gives 2 gcmcrypt seal -K "$KEY" --require-nonempty --digest-file more -o out /dev/null
	gives 8 gcmcrypt seal --from-command -K "$KEY" --digest-file more -o out -- sh -c 'echo x; exit 3'
	gives 8 gcmcrypt seal --from-command -K "$KEY" --digest -o out -- sh -c 'echo x; exit 3'
	run ! grep -v '^gcmcrypt: ' "$ERR"
	unchanged
}

@test "a digest that is lost is a failure, and what was sealed is complete" {
	bytes 100 >plain
	gives 1 gcmcrypt seal -K "$KEY" --digest-file /dev/full plain
	says "gcmcrypt: /dev/full: No space left on device"
	says "hint: what was sealed is complete"
	gcmcrypt verify -q -K "$KEY" plain.gcm
	got=0
	gcmcrypt seal -f -K "$KEY" --digest plain 2>/dev/full || got=$?
	assert_equal "$got" 1
	gcmcrypt verify -q -K "$KEY" plain.gcm
	# Nor is an input removed then.
	gives 1 gcmcrypt seal -f --rm -K "$KEY" --digest-file /dev/full plain
	assert_exist plain
	gives 0 gcmcrypt seal -f --rm -K "$KEY" --digest-file sums plain
	sha256sum -c --strict --status sums
	only plain.gcm sums
}

@test "a signal leaves nothing of it" {
	bytes 3000000 >plain
	remember
	feed plain 1000000 env --default-signal gcmcrypt seal -K "$KEY" --digest-file sums -o out
	kill -TERM "$PID"
	ended 143
	feed_ends
	unchanged
}

@test "a passphrase on a descriptor is not taken for it" {
	bytes 100 >plain
	for fd in 3 4 5 6 7; do
		gives 1 bash -c 'exec 3>&- 4>&- 5>&- 6>&- 7>&-; gcmcrypt seal --passphrase-fd "$0" --digest-file sums plain' $fd
	done
	only plain
}

@test "for seal alone" {
	sealed plain.gcm 100
	gives 2 gcmcrypt open -K "$KEY" --digest plain.gcm
	gives 2 gcmcrypt verify -K "$KEY" --digest-file sums plain.gcm
	only plain.gcm
}
