# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Means of paired ratios with their 95 % interval (Student's t on logarithms)."""

import math
import statistics

# 97.5 % of Student's t by degrees of freedom.
T = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13]


def ratio(pairs):
    """"0.98 [0.96, 1.00]" of (ours, theirs)."""
    logs = [math.log(ours / theirs) for ours, theirs in pairs]
    middle = statistics.mean(logs)
    if len(logs) < 2:
        return f"{math.exp(middle):.3f}"
    freedom = min(len(logs) - 1, len(T))
    half = T[freedom - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return f"{math.exp(middle):.3f} [{math.exp(middle - half):.3f}, {math.exp(middle + half):.3f}]"
