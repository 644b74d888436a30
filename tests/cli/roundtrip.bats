#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# What seal took in, open gives back: at every length around a chunk, through files and pipes, with
# each kind of key.

load common

SIZES=(0 1 16383 16384 16385 1048577)

# One passphrase slot is 148 bytes of header, each other kind 156.
sealed_size() { echo $(($1 + 56 + $2 + 16 * ($2 / CHUNK + 1))); }

# there_and_back HEADER SEAL-OPTIONS -- OPEN-OPTIONS: every size, as files and through pipes.
there_and_back() {
	local header=$1 size
	local -a seal=() open=()
	shift
	while [ "$1" != -- ]; do
		seal+=("$1")
		shift
	done
	shift
	open=("$@")
	for size in "${SIZES[@]}"; do
		head -c "$size" /dev/urandom >plain
		gives 0 gcmcrypt seal "${seal[@]}" plain
		writes_nothing
		size_is plain.gcm "$(sealed_size "$header" "$size")"
		mv plain before
		gives 0 gcmcrypt open "${open[@]}" plain.gcm
		writes_nothing
		same plain before
		gcmcrypt seal "${seal[@]}" <before >piped.gcm
		size_is piped.gcm "$(sealed_size "$header" "$size")"
		# shellcheck disable=SC2002 # a pipe is the point
		cat piped.gcm | gcmcrypt open "${open[@]}" | cat >plain
		same plain before
		gives 0 gcmcrypt verify "${open[@]}" plain.gcm piped.gcm
		writes_nothing
		rm plain.gcm piped.gcm
	done
}

@test "with a passphrase" {
	there_and_back 148 --passphrase-file "$PASS" "${CHEAP[@]}" -- --passphrase-file "$PASS"
}

@test "with a key file" {
	there_and_back 156 -K "$KEY" -- -K "$KEY"
}

@test "with a recipient and its identity" {
	there_and_back 156 -r "$RECIPIENT" -- -i "$IDENTITY"
}

@test "bare, with a key file" {
	there_and_back 0 --bare -K "$KEY" -- --bare -K "$KEY"
}

@test "a file of three slots opens with each of its secrets" {
	bytes 40000 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -r "$RECIPIENT" plain
	size_is plain.gcm "$(sealed_size 348 40000)"
	for key in "--passphrase-file $PASS" "-K $KEY" "-i $IDENTITY"; do
		# shellcheck disable=SC2086 # an option and its value
		gives 0 gcmcrypt open $key -o - plain.gcm
		same "$OUT" plain
	done
}

@test "seal into open, both as filters" {
	bytes 3000000 >plain
	gcmcrypt seal -K "$KEY" <plain | gcmcrypt open -K "$KEY" >opened
	same plain opened
}

@test "the defaults: Argon2 with 256 MiB and three passes, and no warning" {
	bytes 100 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" plain
	says_nothing
	assert_equal "$(od -An -tx1 -j 20 -N 8 plain.gcm | tr -d ' ')" 0000000300040000
	gives 0 gcmcrypt open --passphrase-file "$PASS" -o opened plain.gcm
	same plain opened
}

@test "the same input sealed twice shares no salt, commitment or ciphertext" {
	bytes 64 >plain
	gcmcrypt seal -K "$KEY" <plain >first
	gcmcrypt seal -K "$KEY" <plain >second
	(cmp -l first second || [ $? -eq 1 ]) | wc -l >"$AWAY/differ"
	# 32 slot salt, 64 wrap, 8 check, 32 MAC, 24 salt, 32 commitment, 80 chunk: some bytes agree by chance.
	[ "$(cat "$AWAY/differ")" -gt 240 ]
}

@test "zeros in, no zeros out" {
	head -c 100000 /dev/zero | gcmcrypt seal -K "$KEY" >zeros.gcm
	run ! grep -qaP '\x00{16}' zeros.gcm
}

# waits PID: the program waits for something.
waits() { [ "$(cat "/proc/$1/comm")" = gcmcrypt ] && [ "$(cut -d' ' -f3 "/proc/$1/stat")" = S ]; }

@test "an input that grows while it is sealed: a warning, and what was read opens" {
	head -c 5000000 /dev/zero >plain
	mkfifo fifo
	begin gcmcrypt seal -K "$KEY" -o fifo plain
	exec 8<fifo
	# It waits for somebody to empty the pipe, which holds less than all.
	await waits "$PID"
	echo more >>plain
	cat <&8 >sealed
	exec 8<&-
	ended 0
	says "gcmcrypt: plain: warning: changed while it was being read"
	gcmcrypt open -K "$KEY" <sealed | cmp - plain
}
