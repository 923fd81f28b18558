// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/data/buffer.h"
#include "core/kernels/pass/plane_rows.h"

namespace millrace::planes {

/// Arranges the weights of an axis for resampleAcross(). For use by one thread; memory only grows.
class AcrossTable {
 public:
  /// `axis` must outlive the plan.
  void arrange(const PlaneAxis& axis);
  const AcrossPlan& plan() const { return m_plan; }
  /// The largest number of samples that resampleAcross() writes.
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
