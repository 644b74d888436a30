# SPDX-License-Identifier: ISC
"""scan_memory.py work|stray|end SEALED KEY-FILE PASSPHRASE-FILE COMMAND... - which secrets of SEALED
stand in the writable memory of COMMAND, which opens it from standard input: "work" looks while it
waits for the last bytes, "stray" too, but only outside of the memory that is left out of core dumps,
"end" when it has ended itself and the system is about to take it away. SEALED has a passphrase slot,
then one of the key file; or it is "-": what COMMAND itself writes at the end, sealed or a key file.
"words" is any passphrase of random words. Prints one name a line; exit status 77 where processes
cannot be looked at."""
import array, ctypes, fcntl, os, re, signal, subprocess, sys, tempfile, termios, threading, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../reference"))
reference = __import__("open")
SYLLABLE = rb"[bdghjkvz][aiou][flmnrstx]"
# Two words, from the hyphen between them on: a search for one byte is a fast one.
WORDS = re.compile(rb"-(?<=%b%b-)%b%b-" % (4 * (SYLLABLE,)))
TRACEME, CONT, SETOPTIONS, TRACEEXIT, EXITKILL, EVENT_EXIT = 0, 7, 0x4200, 0x40, 0x100000, 6
libc = ctypes.CDLL(None, use_errno=True)


def ptrace(request, pid, data=0):
    return libc.ptrace(ctypes.c_long(request), ctypes.c_long(pid), None, ctypes.c_void_p(data))


def sbox():  # FIPS 197, 5.1.1, by way of powers of 3 and of its inverse
    table, p, q = [0x63] * 256, 1, 1
    for _ in range(255):
        p = p ^ (p << 1) & 0xFF ^ (0x1B if p & 0x80 else 0)
        for shift in 1, 2, 4:
            q ^= q << shift & 0xFF
        q ^= 0x09 if q & 0x80 else 0
        table[p] = 0x63
        for turn in range(5):
            table[p] ^= (q << turn | q >> (8 - turn)) & 0xFF
    return table


def round_keys(key):  # FIPS 197, 5.2, for 256 bits
    box, words, constant = sbox(), [key[i : i + 4] for i in range(0, 32, 4)], 1
    while len(words) < 60:
        word = words[-1]
        if len(words) % 8 == 0:
            word = bytes(box[b] for b in word[1:] + word[:1])
            word, constant = bytes([word[0] ^ constant]) + word[1:], constant << 1
        elif len(words) % 8 == 4:
            word = bytes(box[b] for b in word)
        words.append(reference.xor(words[-8], word))
    return [b"".join(words[i : i + 4]) for i in range(0, 60, 4)]


def secrets_of(sealed, key_file, passphrase_file):
    text = reference.passphrase(passphrase_file)
    key = reference.keys([key_file], "gcmc-file-key-")[0]
    passphrase_body, key_body = sealed[20:108], sealed[112:208]
    derived = reference.argon2(text, passphrase_body[:24])
    file_key = reference.unwrap(derived, 1, passphrase_body)
    assert file_key == reference.unwrap(reference.HMAC(key_body[:32], key), 2, key_body)
    start = reference.number(sealed[12:16])
    immut = reference.IMMUT
    input_key = reference.EXP(file_key, immut + b"payload\0", 32)
    label = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0"
    okm = reference.EXP(input_key, label + sealed[start : start + 24] + immut, 76)
    found = {"passphrase": text[8:], "key file": key, "slot secret": derived, "file key": file_key}
    found.update({"input key": input_key, "payload key": okm[:32]})
    found["MAC key"] = reference.EXP(file_key, immut + b"header-mac\0", 64)[:32]
    found["wrap key"] = reference.EXP(derived, immut + b"slot-wrap\0\1" + passphrase_body[:24], 128)[:32]
    schedule = round_keys(okm[:32])
    assert schedule[0] + schedule[1] == okm[:32]
    found.update({"round key %d" % i: value for i, value in enumerate(schedule)})
    return found


def feed(pipe, data, keep_open):
    pipe.write(data)
    pipe.flush()
    if not keep_open:
        pipe.close()


def run_until_waiting(child, data):
    """Feeds all but the last bytes, waits until they are taken, and stops it by a signal."""
    thread = threading.Thread(target=feed, args=(child.stdin, data[:-8], True))
    ptrace(CONT, child.pid)
    thread.start()
    for _ in range(1000):
        pid, status = os.waitpid(child.pid, os.WNOHANG)
        if pid != 0:  # a signal, such as that of the end of a child
            ptrace(CONT, child.pid, os.WSTOPSIG(status))
        left = array.array("i", [0])
        fcntl.ioctl(child.stdin, termios.FIONREAD, left)
        with open("/proc/%d/stat" % child.pid) as f:
            if not thread.is_alive() and left[0] == 0 and f.read().split(")")[1].split()[0] == "S":
                break
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGABRT)
    assert os.WSTOPSIG(os.waitpid(child.pid, 0)[1]) == signal.SIGABRT


def run_until_end(child, data):
    threading.Thread(target=feed, args=(child.stdin, data, False), daemon=True).start()
    stop = 0
    while True:
        ptrace(CONT, child.pid, stop)
        status = os.waitpid(child.pid, 0)[1]
        assert os.WIFSTOPPED(status), "it ended unseen: %d" % status
        if status >> 8 == signal.SIGTRAP | EVENT_EXIT << 8:
            return
        stop = os.WSTOPSIG(status)


def mappings(pid):
    """(first, end, mode, flags) of each."""
    with open("/proc/%d/smaps" % pid) as smaps:
        for line in smaps:
            words = line.split()
            if not words[0].endswith(":"):
                place, mode = words[:2]
            elif words[0] == "VmFlags:":
                first, end = (int(x, 16) for x in place.split("-"))
                yield first, end, mode, words[1:]


def scan(pid, secrets, stray):
    found = set()
    with open("/proc/%d/mem" % pid, "rb", 0) as memory:
        for first, end, mode, flags in mappings(pid):
            if "w" in mode and "r" in mode and not (stray and "dd" in flags):
                memory.seek(first)
                content = memory.read(end - first)
                assert len(content) == end - first
                found.update(name for name, value in secrets.items() if value in content)
                found.update(["words"] if WORDS.search(content) else [])
    return found


def secrets_in(made, key_file, passphrase_file):
    """Of what a command wrote to the file made."""
    made.seek(0)
    content = made.read()
    if content.startswith(reference.IMMUT[:4]):
        return secrets_of(content, key_file, passphrase_file)
    text = content.split()[-1]
    return {"key": reference.keys([made.name], "gcmc-file-key-")[0], "key text": text[-50:]}


def main():
    when, sealed_name, *files = sys.argv[1:5]
    command = sys.argv[5:]
    data, secrets = b"plain" * 100000, None
    if sealed_name != "-":
        with open(sealed_name, "rb") as f:
            data = f.read()
        secrets = secrets_of(data, *files)
    made = tempfile.NamedTemporaryFile()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=made, close_fds=False,
                             preexec_fn=lambda: ptrace(TRACEME, 0))
    os.waitpid(child.pid, 0)
    if ptrace(SETOPTIONS, child.pid, TRACEEXIT | EXITKILL) != 0:
        return 77
    (run_until_end if when == "end" else run_until_waiting)(child, data)
    try:
        secrets = secrets or secrets_in(made, *files)
        print("\n".join(sorted(scan(child.pid, secrets, when == "stray"))))
    except PermissionError:
        return 77
    finally:
        os.kill(child.pid, signal.SIGKILL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
