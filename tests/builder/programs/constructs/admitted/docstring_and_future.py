#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# A comment.
"""Sums squares."""
# Another.
from __future__ import annotations
from __future__ import division; import sys


def squares(n: int) -> Unknown:
    total = 0
    for i in range(n):
        total += i * i
    return total


print(__doc__, squares(int(sys.stdin.read())))
