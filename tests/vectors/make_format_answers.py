#!/usr/bin/python3
# SPDX-License-Identifier: ISC
"""Prints format_answers.h: known answers for src/format, made without any of its code.

    /usr/bin/python3 make_format_answers.py > format_answers.h

HMAC and hashes come from Python, HKDF-Expand, X25519 and AES-GCM from python3-cryptography,
Bech32m is written down here after BIP-350.  All inputs are drawn from SHA-256 over a name, so
that the output is the same every time.
"""
import hashlib
import hmac

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

IMMUT = bytes.fromhex("8947434d430d0a1a0100")
CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
BECH32, BECH32M = 1, 0x2BC830A3

answers = []


def put(name, value):
    answers.append((name, value if isinstance(value, str) else value.hex()))
    return value


def some(name, size):
    """Bytes that have no meaning but are always the same."""
    out = b""
    while len(out) < size:
        out += hashlib.sha256(name.encode() + len(out).to_bytes(4, "big")).digest()
    return out[:size]


def hmac512(key, message):
    return hmac.new(key, message, hashlib.sha512).digest()


def expand(key, info, size):
    return HKDFExpand(hashes.SHA512(), size, info).derive(key)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def public(secret):
    key = X25519PrivateKey.from_private_bytes(secret).public_key()
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def hkdf():
    cases = [(32, 0, 1), (64, 10, 63), (32, 1, 64), (32, 80, 65), (64, 33, 128), (32, 71, 76),
             (128, 5, 200), (129, 5, 200), (0, 3, 42), (32, 20, 255 * 64)]
    for i, (key_size, info_size, size) in enumerate(cases):
        key = put(f"hkdf_{i}_prk", some(f"prk {i}", key_size))
        info = put(f"hkdf_{i}_info", some(f"info {i}", info_size))
        put(f"hkdf_{i}_okm", expand(key, info, size))


def wrap(slot_type, params, secret, file_key):
    okm = expand(secret, IMMUT + b"slot-wrap\0" + bytes([slot_type]) + params, 128)
    tag = hmac512(okm[:64], file_key)[:32]
    return params + xor(file_key, hmac512(okm[64:], tag)[:32]) + tag


def slots():
    file_key = put("file_key", some("file key", 32))
    params = bytes.fromhex("0000000300040000") + some("argon2 salt", 16)
    secret = put("slot_01_secret", some("argon2 output", 32))
    bodies = {1: put("slot_01_body", wrap(1, params, secret, file_key))}

    key = put("slot_02_key", some("key file", 32))
    salt = some("key file salt", 32)
    secret = put("slot_02_secret", hmac512(salt, key))
    bodies[2] = put("slot_02_body", wrap(2, salt, secret, file_key))

    identity = put("slot_03_identity", some("identity", 32))
    recipient = put("slot_03_recipient", public(identity))
    esk = put("slot_03_esk", some("ephemeral", 32))
    epk = public(esk)
    shared = X25519PrivateKey.from_private_bytes(esk).exchange(
        X25519PublicKey.from_public_bytes(recipient))
    secret = put("slot_03_secret", hmac512(epk + recipient, shared))
    bodies[3] = put("slot_03_body", wrap(3, epk, secret, file_key))
    return file_key, bodies


def header(file_key, bodies):
    """All three kinds, one of an unknown type, the reserved one, and a spare."""
    listed = [(1, bodies[1]), (9, b"unknown"), (2, bodies[2]), (4, some("x-wing", 1184)),
              (3, bodies[3]), (0, bytes(100))]
    packed = b"".join(bytes([t, 0]) + len(b).to_bytes(2, "big") + b for t, b in listed)
    size = 16 + len(packed) + 40
    out = IMMUT + len(listed).to_bytes(2, "big") + size.to_bytes(4, "big") + packed
    out += hashlib.sha512(out).digest()[:8]
    out += hmac512(expand(file_key, IMMUT + b"header-mac\0", 64), out)[:32]
    put("header_xwing_body", listed[3][1])
    put("header", out)


def payload(file_key):
    label = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0"
    salt = put("payload_salt", some("payload salt", 24))
    user = put("payload_user_context", b"backups\0of tuesday")
    numbers = [0, 1, 255, 256, 65535, 65536, 2**24 - 1, 2**32 - 1, 2**32, 2**37 + 1, 2**38 - 1]
    text = put("payload_text", some("text", 37))
    put("payload_input_key", expand(file_key, IMMUT + b"payload\0", 32))
    for name, key, context in [("full", expand(file_key, IMMUT + b"payload\0", 32), IMMUT + user),
                               ("bare", file_key, user), ("bare_empty", file_key, b"")]:
        okm = expand(key, label + salt + context, 76)
        put(f"payload_{name}_base_nonce", okm[32:44])
        put(f"payload_{name}_commitment", okm[44:])
        for i, number in enumerate(numbers):
            nonce = int.from_bytes(okm[32:44], "big") ^ number
            sealed = AESGCM(okm[:32]).encrypt(nonce.to_bytes(12, "big"), text, None)
            put(f"payload_{name}_chunk_{i}", sealed)


def polymod(values):
    state = 1
    for value in values:
        top = state >> 25
        state = ((state & 0x1FFFFFF) << 5) ^ value
        for i, g in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            state ^= g if top >> i & 1 else 0
    return state


def hrp_values(hrp):
    return [ord(c) >> 5 for c in hrp] + [0] + [ord(c) & 31 for c in hrp]


def bech32(hrp, data, constant=BECH32M, padding=0):
    bits = len(data) * 8
    pad = -bits % 5
    number = int.from_bytes(data, "big") << pad | padding
    groups = [number >> shift & 31 for shift in range(bits + pad - 5, -1, -5)]
    total = polymod(hrp_values(hrp) + groups + [0] * 6) ^ constant
    groups += [total >> 5 * (5 - i) & 31 for i in range(6)]
    return hrp + "1" + "".join(CHARSET[g] for g in groups)


def bip350_holds():
    """Valid strings of BIP-350, so that the lines above are not their own witness."""
    for text in ("A1LQFN3A", "a1lqfn3a", "?1v759aa", "split1checkupstagehandshakeupstreamerranterred"
                 "caperredlc445v", "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx"):
        hrp, data = text.lower().rsplit("1", 1)
        assert polymod(hrp_values(hrp) + [CHARSET.index(c) for c in data]) == BECH32M


def keytext(identity, key):
    recipient = public(identity)
    put("text_recipient", bech32("gcmc", recipient))
    put("text_identity", bech32("gcmc-secret-key-", identity).upper())
    put("text_key_file", bech32("gcmc-file-key-", key).upper())
    put("text_recipient_bech32", bech32("gcmc", recipient, BECH32))
    put("text_recipient_other_hrp", bech32("gcmd", recipient))
    put("text_recipient_31_bytes", bech32("gcmc", recipient[:31]))
    put("text_recipient_33_bytes", bech32("gcmc", recipient + b"\0"))
    for bit in range(4):
        put(f"text_recipient_padding_{bit}", bech32("gcmc", recipient, padding=1 << bit))


def seed():
    system = put("seed_system", some("system", 64))
    around = put("seed_around", some("around", 99))
    value = put("seed_bytes", hashlib.blake2b(around, key=system, digest_size=64).digest())
    for i, (label, size) in enumerate([("file key", 32), ("salt", 16), ("salt", 64), ("", 1)]):
        data = label.encode() + i.to_bytes(8, "big")
        put(f"seed_draw_{i}", hashlib.blake2b(data, key=value, digest_size=64).digest()[:size])


def main():
    bip350_holds()
    hkdf()
    file_key, bodies = slots()
    header(file_key, bodies)
    payload(file_key)
    keytext(some("identity", 32), some("key file", 32))
    seed()
    print("/* SPDX-License-Identifier: ISC */")
    print("/* Made by make_format_answers.py; not to be edited by hand. */")
    print("static const struct format_answer format_answers[] = {")
    for name, value in answers:
        print(f'\t{{"{name}",')
        lines = [value[i:i + 84] for i in range(0, len(value), 84)] or [""]
        print("\n".join(f'\t "{line}"' for line in lines) + "},")
    print("};")


main()
