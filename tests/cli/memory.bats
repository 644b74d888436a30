#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Memory does not grow with the input, and secrets that cannot be locked are a warning.

load common

# Peak resident KiB of a command that reads so many bytes of zeros: peak BYTES COMMAND...
peak() {
	head -c "$1" /dev/zero | "$PYTHON" -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)' "${@:2}"
}

# 2 GiB are a stand-in for any length: a leak of one byte a chunk would show.
@test "sealing 2 GiB from a pipe (128 MiB with a slow kernel) takes what 10 MiB take, within 1 MiB" {
	not_sanitized "peak memory"
	small=$(peak 10485760 "$PROGRAM" seal "${KERNEL[@]}" -K "$KEY")
	length=2147483648
	is_fast || length=134217728
	large=$(peak $length "$PROGRAM" seal "${KERNEL[@]}" -K "$KEY")
	[ "$large" -le $((small + 1024)) ] || fail "$small KiB for 10 MiB, $large KiB for $length bytes"
}

@test "opening takes no more for a long file either" {
	not_sanitized "peak memory"
	opened() {
		head -c "$1" /dev/zero | gcmcrypt seal -K "$KEY" >file
		"$PYTHON" -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)' "$PROGRAM" open "${KERNEL[@]}" -K "$KEY" -o - file
	}
	small=$(opened 10485760)
	large=$(opened 268435456)
	[ "$large" -le $((small + 1024)) ] || fail "$small KiB for 10 MiB, $large KiB for 256 MiB"
}

@test "as a user who may lock no memory: one warning, and it works" {
	not_sanitized "memory limits"
	for_nobody
	bytes 1000 >plain
	ulimit -l 0
	gives 0 "${NOBODY[@]}" "$AWAY/program" seal -K "$AWAY/their-key" <plain
	cp "$OUT" sealed
	assert_equal "$(wc -l <"$ERR")" 1
	says "warning"
	gives 0 "${NOBODY[@]}" "$AWAY/program" seal -q -K "$AWAY/their-key" <plain
	says_nothing
	gives 0 "${NOBODY[@]}" "$AWAY/program" open -K "$AWAY/their-key" <sealed
	same "$OUT" plain
}

@test "a stack of 64 KiB is enough" {
	not_sanitized "frames are larger"
	bytes 100000 >plain
	small() { gives 0 bash -c 'ulimit -s 64; exec gcmcrypt "$@"' - "$@"; }
	small keygen -o key
	small keygen --identity -o id
	small keygen --recipient -i id -o recipients
	small seal -K key -R recipients --passphrase-file "$PASS" "${CHEAP[@]}" plain
	small verify --passphrase-file "$PASS" plain.gcm
	small open -i id -o back plain.gcm
	same plain back
	small info plain.gcm plain.gcm
	small bench --size 64 --seconds 1
	small --help
	gives 1 bash -c 'ulimit -s 64; exec gcmcrypt seal -K key missing'
	says "missing: No such file"
}
