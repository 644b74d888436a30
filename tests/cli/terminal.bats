#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# On a terminal: the passphrase is asked for without an echo, the terminal's own state comes back
# whatever happens, and no sealed or opened data is written to it.

load common

needs() { command -v expect >/dev/null || skip "no expect"; }

# dialogue TEXT ANSWER ... -- COMMAND...: see dialogue.exp.
dialogue() {
	local -a pairs=()
	while [ "$1" != -- ]; do
		pairs+=("$1")
		shift
	done
	shift
	expect -f "$BATS_TEST_DIRNAME/dialogue.exp" $((${#pairs[@]} / 2)) "${pairs[@]}" "$@" </dev/null
}

# Cheap, and without the warning about it.
SEAL=(gcmcrypt seal --kdf-memory 64K --kdf-passes 1 -q)

# A file sealed under "swordfish".
sealed_with_swordfish() {
	echo swordfish >"$AWAY/swordfish"
	bytes 100 | gcmcrypt seal --passphrase-file "$AWAY/swordfish" "${CHEAP[@]}" -o "$1"
}

@test "seal asks twice and shows nothing; two that differ are asked for again, three times" {
	bytes 100 >plain
	gives 0 dialogue words: $'swordfish\r' again: $'swordfysh\r' words: $'swordfish\r' again: $'swordfish\r' \
		"status 0" "" words: $'a\r' again: $'b\r' words: $'c\r' again: $'\r' words: $'d\r' again: $'e\r' -- \
		bash -c 'gcmcrypt seal --kdf-memory 64K --kdf-passes 1 -q plain
			echo "status $?"
			gcmcrypt seal -o other plain
			[ $? -eq 2 ]'
	assert_equal "$(grep -c "gcmcrypt: the two passphrases differ" "$OUT")" 4
	run ! grep swordf "$OUT"
	echo swordfish >"$AWAY/swordfish"
	gives 0 gcmcrypt verify --passphrase-file "$AWAY/swordfish" plain.gcm
	only plain plain.gcm
}

@test "open takes three tries, an empty one and the end of input too" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue "Passphrase: " $'one\r' "Passphrase: " $'\r' "Passphrase: " $'swordfish\r' \
		"status 0" "" "Passphrase: " $'one\r' "Passphrase: " $'two\r' "Passphrase: " $'three\r' \
		"status 3" "" "Passphrase: " $'\x04' "Passphrase: " $'\x04' "Passphrase: " $'\x04' \
		"status 2" "" "Passphrase: " $'swordfish\r' -- \
		bash -c 'gcmcrypt open plain.gcm; echo "status $?"
			gcmcrypt open -o other plain.gcm; echo "status $?"
			gcmcrypt open -o other plain.gcm; echo "status $?"
			gcmcrypt verify plain.gcm'
	bytes 100 | cmp - plain
	assert_equal "$(grep -c "gcmcrypt: plain.gcm: wrong passphrase; try again" "$OUT")" 3
	assert_equal "$(grep -c "gcmcrypt: plain.gcm: wrong passphrase"$'\r' "$OUT")" 1
	assert_equal "$(grep -c "gcmcrypt: the passphrase is empty" "$OUT")" 4
	run ! grep swordfish "$OUT"
	only plain plain.gcm
}

@test "several files: one passphrase, asked for once" {
	bytes 100 >one
	cp one two
	gives 0 dialogue words: $'swordfish\r' again: $'swordfish\r' "Passphrase: " $'wrong\r' \
		"Passphrase: " $'swordfish\r' -- bash -c "${SEAL[*]} one two && gcmcrypt verify one.gcm two.gcm"
	assert_equal "$(grep -c "New passphrase" "$OUT")" 1
	assert_equal "$(grep -c "^Passphrase" "$OUT")" 2
	writes "gcmcrypt: two.gcm: ok"
}

# Seven words as the manual spells them.
SYLLABLE='[bdghjkvz][aiou][flmnrstx]'
WORDS="$SYLLABLE$SYLLABLE(-$SYLLABLE$SYLLABLE){6}"

@test "nothing typed when sealing: seven words, shown once, on the terminal alone, and they open" {
	bytes 100 >plain
	cp plain more
	gives 0 dialogue words: $'\r' "status 0" "" words: $'\x04' -- \
		bash -c "${SEAL[*]} plain more >../away/1 2>../away/2; echo \"status \$?\"
			${SEAL[*]} -o other plain >../away/1 2>../away/2"
	grep -oE "^  $WORDS"$'\r$' "$OUT" | tr -d ' \r' >"$AWAY/shown"
	assert_equal "$(wc -l <"$AWAY/shown")" 2
	assert_equal "$(sort -u "$AWAY/shown" | wc -l)" 2
	assert_equal "$(grep -oE "$SYLLABLE$SYLLABLE" "$OUT" | wc -l)" 14
	assert_equal "$(cat "$AWAY/1" "$AWAY/2")" ""
	gives 0 gcmcrypt verify --passphrase-file <(head -n 1 "$AWAY/shown") plain.gcm more.gcm
	gives 0 gcmcrypt verify --passphrase-file <(tail -n 1 "$AWAY/shown") other
}

@test "a terminal that has gone shows no words, so nothing is sealed with them" {
	bytes 100 >plain
	gives 0 "$PYTHON" -c 'import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.execvp("gcmcrypt", ["gcmcrypt", "seal", "plain"])
seen = b""
while b"words:" not in seen:
    seen += os.read(terminal, 1000)
os.close(terminal)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) not in (1, 2))'
	only plain
}

@test "the prompt goes to the terminal while data goes through pipes" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue "Passphrase: " $'swordfish\r' words: $'x\r' again: $'x\r' -- \
		bash -c 'set -o pipefail; cat plain.gcm | gcmcrypt open 2>/dev/null | cat >plain &&
			cat plain | '"${SEAL[*]}"' 2>/dev/null | cat >again.gcm'
	bytes 100 | cmp - plain
	gives 0 gcmcrypt verify --passphrase-file <(echo x) again.gcm
}

@test "1024 bytes are taken from the terminal, 1025 are not cut to fit" {
	long=$(printf 'x%.0s' {1..1024})
	printf %s "$long" >"$AWAY/long"
	bytes 100 | gcmcrypt seal --passphrase-file "$AWAY/long" "${CHEAP[@]}" -o plain.gcm
	gives 0 dialogue "Passphrase: " "${long}x"$'\r' "Passphrase: " "$long"$'\r' \
		words: "${long}x"$'\r' words: "${long}x"$'\r' words: "${long}x"$'\r' -- \
		bash -c 'gcmcrypt open plain.gcm && gcmcrypt seal -o new plain; [ $? -eq 2 ]'
	assert_equal "$(grep -c "the passphrase is longer than 1024 bytes" "$OUT")" 4
	bytes 100 | cmp - plain
	only plain plain.gcm
}

# An answer that waits until the process of ../away/pid waits for what is typed.
READING='!looks=0; until [ "$state" = S ] || [ $looks -eq 500 ]; do
	sleep 0.02; looks=$((looks + 1))
	read -r pid <../away/pid && read -r _ _ state _ <"/proc/$pid/stat"
done'
# For a shell on the terminal, which is set up as $settings says: ask COMMAND... runs it as the process
# of ../away/pid, and tells its status and whether the terminal is as it was.
ASK='trap : INT QUIT
	stty $settings
	before=$(stty -g)
	ask() {
		bash -c '\''echo $$ >../away/pid; exec "$@"'\'' - "$@"
		echo "status $?, $([ "$before" = "$(stty -g)" ] && echo as before || echo changed)"
	}'

# at_prompts SETTINGS ANSWER...: at each prompt each answer, a signal, ends the program and gives back
# the terminal, be it so early that the program does not wait yet.
at_prompts() {
	local -a pairs=() calls=()
	local signal number
	sealed_with_swordfish sealed.gcm
	bytes 100 >plain
	for signal in "${@:2}"; do
		case $signal in
		$'\x03') number=130 ;;
		$'\x1c') number=131 ;;
		*TERM*) number=143 ;;
		*HUP*) number=129 ;;
		esac
		pairs+=(words: "$signal" "status $number, as before" ""
			words: $'x\r' again: "$signal" "status $number, as before" ""
			Passphrase: "$signal" "status $number, as before" "")
		calls+=("ask gcmcrypt seal plain; ask gcmcrypt seal plain; ask gcmcrypt open sealed.gcm;")
	done
	gives 0 dialogue "${pairs[@]}" -- bash -c "settings=$1; $ASK; ${calls[*]}"
	assert_equal "$(grep -c "^status" "$OUT")" $((3 * ${#calls[@]}))
	only plain sealed.gcm
}

@test "INT, QUIT, TERM and HUP at each prompt: the terminal is as it was" {
	at_prompts sane $'\x03' $'\x1c' '!kill -TERM $(cat ../away/pid)' '!kill -HUP $(cat ../away/pid)'
}

@test "the same on a terminal that had echo off, and after a right answer" {
	at_prompts -echo $'\x03' '!kill -TERM $(cat ../away/pid)'
	gives 0 dialogue Passphrase: $'swordfish\r' "status 0, as before" "" -- \
		bash -c "settings=-echo; $ASK; ask gcmcrypt open -o back sealed.gcm"
}

# In a shell with job control, at a prompt of the process of ../away/pid: stops it, looks at the
# terminal, and goes on.
@test "^Z and TSTP at each prompt give the terminal back, and going on asks again" {
	sealed_with_swordfish sealed.gcm
	bytes 100 >plain
	stopping=("$READING" "" $'\x1a')
	gives 0 dialogue words: "${stopping[@]}" words: $'x\r' again: "${stopping[@]}" again: $'x\r' \
		"status 0" "" Passphrase: "${stopping[@]}" Passphrase: "$READING" \
		"" '!kill -TSTP $(cat ../away/pid)' Passphrase: $'swordfish\r' "status 0" "" -- bash -c 'set -m
		before=$(stty -g)
		same() { [ "$before" = "$(stty -g)" ] || echo changed; }
		job() { bash -c '\''echo $$ >../away/pid; exec "$@"'\'' - "$@"; }
		job '"${SEAL[*]}"' plain; same
		fg; same
		fg; echo "status $?"; same
		job gcmcrypt open -o back sealed.gcm; same
		fg; same
		fg; echo "status $?"; same'
	run ! grep changed "$OUT"
	gives 0 gcmcrypt verify --passphrase-file <(echo x) plain.gcm
	same back plain
}

# While the shell has the terminal it may be in a state for editing lines, which is not to come back.
@test "in the background it stops before it asks, and asks in the foreground" {
	sealed_with_swordfish plain.gcm
	gives 0 dialogue Passphrase: $'swordfisg\x7fh\r' "status 0, as before" "" -- bash -c 'set -m
		before=$(stty -g)
		stty -icanon -echo -icrnl
		gcmcrypt open plain.gcm &
		until [ "$(cut -d" " -f3 "/proc/$!/stat")" = T ]; do sleep 0.02; done
		echo stopped
		stty "$before"
		fg %1
		echo "status $?, $([ "$before" = "$(stty -g)" ] && echo as before || echo changed)"'
	assert_equal "$(sed -n '/Passphrase/q;p' "$OUT" | grep -c stopped)" 1
	bytes 100 | cmp - plain
}

@test "sealed data is not written to a terminal, unless -o - says so" {
	bytes 100 >plain
	gives 2 dialogue -- bash -c 'gcmcrypt seal -K "$0" <plain' "$KEY"
	writes "terminal"
	run ! grep -q GCMC "$OUT"
	gives 0 dialogue -- bash -c 'gcmcrypt seal -K "$0" -o - <plain' "$KEY"
	grep -qa GCMC "$OUT"
}

@test "opened data is not written to a terminal, unless -o - says so" {
	echo "the quick brown fox" | gcmcrypt seal -K "$KEY" >plain.gcm
	gives 2 dialogue -- bash -c 'gcmcrypt open -K "$0" <plain.gcm' "$KEY"
	run ! grep -q "quick" "$OUT"
	gives 0 dialogue -- gcmcrypt open -K "$KEY" -o - plain.gcm
	writes "the quick brown fox"
}

@test "the refusal comes before the passphrase is asked for" {
	bytes 100 >plain
	gives 2 dialogue -- bash -c 'gcmcrypt seal <plain'
}
