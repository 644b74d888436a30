#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# Input, key files and output are never the same file, by whatever name or descriptor.

load common

@test "the same name, another spelling, a symbolic link, a hard link" {
	bytes 50000 >plain
	ln -s plain link
	ln plain hard
	mkdir folder
	remember
	for name in plain ./plain folder/../plain link hard "$PWD/plain"; do
		gives 2 gcmcrypt seal -f -K "$KEY" -o "$name" plain
		says "same file"
	done
	unchanged
	sealed sealed.gcm 50000
	ln sealed.gcm sealed
	remember
	gives 2 gcmcrypt open -f -K "$KEY" sealed.gcm
	gives 2 gcmcrypt open -f -K "$KEY" -o ./sealed.gcm sealed.gcm
	unchanged
}

@test "one file behind both redirections" {
	bytes 50000 >plain
	sealed sealed.gcm 50000
	remember
	run -2 bash -c 'gcmcrypt seal -K "$0" <plain >>plain' "$KEY"
	assert_output --partial "same file"
	run -2 bash -c 'gcmcrypt seal -K "$0" <plain 1<>plain' "$KEY"
	run -2 bash -c 'gcmcrypt open -K "$0" <sealed.gcm >>sealed.gcm' "$KEY"
	unchanged
}

@test "< f > f: the shell has emptied it already, and the message says so" {
	sealed sealed.gcm 50000
	run bash -c 'gcmcrypt open -K "$0" <sealed.gcm >sealed.gcm' "$KEY"
	[ "$status" -eq 2 ] || [ "$status" -eq 5 ]
	size_is sealed.gcm 0
	run -5 bash -c ': >sealed.gcm; gcmcrypt open -K "$0" <sealed.gcm' "$KEY"
	assert_output --partial "input is empty; did the shell truncate it?"
}

@test "a named input and a redirection, a redirection and a named output" {
	bytes 50000 >plain
	remember
	run -2 bash -c 'gcmcrypt seal -K "$0" -o - plain >>plain' "$KEY"
	run -2 bash -c 'gcmcrypt seal -f -K "$0" -o plain <plain' "$KEY"
	unchanged
}

@test "a key, passphrase or identity file as output" {
	bytes 50000 >plain
	cp "$KEY" key
	cp "$PASS" pass
	cp "$IDENTITY" id
	echo "$RECIPIENT" >recipients
	chmod 600 key pass id
	gcmcrypt seal -r "$RECIPIENT" -o sealed.gcm plain
	remember
	gives 2 gcmcrypt seal -f -K key -o key plain
	says "gcmcrypt: key: is a key or passphrase file in use"
	gives 2 gcmcrypt seal -f --passphrase-file pass "${CHEAP[@]}" -o pass plain
	gives 2 gcmcrypt seal -f -R recipients -o recipients plain
	gives 2 gcmcrypt open -f -i id -o id sealed.gcm
	unchanged
}

@test "keygen --recipient does not write over the identity, by name or redirection" {
	cp "$IDENTITY" id
	chmod 600 id
	ln id hard
	remember
	for name in id ./id hard; do
		gives 2 gcmcrypt keygen --recipient -i id -f -o $name
		says "gcmcrypt: $name: is a key or passphrase file in use"
	done
	gives 2 bash -c 'gcmcrypt keygen --recipient -i id >>id'
	says "gcmcrypt: standard output: is a key or passphrase file in use"
	unchanged
}

# twice SCRIPT...: each refuses, before anything is written, since data and secret would share bytes.
twice() {
	for script; do
		gives 2 timeout 10 bash -c "$script" - "$PASS" "$KEY"
		says "cannot be used twice, for data and passphrase or key"
		assert_equal "$(wc -l <"$ERR")" 1
		writes_nothing
	done
}

@test "one pipe for data and passphrase or key, by any name" {
	cp "$PASS" pass
	mkfifo fifo
	exec 9<>fifo
	twice 'cat $1 | gcmcrypt seal --passphrase-file /dev/stdin' \
		'cat $1 | gcmcrypt seal --passphrase-file /dev/fd/0 -' \
		'cat $1 | gcmcrypt seal --passphrase-file - /dev/stdin -o -' \
		'cat $1 | gcmcrypt seal --passphrase-fd 4 4<&0' \
		'cat $1 | gcmcrypt seal --passphrase-fd 0 -o - /dev/stdin' \
		'cat $2 | gcmcrypt seal -K /dev/stdin' \
		'cat $2 | gcmcrypt open -K /dev/stdin' \
		'cat $2 | gcmcrypt verify -K - /dev/stdin' \
		'gcmcrypt seal --passphrase-file fifo -o - fifo'
	exec 9>&-
	only pass fifo
}

@test "a redirected file whose position passphrase and data would share" {
	cp "$PASS" pass
	twice 'gcmcrypt seal --passphrase-fd 4 <pass 4<&0' 'gcmcrypt seal --passphrase-fd 0 <pass -'
	only pass
}

@test "two pipes, two files, and a file under itself are not used twice" {
	bytes 100 >plain
	gives 0 bash -c 'cat plain | gcmcrypt seal --passphrase-file <(cat "$0") --kdf-memory 64K --kdf-passes 1 -q' "$PASS"
	gcmcrypt open --passphrase-file "$PASS" <"$OUT" | cmp - plain
	gives 0 gcmcrypt seal -K "$KEY" -o - "$KEY"
	gcmcrypt open -K "$KEY" <"$OUT" | cmp - "$KEY"
	gives 0 bash -c 'gcmcrypt seal -K - -o - plain <"$0"' "$KEY"
}

@test "a pipe's two ends, and /dev/null on both sides, are not the same file" {
	gives 0 gcmcrypt seal -K "$KEY" -o /dev/null /dev/null
	bytes 100 | gcmcrypt seal -K "$KEY" | gcmcrypt open -K "$KEY" >out
	size_is out 100
}
