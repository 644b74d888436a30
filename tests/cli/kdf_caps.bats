#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# What a stranger's header asks for decides nothing: a slot over a cap costs no memory and no time,
# and the error names the option that would allow it.

load common

# Sealed by a stranger: the header, and enough bytes after it.
stranger() {
	"$PYTHON" "$BATS_TEST_DIRNAME/make_header.py" "$@" >file.gcm
	head -c 200 /dev/zero >>file.gcm
}

opening() { timeout 20 gcmcrypt open --passphrase-file "$PASS" "$@" -o out file.gcm; }

@test "4 TiB of memory: exit 7 at once" {
	stranger 1:4294967295
	gives 7 opening
	says "--max-kdf-memory"
	only file.gcm
}

@test "2^32 - 1 passes: exit 7 at once" {
	stranger 4294967295:8
	gives 7 opening
	says "--max-kdf-cost"
	only file.gcm
}

@test "64 passphrase slots, each at the caps" {
	slots=()
	for salt in {1..64}; do slots+=("16:1048576:$salt"); done
	stranger "${slots[@]}"
	# One such slot is all that 16 GiB-passes allow, and a second of it would take too long here.
	gives 7 opening --max-kdf-memory 1023M
	only file.gcm
}

@test "two slots within the caps that together are not: the hint names what is needed" {
	stranger 2:1024:1 2:1024:2
	gives 7 opening --max-kdf-cost 3M
	says "its passphrase slots together need more Argon2 than is allowed"
	says "hint: to allow it: --max-kdf-cost 4M"
	gives 3 opening --max-kdf-cost 4M
}

@test "64 cheap passphrase slots: eight are tried" {
	slots=()
	for salt in {1..64}; do slots+=("1:8:$salt"); done
	stranger "${slots[@]}"
	gives 7 opening
	says "none of its first 8 passphrase slots opens, and no more are tried"
	says_not hint
	only file.gcm
}

@test "the caps are inclusive, and one KiB or pass more is over" {
	stranger 1:1024
	gives 3 opening --max-kdf-memory 1M
	stranger 1:1025
	gives 7 opening --max-kdf-memory 1M
	stranger 16:8
	gives 3 opening
	stranger 17:8
	gives 7 opening
}

@test "--max-kdf-cost bounds the sum over different salts; equal ones count once" {
	stranger 2:1024:1 2:1024:1 2:1024:1
	gives 3 opening --max-kdf-cost 2M
	stranger 2:1024:1 2:1024:2 2:1024:3
	gives 3 opening --max-kdf-cost 6M
	gives 7 opening --max-kdf-cost 5M
}

@test "the error names the value that is needed, and with it the file opens" {
	bytes 100 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 3M --kdf-passes 2 -q -o file.gcm plain
	gives 7 opening --max-kdf-memory 2M
	says "gcmcrypt: file.gcm: a passphrase slot needs more Argon2 than is allowed (3.0 MiB, 2 passes)"
	says "gcmcrypt: hint: to allow it: --max-kdf-memory 3M"
	gives 0 opening --max-kdf-memory 3M
	rm out
	gives 7 opening --max-kdf-cost 5M
	says "gcmcrypt: hint: to allow it: --max-kdf-cost 6M"
	gives 0 opening --max-kdf-cost 6M
	same out plain
}

@test "a slot over a cap does not keep another one from opening" {
	bytes 100 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 3M --kdf-passes 1 -q -K "$KEY" -o file.gcm plain
	gives 0 gcmcrypt open --passphrase-file "$PASS" -K "$KEY" --max-kdf-memory 1M -o out file.gcm
	same out plain
}

@test "seal refuses what open's default caps would refuse, and makes it when asked twice" {
	bytes 100 >plain
	gives 2 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 1025M --kdf-passes 1 plain
	gives 2 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 8K --kdf-passes 17 plain
	gives 2 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 2M --kdf-passes 1 --max-kdf-memory 1M plain
	only plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" -q --kdf-memory 8K --kdf-passes 17 --max-kdf-cost 32G plain
}

@test "costs that Argon2 does not take, and sizes that are no plain numbers" {
	bytes 100 >plain
	for size in 7K 0 "" x 1.5M -1M +1M 08K 0x10000 1T 1m 1MB 99999999999999999999G 18446744073709551616; do
		gives 2 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory "$size" --kdf-passes 1 plain
	done
	for passes in 0 "" x -1 +3 03 0x3 3K 4294967296 1.0; do
		gives 2 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 8K --kdf-passes "$passes" plain
	done
	only plain
}

@test "no memory for Argon2 is 7 with the number of MiB, never a wrong passphrase" {
	not_sanitized "ulimit -v"
	bytes 100 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 64M --kdf-passes 1 -q -o file.gcm plain
	for limit in 60000 50000 40000 30000; do
		gives 7 bash -c "ulimit -v $limit; exec gcmcrypt open --passphrase-file '$PASS' -o out file.gcm"
		assert_regex "$(head -n 1 "$ERR")" '^gcmcrypt: file.gcm: Argon2 needs 64.0 MiB of memory, and can have [0-9]+\.[0-9] MiB$'
		[ "$(sed -n '1s/.* have \([0-9]*\)\..*/\1/p' "$ERR")" -lt $((limit / 1024)) ]
		says "hint: free some, raise the limit (ulimit -v, MemoryMax=), or use another machine"
		assert_equal "$(wc -l <"$ERR")" 2
	done
	gives 7 bash -c "ulimit -v 60000; exec gcmcrypt seal --passphrase-file '$PASS' --kdf-memory 64M --kdf-passes 3 plain"
	says "plain: Argon2 needs 64.0 MiB of memory, and can have "
	says "hint: --kdf-memory SIZE asks for less"
	only plain file.gcm
}

@test "under any limit of address space it ends in a documented way" {
	not_sanitized "ulimit -v"
	bytes 100 >plain
	gives 0 gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 16M --kdf-passes 1 -q -o file.gcm plain
	for limit in $(seq 6000 1500 36000); do
		got=0
		bash -c "ulimit -v $limit; exec gcmcrypt open --passphrase-file '$PASS' -o out file.gcm" 2>"$ERR" || got=$?
		case $got in
		0) same out plain ;;
		1 | 7) assert_not_exist out ;;
		126 | 127) grep -q "shared lib\|Cannot allocate\|cannot\|Text file" "$ERR" ;; # the loader's
		*) fail "limit $limit: status $got [$(cat "$ERR")]" ;;
		esac
		rm -f out
	done
}
