#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# rekey of the header alone: in place, saved, and put back.

load common

opens_with() { gcmcrypt open "${@:2}" -o - "$1" | cmp - plain || fail "not as it was: $*"; }
refuses() { gives 3 gcmcrypt verify "${@:2}" "$1"; }
spare() { gcmcrypt info "$1" | sed -n 's/^slot.* spare, \(.*\) bytes/\1/p'; }

# given [OPTION...]: plain.gcm under $KEY.
given() {
	bytes 40000 >plain
	gcmcrypt seal -K "$KEY" "$@" plain
	cp plain.gcm "$AWAY/old.gcm"
}

@test "in place: the header alone, after the old one was saved" {
	given
	inode=$(stat -c %i plain.gcm)
	gives 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" --in-place plain.gcm
	says "plain.gcm: the header was rewritten in place; the old one is in plain.gcm.header-backup"
	says "only sealing again revokes it"
	only plain plain.gcm plain.gcm.header-backup
	assert_equal "$(stat -c %i plain.gcm)" "$inode"
	opens_with plain.gcm -K "$OTHER_KEY"
	refuses plain.gcm -K "$KEY"
	cmp plain.gcm.header-backup <(head -c 156 "$AWAY/old.gcm")
	cmp <(tail -c +157 plain.gcm) <(tail -c +157 "$AWAY/old.gcm")
	mode_is plain.gcm.header-backup "$(stat -c %a plain.gcm)"
}

@test "in place: only the header is written, once, when its copy is on disk" {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	given
	gives 0 strace -qq -e trace=write,pwrite64,fsync,renameat,linkat,renameat2 -o "$AWAY/trace" "$PROGRAM" rekey -q \
		-K "$KEY" --new-key-file "$OTHER_KEY" --in-place plain.gcm
	# What is left of a call: its name, and the bytes and place of a write.
	assert_equal "$(sed -E 's/\(.*("\.\.\.|"), ([0-9, ]+)\) += .*/ \2/; s/\(.*//' "$AWAY/trace")" "\
write 156
fsync
linkat
fsync
pwrite64 156, 0
fsync"
}

@test "room that seal left is used, and given back" {
	given --spare 204
	gives 0 gcmcrypt rekey -K "$KEY" --add --new-recipient "$RECIPIENT" --in-place plain.gcm
	assert_equal "$(spare plain.gcm)" 104
	gives 0 gcmcrypt rekey -K "$KEY" --add --new-recipient "$RECIPIENT" --in-place -f plain.gcm
	assert_equal "$(spare plain.gcm)" 4
	opens_with plain.gcm -i "$IDENTITY"
	gives 2 gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" --in-place -f plain.gcm
	says "plain.gcm: has no room in its header for the new one"
	says "hint: without --in-place a new file is written"
	gives 0 gcmcrypt rekey -K "$KEY" --remove 2 --in-place -f plain.gcm
	assert_equal "$(spare plain.gcm)" 104
	gives 0 gcmcrypt rekey -K "$KEY" --remove 2 --in-place -f plain.gcm
	assert_equal "$(spare plain.gcm)" 204
	opens_with plain.gcm -K "$KEY"
	size_is plain.gcm "$(stat -c %s "$AWAY/old.gcm")"
	# A passphrase slot is shorter than one for a key file.
	gives 0 gcmcrypt rekey -K "$KEY" --new-passphrase-file "$PASS" "${CHEAP[@]}" --in-place -f plain.gcm
	assert_equal "$(spare plain.gcm)" 212
	opens_with plain.gcm --passphrase-file "$PASS"
}

@test "in place: room to the byte, and one to three bytes that no spare slot can fill" {
	for spare in 96 97 98 99 100; do
		bytes 100 >plain
		gcmcrypt seal -f -K "$KEY" --spare $spare plain
		want=2
		# With 100 bytes for the slot, what is left of 4 + SPARE is nothing, or 4 or more.
		case $spare in 96 | 100) want=0 ;; esac
		gives $want gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" --in-place -f plain.gcm
		opens_with plain.gcm -K "$KEY"
		[ $want -ne 0 ] || opens_with plain.gcm -K "$OTHER_KEY"
	done
	assert_equal "$(spare plain.gcm)" 0
	given -f
	gives 2 gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" --in-place -f plain.gcm
}

@test "a new file keeps the room that was left" {
	given --spare 200
	gives 0 gcmcrypt rekey -K "$KEY" --add --new-key-file "$OTHER_KEY" plain.gcm
	assert_equal "$(spare plain.gcm)" 200
	opens_with plain.gcm -K "$OTHER_KEY"
}

@test "a copy of a header that exists is kept, before any key is asked for" {
	given
	echo mine >plain.gcm.header-backup
	remember
	gives 2 timeout 5 setsid -w gcmcrypt rekey --in-place plain.gcm
	says "plain.gcm.header-backup: already exists"
	says "hint: -f replaces it"
	unchanged
	rm plain.gcm.header-backup
	mkfifo plain.gcm.header-backup
	remember
	gives 2 gcmcrypt rekey -f -K "$KEY" --new-key-file "$OTHER_KEY" --in-place plain.gcm
	unchanged
}

@test "in place: nothing is written where no copy can be" {
	for_nobody
	given
	chown 65534 plain.gcm
	chmod o+rx .
	cp "$OTHER_KEY" "$AWAY/their-other-key"
	chown 65534 "$AWAY/their-other-key"
	remember
	gives 1 "${NOBODY[@]}" "$AWAY/program" rekey -K "$AWAY/their-key" --new-key-file "$AWAY/their-other-key" \
		--in-place plain.gcm
	says "plain.gcm.header-backup: Permission denied"
	chmod 400 plain.gcm
	chmod o+w .
	remember
	gives 1 "${NOBODY[@]}" "$AWAY/program" rekey -K "$AWAY/their-key" --new-key-file "$AWAY/their-other-key" \
		--in-place plain.gcm
	says "plain.gcm: Permission denied"
	says_not "a new run reads it"
	unchanged
}

@test "what another --in-place did meanwhile is not undone, though it left the file its times" {
	given
	another="gcmcrypt rekey -q -K '$KEY' --new-key-file '$OTHER_KEY' --in-place -f plain.gcm; cat '$PASS'"
	for how in "" "--in-place -f"; do
		cp "$AWAY/old.gcm" plain.gcm
		# shellcheck disable=SC2086 # none, or two words
		gives 1 gcmcrypt rekey -K "$KEY" --new-passphrase-command "$another" "${CHEAP[@]}" $how plain.gcm
		says "plain.gcm: changed or was replaced meanwhile"
		opens_with plain.gcm -K "$OTHER_KEY"
		only plain plain.gcm plain.gcm.header-backup
		cmp plain.gcm.header-backup <(head -c 156 "$AWAY/old.gcm")
	done
}

@test "in place: a file of a lower layer, which moves when it is opened for writing" {
	given
	mkdir "$AWAY/layers"
	# Everything on a tmpfs of its own, since not every file system may hold an upper layer.
	# shellcheck disable=SC2016
	script='mount -t tmpfs tmpfs "$1" && cd "$1" && mkdir low up work both && cp "$2" low/plain.gcm &&
		mount -t overlay -o lowerdir=low,upperdir=up,workdir=work overlay both || exit 77
		gcmcrypt rekey -K "$3" --new-key-file "$4" --in-place both/plain.gcm && cp both/plain.gcm "$2"'
	got=0
	unshare -m bash -c "$script" - "$AWAY/layers" "$PWD/plain.gcm" "$KEY" "$OTHER_KEY" 2>"$ERR" || got=$?
	case $got in 1 | 77) ! grep -E '^(unshare|mount):' "$ERR" || skip "no layers can be mounted here" ;; esac
	assert_equal $got 0
	says "the header was rewritten in place"
	opens_with plain.gcm -K "$OTHER_KEY"
}

@test "in place: a header that could not be written says how to mend it" {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	for fault in pwrite64:error=EIO fsync:error=EIO:when=3; do
		given -f
		gives 1 strace -qq -o /dev/null -e "trace=${fault%%:*}" -e "inject=$fault" "$PROGRAM" rekey -f -K "$KEY" \
			--new-key-file "$OTHER_KEY" --in-place plain.gcm
		says "gcmcrypt: plain.gcm: "
		says "Input/output error"
		says "hint: gcmcrypt rekey --in-place --restore-header plain.gcm.header-backup plain.gcm mends it"
		cmp plain.gcm.header-backup <(head -c 156 "$AWAY/old.gcm")
		# As bad as it can be.
		head -c 100 /dev/urandom | dd of=plain.gcm conv=notrunc status=none
		gives 0 gcmcrypt rekey --in-place --restore-header plain.gcm.header-backup -K "$KEY" plain.gcm
		same plain.gcm "$AWAY/old.gcm"
	done
}

@test "in place: pieces and interruptions" {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	given
	gives 0 strace -qq -o /dev/null -e trace=pwrite64,fsync -e inject=pwrite64:error=EINTR:when=1 \
		-e inject=fsync:error=EINTR:when=3 "$PROGRAM" rekey -K "$KEY" --new-key-file "$OTHER_KEY" --in-place plain.gcm
	opens_with plain.gcm -K "$OTHER_KEY"
}

@test "--header-only saves the header, and needs no key" {
	given
	gives 0 timeout 5 setsid -w gcmcrypt rekey --header-only -o header plain.gcm
	says_nothing
	cmp header <(head -c 156 plain.gcm)
	gives 0 gcmcrypt rekey --header-only -o - plain.gcm
	same "$OUT" header
	gives 5 gcmcrypt info header
	writes "slot 1      key file"
	remember
	gives 2 gcmcrypt rekey --header-only -o header plain.gcm
	says "header: already exists"
	gives 2 gcmcrypt rekey --header-only plain.gcm
	says "--header-only needs -o FILE"
	gives 2 gcmcrypt rekey --header-only -f -o plain.gcm plain.gcm
	gives 2 gcmcrypt rekey --header-only -o x -K "$KEY" plain.gcm
	says "--header-only needs no key"
	for option in --add "--remove 1" "--new-key-file $KEY" --new-passphrase; do
		# shellcheck disable=SC2086
		gives 2 gcmcrypt rekey --header-only -o x $option plain.gcm
		says "--header-only and --restore-header change no slots"
	done
	for option in --in-place --dry-run; do gives 2 gcmcrypt rekey --header-only -o x $option plain.gcm; done
	gives 2 gcmcrypt rekey --header-only -o x --restore-header header plain.gcm
	says "one of them, not both"
	gives 6 gcmcrypt rekey --header-only -o x plain
	head -c 100 plain.gcm >"$AWAY/cut"
	gives 5 gcmcrypt rekey --header-only -o x "$AWAY/cut"
	flip "$AWAY/cut" 50
	cat "$AWAY/cut" plain.gcm >"$AWAY/bad"
	gives 4 gcmcrypt rekey --header-only -o x "$AWAY/bad"
	unchanged
	gives 0 gcmcrypt rekey --header-only -f -o header plain.gcm
}

# ways_to_restore: by the header in the file "header", in a new file and in place.
ways_to_restore() {
	cp plain.gcm "$AWAY/damaged.gcm"
	for place in "" --in-place; do
		cp "$AWAY/damaged.gcm" plain.gcm
		# shellcheck disable=SC2086 # one or none
		gives 0 gcmcrypt rekey $place --restore-header header -K "$KEY" plain.gcm
		says_nothing
		same plain.gcm "$AWAY/old.gcm"
		only plain plain.gcm header
	done
}

@test "--restore-header puts a header back, whatever state the file's own is in" {
	given
	head -c 156 plain.gcm >header
	for damage in 0 1 8 12 15 20 100 155; do
		flip plain.gcm $damage
		ways_to_restore
	done
	head -c 156 /dev/zero | dd of=plain.gcm conv=notrunc status=none
	ways_to_restore
	gcmcrypt rekey -q -K "$KEY" --new-key-file "$OTHER_KEY" plain.gcm
	ways_to_restore
}

@test "--restore-header over a header of another length" {
	given
	head -c 156 plain.gcm >header
	gcmcrypt rekey -q -K "$KEY" --add --new-key-file "$OTHER_KEY" plain.gcm
	cp plain.gcm "$AWAY/longer.gcm"
	gives 2 gcmcrypt rekey --in-place --restore-header header -K "$KEY" plain.gcm
	says "plain.gcm: has no room in its header"
	same plain.gcm "$AWAY/longer.gcm"
	gives 0 gcmcrypt rekey --restore-header header -K "$KEY" plain.gcm
	same plain.gcm "$AWAY/old.gcm"
	# Any sealed file may lend its header.
	gives 0 gcmcrypt rekey --restore-header "$AWAY/longer.gcm" -K "$OTHER_KEY" -o new.gcm plain.gcm
	same new.gcm "$AWAY/longer.gcm"
	same plain.gcm "$AWAY/old.gcm"
}

@test "--restore-header: only what belongs there, and only for whoever has its key" {
	given --context tuesday
	head -c 156 plain.gcm >header
	bytes 40000 | gcmcrypt seal -K "$KEY" --context tuesday -o other.gcm
	head -c 156 other.gcm >other-header
	cp header bad-header
	flip bad-header 60
	head -c 100 header >cut-header
	"$PYTHON" "$TESTS/cli/make_header.py" 1:8 >forged-header
	remember
	for how in "" --in-place --dry-run; do
		# shellcheck disable=SC2086 # one or none
		set -- gcmcrypt rekey $how --context tuesday
		gives 4 "$@" -K "$KEY" --restore-header other-header plain.gcm
		says "plain.gcm: that header does not belong to it, or it needs its --context"
		gives 4 gcmcrypt rekey -K "$KEY" --restore-header header plain.gcm
		says "plain.gcm: that header does not belong to it"
		says "hint: if it is the right one, the 56 bytes behind the header of the file are damaged too"
		gives 4 "$@" -K "$KEY" --restore-header header plain
		gives 4 "$@" -K "$KEY" --restore-header bad-header plain.gcm
		says "bad-header: damaged"
		gives 5 "$@" -K "$KEY" --restore-header cut-header plain.gcm
		gives 6 "$@" -K "$KEY" --restore-header plain plain.gcm
		gives 1 "$@" -K "$KEY" --restore-header missing plain.gcm
		gives 1 "$@" -K "$KEY" --restore-header header missing
		gives 3 "$@" -K "$OTHER_KEY" --restore-header header plain.gcm
		says "header: no key given opens this file"
		gives 3 "$@" -K "$KEY" --restore-header forged-header plain.gcm
		gives 2 "$@" -K "$KEY" --restore-header plain.gcm plain.gcm
		says "input and output are the same file"
		[ "$how" = --in-place ] || gives 2 "$@" -K "$KEY" --restore-header header -f -o header plain.gcm
		gives 2 "$@" -K "$KEY" --restore-header header --add plain.gcm
		gives 2 "$@" -K "$KEY" --restore-header header plain.gcm other.gcm
		says "--restore-header is for one FILE"
		gives 2 "$@" -K "$KEY" --restore-header - plain.gcm <header
		says "--restore-header needs a named FILE"
	done
	gives 0 gcmcrypt rekey --context tuesday -K "$KEY" --restore-header header --dry-run plain.gcm
	writes "belongs to this payload"
	unchanged
}

@test "--restore-header: a header with a wrong MAC is not put back" {
	given
	head -c 156 plain.gcm >header
	flip header 155
	remember
	gives 4 gcmcrypt rekey -K "$KEY" --restore-header header plain.gcm
	says "header: damaged: its header was changed after it was sealed"
	unchanged
}

@test "in place goes with no other output" {
	given
	remember
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" --in-place -o x plain.gcm
	says "--in-place makes no other output: no -o"
	ln -s plain.gcm link
	gives 2 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" --in-place link
	rm link
	unchanged
}
