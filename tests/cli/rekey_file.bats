#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The file that rekey makes: it takes the old one's name complete or not at all, or another one.

load common

opens_with() { gcmcrypt open "${@:2}" -o - "$1" | cmp - plain || fail "not as it was: $*"; }
refuses() { gives 3 gcmcrypt verify "${@:2}" "$1"; }

# given: plain.gcm under $KEY, of three chunks.
given() {
	bytes 40000 >plain
	gcmcrypt seal -K "$KEY" plain
	cp plain.gcm "$AWAY/old.gcm"
}

@test "-o leaves the file alone" {
	given
	echo there >"$AWAY/there"
	cp "$AWAY/there" there
	remember
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" -o "$AWAY/new.gcm" plain.gcm
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" -o - plain.gcm
	cp "$OUT" "$AWAY/piped.gcm"
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" -o there plain.gcm
	says "there: already exists"
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" -f -o plain.gcm plain.gcm
	says "input and output are the same file"
	cp "$OTHER_KEY" "$AWAY/new-key"
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$AWAY/new-key" -f -o "$AWAY/new-key" plain.gcm
	says "is a key or passphrase file in use"
	gives 2 gcmcrypt rekey -K "$KEY" --remove 1 -o "$AWAY/x" plain.gcm plain.gcm
	says "-o names one output"
	unchanged
	for name in new piped; do
		opens_with "$AWAY/$name.gcm" -K "$OTHER_KEY"
		refuses "$AWAY/$name.gcm" -K "$KEY"
	done
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" -f -o there plain.gcm
	opens_with there -K "$OTHER_KEY"
}

@test "what has no name of its own is refused" {
	given
	ln -s plain.gcm link
	mkfifo fifo
	mkdir folder
	remember
	for name in link folder; do
		gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" $name
	done
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" link
	says "link: is no regular file under its own name"
	exec 8<>fifo
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" fifo
	exec 8>&-
	says "fifo: is no regular file under its own name"
	for file in "" -; do
		# shellcheck disable=SC2086 # one or none
		gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" $file <plain.gcm
		says "rekey needs a FILE that has a name"
	done
	gives 1 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" missing
	unchanged
}

@test "mode, times and owner stay; other names are warned of" {
	given
	chmod 640 plain.gcm
	touch -d '2020-02-03 04:05:06.789' plain.gcm
	[ "$(id -u)" -ne 0 ] || chown 1234:5678 plain.gcm
	before=$(stat -c '%a %u %g %y' plain.gcm)
	inode=$(stat -c %i plain.gcm)
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" plain.gcm
	assert_equal "$(stat -c '%a %u %g %y' plain.gcm)" "$before"
	[ "$(stat -c %i plain.gcm)" != "$inode" ]
	gives 0 gcmcrypt rekey -K "$OTHER_KEY" --new-key-file "$KEY" --in-place plain.gcm
	assert_equal "$(stat -c '%a %u %g %y' plain.gcm)" "$before"
	ln plain.gcm other
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" plain.gcm
	says "plain.gcm: warning: has other names, which still are the old file"
	opens_with other -K "$KEY"
}

@test "a file that is replaced or changed meanwhile stays as it is then" {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	given
	for how in "mv other plain.gcm" "echo more >>plain.gcm"; do
		cp "$AWAY/old.gcm" plain.gcm
		echo other >other
		# It is held up at the end, when the new file waits for nothing but the disk.
		strace -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_enter=2000000:when=1 \
			"$PROGRAM" rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" plain.gcm 2>"$ERR" 3>&- &
		await compgen -G '.plain.gcm.gcmcrypt-*' >/dev/null
		eval "$how"
		cp plain.gcm "$AWAY/then"
		got=0
		wait $! || got=$?
		assert_equal "$got" 1
		says "plain.gcm: changed or was replaced meanwhile"
		says "hint: rekey left it alone"
		says_not "as it was"
		same plain.gcm "$AWAY/then"
		rm -f other
		only plain plain.gcm
	done
}

@test "a full disk: the file is as it was" {
	given
	remember
	gives 1 bash -c "ulimit -f 20; gcmcrypt rekey -K '$KEY' --new-key-file '$OTHER_KEY' plain.gcm"
	says "plain.gcm: File too large"
	says "hint: the file is as it was"
	unchanged
}
