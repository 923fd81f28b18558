// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/spec/infer_context.h"

namespace millrace {

/// For kinds that work on one sample at a time or on their order. Reports a stream of batches;
/// true when fine.
bool needsSamples(const StreamType& in, InferContext& context);

/// For kinds that work on whole batches. Reports a stream of single samples; true when fine.
bool needsBatches(const StreamType& in, InferContext& context);

}  // namespace millrace
