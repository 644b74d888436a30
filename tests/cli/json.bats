#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# --json: one object on standard output, with the members that the manual promises, errors included.

load common

# object STATUS ARGUMENT... --- EXPRESSION...: gcmcrypt with these arguments ends so and prints one
# object, of which the expressions are true.
object() {
	local want=$1 arguments=()
	shift
	while [ $# -gt 0 ] && [ "$1" != --- ]; do
		arguments+=("$1")
		shift
	done
	gives "$want" gcmcrypt "${arguments[@]}"
	"$PYTHON" "$TESTS/cli/check_json.py" "$OUT" "o['status'] == $want" "${@:2}"
}

@test "info: header, slots and length" {
	bytes 40000 >plain
	gcmcrypt seal --passphrase-file "$PASS" --kdf-memory 2M --kdf-passes 5 -q -K "$KEY" -r "$RECIPIENT" plain
	object 0 info --json plain.gcm --- \
		'len(f) == 1 and f[0]["file"] == "plain.gcm" and f[0]["error"] is None' \
		'f[0]["format"] == 1 and f[0]["cipher"] == "AES-256-GCM" and f[0]["chunk_bytes"] == 16384' \
		'[(s["slot"], s["type"], s["type_number"], s["bytes"]) for s in f[0]["slots"]] == [(1, "passphrase", 1, 88), (2, "key-file", 2, 96), (3, "x25519", 3, 96)]' \
		'[s["argon2id"] for s in f[0]["slots"]] == [{"memory_kib": 2048, "passes": 5}, None, None]' \
		"f[0]['file_bytes'] == $(stat -c %s plain.gcm)" \
		"f[0]['header_bytes'] == $(header_bytes plain.gcm)" \
		'f[0]["plaintext_bytes"] == 40000 and f[0]["chunks"] == 3 and f[0]["length_possible"]' \
		'f[0]["overhead_bytes"] == f[0]["file_bytes"] - 40000' \
		'f[0]["opened_by"] is None'
	says_nothing
	object 0 info --json -i "$IDENTITY" plain.gcm --- 'f[0]["opened_by"] == 3'
	object 0 info --json --passphrase-file "$PASS" plain.gcm --- 'f[0]["opened_by"] == 1'
	object 3 info --json -K "$OTHER_KEY" plain.gcm --- 'f[0]["opened_by"] is None' 'f[0]["chunks"] == 3'
	says "no key given opens this file"
}

@test "info: other slots" {
	[ -n "$VECTORS" ] || skip "GCMCRYPT_VECTORS is not set"
	for case in "spare_last spare 1" "unknown_slot_first unknown 0" "reserved_slot_04_skipped x-wing 0"; do
		read -r name type at <<<"$case"
		sed -n "s/^$name 0 //p" "$VECTORS/gcmcrypt_v1_cases.txt" |
			"$PYTHON" -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >"$name"
		object 0 info --json "$name" --- "f[0]['slots'][$at]['type'] == '$type'" \
			"f[0]['slots'][1 - $at]['type'] == 'key-file'"
	done
}

@test "verify: right, in full and --quick" {
	sealed one 100
	sealed two 700000
	object 0 verify --json -K "$KEY" one two --- \
		'[(i["file"], i["ok"], i["quick"], i["chunks"], i["plaintext_bytes"]) for i in f] == [("one", True, False, 1, 100), ("two", True, False, 43, 700000)]' \
		'f[1]["opened_by"] == 1 and f[1]["header_bytes"] == 156'
	says_nothing
	object 0 verify --json --quick -K "$KEY" two --- \
		'(f[0]["ok"], f[0]["quick"], f[0]["chunks"], f[0]["plaintext_bytes"]) == (True, True, 43, 700000)'
	bytes 100 | gcmcrypt seal --bare -K "$KEY" -o bare
	object 0 verify --json --bare -K "$KEY" bare --- 'f[0]["opened_by"] is None and f[0]["header_bytes"] is None'
	only one two bare
}

@test "verify: where a chunk is bad" {
	sealed plain.gcm 700000
	flip plain.gcm $((156 + 56 + 2 * 16400))
	object 4 verify --json -K "$KEY" plain.gcm --- 'not f[0]["ok"] and f[0]["chunks"] is None' \
		'f[0]["error"] == {"status": 4, "message": "damaged", "chunk": 2, "plaintext_first": 32768, "plaintext_last": 49151, "file_first": 33012, "file_last": 49411}'
	says "gcmcrypt: plain.gcm: damaged: chunk 2 of 43"
	head -c 100000 plain.gcm >cut.gcm
	object 5 verify --json --quick -K "$KEY" cut.gcm --- \
		'f[0]["error"]["chunk"] == 6 and f[0]["error"]["plaintext_first"] == 98304 and f[0]["error"]["plaintext_last"] is None' \
		'f[0]["error"]["file_first"] == 98612 and f[0]["error"]["file_last"] is None'
}

@test "errors of each exit status, in the object and on standard error" {
	sealed plain.gcm 40000
	cp plain.gcm header.gcm
	flip header.gcm 40
	head -c 215 plain.gcm >short.gcm
	: >empty.gcm
	echo foreign >foreign.gcm
	"$PYTHON" "$TESTS/cli/make_header.py" 3:4000000 >dear.gcm
	bytes 100 | gcmcrypt seal "${CHEAP[@]}" --passphrase-file "$PASS" -o pass.gcm
	for command in info verify; do
		object 8 $command --json --passphrase-command 'exit 3' pass.gcm --- \
			'f[0]["error"] == {"status": 8, "message": "the command failed"}'
		while read -r status file; do
			object "$status" $command --json --passphrase-file "$PASS" "$file" --- \
				"f[0]['error']['status'] == $status and f[0]['error']['message']" \
				"f[0]['file'] == '$file'"
			says "gcmcrypt: $file: "
		done <<-END
			1 missing
			2 .
			3 plain.gcm
			4 header.gcm
			5 empty.gcm
			6 foreign.gcm
			7 dear.gcm
		END
		object 5 $command --json -K "$KEY" short.gcm --- 'f[0]["error"]["status"] == 5'
		object 3 $command --json -K "$OTHER_KEY" plain.gcm foreign.gcm --- \
			'[i["error"]["status"] for i in f] == [3, 6]'
		# What has to do with no file.
		object 1 $command --json -K missing plain.gcm --- 'f == [] and o["error"]["status"] == 1'
		object 2 $command --json -K foreign.gcm plain.gcm --- 'f == [] and o["error"]["status"] == 2'
	done
	object 2 verify --json --kernel none -K "$KEY" plain.gcm --- 'f == [] and o["error"]["status"] == 2'
	gives 2 gcmcrypt verify --json --frobnicate
	writes_nothing
}

@test "a file without a length that a complete one can have" {
	sealed plain.gcm 40000
	head -c 215 plain.gcm >short.gcm
	object 5 info --json short.gcm --- \
		'f[0]["length_possible"] is False and f[0]["file_bytes"] == 215 and f[0]["chunks"] is None' \
		'f[0]["slots"][0]["type"] == "key-file"'
}

@test "names: UTF-8 as it is, all else escaped so that nothing is lost" {
	sealed plain 100
	names=($'new\nline' $'tab\tesc\033del\177' 'quote"s' 'back\slash' 'back\x41' 'ünïcödé €' $'\xf0\x9f\x94\x92'
		$'latin\xe9' $'\xff\xfe' $'cut\xe2\x82' $'\xc0\xafoverlong' $'\xe0\x80\xaf' $'\xf0\x82\x82\xac'
		$'\xed\xa0\x80surrogate' $'\xf4\x90\x80\x80' $'\xf5\x80\x80\x80' $'\x80' $'\xc3' ' ' '-x')
	for name in "${names[@]}"; do cp plain "./$name"; done
	printf '%s\0' "${names[@]}" >"$AWAY/names"
	for command in "info" "verify -K $KEY"; do
		# shellcheck disable=SC2086 # a command and its key
		object 0 $command --json -- "${names[@]}" --- \
			"[name(i['file']) for i in f] == open('$AWAY/names', 'rb').read().split(b'\\0')[:-1]" \
			'len(f) == 20'
	done
	object 0 info --json 'ünïcödé €' --- 'f[0]["file"] == "ünïcödé €"'
	object 0 info --json 'back\slash' --- 'f[0]["file"] == "back\\\\slash"'
	object 0 info --json $'latin\xe9' --- 'f[0]["file"] == "latin\\xe9"'
	object 0 info --json $'new\nline' --- 'f[0]["file"] == "new\nline"'
	object 1 info --json $'missing\xff' --- 'f[0]["file"] == "missing\\xff"'
}

@test "standard input is -" {
	sealed plain.gcm 100
	for command in "info" "verify -K $KEY"; do
		# shellcheck disable=SC2086 # a command and its key
		gives 0 gcmcrypt $command --json <plain.gcm
		"$PYTHON" "$TESTS/cli/check_json.py" "$OUT" 'f[0]["file"] == "-" and f[0]["chunks"] == 1'
		# shellcheck disable=SC2086,SC2002
		cat plain.gcm | gcmcrypt $command --json - >"$OUT"
		"$PYTHON" "$TESTS/cli/check_json.py" "$OUT" 'f[0]["file"] == "-" and f[0]["chunks"] == 1'
	done
}

@test "many files: still one object" {
	sealed plain.gcm 100
	for i in {1..200}; do ln plain.gcm "$i.gcm"; done
	object 0 verify --json -K "$KEY" {1..200}.gcm --- 'len(f) == 200 and all(i["ok"] for i in f)'
	object 0 info --json {1..200}.gcm --- '[i["file"] for i in f] == [f"{n}.gcm" for n in range(1, 201)]'
}

@test "bench: the machine, its kernels, and what was measured" {
	object 0 bench --json --size 64,1K --seconds 1 --- \
		'o["messages"] and {m["bytes"] for m in o["messages"]} == {64, 1024}' \
		'all(v > 0 for m in o["messages"] for k, v in m.items() if k not in ("kernel", "spread"))' \
		'len(o["messages"]) == 2 * sum(k["usable"] for k in o["kernels"])' \
		'sum(k["used"] for k in o["kernels"]) == 1 and all(k["usable"] for k in o["kernels"] if k["used"])' \
		'all(k["usable"] or k["lacks"] for k in o["kernels"])' \
		'o["argon2id"] == []' 'o["streams"] == []' 'o["ticks_unit"] in ("ticks", "ns")'
	says_nothing
	object 0 bench --json --list --- 'o["messages"] == []' \
		"[k['kernel'] for k in o['kernels']] == '$(gcmcrypt bench --list | awk '{ printf "%s ", $1 }')'.split()"
	object 0 bench --json --size 64 --seconds 1 --kernel "$(gcmcrypt bench --list | awk '$2 ~ /yes/ { print $1; exit }')" -T 3 --- \
		'len(o["streams"]) == 1 and o["streams"][0]["threads"] == 3' \
		'all(v > 0 for k, v in o["streams"][0].items() if k not in ("kernel", "spread"))'
	object 2 bench --json --kernel none --- 'o["error"]["status"] == 2'
	gives 2 gcmcrypt bench --json --csv
	says "--json and --csv"
}

@test "a full disk and a reader that leaves are failures" {
	sealed plain.gcm 100
	for command in "info plain.gcm" "verify -K $KEY plain.gcm" "bench --list"; do
		got=0
		# shellcheck disable=SC2086 # a command and its arguments
		gcmcrypt $command --json >/dev/full 2>"$ERR" || got=$?
		assert_equal "$got" 1
		says "No space left on device"
	done
}
