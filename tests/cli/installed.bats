#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# What make install puts where, and that it takes all of it away again; the installed reader opens
# what gcmcrypt sealed, by the commands of the page beside it.

load common

needs() {
	not_sanitized "it is the makefile that is tested"
	[ "${GCMCRYPT_BUILDDIR-}" ] || skip "no GCMCRYPT_BUILDDIR"
}

# makes TARGET...: in the build folder, with a prefix of its own, below $AWAY/root.
makes() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$GCMCRYPT_BUILDDIR" "$@" \
		prefix=/opt/gcm DESTDIR="$AWAY/root" 3>&- >"$OUT" 2>"$ERR" || fail "make $*: $(cat "$ERR")"
}

# The lines of a page that are commands for the reader.
commands() { grep '^    python3 open.py' "$1" | sed 's/^    //'; }

@test "installed: each file in its place; the reader works there; uninstall leaves none" {
	makes install
	cd "$AWAY/root/opt/gcm"
	find . -type f -printf '%P %m\n' | sort | diff - <(
		cat <<-END
			bin/gcmcrypt 755
			share/bash-completion/completions/gcmcrypt.bash 644
			share/doc/gcmcrypt/NEWS 644
			share/doc/gcmcrypt/README.md 644
			share/doc/gcmcrypt/SECURITY.md 644
			share/doc/gcmcrypt/assurance.md 644
			share/doc/gcmcrypt/open.py 644
			share/doc/gcmcrypt/restore-without-gcmcrypt.md 644
			share/fish/vendor_completions.d/gcmcrypt.fish 644
			share/man/man1/gcmcrypt.1 644
			share/man/man5/gcmcrypt.5 644
			share/man/man7/gcmcrypt.7 644
			share/zsh/site-functions/_gcmcrypt 644
		END
	)
	bin/gcmcrypt --version

	# As the page says, in the folder where it lies.
	cd share/doc/gcmcrypt
	printf '#!/bin/sh\nexec %q "$@"\n' "$(command -v "$PYTHON")" >"$AWAY/bin/python3"
	chmod +x "$AWAY/bin/python3"
	cp "$KEY" backup.key
	cp "$IDENTITY" backup.id
	cp "$PASS" passphrase.txt
	bytes 40000 >plain
	local keys=(-K backup.key -r "$RECIPIENT" --passphrase-file passphrase.txt "${CHEAP[@]}")
	local count=0 line
	while read -r line; do
		case $line in
		*--bare*) gcmcrypt seal -f --bare -K backup.key -o etc.tar.gcm plain ;;
		*--context*) gcmcrypt seal -f "${keys[@]}" --context nightly -o etc.tar.gcm plain ;;
		*) [ "$count" -gt 0 ] || gcmcrypt seal "${keys[@]}" -o etc.tar.gcm plain ;;
		esac
		gives 0 sh -c "$line"
		same etc.tar plain
		rm etc.tar
		count=$((count + 1))
	done < <(commands restore-without-gcmcrypt.md)
	assert_equal "$count" 5
	gcmcrypt seal -f -K backup.key -o etc.tar.gcm plain
	truncate -s -1 etc.tar.gcm
	gives 1 sh -c "$(commands restore-without-gcmcrypt.md | head -n 1)"
	rm backup.key backup.id passphrase.txt plain etc.tar etc.tar.gcm

	makes uninstall
	assert_equal "$(find "$AWAY/root" ! -type d)" ""
}
