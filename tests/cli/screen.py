#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""What is to be seen in the end on a terminal to which standard input was written.

Knows carriage return, newline and letters of one column; blanks at the end of a line do not show.
"""
import sys

for line in sys.stdin.buffer.read().decode().split("\n"):
    seen, at = [], 0
    for letter in line:
        if letter == "\r":
            at = 0
            continue
        assert letter.isprintable(), f"unexpected {letter!r}"
        seen[at:at + 1] = [letter]
        at += 1
    text = "".join(seen).rstrip()
    if text:
        print(text)
