#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# While it works, the program can reach nothing but what its run is about; and where the system
# cannot see to that, everything works all the same.

load common

# The version of Landlock here, asked without the program.
landlock() {
	"$PYTHON" -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))'
}

needs() {
	[ "$(uname)" = Linux ] || skip "Landlock is Linux's"
	VERSION=$(landlock)
}
needs_landlock() { [ "$VERSION" -ge "${1:-1}" ] || skip "no Landlock, or an older one: $VERSION"; }
needs_probe() {
	not_sanitized "LD_PRELOAD"
	command -v "$CC" >/dev/null || skip "no compiler"
	"$CC" -O1 -shared -fPIC -o "$AWAY/probe.so" "$BATS_TEST_DIRNAME/probe.c" -ldl
}
needs_strace() {
	not_sanitized strace
	command -v strace >/dev/null || skip "no strace"
	strace -qq -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# probed STATUS COMMAND...: with something in reach for the probe to try.
PROBE=()
probed() {
	echo beside >beside
	echo victim | tee "$AWAY/victim" >"$AWAY/doomed"
	PROBE=(env LD_PRELOAD="$AWAY/probe.so" GCMCRYPT_TEST_AWAY="$AWAY" GCMCRYPT_TEST_HERE="$PWD")
	gives "$1" "${PROBE[@]}" "${@:2}"
}
# all_refused PLACE [BUT]: all that this version of Landlock, or $AS, can refuse was, but for one thing.
all_refused() {
	local how what since
	while read -r since what; do
		how=refused
		[ "${AS:-$VERSION}" -ge "$since" ] && [ "$what" != "${2-}" ] || how="done"
		echo "probe at $1: $what: $how"
	done <<-END >"$AWAY/expected"
		1 read a key
		1 read beside
		1 write beside
		1 list
		1 create
		3 truncate
		1 rename
		1 remove
		1 link
		1 exec
		4 bind
		4 connect
		6 signal
	END
	grep "^probe at $1: " "$ERR" | diff "$AWAY/expected" - || fail "not as expected"
}

HOLDS="confined by Landlock (version "

@test "nothing else is read, written, listed, made, removed, run, connected to or signalled" {
	needs_landlock
	needs_probe
	bytes 1000000 >plain
	probed 0 gcmcrypt seal -v -T 2 -K "$KEY" plain
	says "$HOLDS$VERSION): no other files, no commands"
	all_refused read
	all_refused fsync
	for command in "open -T 1 -o back" "open -T 2 -f -o back" "verify -T 2"; do
		# shellcheck disable=SC2086 # words
		probed 0 gcmcrypt $command -K "$KEY" plain.gcm
		all_refused read
	done
	# The output is still to be made, so its folder is open to writing.
	probed 0 gcmcrypt open --verify-first -f -K "$KEY" -o back plain.gcm
	all_refused read "write beside"
	same back plain
	probed 0 gcmcrypt rekey -K "$KEY" --new-key-file "$OTHER_KEY" plain.gcm
	all_refused fsync
	# A child has to be ended, should it come to that.
	probed 0 gcmcrypt seal --from-command -K "$KEY" -o made -- env -u LD_PRELOAD cat plain
	all_refused read signal
	only plain plain.gcm back made beside
}

@test "the probe can do all that where nothing is confined" {
	needs_probe
	needs_strace
	bytes 1000000 >plain
	probed 0 strace -f -qq -o /dev/null -e trace=landlock_create_ruleset \
		-e inject=landlock_create_ruleset:error=ENOSYS "$PROGRAM" seal -v -K "$KEY" plain
	says "gcmcrypt: not confined: there is no Landlock here (Function not implemented)"
	assert_equal "$(grep -c "probe at read: .*: done" "$ERR")" 13
	rm key
	only plain plain.gcm beside
}

@test "whatever of it fails, the work is done, and -v says so" {
	needs_landlock
	needs_strace
	bytes 100000 >plain
	for fault in landlock_create_ruleset:error=EOPNOTSUPP:when=1 landlock_create_ruleset:error=EINVAL:when=2 \
		landlock_add_rule:error=EINVAL:when=1 landlock_add_rule:error=ENOMEM:when=2 prctl:error=EINVAL:when=2+ \
		landlock_restrict_self:error=EINVAL landlock_restrict_self:error=E2BIG; do
		gives 0 strace -qq -o /dev/null -e "trace=${fault%%:*}" -e "inject=$fault" "$PROGRAM" seal -v \
			-K "$KEY" plain
		says "gcmcrypt: not confined: "
		gives 0 gcmcrypt open -K "$KEY" -f plain.gcm
		bytes 100000 | cmp - plain
		rm plain.gcm
	done
}

@test "older versions, and newer ones, are asked for what they know" {
	needs_landlock 6
	needs_probe
	bytes 300000 >plain
	for AS in 1 2 3 4 5 6 99; do
		probed 0 env GCMCRYPT_TEST_LANDLOCK=$AS gcmcrypt seal -v -f -K "$KEY" plain
		says "$HOLDS$AS): no other files, no commands"
		if [ $AS -lt 4 ]; then says_not "no TCP"; else says "no commands, no TCP"; fi
		all_refused fsync
	done
	gcmcrypt open -K "$KEY" -o - plain.gcm | cmp - plain
}

@test "later files of a run: inputs and outputs of any kind, in any folder" {
	mkdir one two three
	bytes 100000 | tee one/a two/b >three/c
	mkfifo two/in three/c.gcm
	cat three/c.gcm >"$AWAY/through" &
	bytes 50000 >two/in &
	ln -s ../one/a two/link
	gives 1 gcmcrypt seal -v -K "$KEY" one/a missing two/b two two/in two/link three/c /dev/fd/8 8< <(bytes 10)
	[ "$VERSION" -lt 1 ] || says "$HOLDS"
	says "missing: No such file"
	says "two: is a directory"
	says "hint: tar -c two"
	says "/dev/fd/8.gcm: "
	says "3 of 8 files failed"
	rm two/in
	gives 0 gcmcrypt open -f -K "$KEY" one/a.gcm two/b.gcm two/in.gcm two/link.gcm
	for file in one/a two/b two/link; do bytes 100000 | cmp - $file; done
	bytes 50000 | cmp - two/in
	gcmcrypt open -K "$KEY" <"$AWAY/through" | cmp - three/c
	gives 0 gcmcrypt seal -f --rm -K "$KEY" --digest-file three/sums one/a two/b
	sha256sum -c --quiet three/sums
	rm three/c.gcm
	gives 0 gcmcrypt rekey --in-place -K "$KEY" --new-key-file "$OTHER_KEY" one/a.gcm two/b.gcm
	gives 0 gcmcrypt rekey -K "$OTHER_KEY" --new-key-file "$KEY" one/a.gcm two/b.gcm
	gives 0 gcmcrypt verify -K "$KEY" one/a.gcm two/b.gcm
	assert_equal "$(find one two three -type f | sort | tr '\n' ' ')" \
		"one/a.gcm one/a.gcm.header-backup three/c three/sums two/b.gcm two/b.gcm.header-backup two/in two/in.gcm two/link two/link.gcm "
}

@test "a FIFO or device as the output of what reads its input out of order" {
	bytes 100000 >plain
	gcmcrypt seal -q -K "$KEY" plain
	mkfifo fifo
	# What waits for a writer that never comes would hold up the test.
	timeout 20 cat fifo >back 3>&- &
	gives 0 gcmcrypt open -v --verify-first -K "$KEY" -o fifo plain.gcm
	[ "$VERSION" -lt 1 ] || says "$HOLDS"
	wait
	same back plain
	gives 0 gcmcrypt open --range 5:10 -K "$KEY" -o /dev/null plain.gcm
}

@test "what is put in the place of a later file is not read, and the hint says why" {
	needs_landlock
	mkfifo first
	bytes 100 >later
	bytes 2000000 >"$AWAY/data"
	begin gcmcrypt seal -K "$KEY" first later
	exec 9>first
	head -c 1500000 "$AWAY/data" >&9
	mv "$AWAY/data" later
	exec 9>&-
	ended 1
	says "later: Permission denied"
	says "hint: if it was put there after this run had begun, a new run reads it"
	gives 0 gcmcrypt seal -K "$KEY" later
}

@test "a command that is asked for runs as it always did, and then no other" {
	bytes 100000 >plain
	gives 0 gcmcrypt seal -v --from-command -K "$KEY" -o out -- \
		sh -c 'cat plain; grep NoNewPrivs /proc/self/status >"$0"; env true' "$AWAY/status"
	[ "$VERSION" -lt 1 ] || says "$HOLDS"
	grep -q '^NoNewPrivs:.0$' "$AWAY/status"
	gcmcrypt open -K "$KEY" -o - out | cmp - plain
	# The second file alone needs the passphrase: nothing is confined before that.
	gcmcrypt seal -K "$KEY" -o one plain
	gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -o two plain
	gives 0 gcmcrypt verify -v -K "$KEY" --passphrase-command "cat '$PASS'; touch '$AWAY/ran'" one two one
	assert_exists "$AWAY/ran"
	[ "$VERSION" -lt 1 ] || assert_equal "$(sed -n '/confined\|: ok/s/^gcmcrypt: \([a-z]*\).*/\1/p' "$ERR" | tr '\n' ' ')" \
		"one confined two one "
}

@test "two passphrase files of different cost: the limits of memory are looked at for each" {
	needs_strace
	needs_landlock
	bytes 100 >plain
	for memory in 64K 128K; do
		gcmcrypt seal -q --passphrase-file "$PASS" --kdf-memory $memory --kdf-passes 1 -o $memory.gcm plain
	done
	gives 0 strace -qq -o "$AWAY/trace" -e trace=open,openat "$PROGRAM" verify -v --passphrase-file "$PASS" \
		64K.gcm 128K.gcm
	says "$HOLDS"
	assert_equal "$(grep -c '"/proc/meminfo", O_RDONLY.* = [0-9]' "$AWAY/trace")" 3 # two, and the rule
	run ! grep EACCES "$AWAY/trace"
}

@test "a run of rekey that takes a slot away is confined from its first file on" {
	needs_landlock
	bytes 100 | gcmcrypt seal -K "$KEY" -r "$RECIPIENT" -o plain.gcm
	gives 1 gcmcrypt rekey -v -K "$KEY" --remove 2 plain.gcm missing.gcm
	says "confined by Landlock"
}
