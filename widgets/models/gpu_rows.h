// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/monitor/gpu_values.h"

namespace millrace {

/// One figure of a GPU as a view shows it.
struct GpuRow {
  QString label;
  QString text;
  std::optional<double> share;  ///< of a bar, 0 to 1; absent: words alone
  bool warns = false;
  QString metric;  ///< id of its description, for the tooltip
  bool operator==(const GpuRow&) const = default;
};

/// What the device tells, in the order of use; what it does not tell has no row.
std::vector<GpuRow> gpuRows(const GpuFigures& gpu);

}  // namespace millrace
