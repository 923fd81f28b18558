// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/jobs/preview/preview_chain.h"
#include "core/jobs/preview/preview_field.h"
#include "core/jobs/preview/preview_run.h"

namespace millrace::cli {

// Lines of `millrace preview`, without the newline. `id` is the request's; null if it has none.

/// `side`: the longer side of a picture, at most, in pixels.
std::string sampleLine(std::optional<std::int64_t> id, std::uint64_t place,
                       const PreviewSample& sample, const Plan& plan, int side = kPreviewSide);
std::string doneLine(std::optional<std::int64_t> id, std::size_t samples);
/// Says that a newer request has replaced this one.
std::string staleLine(std::optional<std::int64_t> id);
std::string previewErrorLine(std::optional<std::int64_t> id, const std::string& error);

/// A request line of `preview --serve`: `{"id": 1, "pipeline": {...}, "base": "...", "node":
/// "flip", "seed": 1, "first": 0, "count": 8, "side": 192}`; only `pipeline` is required.
struct ServedRequest {
  std::optional<std::int64_t> id;
  std::string error;  ///< empty if `preview` is valid
  PreviewOptions preview;
  int side = kPreviewSide;  ///< kPreviewSide to kMostPreviewSide
};
ServedRequest parsePreviewRequest(const std::string& line);

}  // namespace millrace::cli
