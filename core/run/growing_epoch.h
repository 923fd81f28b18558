// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/graph/plan.h"
#include "core/run/epoch_indices.h"

namespace millrace {

/// Computes the order of an epoch while its source is still being scanned. The result is the same
/// as after a complete scan. One thread at a time.
class GrowingEpoch {
 public:
  /// nullptr if the source is already scanned, or if one of the order operations needs all samples.
  /// `ops[i]` belongs to `contexts[i]`.
  static std::unique_ptr<GrowingEpoch> make(
      const Plan& plan, const std::vector<std::shared_ptr<const IndexTransform>>& ops,
      const std::vector<OrderContext>& contexts, std::shared_ptr<EpochIndices> order);

  /// Continues the scan until one more batch is known or the order is complete.
  void grow();
  bool done() const { return m_order->whole(); }

 private:
  GrowingEpoch(const Plan& plan, std::shared_ptr<EpochIndices> order);
  void takeNext();

  const std::shared_ptr<const Source> m_source;
  const bool m_dropLast;
  const std::shared_ptr<EpochIndices> m_order;
  std::vector<std::unique_ptr<IndexStream>> m_streams;
  std::uint32_t m_taken = 0;  ///< samples of the source that went through the streams
  std::vector<SampleIndex> m_in;
  std::vector<SampleIndex> m_out;
};

}  // namespace millrace
