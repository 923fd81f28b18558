# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def rounded_to(dtype, values):
    """Return values in a type, rounded if it is an integer type."""
    return (values if dtype.is_floating_point else values.round()).to(dtype)
