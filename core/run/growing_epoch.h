// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/graph/plan.h"
#include "core/run/epoch_order.h"

namespace millrace {

/// Makes the order of an epoch while its source is still being listed, the same as when all is
/// listed before. One thread at a time.
class GrowingEpoch {
 public:
  /// nullptr: the source is listed, or one of the operations needs all of it. `ops` and `contexts`
  /// go together.
  static std::unique_ptr<GrowingEpoch> make(const Plan& plan,
                                            const std::vector<std::shared_ptr<const OrderOp>>& ops,
                                            const std::vector<OrderContext>& contexts,
                                            std::shared_ptr<EpochOrder> order);

  /// Lists on until there is a batch more, or all is known.
  void grow();
  bool done() const { return m_order->whole(); }

 private:
  GrowingEpoch(const Plan& plan, std::shared_ptr<EpochOrder> order);
  void takeNext();

  const std::shared_ptr<const Source> m_source;
  const bool m_dropLast;
  const std::shared_ptr<EpochOrder> m_order;
  std::vector<std::unique_ptr<OrderStream>> m_streams;
  std::uint32_t m_taken = 0;  ///< of the source's samples
  std::vector<OrderEntry> m_in;
  std::vector<OrderEntry> m_out;
};

}  // namespace millrace
