#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""reference_answers.py OPEN.PY VECTORS: open.py's two halves against the known answers.

With the random values of gcmcrypt_v1.txt in place of the system's, its writer must make the four
files; its reader must open each with each of the three secrets, and accept exactly those of
gcmcrypt_v1_cases.txt whose status is 0."""
import argparse
import hashlib
import importlib.util
import io
import os
import sys

PLAINTEXTS = b"", b"hello\n", bytes(16384), bytes(i % 256 for i in range(40000))


def load(path):
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def secrets(p=(), K=(), i=(), r=()):
    return argparse.Namespace(p=list(p), K=list(K), i=list(i), r=list(r))


def read_values(path):
    with open(path) as f:
        pairs = [line.rstrip("\n").partition(" =") for line in f if line[0] != "#"]
    return {name: value.strip() for name, _, value in pairs}


reference, folder = load(sys.argv[1]), sys.argv[2]
values = read_values(f"{folder}/gcmcrypt_v1.txt")


def known(name):
    return bytes.fromhex(values[name])


def payload(f, out, file_key, context, sealing):
    key = reference.EXP(file_key, reference.IMMUT + b"payload\0", 32)
    reference.payload(f, out, key, reference.IMMUT + context, sealing)


def seal(plaintext, context, given):
    order = "file_key", "passphrase_salt", "key_file_salt", "x25519_ephemeral_secret", "payload_salt"
    random = [known(name) for name in order]
    os.urandom = lambda size: random.pop(0)
    out = io.BytesIO()
    payload(io.BytesIO(plaintext), out, reference.write_header(out, given), context, True)
    return out.getvalue()


def opened(sealed, context, given):
    f, out = io.BytesIO(sealed), io.BytesIO()
    payload(f, out, reference.read_header(f, given), context, False)
    return out.getvalue()


phrase, key = values["passphrase_text"].encode(), known("key_file_key")
reference.COST = b"".join(int(values[n]).to_bytes(4, "big") for n in ("argon2_t", "argon2_m_kib"))
ways = secrets(p=[phrase]), secrets(K=[key]), secrets(i=[known("x25519_secret")])
made = right = cases = 0
for number, plaintext in enumerate(PLAINTEXTS):
    context = known(f"file{number}_context")
    every = secrets(p=[phrase], K=[key], r=[known("x25519_recipient")])
    sealed = seal(plaintext, context, every)
    made += hashlib.sha256(sealed).hexdigest() == values[f"file{number}_sha256"]
    right += sum(opened(sealed, context, way) == plaintext for way in ways)
with open(f"{folder}/gcmcrypt_v1_cases.txt") as f:
    for name, status, text in (line.split() for line in f if line[0] != "#"):
        try:
            opened(b"" if text == "-" else bytes.fromhex(text), b"", ways[1])
            accepted = True
        except SystemExit:
            accepted = False
        cases += accepted == (status == "0")
print(f"{made} files made, {right} opened, {cases} cases")
