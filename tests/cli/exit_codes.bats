#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Each exit status of the manual, by the plainest way to get it.

load common

@test "0: sealed, opened, verified" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -K "$KEY" plain
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
	gives 0 gcmcrypt open -K "$KEY" -o again plain.gcm
	same plain again
}

@test "1: no such file" {
	for command in seal open verify; do
		gives 1 gcmcrypt "$command" -K "$KEY" missing.gcm
		says "gcmcrypt: missing.gcm: "
		says "No such file or directory"
	done
	only
}

@test "1: the output's folder does not exist" {
	bytes 100 >plain
	gives 1 gcmcrypt seal -K "$KEY" -o nowhere/plain.gcm plain
	says "No such file or directory"
}

@test "1: the key file does not exist" {
	bytes 100 >plain
	gives 1 gcmcrypt seal -K missing.key plain
	says "missing.key"
	only plain
}

@test "2: usage" {
	gives 2 gcmcrypt
	gives 2 gcmcrypt seal --no-such-option
	gives 2 gcmcrypt seal -K
	gives 2 gcmcrypt -K "$KEY"
}

@test "2: the output exists, and a hint says what to do" {
	bytes 100 >plain
	echo old >plain.gcm
	gives 2 gcmcrypt seal -K "$KEY" plain
	says "gcmcrypt: plain.gcm: "
	says "gcmcrypt: hint: "
	says "-f"
	assert_equal "$(cat plain.gcm)" old
}

@test "2: a directory as input, with the hint to use tar" {
	mkdir folder
	gives 2 gcmcrypt seal -K "$KEY" folder
	says "hint: tar -c folder | gcmcrypt seal -o folder.tar.gcm"
	gives 2 gcmcrypt seal -K "$KEY" "$PWD/folder//"
	says "hint: tar -c $PWD/folder | gcmcrypt seal -o $PWD/folder.tar.gcm"
	gives 2 gcmcrypt open -K "$KEY" -o out folder
	only folder
}

@test "2: the hint for a directory can be typed, whatever the directory is called" {
	# shellcheck disable=SC2016 # a name
	mkdir -- -d "my folder" 'a$b' .hidden
	gives 2 gcmcrypt seal -K "$KEY" -- -d
	says "hint: tar -c ./-d | gcmcrypt seal -o ./-d.tar.gcm"
	# shellcheck disable=SC2016
	for name in . .. / ./ .hidden "my folder" 'a$b' $'.//.'; do
		gives 2 gcmcrypt seal -K "$KEY" "$name"
		says "hint: tar -c DIR | gcmcrypt seal -o DIR.tar.gcm"
	done
}

@test "2: open needs the suffix, or -o" {
	sealed plain.xyz 100
	gives 2 gcmcrypt open -K "$KEY" plain.xyz
	says "-o"
	only plain.xyz
	mv plain.xyz .gcm
	gives 2 gcmcrypt open -K "$KEY" .gcm
	only .gcm
}

@test "2: malformed key and recipient" {
	echo nonsense >bad.key
	chmod 600 bad.key
	bytes 100 >plain
	gives 2 gcmcrypt seal -K bad.key plain
	gives 2 gcmcrypt seal -r gcmc1nonsense plain
	only bad.key plain
}

@test "2: empty input with --require-nonempty" {
	: >empty
	gives 2 gcmcrypt seal -K "$KEY" --require-nonempty empty
	only empty
	gives 2 gcmcrypt seal -K "$KEY" --require-nonempty </dev/null
	writes_nothing
	bytes 1 >one
	gives 0 gcmcrypt seal -K "$KEY" --require-nonempty one
}

@test "3: wrong passphrase, key and identity" {
	bytes 100 >plain
	gcmcrypt keygen --identity -o other-identity 2>/dev/null
	echo "another passphrase" >other-passphrase
	gives 0 gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -r "$RECIPIENT" plain
	rm plain
	gives 3 gcmcrypt open --passphrase-file other-passphrase plain.gcm
	says "gcmcrypt: plain.gcm: wrong passphrase"
	gives 3 gcmcrypt open -K "$OTHER_KEY" plain.gcm
	gives 3 gcmcrypt open -i other-identity plain.gcm
	gives 3 gcmcrypt verify -K "$OTHER_KEY" plain.gcm
	only plain.gcm other-identity other-passphrase
}

@test "3: no passphrase slot and no key: refused without asking" {
	sealed plain.gcm 100
	gives 3 timeout 5 setsid -w gcmcrypt open plain.gcm
}

@test "4: a header byte, and a chunk that is not the last" {
	sealed plain.gcm 40000
	cp plain.gcm header.gcm
	flip header.gcm 30
	gives 4 gcmcrypt open -K "$KEY" header.gcm
	says "gcmcrypt: header.gcm: damaged"
	cp plain.gcm chunk.gcm
	flip chunk.gcm $((156 + 56 + 16400 + 5))
	gives 4 gcmcrypt open -K "$KEY" chunk.gcm
	says "gcmcrypt: chunk.gcm: damaged: chunk 1 of 3 (plaintext bytes 16384-32767)"
	gives 4 gcmcrypt verify -K "$KEY" chunk.gcm
	only plain.gcm header.gcm chunk.gcm
}

@test "5: cut short, last chunk damaged, empty" {
	sealed plain.gcm 40000
	head -c 30000 plain.gcm >cut.gcm
	gives 5 gcmcrypt open -K "$KEY" cut.gcm
	says "gcmcrypt: cut.gcm: ends early"
	cp plain.gcm last.gcm
	flip last.gcm $((156 + 56 + 2 * 16400 + 5))
	gives 5 gcmcrypt open -K "$KEY" last.gcm
	gives 5 gcmcrypt verify -K "$KEY" last.gcm
	: >empty.gcm
	gives 5 gcmcrypt open -K "$KEY" empty.gcm
	says "input is empty; did the shell truncate it?"
	only plain.gcm cut.gcm last.gcm empty.gcm
}

@test "6: not ours, and a newer version" {
	printf '\xff\xd8\xff\xe0 a photo' >photo.jpg
	gives 6 gcmcrypt open -K "$KEY" -o out photo.jpg
	says "gcmcrypt: photo.jpg: not a gcmcrypt file (starts with ff d8 ff e0)"
	sealed plain.gcm 100
	put plain.gcm 8 02
	gives 6 gcmcrypt open -K "$KEY" plain.gcm
	gives 6 gcmcrypt verify -K "$KEY" photo.jpg
	gives 6 gcmcrypt info photo.jpg
	only photo.jpg plain.gcm
}

@test "7: Argon2 over the cap, and the option that lifts it" {
	bytes 100 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 2M --kdf-passes 1 -q plain
	gives 7 gcmcrypt open --passphrase-file "$PASS" --max-kdf-memory 1M -o out plain.gcm
	says "--max-kdf-memory"
	says "2"
	only plain plain.gcm
	gives 0 gcmcrypt open --passphrase-file "$PASS" --max-kdf-memory 2M -o out plain.gcm
	same plain out
}

@test "of several files the first failure's status counts" {
	bytes 100 >plain
	sealed first.gcm 100
	printf 'not ours' >second.gcm
	head -c 150 first.gcm >third.gcm
	gives 6 gcmcrypt open -K "$KEY" first.gcm second.gcm third.gcm
	assert_exist first
	gives 5 gcmcrypt verify -K "$KEY" third.gcm second.gcm first.gcm
	gives 1 gcmcrypt verify -K "$KEY" missing.gcm second.gcm
}

@test "SIGTERM and SIGINT end it by the signal, 128 + n to a shell" {
	bytes 200000 >"$AWAY/plain"
	for signal in TERM INT HUP; do
		# An asynchronous command of a script ignores INT; env gives the default back.
		feed "$AWAY/plain" 150000 env --default-signal gcmcrypt seal -K "$KEY" -o sealed.gcm
		kill -s "$signal" "$PID"
		ended $((128 + $(kill -l "$signal")))
		feed_ends
		only
	done
}
