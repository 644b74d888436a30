#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # scripts for an inner shell
#
# Pipes as they are: short reads and writes, interruptions, descriptors that would block, readers
# that go away.

load common

# The library of preload.c, built where it is used.
build_preload() {
	not_sanitized "LD_PRELOAD"
	command -v "$CC" >/dev/null || skip "no compiler"
	"$CC" -O1 -shared -fPIC -o "$AWAY/preload.so" "$BATS_TEST_DIRNAME/preload.c" -ldl
}
hindered() { env LD_PRELOAD="$AWAY/preload.so" GCMCRYPT_TEST_MOST="$1" "${@:2}"; }

@test "one byte a call and random EINTR, through pipes and files" {
	build_preload
	bytes 40000 >plain
	hindered 1 gcmcrypt seal -K "$KEY" <plain | hindered 1 gcmcrypt open -K "$KEY" >back
	same plain back
	gives 0 hindered 1 gcmcrypt seal -K "$KEY" plain
	rm plain
	gives 0 hindered 1 gcmcrypt open -K "$KEY" plain.gcm
	same plain back
	gives 0 hindered 1 gcmcrypt verify -K "$KEY" plain.gcm
}

@test "odd pieces around a chunk's length" {
	build_preload
	bytes 1000000 >plain
	for most in 7000 16384 16385 40000; do
		hindered $most gcmcrypt seal -K "$KEY" <plain | hindered $most gcmcrypt open -K "$KEY" >back
		same plain back
	done
}

@test "keys and passphrases read in single bytes" {
	build_preload
	bytes 100 >plain
	hindered 1 gcmcrypt keygen --identity -o id 2>/dev/null
	sed -n 's/^# recipient: //p' id >recipients
	gives 0 hindered 1 gcmcrypt seal --passphrase-file "$PASS" "${CHEAP[@]}" -K "$KEY" -R recipients plain
	rm plain
	gives 0 hindered 1 gcmcrypt open -i id -o plain plain.gcm
	gives 0 gcmcrypt open --passphrase-file "$PASS" -f plain.gcm
	bytes 100 | cmp - plain
}

@test "a reader that goes away: status 1, no message, in both directions" {
	sealed plain.gcm 3000000
	run bash -c 'gcmcrypt open -K "$0" plain.gcm -o - 2>err | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}' "$KEY"
	assert_output 1
	size_is err 0
	run bash -c 'gcmcrypt seal -K "$0" 2>err <plain.gcm | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}' "$KEY"
	assert_output 1
	size_is err 0
}

@test "the same with a small output, and when SIGPIPE was ignored at the start" {
	sealed plain.gcm 100
	for ignore in "" "trap '' PIPE;"; do
		run bash -c "$ignore"'sleep 0.1 | true | { sleep 0.05; gcmcrypt open -K "$0" -o - plain.gcm 2>err; } | true
			echo ${PIPESTATUS[2]}' "$KEY"
		size_is err 0
	done
}

@test "a writer that writes a byte at a time" {
	bytes 2000 >plain
	"$PYTHON" -c 'import os, sys
for byte in open("plain", "rb").read(): os.write(1, bytes([byte]))' | gcmcrypt seal -K "$KEY" >plain.gcm
	gcmcrypt open -K "$KEY" <plain.gcm | cmp - plain
}

@test "non-blocking pipes on both sides, a slow reader and a slow writer, 10 MB" {
	bytes 10000000 >plain
	gcmcrypt seal -K "$KEY" <plain >plain.gcm
	for command in seal open; do
		[ $command = seal ] && input=plain || input=plain.gcm
		"$PYTHON" - "$command" "$KEY" "$input" >out <<-'END'
			import os, shutil, subprocess, sys, threading, time
			command, key, name = sys.argv[1:]
			fed, feeding = os.pipe()
			reading, written = os.pipe()
			os.set_blocking(fed, False)
			os.set_blocking(written, False)
			child = subprocess.Popen(["gcmcrypt", command, "-K", key], stdin=fed, stdout=written)
			def feed():
			    with open(name, "rb") as f, open(feeding, "wb", 0) as to:
			        time.sleep(0.1)
			        shutil.copyfileobj(f, to, 50000)
			threading.Thread(target=feed).start()
			with open(reading, "rb", 0) as f:
			    os.close(fed)
			    blocking = os.get_blocking(written)
			    os.close(written)
			    time.sleep(0.2)
			    for number in range(10**6):
			        data = f.read(30000)
			        if not data: break
			        if number % 50 == 0: time.sleep(0.001)
			        sys.stdout.buffer.write(data)
			sys.exit(child.wait() or blocking)
		END
		if [ $command = seal ]; then
			gcmcrypt open -K "$KEY" <out | cmp - plain
		else
			same out plain
		fi
	done
}

@test "text for a pipe that is full and does not block: help, info, bench and keygen lose nothing" {
	bytes 100 >plain
	gcmcrypt seal -K "$KEY" plain
	run -0 timeout 60 "$PYTHON" - <<-'END'
		import os, subprocess, time
		def full_pipe():
		    reading, writing = os.pipe()
		    os.set_blocking(writing, False)
		    filled = 0
		    try:
		        while True: filled += os.write(writing, b"x" * 4096)
		    except BlockingIOError: pass
		    return reading, writing, filled
		for words, last in (("--help", b"signal n.\n"), ("--version", b"warranty.\n"),
		                    ("seal --help", b"version\n"), ("info " + "plain.gcm " * 500, b"bytes\n"),
		                    ("bench --list", b"\n"), ("bench --size 64 --seconds 1", b"worst.\n"),
		                    ("keygen", b"\n"), ("keygen --identity", b"\n")):
		    reading, writing, filled = full_pipe()
		    child = subprocess.Popen(["gcmcrypt"] + words.split(), stdout=writing, stderr=subprocess.DEVNULL)
		    os.close(writing)
		    time.sleep(0.3)
		    with open(reading, "rb") as f: text = f.read()[filled:]
		    assert child.wait() == 0 and text.endswith(last), (words, child.returncode, text[-200:])
		    if words.startswith("info"): assert text.count(b"slot 1 ") == 500
	END
}

@test "text that nobody reads: status 1, no message" {
	sealed plain.gcm 100
	for command in --help "info plain.gcm plain.gcm" "bench --list" keygen; do
		run bash -c 'sleep 0.1 | { exec <&-; sleep 0.05; gcmcrypt $0 2>err; echo $? >status; } | true; cat status' "$command"
		assert_output 1
		size_is err 0
	done
}

@test "- is the descriptor itself: a pipe that cannot be opened by name works" {
	for_nobody
	bytes 100000 >plain
	# Root's pipes, handed to another user, who may not open /dev/stdin or /dev/stdout.
	run ! "${NOBODY[@]}" cat /dev/stdin < <(cat plain)
	# shellcheck disable=SC2002
	cat plain | "${NOBODY[@]}" "$AWAY/program" seal -K "$AWAY/their-key" - | cat >plain.gcm
	gcmcrypt open -K "$KEY" <plain.gcm | cmp - plain
}

@test "FIFOs as named inputs, and /dev/stdin when named by the user" {
	bytes 100000 >plain
	mkfifo fifo
	cat plain >fifo 3>&- &
	gives 0 gcmcrypt seal -K "$KEY" -o plain.gcm fifo
	gcmcrypt open -K "$KEY" <plain.gcm | cmp - plain
	# shellcheck disable=SC2002
	cat plain.gcm | gcmcrypt open -K "$KEY" -o back /dev/stdin
	same back plain
}

@test "every other kind of input: folders and sockets are refused in clear words, devices are read" {
	mkdir folder
	"$PYTHON" -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
	remember
	for command in seal "open -o new" verify; do
		# shellcheck disable=SC2086 # a command and its option
		gives 2 gcmcrypt $command -K "$KEY" folder
		says "gcmcrypt: folder: is a directory"
		# shellcheck disable=SC2086
		gives 2 gcmcrypt $command -K "$KEY" - <folder
		says "gcmcrypt: standard input: is a directory"
		# shellcheck disable=SC2086
		gives 1 gcmcrypt $command -K "$KEY" socket
		says "gcmcrypt: socket: No such device or address"
	done
	unchanged
	gives 0 gcmcrypt seal -K "$KEY" -o nothing /dev/null
	gives 5 gcmcrypt open -K "$KEY" -o new /dev/null
	gives 6 gcmcrypt verify -K "$KEY" /dev/zero
	# A character device without an end.
	run -0 bash -c 'set -o pipefail; { gcmcrypt seal -K "$0" -o - /dev/zero || [ $? -eq 1 ]; } | head -c 2000000 >short' "$KEY"
	gives 5 gcmcrypt open -K "$KEY" <short
	cmp -n $((121 * CHUNK)) "$OUT" /dev/zero
	size_is "$OUT" $((121 * CHUNK))
}

@test "chunks come out while more input may follow" {
	bytes 2000000 >plain
	run -0 "$PYTHON" - "$KEY" <<-'END'
		import signal, subprocess, sys, threading
		signal.alarm(20)
		plain = open("plain", "rb").read()
		def piped(command):
		    return subprocess.Popen(["gcmcrypt", command, "-K", sys.argv[1]],
		                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		seal = piped("seal")
		thread = threading.Thread(target=lambda: (seal.stdin.write(plain), seal.stdin.flush()))
		thread.start()
		half = seal.stdout.read(1000000)
		thread2 = threading.Thread(target=lambda: (thread.join(), seal.stdin.close()))
		thread2.start()
		sealed = half + seal.stdout.read()
		opening = piped("open")
		thread = threading.Thread(target=lambda: (opening.stdin.write(sealed[:-1]), opening.stdin.flush()))
		thread.start()
		half = opening.stdout.read(1000000)
		threading.Thread(target=lambda: (thread.join(), opening.stdin.write(sealed[-1:]), opening.stdin.close())).start()
		assert half + opening.stdout.read() == plain
		assert seal.wait() == 0 and opening.wait() == 0
	END
}

@test "a closed standard error does not lead messages into the output" {
	sealed bad.gcm 50000
	flip bad.gcm $((156 + 56 + 16400))
	run -4 bash -c 'gcmcrypt open -K "$0" -o - bad.gcm 2>&- | cat >out; exit ${PIPESTATUS[0]}' "$KEY"
	size_is out 16384
	run -4 bash -c 'gcmcrypt open -K "$0" -o new bad.gcm 2>&-' "$KEY"
	assert_not_exist new
}
