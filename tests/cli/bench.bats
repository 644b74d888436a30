#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# bench: one row for each size and kernel, with numbers that are numbers.

load common

@test "--list shows every kernel, and why one is not usable here" {
	gives 0 gcmcrypt bench --list
	for name in vaes512 vaes256 aesni soft; do
		case $(uname -m) in
		x86_64) assert_equal "$(grep -c "^$name " "$OUT")" 1 ;;
		esac
	done
	assert_equal "$(grep -c '^soft  *yes' "$OUT")" 1
	run ! grep -vE '^[a-z0-9_]+ +(yes|no, .+)' "$OUT"
	assert_equal "$(grep -c 'seal and open use it' "$OUT")" 1
}

# Kernels that can be used here, best first.
usable() { gcmcrypt bench --list | sed -nE 's/^([a-z0-9_]+) +yes.*/\1/p'; }

@test "a row for each size and usable kernel; one star a size" {
	gives 0 gcmcrypt bench --size 64,1K,16384 --seconds 1
	says_nothing
	for size in 64 1024 16384; do
		assert_equal "$(awk -v size=$size '$1 == size' "$OUT" | wc -l)" "$(usable | wc -l)"
		assert_equal "$(awk -v size=$size '$1 == size' "$OUT" | grep -c '\*')" 1
		# Four positive numbers after the kernel's name.
		awk -v size=$size '$1 == size { gsub(/\*/, ""); if (NF != 6 || $3 <= 0 || $4 <= 0 || $5 <= 0 || $6 <= 0) exit 1 }' "$OUT"
	done
	writes "GB/s"
	[ "$(wc -l <"$OUT")" -le 24 ]
}

@test "the star is on the kernel that seal and open use" {
	gives 0 gcmcrypt bench --size 64 --seconds 1
	star=$(awk '$1 == 64 && /\*/ { gsub(/\*/, ""); print $2 }' "$OUT")
	gcmcrypt bench --list | grep "seal and open use it" | grep "^$star "
}

@test "the sizes are the user's" {
	gives 0 gcmcrypt bench --size 1,17 --seconds 1
	assert_equal "$(awk '$1 == 17' "$OUT" | wc -l)" "$(usable | wc -l)"
	assert_equal "$(awk '$1 == 64 || $1 == 1024' "$OUT" | wc -l)" 0
}

@test "--kernel measures that one alone" {
	gives 0 gcmcrypt bench --kernel soft --size 64 --seconds 1
	assert_equal "$(awk '$1 == 64 { print $2 }' "$OUT")" "$(awk '$1 == 64 { print $2 }' "$OUT" | head -n 1)"
	writes soft
	run ! grep -E '^ *64 +(aesni|vaes)' "$OUT"
	gives 2 gcmcrypt bench --kernel nonsense
}

@test "-T N adds a file that is read, sealed and written in N threads" {
	kernel=$(usable | head -n 1)
	# Some thread is at work beside the one that started: they are counted while it runs.
	begin gcmcrypt bench --kernel "$kernel" --size 64 --seconds 2 -T 3
	await test -e "/proc/$PID/task"
	most=1
	while tasks=("/proc/$PID/task"/*) && [ -e "${tasks[0]}" ]; do
		[ ${#tasks[@]} -le "$most" ] || most=${#tasks[@]}
		sleep 0.1
	done
	ended 0
	assert_equal "$most" 4 # three, and the one that watches over them
	assert_equal "$(awk '$1 == 67108864 { gsub(/\*/, ""); print $2, NF, ($3 > 0 && $5 > 0) }' "$OUT")" "$kernel 6 1"
	writes "67108864: a file read, sealed or opened, and written in memory, in 3 threads"
	gives 0 gcmcrypt bench --csv --kernel "$kernel" --size 64 --seconds 1 -T 2
	assert_equal "$(cut -d, -f 1,2,9 "$OUT" | tail -n 2 | tr '\n' ' ')" "64,$kernel,0 67108864,$kernel,2 "
}

@test "--csv: a header line and fields of the same number" {
	gives 0 gcmcrypt bench --csv --size 64,128 --seconds 1
	fields=$(head -n 1 "$OUT" | awk -F, '{ print NF }')
	[ "$fields" -ge 6 ]
	awk -F, -v fields="$fields" 'NF != fields { exit 1 }' "$OUT"
	assert_equal "$(wc -l <"$OUT")" $((1 + 2 * $(usable | wc -l)))
}

@test "no kernel passes its self-test: nothing is done, and that is no wrong usage" {
	not_sanitized "LD_PRELOAD"
	command -v "$CC" >/dev/null || skip "no compiler"
	# The self-test asks libsodium whether what was refused has been wiped.
	echo 'int sodium_is_zero(const unsigned char *at, unsigned long len) { return at == 0 && len == 1; }' >"$AWAY/liar.c"
	"$CC" -shared -fPIC -o "$AWAY/liar.so" "$AWAY/liar.c"
	bytes 100 >plain
	gives 1 env LD_PRELOAD="$AWAY/liar.so" "$PROGRAM" seal -K "$KEY" plain
	says "no AES-GCM kernel passes its self-test"
	gives 1 env LD_PRELOAD="$AWAY/liar.so" "$PROGRAM" bench --list
	gives 2 env LD_PRELOAD="$AWAY/liar.so" "$PROGRAM" seal --kernel soft -K "$KEY" plain
	says "soft: this machine cannot run that AES-GCM kernel"
	only plain
}

@test "bad sizes and times" {
	for list in 0 "" ',' '64,' ',64' '64,,64' x 64x -1 "64 65" 99999999999999999999; do
		gives 2 gcmcrypt bench --size "$list" --seconds 1
	done
	for seconds in 0 x "" -1 1s; do
		gives 2 gcmcrypt bench --size 64 --seconds "$seconds"
	done
}

@test "^C ends it" {
	begin env --default-signal gcmcrypt bench --size 16384 --seconds 600
	await grep -q . "/proc/$PID/comm"
	sleep 0.2
	kill -INT "$PID"
	ended 130
}
