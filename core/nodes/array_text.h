// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/data/filter.h"
#include "core/spec/export_text.h"

namespace millrace {

// Pieces of exported code that several kinds write alike for tf.data and DALI. Both take steps like
// `random_flip(sample, ["image"], draw("flip"), horizontal=0.5, vertical=0.0)`: functions of the
// same names and arguments lie in resources/export/tfdata and resources/export/dali.

/// `["image", "mask"]`.
std::string fieldList(const ExportContext& context, const std::vector<std::size_t>& fields);
/// `draw("flip")`: what the node's draws follow from. `text` gets the definitions.
std::string drawIn(const ExportContext& context, ExportText& text);
/// `method="bilinear", antialias=True`.
std::string resampling(Filter filter, bool antialias);
/// `(0.0, 1.0)`.
std::string realPair(double low, double high);
/// What stands in a geometric node's way: a one-hot mask that is turned to planes already. Steps
/// see pictures with the channels last.
std::string planesInTheWay(const ExportContext& context, const std::vector<std::size_t>& fields);

}  // namespace millrace
