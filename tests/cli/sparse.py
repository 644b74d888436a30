#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""sparse.py OPEN.PY KEY-FILE NAME LAST CHUNK...: makes the sealed file NAME whose last chunk is number
LAST. Of the others only the CHUNKs are there, with a hole in the place of all the rest. Its plaintext
is the lines of "seq -f %015.0f 0 ...", to the tenth line of the last chunk."""
import importlib.util, os, sys, types

spec = importlib.util.spec_from_file_location("reference", sys.argv[1])
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)


def lines(chunk, count):
    return b"".join(b"%015d\n" % (chunk * 1024 + i) for i in range(count))


key = reference.keys([sys.argv[2]], "gcmc-file-key-")
last, chunks = int(sys.argv[4]), [int(word) for word in sys.argv[5:]]
with open(sys.argv[3], "wb") as f:
    file_key = reference.write_header(f, types.SimpleNamespace(p=[], K=key, r=[]))
    input_key = reference.EXP(file_key, reference.IMMUT + b"payload\0", 32)
    salt = os.urandom(24)
    okm = reference.EXP(input_key, b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + salt +
                        reference.IMMUT, 76)
    f.write(salt + okm[44:])
    start = f.tell()
    aead = reference.AESGCM(okm[:32])
    for chunk in chunks + [last]:
        nonce = reference.be(reference.number(okm[32:44]) ^ chunk, 12)
        f.seek(start + 16400 * chunk)
        f.write(aead.encrypt(nonce, lines(chunk, 10 if chunk == last else 1024), None))
