#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for eval
#
# --rm removes an input only after its output is safely on disk, and only the very file that was
# read, as it was read.

load common

needs_strace() {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
}
# traced ARGUMENTS COMMAND...: runs it under strace with those, which are split; $AWAY/trace.
traced() {
	local arguments
	read -ra arguments <<<"$1"
	shift
	strace -qq -o "$AWAY/trace" -e signal=none "${arguments[@]}" "$PROGRAM" "$1" "${KERNEL[@]}" "${@:2}"
}

@test "seal and open remove their inputs, and give back what was there" {
	bytes 50000 >plain
	bytes 10 >second
	chmod 640 plain
	cp plain second "$AWAY"
	gives 0 gcmcrypt seal --rm -K "$KEY" plain second
	says_nothing
	only plain.gcm second.gcm
	gives 0 gcmcrypt open --rm -K "$KEY" plain.gcm second.gcm
	says_nothing
	only plain second
	same plain "$AWAY/plain"
	same second "$AWAY/second"
	mode_is plain 640
	gives 0 gcmcrypt seal --rm -f -K "$KEY" -o second plain
	only second
	gives 0 gcmcrypt verify -K "$KEY" second
}

@test "without --rm originals are kept" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -K "$KEY" plain
	gives 0 gcmcrypt open -K "$KEY" -f plain.gcm
	only plain plain.gcm
}

@test "the input goes only after the sync of the output's folder" {
	needs_strace
	calls="-e trace=fsync,link,linkat,rename,renameat,renameat2,unlink,unlinkat"
	bytes 100 >plain
	traced "$calls" seal --rm -K "$KEY" plain
	assert_equal "$(sed 's/(.*//' "$AWAY/trace" | xargs)" "fsync linkat fsync unlinkat"
	traced "$calls" open --rm -f -K "$KEY" plain.gcm
	assert_equal "$(sed 's/(.*//' "$AWAY/trace" | xargs)" "fsync renameat fsync unlinkat"
	only plain
}

@test "the sync of the file or of the folder fails, or cannot be done: the input is kept" {
	needs_strace
	bytes 100 >plain
	sealed other.gcm 100
	remember
	for force in -q -f; do
		for when in 1 2; do
			for file in plain other.gcm; do
				command=seal
				[ $file = plain ] || command=open
				gives 1 traced "-e inject=fsync:error=EIO:when=$when" $command --rm $force -K "$KEY" \
					-o out $file
				says "Input/output error"
				[ $force = -f ] && [ $when = 2 ] && rm out
				unchanged
			done
		done
		# A folder that this system cannot sync: the output is fine, but nobody knows for how long.
		for error in EINVAL EBADF; do
			gives 1 traced "-e inject=fsync:error=$error:when=2" seal --rm $force -K "$KEY" -o out plain
			says "gcmcrypt: plain: its output's folder cannot be brought to disk; --rm kept it"
			says "hint: out is complete"
			gives 0 gcmcrypt verify -K "$KEY" out
			rm out
			unchanged
		done
	done
}

@test "any failure keeps the input" {
	sealed plain.gcm 50000
	sealed cut.gcm 50000
	truncate -s -1 cut.gcm
	bytes 100 >exists
	bytes 100 >exists.gcm
	remember
	gives 3 gcmcrypt open --rm -K "$OTHER_KEY" plain.gcm
	gives 5 gcmcrypt open --rm -K "$KEY" cut.gcm
	gives 2 gcmcrypt seal --rm -K "$KEY" exists
	gives 1 gcmcrypt seal --rm -K "$KEY" -o missing/out exists
	gives 6 gcmcrypt open --rm -K "$KEY" exists.gcm
	unchanged
	gives 5 gcmcrypt open --rm -K "$KEY" cut.gcm plain.gcm
	only cut.gcm exists exists.gcm plain
}

# meanwhile COMMAND SCRIPT FILE: SCRIPT has its effect when all of FILE was read, while the output is
# brought to disk: it has taken FILE's mode by then.
meanwhile() {
	chmod 640 "$3"
	begin traced "-e trace=fsync -e inject=fsync:delay_enter=500000:when=1" "$1" --rm -f -K "$KEY" "$3"
	await syncing
	eval "$2"
	ended 1
	says "gcmcrypt: $3: changed or was replaced while it was being read; --rm kept it"
}
syncing() { [ -n "$(find . -name '.*.gcmcrypt-*' -perm 640)" ]; }

@test "an input that changed while it was read is kept" {
	needs_strace
	bytes 100 >plain
	meanwhile seal 'echo more >>plain' plain
	says "hint: plain.gcm may hold a mixture of old and new"
	only plain plain.gcm
	size_is plain 105
	meanwhile open 'touch plain.gcm' plain.gcm
	says "hint: plain is complete"
	only plain plain.gcm
	meanwhile seal 'printf X | dd of=plain conv=notrunc status=none' plain
	only plain plain.gcm
	meanwhile seal 'touch -r plain ../away/old; printf Y | dd of=plain conv=notrunc status=none
		touch -r ../away/old plain' plain
	assert_equal "$(head -c 1 plain)" Y
	only plain plain.gcm
	meanwhile seal ': >plain' plain
	size_is plain 0
}

@test "a name that is another file's by now is kept, a symbolic link to the same file too" {
	needs_strace
	bytes 100 >plain
	bytes 100 >"$AWAY/other"
	meanwhile seal 'mv "$AWAY/other" plain' plain
	bytes 100 | cmp - plain
	meanwhile seal 'mv plain moved; ln -s moved plain' plain
	[ -L plain ]
	bytes 100 | cmp - moved
	rm plain
	mv moved plain
	meanwhile seal 'mv plain moved; mkfifo plain' plain
	[ -p plain ]
	meanwhile seal 'mv moved gone' moved
	only plain plain.gcm gone moved.gcm
}

@test "a signal that comes too late for the output still keeps the input" {
	needs_strace
	bytes 100 >plain
	gives 143 traced "-e inject=fsync:signal=TERM:when=2" seal --rm -K "$KEY" plain
	only plain plain.gcm
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
}

@test "it cannot be removed: exit 1, the output stays" {
	needs_strace
	bytes 100 >plain
	gives 1 traced "-e inject=unlinkat:error=EACCES" seal --rm -K "$KEY" plain
	says "gcmcrypt: plain: cannot be removed: Permission denied"
	says "hint: plain.gcm is complete"
	only plain plain.gcm
	gives 0 gcmcrypt verify -K "$KEY" plain.gcm
}

@test "a hard link loses one name alone" {
	bytes 100 >plain
	ln plain link
	gives 0 gcmcrypt seal --rm -K "$KEY" plain
	only plain.gcm link
	bytes 100 | cmp - link
}

@test "refused before anything is done: links, FIFOs, devices, standard input and output" {
	bytes 100 >plain
	sealed plain.gcm 100
	ln -s plain link
	ln -s plain.gcm link.gcm
	mkfifo fifo
	cp -a fifo fifo.gcm
	remember
	for name in link /dev/null; do
		gives 2 gcmcrypt seal --rm -K "$KEY" -o out $name
		says "is no regular file under its own name, and --rm was given"
	done
	gives 2 gcmcrypt open --rm -K "$KEY" -o out link.gcm
	gives 2 gcmcrypt seal --rm -K "$KEY" <plain
	gives 2 gcmcrypt seal --rm -K "$KEY" -o out - <plain
	gives 2 gcmcrypt seal --rm -K "$KEY" -o out plain - </dev/null
	gives 2 gcmcrypt seal --rm -K "$KEY" -o - plain
	gives 2 gcmcrypt open --rm -K "$KEY" -o - plain.gcm
	gives 2 gcmcrypt seal --rm --from-command -K "$KEY" -o out -- cat plain
	for name in fifo /dev/null; do
		gives 2 timeout 5 gcmcrypt seal --rm -f -K "$KEY" -o $name plain
		says "gcmcrypt: $name: is no regular file, and --rm was given"
		gives 2 timeout 5 gcmcrypt open --rm -K "$KEY" -o $name plain.gcm
	done
	gives 2 gcmcrypt verify --rm -K "$KEY" plain.gcm
	unchanged
}

@test "the key or passphrase that opens the output is not removed" {
	cp "$KEY" key
	cp "$PASS" pass
	ln key other-name
	remember
	gives 2 gcmcrypt seal --rm -K key key
	says "gcmcrypt: key: is a key or passphrase file in use, and --rm was given"
	gives 2 gcmcrypt seal --rm -K key other-name
	gives 2 gcmcrypt seal "${CHEAP[@]}" --rm --passphrase-file pass pass
	gives 2 gcmcrypt seal "${CHEAP[@]}" --rm --passphrase-fd 5 pass 5<./pass
	unchanged
}
