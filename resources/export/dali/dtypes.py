# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from nvidia.dali import types

DTYPES = {"uint8": types.UINT8, "float32": types.FLOAT, "float16": types.FLOAT16}
