# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def random_change(sample, fields, rng, probability, change):
    draws = uniform(rng, 2)
    if not coin(draws[0], probability):
        return sample
    return {**sample, **{name: change(sample[name], draws[1]) for name in fields}}
