// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/monitor/gpu/gpu_values.h"

namespace millrace {

/// One figure of a GPU, for display.
struct GpuRow {
  QString label;
  QString text;
  std::optional<double> share;  ///< fill of a bar, 0 to 1; nullopt: only text
  bool warns = false;
  QString metric;  ///< id of its description, for the tooltip
  bool operator==(const GpuRow&) const = default;
};

/// The figures that the device reports, in order of use; others have no row.
std::vector<GpuRow> gpuRows(const GpuFigures& gpu);

}  // namespace millrace
