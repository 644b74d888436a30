#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Open or make gcmcrypt v1 files without gcmcrypt:  open.py open|seal [OPTION]... < input > output
-p FILE: the passphrase is in FILE (with no key at all it is asked for); -K FILE: key file; -i FILE:
identities, for open; -r RECIPIENT, for seal; --context TEXT; --bare: no header, one key file.
Needs Python 3.8 with "cryptography" and "argon2-cffi". Trust the output only if the exit status is
0. There are no caps: Argon2 costs what the file asks for."""
import argparse, getpass, hashlib, hmac, itertools, os, re, sys
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

IMMUT = b"\x89GCMC\r\n\x1a" + b"\x01" + b"\x00"  # magic, version, flags
BODY = {1: 88, 2: 96, 3: 96, 4: 1184}  # slot type: length of its body
COST = b"\0\0\0\3" + b"\0\4\0\0"  # Argon2 when sealing: 3 passes, 256 MiB in KiB

def need(condition, text): return condition or sys.exit("open.py: " + text)
def be(value, size): return value.to_bytes(size, "big")
def number(data): return int.from_bytes(data, "big")
def xor(a, b): return bytes(x ^ y for x, y in zip(a, b))
def HMAC(key, msg): return hmac.digest(key, msg, "sha512")
def EXP(key, info, n):  # HKDF-Expand (RFC 5869), n <= 128
    return ((t := HMAC(key, info + b"\1")) + HMAC(key, t + info + b"\2"))[:n]
def x25519(secret, point=b"\x09" + bytes(31)):  # without a point: the public key of secret
    point = X25519PublicKey.from_public_bytes(point)
    return X25519PrivateKey.from_private_bytes(secret).exchange(point)
def key_bytes(text, prefix):  # Bech32m (BIP-350): 52 characters of key, 6 of checksum
    low, check = text.lower(), 1
    data = ["qpzry9x8gf2tvdw0s3jn54khce6mua7l".find(c) for c in low[len(prefix) + 1:]]
    for v in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + data:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ v
        for i, g in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= g if top >> i & 1 else 0
    value = sum(v << 5 * i for i, v in enumerate(reversed(data[:52])))
    good = text in (low, text.upper()) and low.startswith(prefix + "1") and -1 not in data
    need(good and len(data) == 58 and check == 0x2BC830A3 and value % 16 == 0, "bad key text")
    return be(value >> 4, 32)
def keys(names, prefix):
    lines = [line.strip() for name in names for line in open(name, encoding="ascii")]
    return [key_bytes(line, prefix) for line in lines if line and line[0] != "#"]
def passphrase(name):
    return re.sub(rb"\r?\n\Z", b"", open(name, "rb").read() if name else getpass.getpass().encode())
def argon2(text, p):  # p: passes, KiB, salt
    from argon2.low_level import Type, hash_secret_raw  # only a passphrase needs it
    return hash_secret_raw(text, p[8:], number(p[:4]), number(p[4:8]), 1, 32, Type.ID)

def wrap(secret, kind, params, key):  # the body of a slot
    okm = EXP(secret, IMMUT + b"slot-wrap\0" + be(kind, 1) + params, 128)
    tag = HMAC(okm[:64], key)[:32]
    return params + xor(key, HMAC(okm[64:], tag)) + tag
def unwrap(secret, kind, body):  # the file key, or None
    okm = EXP(secret, IMMUT + b"slot-wrap\0" + be(kind, 1) + body[:-64], 128)
    key = xor(body[-64:-32], HMAC(okm[64:], body[-32:]))
    return key if hmac.compare_digest(wrap(secret, kind, body[:-64], key), body) else None
def header_mac(key, header): return HMAC(EXP(key, IMMUT + b"header-mac\0", 64), header)[:32]

def slot_secrets(kind, body, args):  # under which this slot may have been wrapped
    yield from (argon2(text, body[:24]) for text in args.p if kind == 1)
    yield from (HMAC(body[:32], key) for key in args.K if kind == 2)
    for secret in args.i if kind == 3 else ():
        try: yield HMAC(body[:32] + x25519(secret), x25519(secret, body[:32]))
        except ValueError: pass  # the shared value is all zero: opens nothing
def read_header(f, args):  # returns the file key
    header, slots = f.read(16), []
    need(header[:10] == IMMUT, "not a gcmcrypt v1 file")
    header += f.read(min(max(60, number(header[12:])), 65536) - 16)
    need(number(header[12:16]) == len(header), "damaged header, or the file ends early")
    good, rest = header[-40:-32] == hashlib.sha512(header[:-40]).digest()[:8], header[16:-40]
    while good and rest:
        kind, size = rest[0], number(rest[1:4])  # with the zero byte above the length
        body, rest = rest[4:4 + size], rest[4 + size:]
        good = (len(body) == size == BODY.get(kind, size) and (kind or not any(body) and not rest)
                and (kind != 1 or number(body[:4]) >= 1 and number(body[4:8]) >= 8))
        slots.append((kind, body))
    need(good and 1 <= len(slots) == number(header[10:12]) <= 64, "damaged header")
    opened = (unwrap(s, kind, body) for kind, body in slots for s in slot_secrets(kind, body, args))
    key = need(next(filter(None, opened), None), "nothing given opens this file")
    need(hmac.compare_digest(header_mac(key, header[:-32]), header[-32:]), "tampered header")
    return key
def write_header(f, args):  # returns the file key
    key = os.urandom(32)  # then the slots, as type, secret, parameters
    slots = [(1, argon2(text, p), p) for text in args.p for p in [COST + os.urandom(16)]]
    slots += [(2, HMAC(salt, secret), salt) for secret in args.K for salt in [os.urandom(32)]]
    for secret, peer in [(os.urandom(32), peer) for peer in args.r]:
        slots += [(3, HMAC(x25519(secret) + peer, x25519(secret, peer)), x25519(secret))]
    slots = [be(kind, 1) + be(BODY[kind], 3) + wrap(s, kind, p, key) for kind, s, p in slots]
    header = IMMUT + be(len(slots), 2) + be(56 + sum(map(len, slots)), 4) + b"".join(slots)
    header += hashlib.sha512(header).digest()[:8]
    f.write(header + header_mac(key, header))
    return key
def payload(f, out, key, context, sealing):
    head = os.urandom(24) if sealing else f.read(56)
    okm = EXP(key, b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + head[:24] + context, 76)
    aead, base, commitment = AESGCM(okm[:32]), number(okm[32:44]), okm[44:]
    need(sealing or hmac.compare_digest(head[24:], commitment), "wrong key or context, or damaged")
    out.write(head + commitment if sealing else b"")
    work, size = (aead.encrypt, 16384) if sealing else (aead.decrypt, 16400)
    for i in itertools.count():
        chunk = f.read(size)
        try: out.write(work(be(base ^ i, 12), chunk, None))
        except (InvalidTag, ValueError): sys.exit(f"open.py: chunk {i} is damaged or cut short")
        if len(chunk) < size: return out.flush()

if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command", choices=["open", "seal"])
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--context", default="")
    for name in "-p", "-K", "-i", "-r": parser.add_argument(name, action="append", default=[])
    args, f, out = parser.parse_args(), sys.stdin.buffer, sys.stdout.buffer
    args.p = [passphrase(name) for name in args.p or [None] * (not args.K + args.i + args.r)]
    args.K, args.i = keys(args.K, "gcmc-file-key-"), keys(args.i, "gcmc-secret-key-")
    args.r = [key_bytes(text, "gcmc") for text in args.r]
    sealing, context = args.command == "seal", os.fsencode(args.context)
    if args.bare:
        sys.exit(payload(f, out, args.K[0], context, sealing))
    file_key = write_header(out, args) if sealing else read_header(f, args)
    payload(f, out, EXP(file_key, IMMUT + b"payload\0", 32), IMMUT + context, sealing)
