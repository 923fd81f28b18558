// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace::cli {

/// Of all elements that are numbers; absent when there are none.
struct FieldStatistics {
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
};
/// Elements as f64 in memory order; empty for encoded bytes.
std::vector<double> elementsOf(const TensorView& view);
std::optional<FieldStatistics> statisticsOf(const std::vector<double>& elements);

/// The longer side of a preview at most, in pixels; what a request may raise it to.
inline constexpr int kPreviewSide = 192;
inline constexpr int kMostPreviewSide = 1024;

/// A picture field as PNG bytes that a person can look at: shrunk to `side`, floats spread from
/// their least to their greatest value (0 to 1 where they lie in there), index masks in colours
/// that differ, encoded files decoded. Nothing where the field is no picture or cannot be shown.
std::optional<std::vector<std::byte>> previewPng(const FieldSpec& spec, const TensorView& view,
                                                 int side = kPreviewSide);

}  // namespace millrace::cli
