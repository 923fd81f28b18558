// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/preview/preview_request.h"
#include "core/preview/previewed_sample.h"

namespace millrace {

// Requests and answers of `millrace preview --serve` (docs/reference/event-stream.md): one JSON
// object per line, here without the newline. Any thread; nothing throws.

/// A request: `{"id": 1, "pipeline": {...}, "base": "...", "node": "flip", "seed": 1, "first": 0,
/// "count": 8, "side": 192}`. `request.pipeline` must be a JSON text.
std::string previewRequestLine(std::int64_t id, const PreviewRequest& request);

struct ParsedPreviewRequest {
  std::optional<std::int64_t> id;
  std::string error;  ///< empty if `request` is valid; its document has not been checked
  PreviewRequest request;
};
/// Only `pipeline` is required. Numbers beyond their limits become the nearest allowed ones.
ParsedPreviewRequest parsePreviewRequest(const std::string& line);

// Answers. `id` is the request's; null if it has none.

std::string previewSampleLine(std::optional<std::int64_t> id, const PreviewedSample& sample);
std::string previewDoneLine(std::optional<std::int64_t> id, std::size_t samples);
/// Says that a newer request has replaced this one.
std::string previewStaleLine(std::optional<std::int64_t> id);
std::string previewErrorLine(std::optional<std::int64_t> id, const std::string& error);

struct PreviewAnswer {
  enum class Kind : std::uint8_t { Sample, Done, Stale, Error, Other };
  Kind kind = Kind::Other;  ///< Other: from a later version
  std::optional<std::int64_t> id;
  PreviewedSample sample;
  std::string error;
};
/// nullopt if the line is not an answer. Values that it does not contain stay empty; at most 64
/// fields and 6 dimensions are read, whatever it contains.
std::optional<PreviewAnswer> parsePreviewAnswer(std::string_view line);

}  // namespace millrace
