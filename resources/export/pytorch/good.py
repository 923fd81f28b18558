# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def good(samples):
    """Return the samples that did not fail."""
    samples = [sample for sample in samples if sample is not None]
    if not samples:
        raise RuntimeError("every sample of a batch failed")
    return samples
