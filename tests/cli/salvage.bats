#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016,SC2153 # scripts for an inner shell; common.bash has the names in capitals
#
# open --salvage: the good chunks in their places, zeros for the others, a list of these, and the
# status that open would have given.

load common

HEAD=$((156 + 56))   # a key file's header, salt and commitment
FULL=$((16384 + 16)) # a full chunk on disk

# zeros FILE OFFSET LENGTH: writes zeros into a file, as a disk leaves them that lost pages.
zeros() { head -c "$3" /dev/zero | dd of="$1" bs=4096 seek="$2" oflag=seek_bytes conv=notrunc status=none; }
# lost CHUNK...: these chunks are zeros in "want".
lost() {
	local chunk
	for chunk; do zeros want $((chunk * CHUNK)) "$CHUNK"; done
}

# salvages STATUS FILE: so it ends, and what comes out is "want", however it is read and written;
# $ERR stays what the last run said.
salvages() {
	rm -f out
	gives "$1" gcmcrypt open --salvage -T 1 -K "$KEY" -o out "$2"
	same want out
	gives "$1" gcmcrypt open --salvage -T 2 -K "$KEY" -f -o out "$2"
	same want out
	# shellcheck disable=SC2002
	gives "$1" bash -c 'set -o pipefail; cat "$1" | gcmcrypt open --salvage -K "$0"' "$KEY" "$2"
	same want "$OUT"
	gives "$1" gcmcrypt open --salvage -K "$KEY" -o - "$2"
	same want "$OUT"
	gives "$1" gcmcrypt verify -K "$KEY" "$2"
	gives "$1" gcmcrypt open --salvage -K "$KEY" -f -o out "$2"
	same want out
}

@test "several faults: each range with its chunks, plaintext bytes and file bytes" {
	bytes 1500000 >want # chunks 0 to 91, over three batches of 32
	gcmcrypt seal -K "$KEY" -o bad.gcm want
	for chunk in 4 3 5 31 32; do flip bad.gcm $((HEAD + chunk * FULL + 16399)); done
	zeros bad.gcm $((HEAD + 65 * FULL - 1000)) 4096 # a page over the end of chunk 64
	lost 3 4 5 31 32 64 65
	salvages 4 bad.gcm
	assert_equal "$(cat "$ERR")" "gcmcrypt: bad.gcm: bad: chunks 3-5 of 92 (plaintext bytes 49152-98303), file bytes 49412-98611
gcmcrypt: bad.gcm: bad: chunks 31-32 of 92 (plaintext bytes 507904-540671), file bytes 508612-541411
gcmcrypt: bad.gcm: bad: chunks 64-65 of 92 (plaintext bytes 1048576-1081343), file bytes 1049812-1082611
gcmcrypt: bad.gcm: damaged: salvaged to out, with 7 of 92 chunks bad and 112.0 KiB of 1.4 MiB zeros
gcmcrypt: hint: another copy may have what is bad in this one"
	writes_nothing
	gives 4 gcmcrypt open --salvage -q -K "$KEY" -f -o out bad.gcm
	says "bad: chunks 3-5"
}

@test "the last chunk, alone and behind another one" {
	bytes 700100 >want # the last chunk, 42, has 11972 bytes
	gcmcrypt seal -K "$KEY" -o bad.gcm want
	flip bad.gcm $((HEAD + 42 * FULL + 500))
	zeros want $((42 * CHUNK)) 11972
	salvages 5 bad.gcm
	assert_equal "$(cat "$ERR")" "gcmcrypt: bad.gcm: bad: chunk 42 of 43 (plaintext bytes 688128-700099), file bytes 689012-700999
gcmcrypt: bad.gcm: ends early, or its end is damaged: salvaged to out, with 1 of 43 chunks bad and 11.7 KiB of 683.7 KiB zeros
gcmcrypt: hint: nothing proves how long it was; another copy may have the rest"
	flip bad.gcm $((HEAD + 41 * FULL))
	lost 41
	salvages 4 bad.gcm
	says "bad: chunks 41-42 of 43 (plaintext bytes 671744-700099), file bytes 672612-700999"
	says "bad.gcm: damaged: salvaged to out"
	says "hint: nothing proves how long it was"
}

@test "tails that are missing: at a chunk's end, a few bytes behind it, inside a chunk" {
	bytes 700000 >plain
	gcmcrypt seal -K "$KEY" -o good.gcm plain
	while read -r chunk more line; do
		head -c $((HEAD + chunk * FULL + more)) good.gcm >cut.gcm
		{
			head -c $((chunk * CHUNK)) plain
			head -c $((more > 16 ? more - 16 : 0)) /dev/zero
		} >want
		salvages 5 cut.gcm
		says "cut.gcm: bad: $line"
		says "hint: nothing proves how long it was"
	done <<-END
		0 0 chunk 0 of 1 (plaintext from byte 0), file from byte 212
		2 0 chunk 2 of 3 (plaintext from byte 32768), file from byte 33012
		2 9 chunk 2 of 3 (plaintext from byte 32768), file bytes 33012-33020
		32 16 chunk 32 of 33 (plaintext from byte 524288), file bytes 525012-525027
		32 10016 chunk 32 of 33 (plaintext bytes 524288-534287), file bytes 525012-535027
	END
	head -c $((HEAD - 1)) good.gcm >cut.gcm
	gives 5 gcmcrypt open --salvage -K "$KEY" -o never cut.gcm
	says "cut short before its first chunk"
	assert_not_exist never
}

@test "two copies with other damage in each mend each other, by the file bytes of the list" {
	sealed good.gcm 700100
	cp good.gcm one.gcm
	cp good.gcm two.gcm
	for chunk in 0 1 20 42; do flip one.gcm $((HEAD + chunk * FULL + 3)); done
	for chunk in 2 19 41; do flip two.gcm $((HEAD + chunk * FULL)); done
	gives 4 gcmcrypt open --salvage -K "$KEY" one.gcm
	count=0
	while IFS=- read -r first last; do
		slice two.gcm "$first" $((last - first + 1)) |
			dd of=one.gcm seek="$first" oflag=seek_bytes conv=notrunc status=none
		count=$((count + 1))
	done < <(sed -n 's/.*: bad: .*, file bytes //p' "$ERR")
	assert_equal $count 3
	same good.gcm one.gcm
}

@test "a good file comes out as ever, and nothing is said" {
	sealed plain.gcm 40000
	gives 0 gcmcrypt open --salvage -K "$KEY" plain.gcm
	says_nothing
	bytes 40000 | cmp - plain
	gives 0 gcmcrypt open --salvage -f -v -K "$KEY" plain.gcm
	says "opened as plain"
}

@test "the output has its name, mode and time as ever, and another one stays without -f" {
	sealed plain.gcm 40000
	flip plain.gcm $((HEAD + FULL))
	chmod 640 plain.gcm
	touch -d 2020-02-02 plain.gcm
	gives 4 gcmcrypt open --salvage -K "$KEY" plain.gcm
	mode_is plain 640
	assert_equal "$(stat -c %Y plain)" "$(stat -c %Y plain.gcm)"
	only plain plain.gcm
	remember
	gives 2 gcmcrypt open --salvage -K "$KEY" plain.gcm
	gives 3 gcmcrypt open --salvage -f -K "$OTHER_KEY" plain.gcm
	gives 1 bash -c 'ulimit -f 20; exec gcmcrypt open --salvage -f -K "$0" plain.gcm' "$KEY"
	says "File too large"
	says "hint: nothing was kept"
	unchanged
}

@test "a signal ends the list, though nobody reads it, and the output stays" {
	[ "$(uname)" = Linux ] || skip "pipes of 4 KiB are Linux's"
	bytes 4000000 | gcmcrypt seal -K "$KEY" -o bad.gcm
	gives 0 "$PYTHON" - "$KEY" <<-END
		import fcntl, os, signal, subprocess, sys, time
		with open("bad.gcm", "r+b") as bad:
		    for chunk in range(0, 240, 2):
		        bad.seek($HEAD + chunk * $FULL)
		        bad.write(b"bad")
		reader, writer = os.pipe()
		fcntl.fcntl(writer, 1031, 4096)  # F_SETPIPE_SZ
		child = subprocess.Popen(["gcmcrypt", "open", "--salvage", "-K", sys.argv[1], "bad.gcm"], stderr=writer)
		os.close(writer)
		while child.poll() is None and not os.path.exists("bad"):
		    time.sleep(0.005)
		child.send_signal(signal.SIGINT)
		said = open(reader, "rb").read()
		assert said.count(b": bad: ") < 120, said
		assert b"damaged: salvaged to bad, with 120 of 245 chunks bad" in said, said
		assert child.wait() == -signal.SIGINT, child.returncode
	END
	assert_file_exist bad
}

@test "several files: each has its list, the status is the first one's" {
	sealed good.gcm 40000
	sealed four.gcm 40000
	sealed five.gcm 40000
	flip four.gcm $((HEAD + FULL))
	flip five.gcm $((HEAD + 2 * FULL))
	gives 5 gcmcrypt open --salvage -K "$KEY" good.gcm five.gcm four.gcm
	says "five.gcm: bad: chunk 2 of 3"
	says "four.gcm: bad: chunk 1 of 3"
	says "2 of 3 files failed"
	only good{,.gcm} four{,.gcm} five{,.gcm}
	cmp -n 32768 good five
}

@test "a bare message, a context and a passphrase" {
	bytes 40000 >want
	gcmcrypt seal --bare -K "$KEY" -o bare want
	gcmcrypt seal --context a --passphrase-file "$PASS" "${CHEAP[@]}" -o pass want
	flip bare $((56 + FULL))
	flip pass $(($(header_bytes pass) + 56 + FULL))
	lost 1
	gives 4 gcmcrypt open --salvage --bare -K "$KEY" -o out bare
	same want out
	says "bad: chunk 1 of 3 (plaintext bytes 16384-32767), file bytes 16456-32855"
	gives 4 gcmcrypt open --salvage --context a --passphrase-file "$PASS" -f -o out pass
	same want out
	gives 4 gcmcrypt open --salvage --context b --passphrase-file "$PASS" -f -o out pass
	says "damaged, or sealed with another --context"
	same want out
}

@test "nothing can be salvaged without the header, which a saved one mends" {
	bytes 700000 >want
	gcmcrypt seal -K "$KEY" -o bad.gcm want
	gcmcrypt rekey --header-only -o saved bad.gcm
	cp bad.gcm lost.gcm
	flip bad.gcm 40
	zeros lost.gcm 0 156
	remember
	gives 4 gcmcrypt open --salvage -K "$KEY" bad.gcm
	says "hint: use another copy, or put back a saved header with rekey --restore-header"
	gives 6 gcmcrypt open --salvage -K "$KEY" lost.gcm
	says "hint: if its header is lost, rekey --restore-header puts back a saved one"
	gives 6 gcmcrypt verify -K "$KEY" lost.gcm
	says "hint: if its header is lost, rekey --restore-header puts back a saved one"
	unchanged
	for file in bad.gcm lost.gcm; do
		gives 0 gcmcrypt rekey -K "$KEY" --restore-header saved "$file"
		gives 0 gcmcrypt open --salvage -K "$KEY" -f -o out "$file"
		same want out
	done
}

@test "a sector that cannot be read is an error, with a hint how to go on" {
	not_sanitized strace
	command -v strace >/dev/null || skip "no strace"
	strace -qq -o /dev/null true 2>/dev/null || skip "strace may not trace here"
	sealed plain.gcm 2000000
	flip plain.gcm $((HEAD + FULL))
	remember
	# One thread reads the header in three calls; of two each has a count of its own, and they
	# read chunks by another call.
	for call in 1:read:4 2:pread64:1; do
		IFS=: read -r threads name when <<<"$call"
		gives 1 strace -qq -f -o /dev/null -P "$PWD/plain.gcm" -e "trace=$name" \
			-e "inject=$name:error=EIO:when=$when" \
			"$PROGRAM" open -T "$threads" --salvage -K "$KEY" plain.gcm
		says "plain.gcm: Input/output error"
		says "hint: salvage a copy made by ddrescue"
		unchanged
	done
}

# refused OPTION...: with --salvage these are against all sense.
refused() {
	gives 2 gcmcrypt open -K "$KEY" "$@"
	says_not "unknown"
}

@test "what does not go together is refused" {
	sealed plain.gcm 40000
	flip plain.gcm $((HEAD + FULL))
	remember
	refused --salvage --rm plain.gcm
	refused --salvage --verify-first plain.gcm
	refused --salvage --range 0:1 -o - plain.gcm
	refused --json plain.gcm
	says "--json: open has it with --salvage only"
	refused --salvage --json -o - plain.gcm
	says "--json needs an output that is a file, not standard output"
	refused --salvage --json - <plain.gcm
	refused --salvage --json <plain.gcm
	writes_nothing
	gives 2 gcmcrypt verify -K "$KEY" --salvage plain.gcm
	gives 2 gcmcrypt seal -K "$KEY" --salvage plain.gcm
	unchanged
}

# object STATUS ARGUMENT... --- EXPRESSION...: open --salvage --json ends so, and prints one object
# of which the expressions are true.
object() {
	local want=$1 arguments=()
	shift
	while [ "$1" != --- ]; do
		arguments+=("$1")
		shift
	done
	gives "$want" gcmcrypt open --salvage --json -f "${arguments[@]}"
	"$PYTHON" "$TESTS/cli/check_json.py" "$OUT" "o['status'] == $want" "${@:2}"
}

@test "--json: the ranges as data, and all else on standard error as ever" {
	sealed bad.gcm 700000
	sealed good.gcm 100
	for chunk in 2 3 41; do flip bad.gcm $((HEAD + chunk * FULL)); done
	object 4 -K "$KEY" bad.gcm good.gcm missing.gcm --- \
		'[(i["file"], i["ok"], i["output"]) for i in f] == [("bad.gcm", False, "bad"), ("good.gcm", True, "good"), ("missing.gcm", False, None)]' \
		'f[0]["error"] == {"status": 4, "message": "damaged"} and f[2]["error"]["status"] == 1' \
		'(f[0]["plaintext_bytes"], f[0]["length_proved"], f[0]["chunks"], f[0]["bad_chunks"], f[0]["zero_bytes"]) == (700000, True, 43, 3, 49152)' \
		'f[0]["bad"] == [{"chunk_first": 2, "chunk_last": 3, "plaintext_first": 32768, "plaintext_last": 65535, "file_first": 33012, "file_last": 65811}, {"chunk_first": 41, "chunk_last": 41, "plaintext_first": 671744, "plaintext_last": 688127, "file_first": 672612, "file_last": 689011}]' \
		'(f[1]["plaintext_bytes"], f[1]["length_proved"], f[1]["chunks"], f[1]["bad_chunks"], f[1]["zero_bytes"], f[1]["bad"]) == (100, True, 1, 0, 0, [])' \
		'f[0]["opened_by"] == 1 and f[0]["header_bytes"] == 156' \
		'f[2]["bad"] is None and f[2]["chunks"] is None'
	says "bad.gcm: bad: chunks 2-3 of 43"
	head -c $((HEAD + 20 * FULL)) bad.gcm >cut.gcm
	gives 4 gcmcrypt open --salvage --json -K "$KEY" -f -o out - <cut.gcm
	"$PYTHON" "$TESTS/cli/check_json.py" "$OUT" 'f[0]["file"] == "-" and f[0]["output"] == "out"' \
		'f[0]["length_proved"] is False and f[0]["plaintext_bytes"] == 327680 and f[0]["chunks"] == 21' \
		'f[0]["bad"][-1] == {"chunk_first": 20, "chunk_last": 20, "plaintext_first": 327680, "plaintext_last": None, "file_first": 328212, "file_last": None}'
	object 3 -K "$OTHER_KEY" good.gcm --- 'f[0]["output"] is None and f[0]["bad"] is None'
	object 1 -K "$KEY" -o nowhere/out good.gcm --- 'f[0]["error"]["message"] == "No such file or directory"'
}
