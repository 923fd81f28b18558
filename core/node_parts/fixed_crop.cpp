// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fixed_crop.h"

#include <fmt/format.h>

#include "core/node_parts/torch_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

Result<Size> fitWindow(const FixedCrop& crop, const PadFill& border, Window& window) {
  Result<Size> size = cropSize(window, crop.height, crop.width);
  if (!size) return size.error();
  if (crop.pad) padToAtLeast(window, *size, border);
  const Size seen = window.size();
  if (seen.width < size->width || seen.height < size->height)
    return tooSmall(window, crop.height, crop.width);
  return size;
}

void torchPadStep(const FixedCrop& crop, const RealList& fill, const std::string& fields,
                  ExportText& text) {
  if (!crop.pad) return;
  text.needs("pad_to_at_least")
      .step(fmt::format("PadToAtLeast({}, ({}, {}), {}, {})", fields, crop.height, crop.width,
                        torchColour(fill), torchColour(crop.maskFill)));
}

void arrayPadStep(const FixedCrop& crop, const RealList& fill, const std::string& fields,
                  ExportText& text) {
  if (!crop.pad) return;
  text.needs("pad").step(fmt::format("pad_to_at_least(sample, {}, {}, {}, fill={}, mask_fill={})",
                                     fields, crop.height, crop.width, pythonReals(fill),
                                     pythonReals(crop.maskFill)));
}

}  // namespace millrace
