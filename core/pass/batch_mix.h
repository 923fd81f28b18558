// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/data/batch.h"
#include "core/data/buffer.h"
#include "core/spec/infer_context.h"
#include "core/spec/value.h"

namespace millrace {

/// What mixup and cutmix share.

/// The fields that they act on: pictures, and the one-hot labels that belong to them.
struct MixedFields {
  std::vector<std::size_t> pictures;
  std::vector<std::size_t> labels;
};

MixedFields mixedFields(const StreamType& in, const TextList& named);

/// Reports what cannot be mixed, each with a remedy; only the stream's randomFrom changes.
StreamType mixedStream(const StreamType& in, const TextList& named, InferContext& context);

/// Row i becomes share * row i + (1 - share) * row i - 1, the first with the last: torchvision v2's
/// roll by one. `scratch` holds one row.
void mixWithPreviousRow(BatchField& field, std::size_t rows, double share, Buffer& scratch);

}  // namespace millrace
