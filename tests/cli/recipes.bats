#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The recipes of gcmcrypt.7 do what the page says, run as they are printed; stand-ins take the place
# of what is not here: other machines, databases, file systems and clouds.

load common

MANUAL=$TESTS/../man/gcmcrypt.7

needs() {
	not_sanitized "it is the manual that is tested"
	export HOME=$PWD
	mkdir documents "$AWAY/host"
	echo first >documents/a
	echo second >documents/b
	echo "$RECIPIENT" >backup.pub
	cp "$IDENTITY" backup.id
	cp "$KEY" backup.key
	stand_ins
}

# stand_in NAME: its script is standard input.
stand_in() {
	local script
	IFS= read -rd '' script || :
	printf '#!/bin/sh -e\n%s' "$script" >"$AWAY/bin/$1"
}

# What can die does so while $AWAY/die exists.  Another machine is the folder $AWAY/host.
stand_ins() {
	export AWAY
	stand_in pg_dump <<<'echo "dump of $*"; [ ! -e "$AWAY/die" ]'
	stand_in pg_restore <<<'{ echo "$*"; cat; } >restored'
	stand_in tar <<<'[ ! -e "$AWAY/die" ] || { echo half; exit 1; }; exec /bin/tar "$@"'
	stand_in zstd <<<'case $1 in -dq) exec gzip -d ;; -q) exec gzip ;; esac; exit 1'
	stand_in ssh <<<'[ "$1" = host ]; shift; cd "$AWAY/host"; exec sh -c "${*:-bin/receive}"'
	stand_in btrfs <<-'END'
		case "$1 $2" in
		"subvolume snapshot") [ "$3" = -r ] && cp -r "$4" "$5" ;;
		"send -q") exec tar -C "$3" -c . ;;
		*) exit 1 ;;
		esac
	END
	stand_in aws <<-'END'
		[ "$1 $2" = "s3 cp" ]
		if [ "$3" = - ]; then
			[ "$5" = --expected-size ]
			cat >"$AWAY/host/${4##*/}"
			[ "$(stat -c %s "$AWAY/host/${4##*/}")" -eq "$6" ]
		else
			[ "$4" = - ]
			cat "$AWAY/host/${3##*/}"
		fi
	END
	stand_in sbatch <<-'END'
		[ "$1 $2 $3" = "--wait --array=0-7 --wrap" ]
		for SLURM_ARRAY_TASK_ID in 7 0 3 2 1 4 5 6; do
			export SLURM_ARRAY_TASK_ID
			sh -c "$4"
		done
	END
	chmod -R +x "$AWAY/bin"
}

# recipe TITLE N: the Nth display below that title, as the page shows it.
recipe() {
	awk -v title="$1" -v n="$2" '
		/^\.S[sh] / { on = substr($0, 5) == title }
		on && /^\.Bd / { at++; next }
		/^\.Ed/ { shown = shown || (on && at == n); on = on && at != n }
		on && at == n { gsub(/\\e/, "\\"); print }
		END { exit !shown }' "$MANUAL" || fail "the manual has no display $2 below: $1"
}

# script NAME TITLE N: makes that display, which is a script, the file NAME.
script() {
	recipe "$2" "$3" >"$1"
	assert_regex "$(head -n 1 "$1")" '^#!(/bin/sh|/usr/bin/env bash)$'
	chmod +x "$1"
}

# now TITLE N: runs that display, whatever it is, in this folder.
now() {
	recipe "$1" "$2" >"$AWAY/now"
	chmod +x "$AWAY/now"
	case $(head -c 2 "$AWAY/now") in
	'#!') "$AWAY/now" ;;
	*) sh -e "$AWAY/now" ;;
	esac
}

# opens FILE: prints what it holds.
opens() { gcmcrypt open -i backup.id -o - "$1"; }

@test "each display of the page is run by a test" {
	awk '/^\.S[sh] / { title = substr($0, 5); n = 0 }
		/^\.Bd -literal/ { printf "%c%s%c %d\n", 39, title, 39, ++n }' "$MANUAL" >"$AWAY/displays"
	[ "$(wc -l <"$AWAY/displays")" -ge 20 ]
	while read -r display; do
		grep -qE "^	.*(recipe|script [a-z/]+|now) $display" "$TESTS"/cli/{recipes,scale_out}.bats ||
			fail "no test runs display $display"
	done <"$AWAY/displays"
}

@test "by cron: a new file, old ones go; none goes when tar fails" {
	mkdir bin backups
	script bin/nightly 'By cron' 1
	cp backup.pub backups
	touch -d '40 days ago' backups/documents-old.tar.gcm
	touch -d '10 days ago' backups/documents-new.tar.gcm
	read -r minute hour day month weekday command < <(recipe 'By cron' 2)
	assert_equal "$minute $hour $day $month $weekday" "15 3 * * *"
	touch "$AWAY/die"
	gives 8 sh -c "$command"
	assert_equal "$(ls backups)" "$(printf '%s\n' backup.pub documents-new.tar.gcm documents-old.tar.gcm)"
	rm "$AWAY/die"
	gives 0 sh -c "$command"
	says_nothing
	assert_not_exist backups/documents-old.tar.gcm
	assert_exist backups/documents-new.tar.gcm
	opens "backups/documents-$(date +%F).tar.gcm" | tar -x -O documents/b >b
	same b documents/b
}

@test "by a systemd timer: units that systemd takes, and a line that it can run" {
	recipe 'By a systemd timer' 1 >backup.service
	recipe 'By a systemd timer' 2 >backup.timer
	# systemd folds lines as a shell does, and %d is the folder of credentials.
	command=$(sed -n '/^ExecStart=/,$p' backup.service | sed 's/^ExecStart=//; s:%d/:./:')
	mv backup.key key
	gives 0 sh -c "$command"
	gcmcrypt open -K key -o - db.gcm | grep -x 'dump of -Fc db'
	assert_equal "$(recipe 'By a systemd timer' 3 | sed -n 's/^systemd-creds.* //p')" \
		"$(sed -n 's/^LoadCredentialEncrypted=key://p' backup.service)"
	command -v systemd-analyze >/dev/null || skip "the units: no systemd-analyze here"
	run systemd-analyze verify ./backup.service ./backup.timer
	run ! grep -v 'Command gcmcrypt is not executable' <<<"$output"
}

@test "of a database: the old one stays when pg_dump fails" {
	now 'Of a database' 1
	opens db.gcm | grep -x 'dump of -Fc db'
	remember
	touch "$AWAY/die"
	gives 8 now 'Of a database' 1
	unchanged
}

@test "of a database: restored only if all of it is right" {
	now 'Of a database' 1
	now 'All or nothing' 1
	assert_equal "$(cat restored)" "$(printf '%s\n' '--clean --if-exists --single-transaction -d db' 'dump of -Fc db')"
	bytes 100000 | gcmcrypt seal -f -R backup.pub -o db.gcm
	flip db.gcm 50000
	gives 4 now 'All or nothing' 1
	assert_equal "$(wc -l <restored)" 1
}

@test "of a btrfs snapshot" {
	mkdir home snapshots
	echo text >home/file
	now 'Of a btrfs snapshot' 1
	opens "home-$(date +%F).btrfs.gcm" | tar -x -O ./file | grep -x text
	rm -r snapshots/* "home-$(date +%F).btrfs.gcm"
	touch "$AWAY/die"
	gives 8 now 'Of a btrfs snapshot' 1
	assert_not_exist "home-$(date +%F).btrfs.gcm"
}

@test "compressed, to another machine, and compared; the last one stays when tar fails" {
	now 'Compressed, to another machine' 1
	cp "$AWAY/host/documents.tar.zst.gcm" .
	gives 0 now 'All or nothing' 3
	echo other >documents/b
	gives 1 now 'All or nothing' 3
	writes "documents/b"
	touch "$AWAY/die"
	gives 8 now 'Compressed, to another machine' 1
	same documents.tar.zst.gcm "$AWAY/host/documents.tar.zst.gcm"
	gives 5 gcmcrypt verify -i backup.id "$AWAY/host/documents.new"
}

@test "to a machine that can only receive: a new file each time, under a name of its own" {
	mkdir "$AWAY/host/bin" "$AWAY/host/incoming"
	script receive 'To a machine that can only receive' 1
	mv receive "$AWAY/host/bin"
	assert_regex "$(recipe 'To a machine that can only receive' 2)" \
		'^restrict,command="bin/receive" ssh-ed25519 AAAA[^ ]* server$'
	export HOME=$AWAY/host
	now 'To a machine that can only receive' 3
	now 'To a machine that can only receive' 3
	touch "$AWAY/die"
	gives 8 now 'To a machine that can only receive' 3
	ln -s "$AWAY/host/incoming" incoming
	gives 5 now 'To a machine that can only receive' 4
	assert_equal "$(grep -c ' ok (1 chunk' "$ERR")" 2
	assert_equal "$(find "$AWAY/host/incoming" -type f -name "$(date +%F).??????.gcm" | wc -l)" 3
}

@test "to S3 with the expected size, whatever it is, and back" {
	for size in 0 1 16383 16384 1000000; do
		bytes $size >disk.img
		now 'To S3' 1
	done
	mv disk.img was.img
	now 'All or nothing' 2
	same disk.img was.img
	rm disk.img
	truncate -s -1 "$AWAY/host/disk.img.gcm"
	gives 5 now 'All or nothing' 2
	assert_not_exist disk.img
	# The other summands that the page names.
	printf '%s\n' "$PASSPHRASE" >pass
	gcmcrypt seal "${CHEAP[@]}" -K backup.key -R backup.pub --passphrase-file pass --spare 7 was.img
	size_is was.img.gcm $((1000000 + 16 * (1000000 / 16384 + 1) + 56 + 56 + 100 + 100 + 92 + 4 + 7))
}

@test "in parts: any size, and on from where it was interrupted" {
	command -v jq >/dev/null || skip "no jq here"
	script part 'Part by part' 1
	sealed disk.img.gcm 100
	now 'Part by part' 2
	bytes 100 | cmp - disk.img
	bytes 1000000 >was.img
	gcmcrypt seal -f -K backup.key -o disk.img.gcm was.img
	flip disk.img.gcm 900000
	gives 4 now 'Part by part' 2
	assert_equal "$(echo disk.img.?)" "disk.img.0 disk.img.1 disk.img.2 disk.img.3 disk.img.4 disk.img.5"
	flip disk.img.gcm 900000
	now 'Part by part' 2
	same disk.img was.img
	now 'One file, opened by several' 2
	cat disk.img.[0-7] | cmp - was.img
	gcmcrypt open -f -K backup.key -o was.img disk.img.gcm
	truncate -s -16400 disk.img.gcm
	rm disk.img.[0-7]
	gives 5 ./part 0
	assert_not_exist disk.img.0
}

@test "from two damaged copies a whole one, or one that is bad where both are" {
	command -v jq >/dev/null || skip "no jq here"
	sealed two.gcm 400000
	cp two.gcm was.gcm
	cp two.gcm one.gcm
	head -c 4096 /dev/zero | dd of=one.gcm conv=notrunc status=none
	for at in 100000 140000 390000; do flip one.gcm $at; done
	for at in 50000 200000; do flip two.gcm $at; done
	truncate -s -10 two.gcm
	now 'From two damaged copies' 1
	script mend 'From two damaged copies' 2
	gives 0 ./mend
	says "whole.gcm: ok"
	same was.gcm whole.gcm
	flip two.gcm 140000
	gives 4 ./mend
	flip whole.gcm 140000
	same was.gcm whole.gcm
}

@test "a new key for all files, also when that was interrupted" {
	gcmcrypt seal -K backup.key documents/a documents/b
	mv documents/*.gcm .
	cp b.gcm last.gcm
	cp backup.key old.key
	now 'Of all files' 1
	gives 3 gcmcrypt verify -K old.key a.gcm
	gives 0 gcmcrypt verify -K backup.key a.gcm b.gcm last.gcm
	cp backup.key new.key
	cp old.key backup.key
	gcmcrypt rekey -fq -K new.key --new-key-file old.key b.gcm
	now 'Of all files' 2
	gives 0 gcmcrypt verify -K new.key a.gcm b.gcm last.gcm
}

@test "a new recipient for all files" {
	gcmcrypt seal -R backup.pub documents/a documents/b
	mv documents/*.gcm .
	now 'Of a recipient' 1
	gives 3 gcmcrypt verify -i backup.id a.gcm b.gcm
	gives 0 gcmcrypt verify -i new.id a.gcm b.gcm
	gcmcrypt seal -R new.pub -o c.gcm documents/a
	gives 0 gcmcrypt verify -i new.id c.gcm
}
