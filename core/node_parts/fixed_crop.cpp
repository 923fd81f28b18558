// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fixed_crop.h"

#include <fmt/format.h>

#include "core/node_parts/mask_fill.h"
#include "core/node_parts/torch_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

void describeFixedCrop(Describe<FixedCrop>& d) {
  d.integer("height", &FixedCrop::height)
      .label("Height")
      .help("Height of the crop, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.integer("width", &FixedCrop::width)
      .label("Width")
      .help("Width of the crop, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.boolean("pad", &FixedCrop::pad)
      .label("Pad")
      .help("Pad pictures that are smaller than the crop. If off, such samples fail.");
  d.reals("fill", &FixedCrop::fill)
      .usedWith("pad")
      .label("Fill")
      .help(
          "Colour of the padding: one value, or one per channel. 0 to 255 for pictures of bytes; "
          "on "
          "the scale of the values for f32.");
  describeMaskFill(d, &FixedCrop::maskFill).usedWith("pad");
  d.fields(&FixedCrop::fields);
}

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
