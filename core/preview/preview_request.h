// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/preview/preview_chain.h"
#include "core/preview/preview_field.h"

namespace millrace {

/// Which samples are wanted, and after which node of which document, saved or not. Value.
struct PreviewRequest {
  std::string pipeline;               ///< the document as JSON
  std::filesystem::path base;         ///< where relative paths start; empty: the current folder
  std::string node;                   ///< empty: the last one that changes samples
  std::optional<std::uint64_t> seed;  ///< nullopt: the document's
  std::uint64_t first = 0;            ///< index in the order, counted across epochs
  int count = 8;                      ///< 1 to PreviewOptions::kMostSamples
  int side = kPreviewSide;  ///< longest side of a picture: kPreviewSide to kMostPreviewSide
  bool values = false;      ///< also the values of pictures

  bool operator==(const PreviewRequest&) const = default;
};

/// Reads the document. The error is its first problem. Any thread.
Result<PreviewOptions> optionsOf(const PreviewRequest& request);

}  // namespace millrace
