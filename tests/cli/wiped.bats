#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Secrets are wiped: by calls that the compiler has left in, and so that a process that has done its
# work holds none of them.

load common

# scan work|stray|end KERNEL OPTION...: the secrets in the memory of that COMMAND, one a line, in $OUT.
COMMAND=(open)
scan() { scan_command "$1" "$PROGRAM" "${COMMAND[@]}" --kernel "$2" "${@:3}"; }
SEALED=sealed # or -: what the command writes
scan_command() {
	local got=0
	"$PYTHON" "$BATS_TEST_DIRNAME/scan_memory.py" "$1" "$SEALED" "$KEY" "$PASS" "${@:2}" >"$OUT" 2>"$ERR" || got=$?
	[ $got -ne 77 ] || skip "no process may be looked at here"
	[ $got -eq 0 ] || fail "status $got [$(cat "$ERR")]"
}

# The kernels that can be used here, or the one to test.
kernels() {
	gcmcrypt bench --list | sed -n 's/ *yes.*//p' | grep -x "${GCMCRYPT_TEST_KERNEL:-.*}"
}

seal_for_scan() {
	not_sanitized "memory of its own"
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	only_root # to look at a process that hides itself
	bytes 300000 | gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -o sealed
}

@test "the scan sees secrets while open is at work" {
	seal_for_scan
	for kernel in $(kernels); do
		scan work "$kernel" --passphrase-file "$PASS"
		for secret in passphrase "file key" "slot secret" "input key"; do
			writes "$secret"
		done
		# The portable kernel keeps its round keys bit by bit.
		[ "$kernel" = soft ] || writes "round key 14"
		scan work "$kernel" -K "$KEY"
		writes "key file"
	done
}

# What hands over a secret, as options.
HANDED=("--passphrase-file ../away/passphrase" "--passphrase-fd 7" "--passphrase-env TYPED"
	"--passphrase-command cat<../away/passphrase" "-K ../away/key")

# scan_handed work|stray|end KERNEL OPTION-AND-VALUE: finds nothing.
scan_handed() {
	# shellcheck disable=SC2086 # an option and its value
	case $3 in
	*-env*) TYPED=$PASSPHRASE scan "$1" "$2" $3 ;;
	*) scan "$1" "$2" $3 7<"$PASS" ;;
	esac
	assert_equal "$(cat "$OUT")" ""
}

@test "while it is at work, none stands outside of the memory that no core dump has" {
	seal_for_scan
	for kernel in $(kernels); do scan_handed stray "$kernel" "${HANDED[0]}"; done
	# No kernel has to do with where a secret comes from.
	for secret in "${HANDED[@]}"; do scan_handed stray "$kernel" "$secret"; done
	COMMAND=(seal "${CHEAP[@]}")
	for secret in "${HANDED[@]}"; do scan_handed stray "$kernel" "$secret"; done
	# The scan can see it there: a variable that is not taken.
	TYPED=$PASSPHRASE scan stray "$kernel" -K "$KEY"
	writes passphrase
}

@test "and none when open has ended" {
	seal_for_scan
	for kernel in $(kernels); do
		for secret in "${HANDED[0]}" "-K $KEY"; do scan_handed end "$kernel" "$secret"; done
	done
	for secret in "${HANDED[@]}"; do scan_handed end "$kernel" "$secret"; done
}

@test "nor when threads have done the work" {
	seal_for_scan
	bytes 3000000 | gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -f -o sealed
	for kernel in $(kernels); do
		scan work "$kernel" -T 3 -K "$KEY"
		writes "key file"
		scan end "$kernel" -T 3 -K "$KEY"
		assert_equal "$(cat "$OUT")" ""
	done
}

@test "nor when seal or keygen has ended" {
	not_sanitized "memory of its own"
	[ "$(uname)" = Linux ] || skip "looks into /proc"
	only_root
	SEALED=-
	scan_command end "$PROGRAM" seal -T 3 --passphrase-file "$PASS" -K "$KEY" "${CHEAP[@]}"
	assert_equal "$(cat "$OUT")" ""
	scan_command end "$PROGRAM" keygen
	assert_equal "$(cat "$OUT")" ""
	# The scan can see what is written: another program does not wipe it.
	"$PROGRAM" keygen -o other
	scan_command end "$PYTHON" -c 'text = open("other").read(); print(text, end=""); import os, sys; sys.stdout.flush(); os._exit(0)'
	writes "key text"
}

@test "nor when rekey has ended" {
	seal_for_scan
	bytes 100 | gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -f -o sealed
	cp "$KEY" "$AWAY/new-key"
	scan_command end "$PROGRAM" rekey --passphrase-file "$PASS" --new-key-file "$AWAY/new-key" -o one sealed
	assert_equal "$(cat "$OUT")" ""
	scan_command end "$PROGRAM" rekey -K "$KEY" --new-passphrase-file "$PASS" "${CHEAP[@]}" -o two sealed
	assert_equal "$(cat "$OUT")" ""
	only sealed one two
}

@test "words that were made up for an empty passphrase stand where no core dump has them, and are wiped" {
	seal_for_scan
	command -v expect >/dev/null || skip "no expect"
	for when in work stray end; do
		found=0
		[ $when != work ] || found=1
		expect -f "$BATS_TEST_DIRNAME/dialogue.exp" 1 "words: " $'\r' \
			"$PYTHON" "$BATS_TEST_DIRNAME/scan_memory.py" $when sealed "$KEY" "$PASS" \
			"$PROGRAM" seal "${CHEAP[@]}" </dev/null >"$OUT"
		writes "Write this passphrase down"
		assert_equal "$(grep -c '^words' "$OUT")" $found
		assert_equal "$(grep -c 'Error' "$OUT")" 0
	done
}

@test "nor are they there when keygen has ended" {
	seal_for_scan
	bytes 100 | gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -f -o sealed
	scan_command end "$PROGRAM" keygen --words
	assert_equal "$(cat "$OUT")" ""
}

@test "owners of secrets call sodium_memzero in what the compiler made of them" {
	not_sanitized "other calls"
	command -v "${OBJDUMP:-objdump}" >/dev/null || skip "no objdump"
	"${OBJDUMP:-objdump}" -d "$PROGRAM" | awk '/^[0-9a-f]+ <.*>:$/ { name = $2 }
		/(call|jmp|bl|b) .*<sodium_memzero/ { print name }' | tr -d '<>:' | sort -u >"$AWAY/wipers"
	for name in entropy_seed gcm_counter_cache_wipe gcm_key_wipe keyfile_read keysource_end \
		keytext_decode keytext_parser_wipe passphrase_wipe payload_key_wipe run_forget_file \
		secrets_free seed_wipe slot_secret_wipe stream_batch_wipe; do
		grep -qx "$name" "$AWAY/wipers" || fail "$name wipes nothing: $(cat "$AWAY/wipers")"
	done
}
