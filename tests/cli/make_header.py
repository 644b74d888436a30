#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""make_header.py SLOT...: a header with a right CHECK and a wrong MAC, to standard output.

SLOT is PASSES:KIB, a passphrase slot of that cost under an unknown passphrase. Equal salts for
slots of equal numbers: PASSES:KIB:SALT."""
import hashlib
import sys

slots = b""
for text in sys.argv[1:]:
    passes, kib, salt = (text + ":0").split(":")[:3]
    salt = int(salt).to_bytes(16, "big")
    slots += b"\1\0\0\x58" + int(passes).to_bytes(4, "big") + int(kib).to_bytes(4, "big") + salt
    slots += hashlib.sha512(text.encode()).digest()
header = b"\x89GCMC\r\n\x1a\1\0" + (len(sys.argv) - 1).to_bytes(2, "big")
header += (56 + len(slots)).to_bytes(4, "big") + slots
header += hashlib.sha512(header).digest()[:8]
sys.stdout.buffer.write(header + bytes(32))
