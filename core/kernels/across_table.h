// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/data/buffer.h"
#include "core/kernels/plane_rows.h"

namespace millrace::planes {

/// Lays the weights of an axis out for resampleAcross. One thread; grow-only.
class AcrossTable {
 public:
  /// `axis` must outlive the plan.
  void arrange(const PlaneAxis& axis);
  const AcrossPlan& plan() const { return m_plan; }
  /// Samples that resampleAcross writes at most.
  std::size_t written() const { return static_cast<std::size_t>(m_plan.groups) * kGroupOutputs; }

 private:
  void arrangeWeights();
  void arrangeWindows();
  void arrangeWideWindows();
  void arrangeRuns();

  AcrossPlan m_plan;
  std::vector<std::int32_t> m_offsets;
  std::vector<std::int32_t> m_wideOffsets;
  std::vector<std::int32_t> m_runOffsets;
  Buffer m_weights;
  Buffer m_order;
  Buffer m_wideOrder;
  Buffer m_runWeights;
};

}  // namespace millrace::planes
