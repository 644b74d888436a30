#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""variants.py flips|cuts FILE FOLDER COUNT: one damaged copy of FILE for each of its first COUNT bytes.

flips: with each bit of that byte flipped in turn, so eight copies. cuts: cut before that byte. Each copy is named by the byte's number, and the bit's."""
import pathlib
import sys

how, name, folder, count = sys.argv[1:]
data = pathlib.Path(name).read_bytes()
for at in range(int(count)):
    if how == "cuts":
        pathlib.Path(folder, f"{at:04}").write_bytes(data[:at])
        continue
    for bit in range(8):
        changed = bytes([data[at] ^ 1 << bit])
        pathlib.Path(folder, f"{at:04}-{bit}").write_bytes(data[:at] + changed + data[at + 1:])
