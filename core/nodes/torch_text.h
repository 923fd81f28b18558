// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/data/border.h"
#include "core/data/filter.h"
#include "core/spec/export_text.h"
#include "core/spec/value.h"

namespace millrace {

// Pieces of exported PyTorch code that several kinds write alike.

/// `interpolation=InterpolationMode.BICUBIC, antialias=True`; bilinear, which torchvision takes
/// anyway, is left out. `text` gets the import, and the limit that pixels are rounded otherwise.
std::string torchResampling(Filter filter, bool antialias, ExportText& text);

/// What the resources' borders are called: "constant", "edge", "reflect", "symmetric", "wrap".
std::string torchBorder(Border border);

/// A colour of 0 to 255 as a number, or as a tuple of one for each channel.
std::string torchColour(const RealList& colour);

/// Whether one of these fields is a mask, which takes the nearest pixels.
bool hasMask(const StreamType& in, const std::vector<std::size_t>& fields);

}  // namespace millrace
