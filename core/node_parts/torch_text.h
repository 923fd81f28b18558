// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/data/border.h"
#include "core/data/filter.h"
#include "core/spec/export_text.h"
#include "core/spec/value.h"

namespace millrace {

// Pieces of exported PyTorch code that several kinds use.

/// `interpolation=InterpolationMode.BICUBIC, antialias=True`; bilinear, torchvision's default, is
/// omitted. Adds the import to `text`, and the limit that pixels are rounded differently.
std::string torchResampling(Filter filter, bool antialias, ExportText& text);

/// The name of a border in the export resources: "constant", "edge", "reflect", "symmetric",
/// "wrap".
std::string torchBorder(Border border);

/// A colour from 0 to 255 as a number, or as a tuple with one number per channel.
std::string torchColour(const RealList& colour);

/// Whether one of these fields is a mask, which uses nearest interpolation.
bool hasMask(const StreamType& in, const std::vector<std::size_t>& fields);

}  // namespace millrace
