#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""check_json.py FILE EXPRESSION...: FILE holds one JSON object, all of whose members and types are
those that the manual promises, and each expression is true of it. In these, o is the object, f its
files, and name(TEXT) the bytes of a file's name."""
import json
import re
import sys

NUMBER, TEXT, TRUTH, REAL = int, str, bool, float


def name(text):
    parts = re.split(r"\\(\\|x[0-9a-f]{2})", text)
    for i in range(1, len(parts), 2):
        parts[i] = b"\\" if parts[i] == "\\" else bytes.fromhex(parts[i][1:])
    return b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)


class Maybe:
    def __init__(self, of):
        self.of = of


ERROR = {"status": NUMBER, "message": TEXT}
CHUNK_ERROR = {**ERROR, "chunk": NUMBER, "plaintext_first": NUMBER, "plaintext_last": Maybe(NUMBER),
               "file_first": NUMBER, "file_last": Maybe(NUMBER)}
COMMON = {"schema": TEXT, "status": NUMBER, "error": Maybe(ERROR)}
SLOT = {"slot": NUMBER, "type": TEXT, "type_number": NUMBER, "bytes": NUMBER,
        "argon2id": Maybe({"memory_kib": NUMBER, "passes": NUMBER})}
SCHEMAS = {
    "gcmcrypt-info/1": {**COMMON, "files": [{
        "file": TEXT, "format": Maybe(NUMBER), "cipher": Maybe(TEXT), "chunk_bytes": Maybe(NUMBER),
        "header_bytes": Maybe(NUMBER), "slots": [SLOT], "opened_by": Maybe(NUMBER),
        "file_bytes": Maybe(NUMBER), "length_possible": Maybe(TRUTH),
        "plaintext_bytes": Maybe(NUMBER), "chunks": Maybe(NUMBER), "overhead_bytes": Maybe(NUMBER),
        "error": Maybe(ERROR)}]},
    "gcmcrypt-verify/1": {**COMMON, "files": [{
        "file": TEXT, "ok": TRUTH, "quick": TRUTH, "opened_by": Maybe(NUMBER),
        "header_bytes": Maybe(NUMBER), "plaintext_bytes": Maybe(NUMBER), "chunks": Maybe(NUMBER),
        "error": Maybe((ERROR, CHUNK_ERROR))}]},
    "gcmcrypt-salvage/1": {**COMMON, "files": [{
        "file": TEXT, "ok": TRUTH, "output": Maybe(TEXT), "opened_by": Maybe(NUMBER),
        "header_bytes": Maybe(NUMBER), "plaintext_bytes": Maybe(NUMBER),
        "length_proved": Maybe(TRUTH), "chunks": Maybe(NUMBER), "bad_chunks": Maybe(NUMBER),
        "zero_bytes": Maybe(NUMBER),
        "bad": Maybe([{"chunk_first": NUMBER, "chunk_last": NUMBER, "plaintext_first": NUMBER,
                       "plaintext_last": Maybe(NUMBER), "file_first": NUMBER,
                       "file_last": Maybe(NUMBER)}]),
        "error": Maybe(ERROR)}]},
    "gcmcrypt-bench/1": {
        **COMMON, "processor": TEXT, "features": [TEXT], "ticks_unit": TEXT,
        "kernels": [{"kernel": TEXT, "usable": TRUTH, "used": TRUTH, "lacks": [TEXT]}],
        "messages": [{"bytes": NUMBER, "kernel": TEXT, "seal_gb_s": REAL, "seal_ticks_byte": REAL,
                      "open_gb_s": REAL, "open_ticks_byte": REAL, "spread": REAL}],
        "streams": [{"bytes": NUMBER, "threads": NUMBER, "kernel": TEXT, "seal_gb_s": REAL,
                     "seal_ticks_byte": REAL, "open_gb_s": REAL, "open_ticks_byte": REAL,
                     "spread": REAL}],
        "argon2id": [{"memory_kib": NUMBER, "passes": NUMBER, "seconds": REAL}]},
}


def check(value, want, where):
    if isinstance(want, Maybe):
        if value is not None:
            check(value, want.of, where)
    elif isinstance(want, tuple):
        check(value, next((w for w in want if value.keys() == w.keys()), want[0]), where)
    elif isinstance(want, list):
        assert type(value) is list, f"{where}: {value!r}"
        for i, item in enumerate(value):
            check(item, want[0], f"{where}[{i}]")
    elif isinstance(want, dict):
        assert type(value) is dict and value.keys() == want.keys(), f"{where}: {value!r}"
        for key in want:
            check(value[key], want[key], f"{where}.{key}")
    else:
        assert type(value) is want, f"{where}: {value!r} is no {want.__name__}"


def no_member_twice(pairs):
    assert len(dict(pairs)) == len(pairs), f"a member twice: {pairs}"
    return dict(pairs)


with open(sys.argv[1], "rb") as file:
    raw = file.read()
assert raw.endswith(b"}\n") and not re.search(rb"[\x00-\x09\x0b-\x1f\x80-\xff]", raw), "control bytes"
o = json.loads(raw.decode(), object_pairs_hook=no_member_twice)
f = o.get("files")
check(o, SCHEMAS[o["schema"]], "o")
for item in f or []:
    assert item["error"] is None or item["error"]["status"] > 0
assert (o["status"] == 0) == (o["error"] is None and all(i["error"] is None for i in f or []))
for expression in sys.argv[2:]:
    assert eval(expression), f"not so: {expression}\n{raw.decode()}"
