// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/spec/sample_op.h"

namespace millrace {

/// A batch operation whose error fails the samples of the batch instead of the run, and that may
/// take seconds. For use by one thread.
class FallibleBatchOp : public BatchOp {
 public:
  /// `context.draw({epoch, indexInEpoch})` are the draws of a batch. After an error the content of
  /// the batch is not used.
  virtual Status processOrFail(Batch& batch, const OpContext& context) = 0;
  /// As SampleOp::counterNames.
  virtual std::vector<std::string> counterNames() const { return {}; }

  Status process(Batch& batch, const BatchContext& context) final {
    return processOrFail(batch, {context.seed, context.node, context.noRandom});
  }
};

}  // namespace millrace
