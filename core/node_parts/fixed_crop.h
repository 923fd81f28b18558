// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/node_parts/crop_size.h"
#include "core/node_parts/mask_fill.h"
#include "core/spec/describe.h"

namespace millrace {

/// Parameters of the crops with a fixed size: centre_crop and random_crop.
struct FixedCrop {
  std::int64_t height = 224;
  std::int64_t width = 224;
  bool pad = false;
  RealList fill{0};
  RealList maskFill{0};
  TextList fields;

  PadFill border() const { return padFill(Border::Constant, fill, maskFill); }
};

/// All but `fields`. `Params` is a FixedCrop, perhaps with more members.
template <class Params>
void describeFixedCrop(Describe<Params>& d) {
  d.integer("height", &Params::height)
      .label("Height")
      .help("Height of the crop, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.integer("width", &Params::width)
      .label("Width")
      .help("Width of the crop, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.boolean("pad", &Params::pad)
      .label("Pad")
      .help("Pad pictures that are smaller than the crop. If off, such samples fail.");
  d.reals("fill", &Params::fill)
      .usedWith("pad")
      .label("Fill")
      .help(
          "Colour of the padding: one value, or one per channel. 0 to 255 for pictures of bytes; "
          "on "
          "the scale of the values for f32.");
  describeMaskFill<Params>(d, &Params::maskFill).usedWith("pad");
}

/// The crop's size in pixels of the window. Pads the window if the crop pads; otherwise an error if
/// the picture is too small.
Result<Size> fitWindow(const FixedCrop& crop, const PadFill& border, Window& window);

/// Adds the padding step if the crop pads. `fill`: fillLevels() of the crop's fill.
void torchPadStep(const FixedCrop& crop, const RealList& fill, const std::string& fields,
                  ExportText& text);
/// The same for tf.data and DALI.
void arrayPadStep(const FixedCrop& crop, const RealList& fill, const std::string& fields,
                  ExportText& text);

}  // namespace millrace
