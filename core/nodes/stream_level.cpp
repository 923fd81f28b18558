// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/nodes/stream_level.h"

namespace millrace {

bool needsSamples(const StreamType& in, InferContext& context) {
  if (in.level == Level::Sample) return true;
  context.error("", "works on single samples, but the stream here is in batches",
                "move it in front of the batch node");
  return false;
}

bool needsBatches(const StreamType& in, InferContext& context) {
  if (in.level == Level::Batch) return true;
  context.error("", "takes batches, but the stream here is of single samples",
                "put a batch node in front of it");
  return false;
}

}  // namespace millrace
