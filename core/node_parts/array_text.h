// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/filter.h"
#include "core/spec/export_text.h"

namespace millrace {

// Pieces of exported code that several kinds use for tf.data, DALI and Grain. These targets have
// steps like `random_flip(sample, ["image"], draw("flip"), horizontal=0.5, vertical=0.0)`:
// functions with these names and arguments are defined in resources/export/tfdata, dali and grain.

/// `["image", "mask"]`.
std::string fieldList(const ExportContext& context, const std::vector<std::size_t>& fields);
/// `draw("flip")`: the source of the node's random draws. Adds the definitions to `text`.
std::string drawIn(const ExportContext& context, ExportText& text);
/// `method="bilinear", antialias=True`.
std::string resampling(Filter filter, bool antialias);
/// Resizes fields and rounds to bytes, in the short form of tf.data.
ExportText& resizeInTf(const std::vector<std::string>& fields, std::int64_t height,
                       std::int64_t width, Filter filter, bool antialias, ExportText& text);
/// Resizes fields of three channels of bytes with Pillow.
ExportText& resizeInPillow(const std::vector<std::string>& fields, std::int64_t height,
                           std::int64_t width, Filter filter, ExportText& text);
/// `(0.0, 1.0)`.
std::string realPair(double low, double high);
/// Why a geometric node cannot be exported: a one-hot mask is already in planes, but steps need
/// channels last. Empty if there is no such mask.
std::string planesInTheWay(const ExportContext& context, const std::vector<std::size_t>& fields);
/// Why a node that fills pixels cannot be exported, for all targets: a picture is not u8, and the
/// code's fill is a level of 255. Empty if all are.
std::string floatsToFill(const ExportContext& context, const std::vector<std::size_t>& fields);

}  // namespace millrace
