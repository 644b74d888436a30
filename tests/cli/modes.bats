#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# An output is private until it is complete, then takes its input's permissions and times.

load common

@test "permission bits and times of the input, under umask 022 and 077, both ways" {
	for mask in 022 077; do
		for mode in 600 644 640 444 755 4755; do
			bytes 1000 >plain
			chmod "$mode" plain
			touch -d '2001-02-03 04:05:06.789' plain
			(umask "$mask" && gcmcrypt seal -K "$KEY" plain)
			mode_is plain.gcm "${mode: -3}"
			assert_equal "$(stat -c %y plain.gcm)" "$(stat -c %y plain)"
			rm -f plain
			(umask "$mask" && gcmcrypt open -K "$KEY" plain.gcm)
			mode_is plain "${mode: -3}"
			assert_equal "$(stat -c %y plain)" "$(stat -c %y plain.gcm)"
			rm -f plain plain.gcm
		done
	done
}

@test "an output whose input is no regular file is 0600, whatever the umask" {
	for mask in 000 022 077; do
		bytes 1000 | (umask "$mask" && gcmcrypt seal -K "$KEY" -o plain.gcm)
		mode_is plain.gcm 600
		# shellcheck disable=SC2002 # a pipe is the point
		cat plain.gcm | (umask "$mask" && gcmcrypt open -K "$KEY" -o plain)
		mode_is plain 600
		rm plain plain.gcm
	done
}

@test "-f gives the new file its input's mode, not the old output's" {
	bytes 1000 >plain
	chmod 600 plain
	echo old >plain.gcm
	chmod 666 plain.gcm
	gives 0 gcmcrypt seal -f -K "$KEY" plain
	mode_is plain.gcm 600
}

# The file that the process has open for writing in this folder, with or without a name.
open_output_mode() {
	local fd
	for fd in /proc/"$PID"/fd/*; do
		case $(readlink "$fd") in
		"$PWD"/*) [ "$fd" = "/proc/$PID/fd/0" ] || stat -L -c %a "$fd" ;;
		esac
	done
}

@test "it is 0600 all through the write" {
	only_root # to look at the descriptors of a process that hides them
	bytes 300000 >"$AWAY/plain"
	chmod 666 "$AWAY/plain"
	(umask 000 && bytes 300000 >old)
	for force in "" -f; do
		# shellcheck disable=SC2086 # an option or none
		feed "$AWAY/plain" 200000 bash -c "umask 000; exec gcmcrypt seal $force -K '$KEY' -o out$force"
		assert_equal "$(open_output_mode)" 600
		feed_ends
		ended 0
		mode_is "out$force" 600
	done
	# From a regular file too: stopped at its first fsync, before the mode is set.
	cp "$AWAY/plain" plain
	chmod 666 plain
	command -v strace >/dev/null || skip "no strace"
	not_sanitized strace
	(umask 000 && strace -qq -o "$AWAY/trace" -e trace=openat,fchmod,fsync,linkat,renameat2,rename \
		"$PROGRAM" seal "${KERNEL[@]}" -K "$KEY" plain)
	mode_is plain.gcm 666
	grep -E '0600\)' "$AWAY/trace"
	# The one change of mode comes after the last byte and before the name.
	assert_equal "$(grep -c fchmod "$AWAY/trace")" 1
	grep -A 9 fchmod "$AWAY/trace" | grep -E 'linkat|rename'
}

# watched COMMAND...: runs it with umask 022 and 077 by turns, and looks at the file that it writes in
# this folder again and again: below its final length its mode is 600, and that was seen at several
# lengths, so that it is so all through the write.
watched() {
	"$PYTHON" - "$@" <<-'END'
		import os, subprocess, sys
		input, output, *command = sys.argv[1:]
		for mask in 0o022, 0o077:
		    child = subprocess.Popen(command, umask=mask)
		    seen = set()
		    while child.poll() is None:
		        for fd in "4567":
		            try:
		                name = os.readlink(f"/proc/{child.pid}/fd/{fd}")
		                file = os.stat(f"/proc/{child.pid}/fd/{fd}")
		            except OSError:
		                continue
		            if os.path.dirname(name) == os.getcwd() and os.path.basename(name) != input:
		                seen.add((file.st_size, file.st_mode & 0o7777))
		    assert child.returncode == 0
		    last = os.stat(output)
		    assert last.st_mode & 0o7777 == 0o666, oct(last.st_mode)
		    during = [mode for size, mode in seen if size < last.st_size]
		    assert len(during) >= 3 and set(during) == {0o600}, sorted(seen)
		    os.remove(output)
	END
}

@test "a watcher sees nothing but 0600 all through the write, from and to regular files, whatever the umask" {
	only_root # to look at the descriptors of a process that hides them
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	bytes 12000000 >plain
	chmod 666 plain
	for force in -v -f; do
		watched plain out "$PROGRAM" seal --kernel soft -T 1 $force -K "$KEY" -o out plain 2>"$ERR"
	done
	gcmcrypt seal -K "$KEY" plain
	for force in -v -f; do
		watched plain.gcm out "$PROGRAM" open --kernel soft -T 1 $force -K "$KEY" -o out plain.gcm 2>"$ERR"
	done
	only plain plain.gcm
}
