# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def random_flip(sample, fields, rng, horizontal, vertical):
    across, down = uniform(rng, 2)
    rows = slice(None, None, -1 if coin(down, vertical) else 1)
    columns = slice(None, None, -1 if coin(across, horizontal) else 1)
    return {**sample, **{name: sample[name][rows, columns] for name in fields}}
